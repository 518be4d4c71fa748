"""The caller's identity, as the daemon sees it, and the daemon's, as a client checks it."""

from msgspec import Struct


class WhoAmI(Struct, kw_only=True):
    """The caller's role: local, hooks, browser or owner."""

    authenticated: bool
    role: str
    mode: str = "local"
    claims: dict[str, str] | None = None


class DaemonProof(Struct, kw_only=True, rename="camel"):
    """HMACs of the client's nonce and the daemon's port, in hexadecimal.

    ``token`` is keyed by the installation's token, ``hookToken`` by the hook token.
    """

    port: int
    token: str
    hook_token: str

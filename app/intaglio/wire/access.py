"""The caller's identity, as the daemon sees it."""

from msgspec import Struct


class WhoAmI(Struct, kw_only=True):
    """The caller's role: local, hooks, browser or owner."""

    authenticated: bool
    role: str
    mode: str = "local"
    claims: dict[str, str] | None = None

"""The caller's identity, as the daemon sees it, and the daemon's, as a client checks it."""

from typing import Annotated, Literal

from msgspec import Meta, Struct


class WhoAmI(Struct, kw_only=True):
    """The caller's role: local, hooks, browser or owner; ``mode`` is the setting `auth.mode`."""

    authenticated: bool
    role: str
    mode: str
    claims: dict[str, str] | None = None


class BrowserSandbox(Struct, kw_only=True, frozen=True):
    """The sandbox that a browser runs in, and the browser's name there."""

    kind: Literal["snap", "flatpak"]
    app: Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,100}$(?!\n)")]


class SignInPageRequest(Struct, kw_only=True):
    """Where a browser is to be signed in: the page of the dashboard, and the browser's sandbox."""

    next: Annotated[str, Meta(max_length=2_000)] = "/"
    sandbox: BrowserSandbox | None = None


class SignInPageReply(Struct, kw_only=True):
    """A private file that leads a browser to a sign-in link; deleted once used."""

    file: str
    expires_in_s: int


class DaemonProof(Struct, kw_only=True, rename="camel"):
    """HMACs of the client's nonce and the daemon's port, in hexadecimal.

    ``token`` is keyed by the installation's token, ``hookToken`` by the hook token.
    """

    port: int
    token: str
    hook_token: str

"""Who may ask at all: peer, Host, Origin, cookie and token, judged before the body is read."""

import hmac
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from intaglio.api.gate.asker import Role
from intaglio.api.gate.declaration import Access
from intaglio.api.gate.sign_in import SignIn
from intaglio.api.problems.kinds import MediaTypeError, QueryTooLongError
from intaglio.base.errors import (
    ForbiddenError,
    InvalidInputError,
    NotFoundError,
    UnauthenticatedError,
)
from intaglio.base.install import Install, command

MOST_QUERY_BYTES: Final = 16_384
_SAFE_METHODS = frozenset({"GET", "HEAD"})
_FOREIGN_SITES = frozenset({"cross-site", "same-site"})
_FORWARDED = frozenset({"forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"})
_ONCE = frozenset({"host", "origin", "authorization", "sec-fetch-site", "content-length"})
_NAVIGABLE = frozenset({Access.FILE, Access.LINK})


@dataclass(frozen=True, slots=True)
class Ask:
    """What the guard looks at: a request without its body. Header names are lower case."""

    method: str
    path: str
    query_bytes: int
    peer: str | None
    headers: Mapping[str, str]
    repeated: frozenset[str]

    @property
    def is_safe(self) -> bool:
        """Whether the method changes nothing."""
        return self.method in _SAFE_METHODS

    @property
    def is_navigation(self) -> bool:
        """Whether a browser asks for a page to show, as when a link is followed."""
        return (
            self.is_safe
            and self.headers.get("sec-fetch-mode") == "navigate"
            and self.headers.get("sec-fetch-dest") == "document"
        )


def _is_loopback(peer: str | None) -> bool:
    try:
        address = ipaddress.ip_address((peer or "").partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)


def _own_hosts(port: int) -> frozenset[str]:
    names = ("127.0.0.1", "localhost", "[::1]")
    return frozenset(names) | {f"{name}:{port}" for name in names}


def _cookie(header: str, name: str) -> str | None:
    for part in header.split(";"):
        key, _, value = part.strip().partition("=")
        if key == name:
            return value
    return None


def _permit(role: Role, access: Access) -> None:
    if access is Access.OWNER and role is not Role.OWNER:
        raise UnauthenticatedError(
            "this needs the token of this installation",
            hint="Use the `intaglio` command; it has the token.",
        )
    if access is Access.BROWSER and role not in {Role.OWNER, Role.BROWSER}:
        raise UnauthenticatedError(
            "this needs the token of this installation or a signed-in browser",
            hint="Use the `intaglio` command, or the dashboard.",
        )


class Guard:
    """The rules of who may ask; ``admit`` either names the role or raises."""

    def __init__(self, install: Install, port: int, sign_in: SignIn) -> None:
        self._install = install
        self._sign_in = sign_in
        self._hosts = _own_hosts(port)
        # A browser leaves the port out of Host and Origin when it is the scheme's own.
        self._default_port = port == 80  # noqa: PLR2004 - the port of http
        self._port_suffix = f":{port}"

    def admit(self, ask: Ask, access: Access) -> Role:
        """Judge a request for an operation of that access by everything but its body.

        Raises ForbiddenError for a foreign peer, Host, Origin or site, UnauthenticatedError for
        a missing or wrong proof, InvalidInputError, NotFoundError and TooLargeError for what is
        malformed.
        """
        self._check_form(ask)
        self._check_place(ask, access)
        role = self._role(ask, access)
        _permit(role, access)
        return role

    def _role(self, ask: Ask, access: Access) -> Role:
        token = self._token_role(ask)
        if token is not None:
            self._check_origin(ask)
            if token is Role.HOOKS and access is not Access.HOOK:
                raise ForbiddenError("the hook token opens the hook endpoints only")
            return token
        if self._from_page(ask):
            return self._page_role(ask, access)
        if _FORWARDED & ask.headers.keys():
            raise UnauthenticatedError(
                "a forwarded request needs a token",
                hint="Intaglio answers programs on this machine; a proxy has to show the token.",
            )
        return Role.BROWSER if self._has_session(ask) else Role.LOCAL

    def _check_form(self, ask: Ask) -> None:
        twice = _ONCE & ask.repeated
        if twice:
            raise InvalidInputError(f"the header {min(twice)} is sent more than once")
        if ask.query_bytes > MOST_QUERY_BYTES:
            raise QueryTooLongError(f"the query string exceeds {MOST_QUERY_BYTES} bytes")
        # The router reads //api as /api; the rules here that go by the path must not read another.
        if not ask.path.startswith("/") or "//" in ask.path:
            raise NotFoundError("there is no such address")

    def _check_place(self, ask: Ask, access: Access) -> None:
        if not _is_loopback(ask.peer):
            raise ForbiddenError("only programs on this machine may ask")
        if ask.headers.get("host", "").lower() not in self._hosts:
            raise ForbiddenError(
                "unknown Host", hint="Use http://127.0.0.1 with the port of the daemon."
            )
        opened = ask.is_navigation and access in _NAVIGABLE
        if ask.headers.get("sec-fetch-site") in _FOREIGN_SITES and not opened:
            raise ForbiddenError("pages of another site may not ask")

    def _check_origin(self, ask: Ask) -> None:
        origin = ask.headers.get("origin")
        if origin is None:
            return
        host = ask.headers["host"].lower()
        named = host.endswith(self._port_suffix) or self._default_port
        if not named or origin.lower() != f"http://{host}":
            raise ForbiddenError("pages of another origin may not ask")
        kind = ask.headers.get("content-type", "").partition(";")[0].strip().lower()
        if ask.method not in _SAFE_METHODS and kind not in {"", "application/json"}:
            raise MediaTypeError("a page has to send application/json")

    def _from_page(self, ask: Ask) -> bool:
        # A browser sends Origin with every unsafe request; Sec-Fetch-Site without one is a fake
        # or a gap, and is treated as a page.
        return "origin" in ask.headers or (
            "sec-fetch-site" in ask.headers and ask.method not in _SAFE_METHODS
        )

    def _page_role(self, ask: Ask, access: Access) -> Role:
        self._check_origin(ask)
        if not self._has_session(ask):
            # A browser sends Origin for a page's own module scripts too; without them the page
            # could not even say that one has to sign in.
            if ask.is_safe and access is Access.FILE:
                return Role.LOCAL
            raise UnauthenticatedError(
                "this browser is not signed in",
                hint=f"Run `{command('dashboard')}` to open the dashboard and sign in.",
            )
        return Role.BROWSER

    def _has_session(self, ask: Ask) -> bool:
        value = _cookie(ask.headers.get("cookie", ""), self._sign_in.cookie_name)
        return value is not None and self._sign_in.accepts(value)

    def _token_role(self, ask: Ask) -> Role | None:
        header = ask.headers.get("authorization")
        if header is None:
            return None
        scheme, _, token = header.partition(" ")
        given = token.strip().encode("utf-8", "surrogatepass")
        if scheme.lower() == "bearer":
            if hmac.compare_digest(given, self._install.token.encode()):
                return Role.OWNER
            if hmac.compare_digest(given, self._install.hook_token.encode()):
                return Role.HOOKS
        raise UnauthenticatedError("the token is not of this installation")

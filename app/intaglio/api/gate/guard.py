"""Who may ask at all: peer, Host, Origin, cookie and token, judged before the body is read."""

import hmac
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from intaglio.api.gate.declaration import Access
from intaglio.api.gate.principal import Role
from intaglio.api.gate.sign_in import SignIn
from intaglio.api.problems.errors import MediaTypeError, QueryTooLongError
from intaglio.base.errors import (
    ForbiddenError,
    InvalidInputError,
    NotFoundError,
    UnauthenticatedError,
)
from intaglio.base.installation import Installation, command

MOST_QUERY_BYTES: Final = 16_384
_SAFE_METHODS = frozenset({"GET", "HEAD"})
_FOREIGN_SITES = frozenset({"cross-site", "same-site"})
_FORWARDED = frozenset({"forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"})
_ONCE = frozenset({"host", "origin", "authorization", "sec-fetch-site", "content-length"})
_NAVIGABLE = frozenset({Access.FILE, Access.LINK})


@dataclass(frozen=True, slots=True)
class AccessRequest:
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

    def __init__(self, installation: Installation, port: int, sign_in: SignIn) -> None:
        self._install = installation
        self._sign_in = sign_in
        self._hosts = _own_hosts(port)
        # A browser leaves the port out of Host and Origin when it is the scheme's own.
        self._default_port = port == 80  # noqa: PLR2004 - the port of http
        self._port_suffix = f":{port}"

    def admit(self, request: AccessRequest, access: Access) -> Role:
        """Judge a request for an operation of that access by everything but its body.

        Raises ForbiddenError for a foreign peer, Host, Origin or site, UnauthenticatedError for
        a missing or wrong proof, InvalidInputError, NotFoundError and TooLargeError for what is
        malformed.
        """
        self._check_form(request)
        self._check_place(request, access)
        role = self._role(request, access)
        _permit(role, access)
        return role

    def _role(self, request: AccessRequest, access: Access) -> Role:
        token = self._token_role(request)
        if token is not None:
            self._check_origin(request)
            if token is Role.HOOKS and access is not Access.HOOK:
                raise ForbiddenError("the hook token opens the hook endpoints only")
            return token
        if self._from_page(request):
            return self._page_role(request, access)
        if _FORWARDED & request.headers.keys():
            raise UnauthenticatedError(
                "a forwarded request needs a token",
                hint="Intaglio answers programs on this machine; a proxy has to show the token.",
            )
        return Role.BROWSER if self._has_session(request) else Role.LOCAL

    def _check_form(self, request: AccessRequest) -> None:
        twice = _ONCE & request.repeated
        if twice:
            raise InvalidInputError(f"the header {min(twice)} is sent more than once")
        if request.query_bytes > MOST_QUERY_BYTES:
            raise QueryTooLongError(f"the query string exceeds {MOST_QUERY_BYTES} bytes")
        # The router reads //api as /api; the rules here that go by the path must not read another.
        if not request.path.startswith("/") or "//" in request.path:
            raise NotFoundError("there is no such address")

    def _check_place(self, request: AccessRequest, access: Access) -> None:
        if not _is_loopback(request.peer):
            raise ForbiddenError("only programs on this machine may ask")
        if request.headers.get("host", "").lower() not in self._hosts:
            raise ForbiddenError(
                "unknown Host", hint="Use http://127.0.0.1 with the port of the daemon."
            )
        opened = request.is_navigation and access in _NAVIGABLE
        if request.headers.get("sec-fetch-site") in _FOREIGN_SITES and not opened:
            raise ForbiddenError("pages of another site may not ask")

    def _check_origin(self, request: AccessRequest) -> None:
        origin = request.headers.get("origin")
        if origin is None:
            return
        host = request.headers["host"].lower()
        named = host.endswith(self._port_suffix) or self._default_port
        if not named or origin.lower() != f"http://{host}":
            raise ForbiddenError("pages of another origin may not ask")
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if request.method not in _SAFE_METHODS and kind not in {"", "application/json"}:
            raise MediaTypeError("a page has to send application/json")

    def _from_page(self, request: AccessRequest) -> bool:
        # A browser sends Origin with every unsafe request; Sec-Fetch-Site without one is a fake
        # or a gap, and is treated as a page.
        return "origin" in request.headers or (
            "sec-fetch-site" in request.headers and request.method not in _SAFE_METHODS
        )

    def _page_role(self, request: AccessRequest, access: Access) -> Role:
        self._check_origin(request)
        if not self._has_session(request):
            # A browser sends Origin for a page's own module scripts too; without them the page
            # could not even say that one has to sign in.
            if request.is_safe and access is Access.FILE:
                return Role.LOCAL
            raise UnauthenticatedError(
                "this browser is not signed in",
                hint=f"Run `{command('dashboard')}` to open the dashboard and sign in.",
            )
        return Role.BROWSER

    def _has_session(self, request: AccessRequest) -> bool:
        value = _cookie(request.headers.get("cookie", ""), self._sign_in.cookie_name)
        return value is not None and self._sign_in.accepts(value)

    def _token_role(self, request: AccessRequest) -> Role | None:
        header = request.headers.get("authorization")
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

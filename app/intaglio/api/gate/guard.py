"""Checks a request's peer, Host, Origin, cookie and token before its body is read."""

import hmac
import ipaddress
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from intaglio.api.gate.declaration import JSON, Access
from intaglio.api.gate.principal import ListenerKind, PeerIdentity, Role
from intaglio.api.gate.sign_in import SignIn
from intaglio.api.problems.errors import (
    MediaTypeError,
    OtherUserError,
    QueryTooLongError,
    SignedOutError,
)
from intaglio.base.errors import (
    ForbiddenError,
    InvalidInputError,
    NotFoundError,
    UnauthenticatedError,
)
from intaglio.base.installation import Installation, command

MAX_QUERY_BYTES: Final = 16_384
_SAFE_METHODS = frozenset({"GET", "HEAD"})
_BROWSER_HEADERS = frozenset({"sec-fetch-site", "sec-fetch-dest", "origin"})
_FOREIGN_SITES = frozenset({"cross-site", "same-site"})
_FORWARDED = frozenset({"forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"})
_SINGLE = frozenset(
    {
        "host",
        "origin",
        "authorization",
        "sec-fetch-site",
        "content-length",
        "x-signet-agent-id",
        "x-intaglio-agent-id",
    }
)
_SAME_ORIGIN: Final = "Open the dashboard at the daemon's own address."
_NAVIGABLE = frozenset({Access.FILE, Access.LINK})
_OPEN = _NAVIGABLE | {Access.OPEN}


@dataclass(frozen=True, slots=True)
class AccessRequest:
    """A request without its body, as the guard checks it. Header names are lower case.

    ``media_type`` is the type that its operation takes.
    """

    method: str
    path: str
    query_bytes: int
    peer: str | None
    headers: Mapping[str, str]
    repeated: frozenset[str]
    identity: PeerIdentity
    listener: ListenerKind = ListenerKind.PORT
    media_type: str = JSON

    @property
    def is_safe(self) -> bool:
        """Whether the method changes nothing."""
        return self.method in _SAFE_METHODS

    @property
    def is_navigation(self) -> bool:
        """Whether a browser is loading a page, for example by following a link."""
        return (
            self.is_safe
            and self.headers.get("sec-fetch-mode") == "navigate"
            and self.headers.get("sec-fetch-dest") == "document"
        )

    @property
    def is_from_browser(self) -> bool:
        """Whether a browser sent the request.

        Sec-Fetch-Mode alone proves nothing: Node's fetch sends it, and so do its agents' plugins.
        """
        return not _BROWSER_HEADERS.isdisjoint(self.headers)


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


def _needs_no_session(request: AccessRequest, access: Access) -> bool:
    # What signing in takes: the page and its files, and the link. Browsers send Origin for a
    # page's own module scripts too, but not when they follow a link.
    followed = access is Access.LINK and "origin" not in request.headers
    return request.is_safe and (access is Access.FILE or followed)


def permit(role: Role, access: Access) -> None:
    """Raise UnauthenticatedError if callers of this role may not call what has this access."""
    if access is Access.OWNER and role is not Role.OWNER:
        raise UnauthenticatedError(
            "This request needs this installation's token",
            hint="Use the `intaglio` command, which sends the token.",
        )
    if access is Access.BROWSER and role not in {Role.OWNER, Role.BROWSER}:
        raise UnauthenticatedError(
            "This request needs this installation's token or a signed-in browser",
            hint="Use the `intaglio` command or the dashboard.",
        )


def _require_proof(role: Role, access: Access) -> None:
    # Without the open ones a browser couldn't sign in, nor a client check the daemon.
    if role is Role.LOCAL and access not in _OPEN:
        raise UnauthenticatedError(
            "Can't tell which user of this machine is asking",
            hint="Send this installation's token, or use the `intaglio` command.",
        )


class Guard:
    """Decides who may make a request: ``admit`` returns the caller's role or raises."""

    def __init__(
        self,
        installation: Installation,
        port: int,
        sign_in: SignIn,
        *,
        serves_team: Callable[[], bool] = lambda: False,
    ) -> None:
        self._install = installation
        self._sign_in = sign_in
        self._serves_team = serves_team
        self._hosts = _own_hosts(port)
        # Browsers omit the scheme's default port from Host and Origin.
        self._default_port = port == 80  # noqa: PLR2004 - the port of http
        self._port_suffix = f":{port}"

    def admit(self, request: AccessRequest, access: Access) -> Role:
        """Return the role of the caller of an operation with this access.

        Raises ForbiddenError for a foreign peer, Host, Origin or site, UnauthenticatedError for
        missing or wrong credentials, and InvalidInputError, NotFoundError or TooLargeError for a
        malformed request.
        """
        self._check_user(request)
        self._check_form(request)
        self._check_source(request, access)
        role = self._role(request, access)
        permit(role, access)
        if request.identity is not PeerIdentity.OWN:
            _require_proof(role, access)
        return role

    def _role(self, request: AccessRequest, access: Access) -> Role:
        token = self._token_role(request)
        if token is not None:
            self._check_origin(request)
            if token is Role.HOOKS and access is not Access.HOOK:
                raise ForbiddenError(
                    "The hook token is only valid for hook endpoints",
                    hint="Use the `intaglio` command, which sends the installation's token.",
                )
            return token
        if request.is_from_browser:
            return self._browser_role(request, access)
        if _FORWARDED & request.headers.keys():
            raise UnauthenticatedError(
                "A forwarded request needs a token",
                hint="Configure the proxy to send this installation's token.",
            )
        return Role.BROWSER if self._has_session(request) else Role.LOCAL

    def _check_user(self, request: AccessRequest) -> None:
        if request.identity is PeerIdentity.OTHER and not self._serves_team():
            raise OtherUserError(
                "This Intaglio belongs to another user of this machine",
                hint="Start your own with `intaglio daemon start`. Each user has their own.",
            )

    def _check_form(self, request: AccessRequest) -> None:
        repeated = _SINGLE & request.repeated
        if repeated:
            raise InvalidInputError(
                f"The {min(repeated)} header was sent more than once", hint="Send it once."
            )
        if request.query_bytes > MAX_QUERY_BYTES:
            raise QueryTooLongError(
                f"The query string exceeds {MAX_QUERY_BYTES} bytes",
                hint="Use the POST form of this endpoint, or fewer parameters.",
            )
        # The router treats //api as /api, so path-based rules here must not see a different path.
        if not request.path.startswith("/") or "//" in request.path:
            raise NotFoundError("Not found", hint="GET /api/openapi.json lists every endpoint.")

    def _check_source(self, request: AccessRequest, access: Access) -> None:
        # A connection of the port whose peer has already closed has no address either.
        if request.listener is ListenerKind.PORT and not _is_loopback(request.peer):
            raise ForbiddenError(
                "Only programs on this machine can connect",
                hint="Run the client on the machine that runs the daemon.",
            )
        if request.headers.get("host", "").lower() not in self._hosts:
            raise ForbiddenError(
                "Unknown Host header", hint="Use http://127.0.0.1 with the daemon's port."
            )
        opened = request.is_navigation and access in _NAVIGABLE
        if request.headers.get("sec-fetch-site") in _FOREIGN_SITES and not opened:
            raise ForbiddenError("Requests from other sites aren't allowed", hint=_SAME_ORIGIN)

    def _check_origin(self, request: AccessRequest) -> None:
        origin = request.headers.get("origin")
        if origin is None:
            return
        host = request.headers["host"].lower()
        named = host.endswith(self._port_suffix) or self._default_port
        if not named or origin.lower() != f"http://{host}":
            raise ForbiddenError("Requests from other origins aren't allowed", hint=_SAME_ORIGIN)
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if request.method not in _SAFE_METHODS and kind not in {"", request.media_type}:
            raise MediaTypeError(
                "Unsupported Content-Type", hint=f"Send the body as {request.media_type}."
            )

    def _browser_role(self, request: AccessRequest, access: Access) -> Role:
        self._check_origin(request)
        if self._has_session(request):
            return Role.BROWSER
        if _needs_no_session(request, access) and not _FORWARDED & request.headers.keys():
            return Role.LOCAL
        raise SignedOutError(
            "This browser isn't signed in",
            hint=f"Run `{command('dashboard')}` to open the dashboard and sign in.",
        )

    def _has_session(self, request: AccessRequest) -> bool:
        value = _cookie(request.headers.get("cookie", ""), self._sign_in.cookie_name)
        return value is not None and self._sign_in.accepts(value)

    def _token_role(self, request: AccessRequest) -> Role | None:
        header = request.headers.get("authorization")
        if header is None:
            return None
        scheme, _, token = header.partition(" ")
        sent = token.strip().encode("utf-8", "surrogatepass")
        if scheme.lower() == "bearer":
            if hmac.compare_digest(sent, self._install.token.encode()):
                return Role.OWNER
            if hmac.compare_digest(sent, self._install.hook_token.encode()):
                return Role.HOOKS
        raise UnauthenticatedError(
            "Invalid token", hint="Send this installation's token, or use the `intaglio` command."
        )

"""Signs browsers in with one-time links, valid for ten minutes, and a signed session cookie."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable

from intaglio.base.clock import Clock
from intaglio.base.installation import Installation

# Long enough for someone who starts the daemon and returns to its first line later.
LINK_LIFE_S = 600
COOKIE_LIFE_S = 30 * 24 * 3600
_MAX_LINKS = 32
_MAX_COOKIE_CHARS = 200
# A path of this site: a leading double slash or backslash would name another site.
_OWN_PAGE = re.compile(
    r"/(?:[A-Za-z0-9_~.%-][A-Za-z0-9_~.%/-]*)?(?:\?[A-Za-z0-9_~.%/=&+:,-]*)?(?:#[A-Za-z0-9_-]*)?"
)


class SignIn:
    """Issues one-time links and checks session cookies.

    A cookie is ``<expiry>.<signature>``, signed with the installation's token: it survives a
    restart of the daemon and becomes invalid with the token.
    """

    def __init__(
        self, installation: Installation, clock: Clock, monotonic_s: Callable[[], float]
    ) -> None:
        # Cookies ignore ports, so the name distinguishes two daemons on one machine.
        self.cookie_name = f"intaglio_{installation.install_id}"
        self._key = hashlib.sha256(b"browser session\0" + installation.token.encode()).digest()
        self._clock = clock
        self._monotonic_s = monotonic_s
        self._links: dict[bytes, float] = {}

    def new_key(self) -> str:
        """Return the key of a new one-time link; drops the oldest open link over the limit."""
        now = self._monotonic_s()
        self._links = {link: until for link, until in self._links.items() if until > now}
        while len(self._links) >= _MAX_LINKS:
            del self._links[next(iter(self._links))]
        key = secrets.token_urlsafe(32)
        self._links[_digest(key)] = now + LINK_LIFE_S
        return key

    def redeem(self, key: str) -> str | None:
        """Redeem a link's key for a session cookie's value; None if it has expired or been used."""
        until = self._links.pop(_digest(key), None)
        if until is None or until <= self._monotonic_s():
            return None
        expiry = str(int(self._clock().timestamp()) + COOKIE_LIFE_S)
        return f"{expiry}.{self._signature(expiry)}"

    def accepts(self, cookie: str) -> bool:
        """Whether a session cookie's value is valid and hasn't expired."""
        expiry, _, signature = cookie[:_MAX_COOKIE_CHARS].partition(".")
        if not expiry.isascii() or not expiry.isdecimal() or not signature.isascii():
            return False
        if not hmac.compare_digest(signature, self._signature(expiry)):
            return False
        return int(expiry) > self._clock().timestamp()

    def _signature(self, expiry: str) -> str:
        return hmac.new(self._key, expiry.encode(), hashlib.sha256).hexdigest()


def _digest(key: str) -> bytes:
    # Looking up a digest takes the same time however much of the key is right.
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()


def own_page(address: str) -> str:
    """Return the address if it is a page of this dashboard, else the home page."""
    return address if _OWN_PAGE.fullmatch(address) else "/"

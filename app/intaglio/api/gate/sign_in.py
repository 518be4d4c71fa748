"""How a browser signs in: links that work once, for ten minutes, and the signed session cookie."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable

from intaglio.base.clock import Clock
from intaglio.base.installation import Installation

# Long enough for who starts the daemon, reads on, and only then looks at its first line.
LINK_LIFE_S = 600
COOKIE_LIFE_S = 30 * 24 * 3600
_MOST_LINKS = 32
_MOST_COOKIE_CHARS = 200
# A path of this site: a second slash or a backslash at its start would name another one.
_OWN_PAGE = re.compile(
    r"/(?:[A-Za-z0-9_~.%-][A-Za-z0-9_~.%/-]*)?(?:\?[A-Za-z0-9_~.%/=&+:,-]*)?(?:#[A-Za-z0-9_-]*)?"
)


class SignIn:
    """Gives one-time links and checks session cookies.

    A cookie is ``<expiry>.<signature>``, signed with the installation's token, so it outlives a
    restart of the daemon and dies with the token.
    """

    def __init__(
        self, installation: Installation, clock: Clock, monotonic_s: Callable[[], float]
    ) -> None:
        # Cookies ignore ports: the name keeps two daemons on one machine apart.
        self.cookie_name = f"intaglio_{installation.install_id}"
        self._key = hashlib.sha256(b"browser session\0" + installation.token.encode()).digest()
        self._clock = clock
        self._monotonic_s = monotonic_s
        self._links: dict[bytes, float] = {}

    def new_key(self) -> str:
        """Make the key of a one-time link; the oldest open link gives way when there are many."""
        now = self._monotonic_s()
        self._links = {link: until for link, until in self._links.items() if until > now}
        while len(self._links) >= _MOST_LINKS:
            del self._links[next(iter(self._links))]
        key = secrets.token_urlsafe(32)
        self._links[_digest(key)] = now + LINK_LIFE_S
        return key

    def redeem(self, key: str) -> str | None:
        """Use up a link's key and return a session cookie's value; None for a stale or used key."""
        until = self._links.pop(_digest(key), None)
        if until is None or until <= self._monotonic_s():
            return None
        expiry = str(int(self._clock().timestamp()) + COOKIE_LIFE_S)
        return f"{expiry}.{self._signature(expiry)}"

    def accepts(self, cookie: str) -> bool:
        """Tell whether the cookie's value is ours and not expired."""
        expiry, _, signature = cookie[:_MOST_COOKIE_CHARS].partition(".")
        if not expiry.isascii() or not expiry.isdecimal() or not signature.isascii():
            return False
        if not hmac.compare_digest(signature, self._signature(expiry)):
            return False
        return int(expiry) > self._clock().timestamp()

    def _signature(self, expiry: str) -> str:
        return hmac.new(self._key, expiry.encode(), hashlib.sha256).hexdigest()


def _digest(key: str) -> bytes:
    # A lookup by digest takes the same time whatever part of the key is right.
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()


def own_page(address: str) -> str:
    """Return the address where it is a page of this dashboard, else the first page."""
    return address if _OWN_PAGE.fullmatch(address) else "/"

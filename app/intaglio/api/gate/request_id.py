"""The id that a client gives its request, for its log lines and its row in the history."""

import re
from collections.abc import Iterable
from typing import Final

_SANE: Final = re.compile(rb"[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}")
# The history names a request by the first two; the last is what proxies and most clients send.
_HEADERS: Final = (b"x-signet-request-id", b"x-intaglio-request-id", b"x-request-id")


def given_id(headers: Iterable[tuple[bytes, bytes]]) -> str | None:
    """Return the id that a client gave; None without one, or if it's no plain word."""
    given = {name.lower(): value for name, value in reversed([*headers])}
    for name in _HEADERS:
        value = given.get(name, b"").strip()
        if _SANE.fullmatch(value):
            return value.decode()
    return None

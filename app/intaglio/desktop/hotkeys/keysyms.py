"""The names that X11 and the desktop portal have for keys."""

from typing import Final

from intaglio.base.shortcut import LETTERS

_OTHERS: Final = {
    "Space": "space",
    "Enter": "Return",
    "PageUp": "Page_Up",
    "PageDown": "Page_Down",
}


def keysym_name(key: str) -> str:
    """Return the name of a key's symbol, such as ``m``, ``F5`` or ``Page_Up``."""
    return key.lower() if key in LETTERS else _OTHERS.get(key, key)

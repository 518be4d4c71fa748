"""Patterns of SQL's LIKE, in which a text stands for itself."""

from typing import Final

LIKE: Final = "LIKE ? ESCAPE '\\'"
"""The condition to put behind a column; LIKE ignores the case of ASCII letters."""


def containing(text: str) -> str:
    """Return the pattern of what contains a text."""
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"

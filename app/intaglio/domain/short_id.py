"""How ids are shortened for people."""

from typing import Final

SHORT_ID: Final = 8
"""How many characters of an id are shown, from its end.

The end of a UUIDv7 is random; it starts with the time, as those of its neighbours do.
"""

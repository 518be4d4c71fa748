"""Compares versions as pip, Debian and release feeds write them."""

import re
from typing import Final, TypeAlias

VersionKey: TypeAlias = tuple[tuple[int, ...], int, int]

_VERSION: Final = re.compile(
    r"(?:\d+:)?v?(\d{1,9}(?:\.\d{1,9}){0,5})"
    r"(?:[-~._]?(dev|alpha|beta|preview|pre|rc|a|b)[-._]?(\d{0,9}))?"
    r"[\w.+~-]{0,60}",
    re.ASCII | re.IGNORECASE,
)
_STAGES: Final = {"dev": 0, "a": 1, "alpha": 1, "b": 2, "beta": 2, "pre": 3, "preview": 3, "rc": 3}
_FINISHED: Final = 4
_DEBIAN: Final = re.compile(r"(?:\d+:)?(.+?)(?:-\d[\w.~+]*)?", re.ASCII)


def version_key(text: str) -> VersionKey | None:
    """Return what orders versions; None for a text that is none.

    A preview precedes its version: 0.2.0b1, 0.2.0-beta.1 and 0.2.0~rc1 come before 0.2.0.
    """
    found = _VERSION.fullmatch(text)
    if found is None:
        return None
    numbers = [int(part) for part in found[1].split(".")]
    while len(numbers) > 1 and not numbers[-1]:
        numbers.pop()
    stage = _STAGES[found[2].lower()] if found[2] else _FINISHED
    return tuple(numbers), stage, int(found[3] or 0)


def is_newer(version: str, than: str) -> bool:
    """Whether a version is newer than another one; False unless both are versions."""
    one, other = version_key(version), version_key(than)
    return one is not None and other is not None and one > other


def upstream_version(debian: str) -> str:
    """Return a Debian version without its epoch and revision: 0.2.0 of 1:0.2.0-1~bookworm1."""
    found = _DEBIAN.fullmatch(debian)
    return found[1] if found else debian

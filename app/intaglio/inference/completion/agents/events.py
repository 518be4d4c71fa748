"""Reads the events that agents print, one JSON object a line."""

import re
from collections.abc import Iterator
from typing import Final, TypeVar

import msgspec

T = TypeVar("T")

_STATUS: Final = re.compile(r"\b(?:400|401|402|403|404|429|5\d\d)\b")


def events_of(output: bytes, kind: type[T]) -> Iterator[T]:
    """Yield the events of a kind, in order; other lines are passed over."""
    for line in output.splitlines():
        try:
            yield msgspec.json.decode(line, type=kind)
        except (msgspec.DecodeError, RecursionError):
            continue


def status_in(text: str) -> int | None:
    """Return the HTTP status that an error message names, if it does."""
    found = _STATUS.search(text[:10_000])
    return int(found[0]) if found else None

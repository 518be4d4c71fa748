"""Which rows of a log are over their time; pure, for tables that are written in order of time."""

from collections.abc import Sequence
from itertools import takewhile
from typing import TypeAlias

Dated: TypeAlias = tuple[int, str]
"""A row's number and the moment of its writing."""


def leading(rows: Sequence[Dated], before: str, now: str) -> list[int]:
    """Return the numbers of the rows at the beginning of a log that are older than ``before``.

    Only from the beginning, so that a log never has holes. A moment to come was written while the
    clock was wrong; such a row goes when one behind it is old.
    """
    old = list(takewhile(lambda row: row[1] < before or row[1] > now, rows))
    while old and old[-1][1] >= before:
        old.pop()
    return [number for number, _ in old]

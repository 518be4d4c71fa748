"""Ranges of time, and what is counted in each."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from intaglio.base.clock import iso

RANGES: Final = (("today", "Today"), ("last_week", "Last week"), ("one_month", "One month"))
_DAYS: Final = (0, 7, 30)


@dataclass(frozen=True, slots=True)
class Range:
    """A range of time: from its start to before its end, both as they are stored."""

    key: str
    label: str
    start: str
    end: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeCounts:
    """What happened in a range; counts by name are the largest first."""

    range: Range
    added: int
    events: int
    evolved: int
    strengthened: int
    recovered: int
    mean_importance: float
    pinned: int
    types: tuple[tuple[str, int], ...]
    sources: tuple[tuple[str, int], ...]
    tags: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class MemoryTimeline:
    """The ranges, and how many live memories and recorded changes there are in all."""

    memories: int
    events: int
    buckets: tuple[RangeCounts, ...]


def ranges(now: datetime) -> tuple[Range, ...]:
    """Return today, the seven days before it, and what is left of thirty; none overlap.

    A day begins at midnight in the zone of ``now``.
    """
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    starts = [midnight - timedelta(days=days) for days in _DAYS]
    # What carries this very moment is in it too, and what a clock that ran ahead wrote.
    ends = [midnight + timedelta(days=1), *starts]
    return tuple(
        Range(key, label, iso(start), iso(end))
        for (key, label), start, end in zip(RANGES, starts, ends, strict=False)
    )

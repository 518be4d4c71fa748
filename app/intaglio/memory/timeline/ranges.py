"""Time ranges, and what is counted in each."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Final

from intaglio.base.clock import iso

RANGES: Final = (("today", "Today"), ("last_week", "Last week"), ("one_month", "One month"))
_DAYS: Final = (0, 7, 30)


@dataclass(frozen=True, slots=True)
class Range:
    """A time range, from ``start`` to before ``end``, as stored timestamps."""

    key: str
    label: str
    start: str
    end: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeCounts:
    """What happened in a range; counts by name are ordered largest first."""

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
    """The ranges, and the total number of live memories and recorded changes."""

    memories: int
    events: int
    buckets: tuple[RangeCounts, ...]


def ranges(now: datetime, local: Callable[[datetime], datetime]) -> tuple[Range, ...]:
    """Return today, the seven days before it, and the rest of thirty days; none overlap.

    ``local`` converts a time to the user's time zone, and takes one without a zone for local.
    """
    midnight = datetime.combine(local(now).date(), time.min)
    starts = [local(midnight - timedelta(days=days)) for days in _DAYS]
    # The current time belongs to today, and so do timestamps from a clock that ran ahead.
    ends = [local(midnight + timedelta(days=1)), *starts]
    return tuple(
        Range(key, label, iso(start), iso(end))
        for (key, label), start, end in zip(RANGES, starts, ends, strict=False)
    )

"""Time as a dependency, and the one written form of a moment."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeAlias

Clock: TypeAlias = Callable[[], datetime]
"""Returns the current moment, aware, in UTC."""


def system_clock() -> datetime:
    """Return the current moment in UTC."""
    return datetime.now(UTC)


def monotonic_s() -> float:
    """Return seconds that never run backwards, for durations only."""
    return time.monotonic()


def iso(moment: datetime) -> str:
    """Write a moment as ISO-8601 UTC with milliseconds: ``2026-01-31T08:00:00.000Z``."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_moment(text: str) -> datetime | None:
    """Read ISO-8601, or SQLite's ``YYYY-MM-DD HH:MM:SS``, as UTC where no offset is given.

    Returns None for text that is no moment between the years 1 and 9999.
    """
    try:
        moment = datetime.fromisoformat(text.strip())
        if moment.tzinfo is None:
            return moment.replace(tzinfo=UTC)
        return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None

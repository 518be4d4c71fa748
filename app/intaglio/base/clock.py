"""The clock as a dependency, and the one text format of timestamps."""

import sys
import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from datetime import time as datetime_time
from typing import Final, TypeAlias

Clock: TypeAlias = Callable[[], datetime]
"""Returns the current time, timezone-aware, in UTC."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def system_clock() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


def monotonic_s() -> float:
    """Return seconds from a clock that never goes backwards; use it for durations only."""
    return time.monotonic()


def awake_and_asleep_s() -> float:
    """Return seconds from a clock that never jumps and goes on while the machine sleeps."""
    # `time.monotonic` stands still while the machine sleeps, or may do so.
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    elif sys.platform == "darwin":  # noqa: RET505 - each platform sees only its own branch
        return time.clock_gettime(time.CLOCK_MONOTONIC)
    elif sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - no other platform needs it

        ticks_ms = ctypes.windll.kernel32.GetTickCount64
        ticks_ms.restype = ctypes.c_uint64
        return float(ticks_ms()) / 1000
    else:
        return time.monotonic()


def next_midnight(now: datetime, local: Callable[[datetime], datetime]) -> datetime:
    """Return the next midnight on the user's clock; ``local`` moves a time into its zone."""
    today = local(now)
    return midnight(today.date() + timedelta(days=1), local, today)


def midnight(
    day: date, local: Callable[[datetime], datetime], near: datetime | None = None
) -> datetime:
    """Return when a day begins on the user's clock; ``near`` is a time in its zone, if known."""
    begins = datetime.combine(day, datetime_time.min)
    guess = local(begins.replace(tzinfo=near.tzinfo if near else UTC))
    # If daylight saving changes in between, the UTC offset is off by an hour.
    guess = local(guess + (begins - guess.replace(tzinfo=None)))
    return guess + (begins - guess.replace(tzinfo=None))


def iso(moment: datetime) -> str:
    """Format a time as ISO-8601 UTC with milliseconds: ``2026-01-31T08:00:00.000Z``."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def epoch_ms(text: str) -> int:
    """Return a stored timestamp as milliseconds since 1970; 0 if it can't be parsed."""
    moment = parse_moment(text)
    return 0 if moment is None else (moment - _EPOCH) // timedelta(milliseconds=1)


def iso_of_ms(milliseconds: int) -> str:
    """Format milliseconds since 1970 as `iso` does."""
    return iso(_EPOCH + timedelta(milliseconds=milliseconds))


def moment_of_seconds(seconds: float | None) -> datetime | None:
    """Return the moment so many seconds after 1970; None for none, or outside of 1 to 9999."""
    if seconds is None:
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def local_day(text: str) -> str:
    """Return the day of a stored timestamp on this machine's clock: ``2026-01-31``."""
    moment = _local(text)
    return f"{moment:%Y-%m-%d}" if moment else text[:10]


def local_time(text: str) -> str:
    """Return a stored timestamp on this machine's clock: ``2026-01-31T09:00:00+01:00``."""
    moment = _local(text)
    return moment.isoformat(timespec="seconds") if moment else text


def _local(text: str) -> datetime | None:
    try:
        return moment.astimezone() if (moment := parse_moment(text)) else None
    except (ValueError, OverflowError, OSError):
        return None  # The first or the last day that there is


def parse_moment(text: str) -> datetime | None:
    """Parse ISO-8601 or SQLite's ``YYYY-MM-DD HH:MM:SS``; UTC if there is no offset.

    Returns None if the text isn't a time between the years 1 and 9999.
    """
    try:
        moment = datetime.fromisoformat(text.strip())
        if moment.tzinfo is None:
            return moment.replace(tzinfo=UTC)
        return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None

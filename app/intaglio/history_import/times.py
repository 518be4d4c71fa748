"""Which times of past messages can be true: others would make an old word the latest for ever."""

from datetime import UTC, datetime, timedelta
from typing import Final

_EARLIEST: Final = datetime(2000, 1, 1, tzinfo=UTC)
# The clock that a transcript or an export was written by, and this machine's, differ.
_TOLERANCE: Final = timedelta(days=1)


def plausible(moment: datetime | None, now: datetime) -> datetime | None:
    """Return a moment, None for one that can't be true."""
    if moment is None or not _EARLIEST <= moment <= now + _TOLERANCE:
        return None
    return moment

"""When Claude Code deletes transcripts: so many days after they were last written."""

from pathlib import Path
from typing import Final

from msgspec import Struct

from intaglio.base.files.regular_file import read_regular
from intaglio.base.json.tolerant import REFUSED, TolerantDecoder

DEFAULT_DAYS: Final = 30.0
# Who writes more than a century wants to keep them all; dates end in the year 9999.
_MAX_DAYS: Final = 36_500.0
_MAX_BYTES: Final = 1_000_000


class _Settings(Struct, rename="camel"):
    cleanup_period_days: float | None = None


_DECODER: Final = TolerantDecoder(_Settings)


def kept_days(projects: Path) -> float | None:
    """Return how many days the transcripts of a folder ``projects`` are kept; None for all days.

    As the settings beside it say; another value than a number counts as none.
    """
    try:
        content = read_regular(projects.parent / "settings.json", _MAX_BYTES)
        days = _DECODER.decode(content or b"").cleanup_period_days
    except (OSError, *REFUSED):
        return DEFAULT_DAYS
    if days is None or days < 0:
        return DEFAULT_DAYS
    return days if days <= _MAX_DAYS else None

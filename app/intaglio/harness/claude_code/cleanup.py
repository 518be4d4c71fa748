"""When Claude Code deletes transcripts: so many days after they were last written."""

from pathlib import Path
from typing import Final

from intaglio.harness.claude_code.own_settings import read_own_settings

DEFAULT_DAYS: Final = 30.0
# Who writes more than a century wants to keep them all; dates end in the year 9999.
_MAX_DAYS: Final = 36_500.0


def kept_days(projects: Path) -> float | None:
    """Return how many days the transcripts of a folder ``projects`` are kept; None for all days.

    As the settings beside it say; another value than a number counts as none.
    """
    days = read_own_settings(projects.parent).cleanup_period_days
    if days is None or days < 0:
        return DEFAULT_DAYS
    return days if days <= _MAX_DAYS else None

"""Databases that were found broken and set aside by a restore: listed, and deleted in time."""

import contextlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

STAMP: Final = "%Y%m%dT%H%M%S%fZ"
_SIDE_FILES: Final = ("", "-wal", "-shm")


def list_set_aside(database: Path) -> list[Path]:
    """List what restores set aside, the oldest first; without the side files."""
    found = database.parent.glob(f"{database.name}.broken-*")
    return sorted(file for file in found if _made(database, file) is not None)


def purge_set_aside(database: Path, before: datetime) -> int:
    """Delete what was set aside before a moment, side files too, and return how many went."""
    gone = 0
    for file in list_set_aside(database):
        made = _made(database, file)
        if made is not None and made < before:
            with contextlib.suppress(OSError):
                for suffix in _SIDE_FILES:
                    file.with_name(file.name + suffix).unlink(missing_ok=True)
                gone += 1
    return gone


def _made(database: Path, file: Path) -> datetime | None:
    stamp = file.name.removeprefix(f"{database.name}.broken-")
    try:
        return datetime.strptime(stamp, STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None

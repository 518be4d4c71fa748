"""Keeps a file of the user as it was before the first change of the day, beside it."""

import contextlib
from datetime import UTC, date, datetime
from pathlib import Path

from intaglio.base.paths import write_private


def backup_of(file: Path) -> Path:
    """Return where the backup of a file is."""
    return file.with_name(f"{file.name}.bak")


def keep_backup(file: Path, content: bytes, now: datetime) -> None:
    """Write the backup unless there is one of today; it has the file's mode.

    A backup that can't be written is left out: what is in the file stays readable in it.
    """
    backup = backup_of(file)
    with contextlib.suppress(OSError):
        if _day_of(backup) == now.astimezone().date():
            return
        write_private(backup, content)
        backup.chmod(file.stat().st_mode & 0o7777)


def _day_of(backup: Path) -> date | None:
    try:
        modified = backup.lstat().st_mtime
    except FileNotFoundError:
        return None
    return datetime.fromtimestamp(modified, UTC).astimezone().date()

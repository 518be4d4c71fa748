"""Backups of the database: made while it is in use, checked, rotated, restored."""

import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw

from intaglio.base.clock import Clock, iso
from intaglio.base.files.regular_file import open_regular
from intaglio.base.installation import command
from intaglio.base.paths import make_private
from intaglio.store.backup_retention import GOOD_SHARE, select_kept
from intaglio.store.connection import (
    APPLICATION_ID,
    check,
    interrupt_when,
    open_reader,
    pragma,
)
from intaglio.store.tx import run
from intaglio.store.values import Backup, NoGoodBackup, Restored, RestoreOutcome

_PREFIX = "intaglio-"
_SUFFIX = ".db"
_STAMP = "%Y%m%dT%H%M%S%fZ"
_PRIVATE = 0o600
_CHUNK = 1_048_576
_SIDE_FILES = ("-wal", "-shm")
_ASIDE = ".broken-"
_PAGES_PER_STEP = 1_000
# SQLite's header: the user version is a big-endian integer at this offset.
HEADER_BYTES = 100
_USER_VERSION_AT = 60
_MOST_RECORDED = 2**31 - 2
# The clock may have been set back a little since the backup was made.
_TOLERANCE = timedelta(minutes=1)


def _stamp(clock: Clock) -> str:
    return clock().strftime(_STAMP)


def restore_hint() -> str:
    """Describe how to replace a damaged database."""
    return f"Restore the newest backup with `{command('db restore')}`."


def list_backups(folder: Path, clock: Clock) -> list[Backup]:
    """List the backups, newest first; files with other names are ignored.

    Those dated in the future come last: the date is wrong, so nothing says that they are new.
    """
    latest = clock() + _TOLERANCE
    found: list[Backup] = []
    for file in folder.glob(f"{_PREFIX}*{_SUFFIX}"):
        try:
            made = datetime.strptime(file.name[len(_PREFIX) : -len(_SUFFIX)], _STAMP).replace(
                tzinfo=UTC
            )
            with open_regular(file) as stream:
                size = os.fstat(stream.fileno()).st_size
                memories = recorded_memories(stream.read(HEADER_BYTES))
            found.append(Backup(file, size, iso(made), memories, in_future=made > latest))
        except (ValueError, OSError):
            continue
    found.sort(key=lambda backup: backup.file.name, reverse=True)
    return sorted(found, key=lambda backup: backup.in_future)


def recorded_memories(header: bytes) -> int | None:
    """Return the number of memories that `record_memories` wrote into the file's header."""
    recorded = int.from_bytes(header[_USER_VERSION_AT : _USER_VERSION_AT + 4])
    return recorded - 1 if 0 < recorded <= _MOST_RECORDED + 1 else None


def record_memories(copy: apsw.Connection) -> int | None:
    """Record the number of memories, forgotten ones included, where listing reads it at once.

    Nothing else uses the header's user version; 0 means unknown.
    """
    memories = _count_memories(copy)
    recorded = 0 if memories is None else min(memories, _MOST_RECORDED) + 1
    pragma(copy, f"user_version = {recorded}")
    return memories


def _count_memories(connection: apsw.Connection) -> int | None:
    try:
        found = run(connection, "SELECT count(*) FROM memories").fetchall()[0][0]
    except apsw.Error:
        return None
    return found if isinstance(found, int) else None


def _counted(backup: Backup) -> Backup:
    """Count the memories of a backup in which no number is recorded."""
    if backup.memories is not None:
        return backup
    try:
        connection = apsw.Connection(str(backup.file), flags=apsw.SQLITE_OPEN_READONLY)
    except apsw.Error:
        return backup
    try:
        return replace(backup, memories=_count_memories(connection))
    finally:
        connection.close()


def _never() -> bool:
    return False


def make_backup(
    database: Path, folder: Path, clock: Clock, stopped: Callable[[], bool] = _never
) -> Backup:
    """Copy the current database into one file, check the copy, then rename it into place.

    Writers continue meanwhile: the copy reads one snapshot. Raises an apsw error if the source
    can't be read, OSError if the folder can't be written, and apsw.InterruptError, leaving nothing
    behind, once ``stopped`` is true.
    """
    make_private(folder)
    target = folder / f"{_PREFIX}{_stamp(clock)}{_SUFFIX}"
    part = target.with_suffix(".part")
    part.unlink(missing_ok=True)
    try:
        memories = _copy(database, part, stopped)
        part.chmod(_PRIVATE)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    return Backup(target, target.stat().st_size, iso(clock()), memories)


def _copy(database: Path, part: Path, stopped: Callable[[], bool]) -> int | None:
    """Copy the database and return the number of its memories."""
    source = open_reader(database)
    try:
        copy = apsw.Connection(str(part))
        interrupt_when(copy, stopped)
        try:
            _transfer(source, copy, stopped)
            pragma(copy, "journal_mode = DELETE")
            memories = record_memories(copy)
            fault = check(copy)
        finally:
            copy.close()
    finally:
        source.close()
    if fault:
        raise apsw.CorruptError(fault)
    return memories


def _transfer(source: apsw.Connection, copy: apsw.Connection, stopped: Callable[[], bool]) -> None:
    # Within one snapshot, so that a commit between two steps doesn't make the copy start over.
    run(source, "BEGIN")
    run(source, "SELECT count(*) FROM sqlite_schema").fetchall()
    with copy.backup("main", source, "main") as transfer:
        while not transfer.done:
            if stopped():
                raise apsw.InterruptError("the backup was interrupted")
            transfer.step(_PAGES_PER_STEP)
    run(source, "ROLLBACK")


def rotate(folder: Path, keep: int, clock: Clock) -> list[Path]:
    """Delete the backups that `select_kept` doesn't keep, and return the deleted ones."""
    backups = [_counted(backup) for backup in list_backups(folder, clock)]
    kept = select_kept(backups, keep)
    old = [backup.file for backup in backups if backup not in kept]
    for file in old:
        file.unlink(missing_ok=True)
    return old


def _fault(file: Path) -> str:
    try:
        connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
    except apsw.Error as error:
        return str(error)
    try:
        if pragma(connection, "application_id") != APPLICATION_ID:
            return "not an Intaglio database"
        return check(connection)
    except apsw.Error as error:
        return str(error)
    finally:
        connection.close()


def copy_private(source: Path, target: Path) -> None:
    """Copy a file so that only its owner can read the copy. Raises OSError."""
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _PRIVATE)
    with source.open("rb") as read, os.fdopen(descriptor, "wb") as write:
        shutil.copyfileobj(read, write, _CHUNK)
        write.flush()
        os.fsync(write.fileno())


def _memories_in(database: Path) -> int:
    """Count the memories in a database file without its log; 0 if it can't be read."""
    try:
        connection = open_reader(database, immutable=True)
    except apsw.Error:
        return 0
    try:
        return _count_memories(connection) or 0
    finally:
        connection.close()


def restore(
    database: Path, candidates: Sequence[Backup], clock: Clock, *, named: bool = False
) -> RestoreOutcome:
    """Replace the database by the first good candidate; the old files are set aside.

    Unless the user has ``named`` it, none with under half of the database's memories is taken, and
    none that is dated in the future.
    Nothing may have the database open. Nothing is deleted. Raises OSError if the backup can't be
    copied; then nothing was moved.
    """
    least = 0 if named else _memories_in(database) * GOOD_SHARE
    large = [each for each in candidates if (_counted(each).memories or 0) >= least]
    dated = [each for each in large if named or not each.in_future]
    good = next((backup for backup in dated if not _fault(backup.file)), None)
    if good is None:
        smaller, in_future = len(candidates) - len(large), len(large) - len(dated)
        return NoGoodBackup(len(candidates), smaller, in_future)
    fresh = _fresh(database)
    try:
        copy_private(good.file, fresh)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise
    return Restored(good, _exchange(database, fresh, clock))


def finish_restore(database: Path, clock: Clock) -> bool:
    """Finish a restore that was interrupted because the daemon was killed, if there was one.

    If the database still exists, the copy may be incomplete and is deleted; if not, the copy is
    complete, and a new, empty database must not take its place.
    """
    fresh = _fresh(database)
    if not fresh.exists():
        return False
    if database.exists():
        fresh.unlink()
        return False
    _exchange(database, fresh, clock)
    return True


def _fresh(database: Path) -> Path:
    return database.with_name(f"{database.name}.restoring")


def _exchange(database: Path, fresh: Path, clock: Clock) -> Path:
    """Move the database aside first, then its side files, then move the copy into place."""
    aside = database.with_name(f"{database.name}{_ASIDE}{_stamp(clock)}")
    for suffix in ("", *_SIDE_FILES):
        side = database.with_name(database.name + suffix)
        if side.exists():
            side.replace(aside.with_name(aside.name + suffix))
    fresh.replace(database)
    return aside


def list_set_aside(database: Path) -> list[Path]:
    """List the databases that were set aside, oldest first, without their side files."""
    found = database.parent.glob(f"{database.name}{_ASIDE}*")
    return sorted(file for file in found if _moved(database, file) is not None)


def purge_set_aside(database: Path, before: datetime) -> int:
    """Delete databases set aside before a time, with their side files; return their number.

    Raises OSError if one can't be deleted.
    """
    moved = ((file, _moved(database, file)) for file in list_set_aside(database))
    old = [file for file, at in moved if at is not None and at < before]
    for file in old:
        for suffix in ("", *_SIDE_FILES):
            file.with_name(file.name + suffix).unlink(missing_ok=True)
    return len(old)


def _moved(database: Path, file: Path) -> datetime | None:
    try:
        stamp = file.name.removeprefix(f"{database.name}{_ASIDE}")
        return datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None

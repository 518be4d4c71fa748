"""Saves the database's data aside when something happened to its files, and lists such copies.

While the database is open, its files have second names (hard links) in the backups folder. Their
data therefore survives a removal or a replacement even if the daemon is killed before it notices.
"""

import contextlib
import filecmp
import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, TypeAlias

import apsw

from intaglio.base.clock import Clock, iso
from intaglio.base.files.regular_file import open_regular, read_regular
from intaglio.base.paths import make_private
from intaglio.store.backup import HEADER_BYTES, record_memories, recorded_memories
from intaglio.store.connection import APPLICATION_ID, check, pragma
from intaglio.store.files.file_identity import log_of, shared_memory_of
from intaglio.store.tx import run
from intaglio.store.values import Backup

_PREFIX: Final = "rescued-"
_SUFFIX: Final = ".db"
_RAW: Final = ".raw"
_STAMP: Final = "%Y%m%dT%H%M%S%fZ"
_LINK: Final = ".open.db"
_PRIVATE: Final = 0o600
# The clock may have been set back a little since the copy was made.
_TOLERANCE: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Rescued:
    """A checked copy of the data."""

    backup: Backup


@dataclass(frozen=True, slots=True)
class NotRescued:
    """No intact copy could be made; ``reason`` says why."""

    reason: str


@dataclass(frozen=True, slots=True)
class NothingLost:
    """The database's own files contain all of the data."""


RescueOutcome: TypeAlias = Rescued | NotRescued


def link_of(folder: Path) -> Path:
    """Return the second name of the open database in the backups folder."""
    return folder / _LINK


def link(database: Path, folder: Path) -> None:
    """Give the open database and its log second names, as far as the file system can."""
    unlink(folder)
    with contextlib.suppress(OSError):
        make_private(folder)
        target = link_of(folder)
        os.link(database, target)
        os.link(log_of(database), log_of(target))


def unlink(folder: Path) -> None:
    """Remove the second names."""
    target = link_of(folder)
    for file in (target, log_of(target), shared_memory_of(target)):
        with contextlib.suppress(OSError):
            file.unlink(missing_ok=True)


def unlink_log(folder: Path) -> None:
    """Remove the log's second name, before the log itself is deleted with good reason."""
    with contextlib.suppress(OSError):
        log_of(link_of(folder)).unlink(missing_ok=True)


def list_rescued(folder: Path, clock: Clock) -> list[Backup]:
    """List the copies that were saved aside, newest first; those dated in the future come last."""
    now = clock()
    found: list[Backup] = []
    for file in folder.glob(f"{_PREFIX}*{_SUFFIX}"):
        at = _time(file)
        with contextlib.suppress(OSError):
            if at is not None:
                memories = recorded_memories(read_regular(file, HEADER_BYTES))
                future = at > now + _TOLERANCE
                size = file.stat().st_size
                found.append(Backup(file, size, iso(at), memories, future, rescued=True))
    return newest_first(found)


def newest_first(copies: Iterable[Backup]) -> list[Backup]:
    """Sort backups and rescued copies; those dated in the future come last."""
    by_time = sorted(copies, key=lambda copy: copy.created_at, reverse=True)
    return sorted(by_time, key=lambda copy: copy.in_future)


def purge_rescued(folder: Path, before: datetime) -> int:
    """Delete what was saved aside before a time; return the number of files.

    Raises OSError if one can't be deleted.
    """
    old = [
        file
        for file in folder.glob(f"{_PREFIX}*")
        if (at := _time(file)) is not None and at < before
    ]
    for file in old:
        file.unlink(missing_ok=True)
    return len(old)


def rescue_open(
    connection: apsw.Connection, folder: Path, clock: Clock, *, thorough: bool
) -> RescueOutcome:
    """Copy what a connection still reads, whatever its path leads to by now.

    ``thorough`` also compares indexes with tables: pages of an older file may be mixed in.
    """
    name = _name(clock)
    part = folder / f"{name}.part"
    try:
        make_private(folder)
        _create(part)
        copy = apsw.Connection(str(part))
        try:
            with copy.backup("main", connection, "main") as transfer:
                transfer.step(-1)
        finally:
            copy.close()
        return _finish(part, folder, name, clock, thorough=thorough)
    except (apsw.Error, OSError) as error:
        return NotRescued(str(error))
    finally:
        _remove_parts(part)


def rescue_files(
    database: Path, log: Path, current: Path | None, folder: Path, clock: Clock
) -> RescueOutcome | NothingLost:
    """Copy a database and its log that nothing has open, and apply the log to the copy.

    NothingLost if the result is what the files of ``current``, another database, contain.
    """
    name = _name(clock)
    part = folder / f"{name}.part"
    try:
        make_private(folder)
        if current and _same(database, current) and _same(log, log_of(current)):
            return NothingLost()
        _copy_file(database, part)
        if log.exists():
            _copy_file(log, log_of(part))
        copy = apsw.Connection(str(part), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            run(copy, "PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        finally:
            copy.close()
        if current and _same(part, current) and _is_empty(log_of(current)):
            return NothingLost()
        return _finish(part, folder, name, clock, thorough=True)
    except (apsw.Error, OSError) as error:
        return NotRescued(str(error))
    finally:
        _remove_parts(part)


def move_log_aside(log: Path, folder: Path, clock: Clock) -> Path | None:
    """Move a log that doesn't belong to the database beside it; None if it can't be moved."""
    target = folder / f"{_name(clock)}{_RAW}-wal"
    try:
        make_private(folder)
        log.replace(target)
    except OSError:
        return None
    return target


def keep_links(folder: Path, clock: Clock) -> None:
    """Keep the linked files for good, because no intact copy of their data could be made."""
    target = link_of(folder)
    kept = folder / f"{_name(clock)}{_RAW}"
    for source, name in ((target, kept), (log_of(target), log_of(kept))):
        with contextlib.suppress(OSError):
            source.replace(name)


def raw_name(folder: Path, clock: Clock) -> Path:
    """Return a free path for a byte-for-byte copy of a damaged database."""
    return folder / f"{_name(clock)}{_RAW}"


def _finish(part: Path, folder: Path, name: str, clock: Clock, *, thorough: bool) -> RescueOutcome:
    memories: int | None = None
    copy = apsw.Connection(str(part), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        owner = pragma(copy, "application_id")
        fault = "it isn't an Intaglio database" if owner != APPLICATION_ID else check(copy)
        if not fault and thorough:
            fault = check(copy, thorough=True)
        if not fault:
            memories = record_memories(copy)
            pragma(copy, "journal_mode = DELETE")
    finally:
        copy.close()
    if fault:
        return NotRescued(fault)
    target = folder / f"{name}{_SUFFIX}"
    with part.open("rb+") as stream:
        os.fsync(stream.fileno())
    part.replace(target)
    return Rescued(Backup(target, target.stat().st_size, iso(clock()), memories, rescued=True))


def _name(clock: Clock) -> str:
    return f"{_PREFIX}{clock().strftime(_STAMP)}"


def _time(file: Path) -> datetime | None:
    stamp = file.name.removeprefix(_PREFIX).partition(".")[0]
    try:
        return datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None


def _create(file: Path) -> None:
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _PRIVATE))


def _copy_file(source: Path, target: Path) -> None:
    _create(target)
    with open_regular(source) as read, target.open("wb") as write:
        shutil.copyfileobj(read, write)


def _remove_parts(part: Path) -> None:
    for file in (
        part,
        log_of(part),
        shared_memory_of(part),
        part.with_name(f"{part.name}-journal"),
    ):
        with contextlib.suppress(OSError):
            file.unlink(missing_ok=True)


def _is_empty(file: Path) -> bool:
    return not file.exists() or file.stat().st_size == 0


def _same(one: Path, other: Path) -> bool:
    if _is_empty(one) or _is_empty(other):
        return _is_empty(one) and _is_empty(other)
    return filecmp.cmp(one, other, shallow=False)

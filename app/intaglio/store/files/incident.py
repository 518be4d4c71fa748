"""Saves the open database's data aside when its paths no longer lead to the open files."""

import contextlib
import time
from pathlib import Path
from typing import Final

import apsw

from intaglio.base.clock import Clock
from intaglio.store.files import rescue
from intaglio.store.files.file_identity import (
    FileFault,
    FileGuard,
    is_intaglio_header,
    log_of,
    read_header,
)
from intaglio.store.files.rescue import NotRescued, Rescued
from intaglio.store.files.startup_check import DatabaseFiles, hint_for, write_note
from intaglio.store.tx import run
from intaglio.store.values import DatabaseState, Degraded, DegradedCause

FILE_CAUSES: Final[frozenset[DegradedCause]] = frozenset(
    {"replaced", "removed", "overwritten", "log_lost"}
)
"""The causes that concern the files of an open database."""
_PAUSES_S: Final = (0.05, 0.2, 0.5, 1.0)


def save_aside(
    fault: FileFault,
    connection: apsw.Connection,
    guard: FileGuard,
    files: DatabaseFiles,
    clock: Clock,
) -> Degraded:
    """Save what the connection still reads, and return the state that says where.

    Runs on the writer's thread, once nothing is written any more. Closing the connection then
    leaves whatever lies at the paths by now.
    """
    in_place = fault.cause in {"overwritten", "log_lost"}
    copy, found = "", ""
    outcome = rescue.rescue_open(connection, files.backups, clock, thorough=in_place)
    for pause_s in _PAUSES_S if in_place else ():
        if isinstance(outcome, Rescued):
            break
        # Whoever overwrites the file may not be done; pages read in between are not kept.
        time.sleep(pause_s)
        with contextlib.suppress(apsw.Error):
            run(connection, "PRAGMA shrink_memory").fetchall()
        outcome = rescue.rescue_open(connection, files.backups, clock, thorough=in_place)
    match outcome:
        case Rescued(backup):
            copy = backup.file.name
            found = f"The memories saved until then are in {copy}."
        case NotRescued(reason):
            found = f"An intact copy of its data couldn't be saved: {reason}."
    raw = rescue.raw_name(files.backups, clock)
    if fault.cause == "overwritten" or not copy:
        _keep_bytes(guard, raw)
    if copy and fault.cause != "overwritten":
        # The file may come back without its log, which then has nothing that the file lacks.
        with contextlib.suppress(apsw.Error), guard.checkpointing:
            run(connection, "PRAGMA wal_checkpoint(PASSIVE)").fetchall()
            guard.note_checkpoint()
    _separate_log(fault, guard, files, raw, clock)
    hold_checkpoints(connection, hold=True)
    is_intaglio = is_intaglio_header(_header(fault, files.database))
    hint = hint_for(fault.cause, copy, is_intaglio=is_intaglio)
    state = Degraded(f"{fault.reason} {found}", fault.cause, hint, copy)
    write_note(files.marker, state)
    return state


def _header(fault: FileFault, database: Path) -> bytes:
    # Only another file may be opened and closed here (see read_header).
    return read_header(database) if fault.cause == "replaced" else b""


def _keep_bytes(guard: FileGuard, target: Path) -> None:
    with contextlib.suppress(OSError):
        guard.copy_database(target)
        guard.copy_log(log_of(target))


def _separate_log(
    fault: FileFault, guard: FileGuard, files: DatabaseFiles, raw: Path, clock: Clock
) -> None:
    """Move a log away from a database that it doesn't belong to: SQLite would mix the two.

    Our own log takes the place of the copy of it that is beside ``raw``.
    """
    log = log_of(files.database)
    ours = guard.holds_log()
    if ours and fault.cause in {"replaced", "overwritten"}:
        with contextlib.suppress(OSError):
            log.replace(log_of(raw))
    elif fault.cause == "log_lost" and not ours and log.exists():
        rescue.move_log_aside(log, files.backups, clock)


def hold_checkpoints(connection: apsw.Connection, *, hold: bool) -> None:
    """Make the closing of a connection leave the log as it is, or checkpoint it as usual."""
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, int(hold))


def release_links(state: DatabaseState, files: DatabaseFiles, clock: Clock) -> None:
    """Let go of the linked files: their data is in the database or in a copy.

    They themselves are kept if no copy could be made.
    """
    match state:
        case Degraded(cause=cause, copy="") if cause in FILE_CAUSES | {"missing"}:
            rescue.keep_links(files.backups, clock)
        case _:
            rescue.unlink(files.backups)

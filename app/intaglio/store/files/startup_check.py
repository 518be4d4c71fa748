"""Checks before opening whether the database's files are those that the last run used."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from intaglio.base.clock import Clock
from intaglio.base.files.regular_file import read_regular
from intaglio.base.installation import command
from intaglio.base.paths import write_private
from intaglio.store.backup import list_backups, list_set_aside
from intaglio.store.files import rescue
from intaglio.store.files.file_identity import (
    is_intaglio_header,
    is_log_in_use,
    log_of,
    read_header,
)
from intaglio.store.files.known_databases import is_known
from intaglio.store.files.rescue import NothingLost, NotRescued, Rescued
from intaglio.store.values import Degraded, DegradedCause

_MAX_BYTES: Final = 100_000


_LOG_LOST: Final[tuple[DegradedCause, str]] = (
    "log_lost",
    "The database's write-ahead log (-wal) was removed or replaced.",
)
_REPLACED: Final[tuple[DegradedCause, str]] = ("replaced", "The database file was replaced.")


class _Note(msgspec.Struct, frozen=True):
    cause: DegradedCause
    reason: str
    copy: str


@dataclass(frozen=True, slots=True)
class DatabaseFiles:
    """The database, the folder of its backups, and the marker that exists while it is open.

    ``known`` is the record of the databases that were opened (known_databases.py), if there is one.
    """

    database: Path
    backups: Path
    marker: Path
    known: Path | None = None

    @property
    def is_present(self) -> bool:
        """Whether there is a database; an empty file doesn't count."""
        return self.database.exists() and self.database.stat().st_size > 0


def hint_for(cause: DegradedCause, copy: str, *, is_intaglio: bool = False) -> str:
    """Say what to do about a database in this state; ``copy`` is the one saved aside, if any."""
    restore = command(f"db restore {copy}".rstrip())
    match cause:
        case "unavailable":
            return (
                "Check free disk space and the permissions of the workspace folder, then restart "
                "the daemon."
            )
        case "read_only":
            return "Make it writable, then restart the daemon."
        case "missing":
            empty = command("db create-empty")
            return (
                "If its drive isn't mounted, mount it and restart the daemon. Otherwise "
                f"restore a copy with `{restore}`, or start empty with `{empty}`."
            )
        case "replaced" | "overwritten" if is_intaglio:
            saved = "the saved copy" if copy else "a backup"
            return f"Restore {saved} with `{restore}`, or restart the daemon to use the new file."
        case _:
            saved = "the saved copy" if copy else "the newest backup"
            back = not copy and cause in {"removed", "log_lost"}
            first = "If the files are back, restart the daemon. Otherwise r" if back else "R"
            return f"{first}estore {saved} with `{restore}`."


def write_note(marker: Path, state: Degraded) -> None:
    """Keep the state for the next start, should the daemon be killed."""
    note = _Note(state.cause, state.reason, state.copy)
    with contextlib.suppress(OSError):
        write_private(marker, msgspec.json.encode(note))


def _read_note(marker: Path) -> _Note | None:
    try:
        return msgspec.json.decode(read_regular(marker, _MAX_BYTES), type=_Note)
    except (OSError, msgspec.DecodeError):
        return None


def examine(files: DatabaseFiles, clock: Clock) -> Degraded | None:
    """Return the state if the database must not be opened; its data is then saved aside.

    Nothing is created in the place of a missing database, and nothing is deleted.
    """
    linked = rescue.link_of(files.backups)
    if linked.exists():
        return _compare(files, linked, clock)
    note = _read_note(files.marker)
    if note is not None:
        return _state(files, note.cause, note.reason, note.copy)
    if not files.is_present:
        return _missing(files, "", clock) if _has_traces(files, clock) else None
    log = log_of(files.database)
    if log.exists() and log.stat().st_size > 0:
        header = read_header(files.database)
        if is_intaglio_header(header) and not is_log_in_use(header):
            return _overwritten(files, clock)
    return None


def _compare(files: DatabaseFiles, linked: Path, clock: Clock) -> Degraded | None:
    """Compare the files with those that the last run had open, which ``linked`` leads to."""
    log, linked_log = log_of(files.database), log_of(linked)
    same_database = files.is_present and files.database.samefile(linked)
    same_log = not linked_log.exists() or (log.exists() and log.samefile(linked_log))
    note = _read_note(files.marker)
    if same_database and note is not None and note.cause == "overwritten":
        return _state(files, note.cause, note.reason, note.copy)
    if same_database and same_log:
        return _overwritten_while_stopped(files, clock)
    copy = _copy_of_last_run(files, linked, note, clock)
    if copy is None:
        return None
    if not files.is_present:
        return _missing(files, copy, clock)
    if not same_database and linked_log.exists() and same_log:
        # SQLite would apply it to the wrong database.
        rescue.move_log_aside(log, files.backups, clock)
    cause, reason = _LOG_LOST if same_database else _REPLACED
    if note is not None and (note.cause == "log_lost") == same_database:
        cause, reason = note.cause, note.reason
    return _state(files, cause, reason, copy)


def _copy_of_last_run(
    files: DatabaseFiles, linked: Path, note: _Note | None, clock: Clock
) -> str | None:
    """Return the name of the copy of what the last run stored; empty if that failed.

    None if the database has all of it.
    """
    if note is not None and note.copy and (files.backups / note.copy).exists():
        return note.copy
    log = log_of(linked)
    match rescue.rescue_files(linked, log, files.database, files.backups, clock):
        case NothingLost():
            return None
        case Rescued(backup):
            return backup.file.name
        case NotRescued():
            return ""


def _overwritten_while_stopped(files: DatabaseFiles, clock: Clock) -> Degraded | None:
    log = log_of(files.database)
    header = read_header(files.database)
    if log.exists() and log.stat().st_size > 0 and not is_log_in_use(header):
        return _overwritten(files, clock)
    return None


def _overwritten(files: DatabaseFiles, clock: Clock) -> Degraded:
    """Separate a log from a file that another program wrote over the log's database."""
    log = log_of(files.database)
    copy = ""
    match rescue.rescue_files(files.database, log, None, files.backups, clock):
        case Rescued(backup):
            copy = backup.file.name
        case NotRescued() | NothingLost():
            pass
    rescue.unlink_log(files.backups)
    rescue.move_log_aside(log, files.backups, clock)
    return _state(files, "overwritten", "The database file was overwritten.", copy)


def _has_traces(files: DatabaseFiles, clock: Clock) -> bool:
    log = log_of(files.database)
    traces: tuple[Callable[[], object], ...] = (
        files.marker.exists,
        lambda: log.exists() and log.stat().st_size > 0,
        lambda: list_backups(files.backups, clock),
        lambda: rescue.list_rescued(files.backups, clock),
        lambda: list_set_aside(files.database),
        lambda: is_known(files.known, files.database),
    )
    return any(trace() for trace in traces)


def _missing(files: DatabaseFiles, copy: str, clock: Clock) -> Degraded:
    found = ["a copy of its data was saved"] if copy else []
    backups = len(list_backups(files.backups, clock))
    if backups:
        found.append(f"there {'is 1 backup' if backups == 1 else f'are {backups} backups'}")
    if log_of(files.database).exists():
        found.append("its write-ahead log is kept")
    traces = f"; {', '.join(found)}" if found else ", but the daemon has used one here"
    return _state(files, "missing", f"The database file is missing{traces}.", copy)


def _state(files: DatabaseFiles, cause: DegradedCause, reason: str, copy: str) -> Degraded:
    is_intaglio = is_intaglio_header(read_header(files.database))
    state = Degraded(reason, cause, hint_for(cause, copy, is_intaglio=is_intaglio), copy)
    if files.marker.exists() or copy:
        write_note(files.marker, state)
    return state

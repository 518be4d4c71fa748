"""Opens connections: flags, pragmas, and the check that the file belongs to Intaglio."""

import contextlib
import importlib.util
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import apsw

from intaglio.base.errors import ConflictError
from intaglio.base.files.regular_file import special_kind
from intaglio.store.index_repair.rebuild import is_about_index
from intaglio.store.tx import run

APPLICATION_ID: Final = 0x494E5447  # "INTG"
_PRIVATE = 0o600
_OTHERS = 0o077
BUSY_MS = 5_000
_STATEMENT_CACHE = 200
# The system caches the file's pages anyway; half of SQLite's own default.
_READER_CACHE_KB = 1_024
# Steps of SQLite's machine between two looks; some milliseconds.
_STEPS_PER_LOOK = 10_000
_JOURNAL_LIMIT_BYTES = 64 * 1024 * 1024


# Files that SQLite or this package opens beside the database.
_SIDE_FILES: Final = ("-wal", "-shm", "-journal", ".open", ".restoring")


class ForeignDatabaseError(Exception):
    """The file is a database of another program; it wasn't touched."""


def refuse_special_files(file: Path) -> None:
    """Raise ConflictError if the database or a file beside it is a pipe, a folder or a device.

    SQLite would wait for a pipe, and create its side files beside a device.
    """
    for each in (file, *(file.with_name(file.name + suffix) for suffix in _SIDE_FILES)):
        kind = special_kind(each)
        if kind is not None:
            raise ConflictError(
                f"{each} is {kind}, not a file.",
                hint="Move it away, then start the daemon again.",
            )


def pragma(connection: apsw.Connection, text: str) -> object:
    """Run one pragma completely (apsw is lazy) and return its first value."""
    rows = run(connection, f"PRAGMA {text}").fetchall()
    return rows[0][0] if rows else None


def _keep_plans(connection: apsw.Connection) -> None:
    """Compile a statement once, not whenever other values are bound.

    SQLite would look at each value that is compared with an indexed column, and at each limit: half
    of what a small read costs. Without statistics, of which there are none, plans are the same.
    """
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)


def open_writer(file: Path) -> apsw.Connection:
    """Open the only connection that writes, creating the file if it doesn't exist.

    Raises ForeignDatabaseError, or an apsw error if the file is damaged.
    """
    with contextlib.suppress(OSError):
        # SQLite gives its side files the database's mode.
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE))
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    connection = apsw.Connection(str(file), flags=flags, statementcachesize=_STATEMENT_CACHE)
    try:
        _claim(connection)
        _close_to_others(file)
        connection.set_busy_timeout(BUSY_MS)
        _keep_plans(connection)
        for text in (
            "journal_mode = WAL",
            # An acknowledged write survives a power cut; group commit shares the cost.
            "synchronous = FULL",
            "foreign_keys = ON",
            # Erased data is overwritten, including earlier copies: not even an unused page contains
            # it any more (decision record 0016).
            "secure_delete = ON",
            "trusted_schema = OFF",
            f"journal_size_limit = {_JOURNAL_LIMIT_BYTES}",
        ):
            pragma(connection, text)
    except BaseException:
        connection.close()
        raise
    return connection


def _close_to_others(file: Path) -> None:
    # A folder that another program created may be open to everyone.
    with contextlib.suppress(OSError):
        mode = stat.S_IMODE(file.stat().st_mode)
        if mode & _OTHERS:
            file.chmod(mode & ~_OTHERS)


def _claim(connection: apsw.Connection) -> None:
    owner = pragma(connection, "application_id")
    tables = run(connection, "SELECT count(*) FROM sqlite_schema").fetchall()[0][0]
    if owner == 0 and tables == 0:
        # Only an empty file accepts this; it allows freed pages to be returned in pieces.
        pragma(connection, "auto_vacuum = INCREMENTAL")
        pragma(connection, f"application_id = {APPLICATION_ID}")
    elif owner != APPLICATION_ID:
        raise ForeignDatabaseError


def open_beside(file: Path) -> apsw.Connection:
    """Open a connection for checkpoints, which copies committed pages and writes nothing else."""
    connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READWRITE)
    connection.set_busy_timeout(BUSY_MS)
    for text in ("synchronous = FULL", "query_only = ON", "trusted_schema = OFF"):
        pragma(connection, text)
    return connection


def open_reader(file: Path, *, immutable: bool = False) -> apsw.Connection:
    """Open a read-only connection; ``immutable`` if nothing can change the file or has a log."""
    name, flags = str(file), apsw.SQLITE_OPEN_READONLY
    if immutable:
        name, flags = f"{file.absolute().as_uri()}?immutable=1", flags | apsw.SQLITE_OPEN_URI
    connection = apsw.Connection(name, flags=flags, statementcachesize=_STATEMENT_CACHE)
    connection.set_busy_timeout(BUSY_MS)
    _keep_plans(connection)
    pragma(connection, "query_only = ON")
    pragma(connection, "trusted_schema = OFF")
    pragma(connection, f"cache_size = -{_READER_CACHE_KB}")
    # The file isn't memory-mapped: each reader's map would count as RAM of the process, up to the
    # size of the file, and reading through it saves 10 % at most.
    _add_vector_functions(connection)
    return connection


@cache
def _vector_extension() -> str | None:
    """Return the path of sqlite-vec's library without its suffix, which SQLite appends."""
    # Importing sqlite_vec would import numpy, only for annotations.
    package = importlib.util.find_spec("sqlite_vec")
    if package is None or not package.submodule_search_locations:
        return None
    return str(Path(package.submodule_search_locations[0]) / "vec0")


def _add_vector_functions(connection: apsw.Connection) -> None:
    library = _vector_extension()
    if library is None:
        return
    connection.enable_load_extension(True)  # noqa: FBT003 - apsw takes it by position
    try:
        connection.load_extension(library)
    except apsw.ExtensionLoadingError:
        # Without them, vectors are searched in the binary index only.
        pass
    finally:
        connection.enable_load_extension(False)  # noqa: FBT003 - see above


def interrupt_when(connection: apsw.Connection, stopped: Callable[[], bool] | None) -> None:
    """Interrupt every statement of the connection once ``stopped`` is true; None ends that.

    Unlike ``Connection.interrupt``, it doesn't miss the moment between two statements. The
    statement then raises apsw.InterruptError.
    """
    connection.set_progress_handler(stopped, _STEPS_PER_LOOK)


@dataclass(frozen=True, slots=True)
class Findings:
    """What a check of the file found, each empty if nothing.

    A full-text index that is damaged is rebuilt from the tables, which are what counts.
    """

    fault: str = ""
    index_fault: str = ""


def find_faults(connection: apsw.Connection, *, thorough: bool = False) -> Findings:
    """Run SQLite's quick_check, or its integrity_check if ``thorough``.

    Raises apsw.InterruptError if it was interrupted, which says nothing about the database.
    """
    checks = "integrity_check(5)" if thorough else "quick_check(5)"
    try:
        lines = [str(row[0]) for row in run(connection, f"PRAGMA {checks}").fetchall()]
    except apsw.InterruptError:
        raise
    except apsw.Error as error:
        return Findings(str(error))
    found = [line for line in lines if line != "ok"]
    return Findings(
        "; ".join(line for line in found if not is_about_index(line)),
        "; ".join(line for line in found if is_about_index(line)),
    )


def check(connection: apsw.Connection, *, thorough: bool = False) -> str:
    """Return the fault of the file as `find_faults` does, without those of a full-text index."""
    return find_faults(connection, thorough=thorough).fault


def check_file(file: Path, stopped: Callable[[], bool]) -> Findings:
    """Check a database through a connection of its own, until ``stopped`` is true.

    Raises apsw.InterruptError then.
    """
    try:
        connection = open_reader(file)
    except apsw.Error as error:
        return Findings(str(error))
    interrupt_when(connection, stopped)
    try:
        return find_faults(connection)
    finally:
        connection.close()

"""How a connection is opened: flags, pragmas, and the check that the file is ours."""

import contextlib
import importlib.util
import os
import stat
from pathlib import Path
from typing import Final

import apsw

from intaglio.store.tx import run

APPLICATION_ID: Final = 0x494E5447  # "INTG"
_PRIVATE = 0o600
_OTHERS = 0o077
BUSY_MS = 5_000
_STATEMENT_CACHE = 200
# The system keeps the file's pages anyway; half of SQLite's own default.
_READER_CACHE_KB = 1_024
_JOURNAL_LIMIT_BYTES = 64 * 1024 * 1024


class ForeignDatabaseError(Exception):
    """The file is a database of another program; it was not touched."""


def pragma(connection: apsw.Connection, text: str) -> object:
    """Run one pragma to its end (apsw is lazy) and return its first value."""
    rows = run(connection, f"PRAGMA {text}").fetchall()
    return rows[0][0] if rows else None


def open_writer(file: Path) -> apsw.Connection:
    """Open the only connection that writes, making the file when it is not there.

    Raises ForeignDatabaseError, or an apsw error when the file is damaged.
    """
    with contextlib.suppress(OSError):
        # SQLite gives its side files the mode of the database.
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE))
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    connection = apsw.Connection(str(file), flags=flags, statementcachesize=_STATEMENT_CACHE)
    try:
        _claim(connection)
        _close_to_others(file)
        connection.set_busy_timeout(BUSY_MS)
        for text in (
            "journal_mode = WAL",
            # An acknowledged write survives a power cut; group commit shares the price.
            "synchronous = FULL",
            "foreign_keys = ON",
            # What is erased is overwritten, also where it stood before it was changed: not even
            # a page that nobody uses any more holds it (decision record 0016).
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
    # A folder that another program made before us may be open to everybody.
    with contextlib.suppress(OSError):
        mode = stat.S_IMODE(file.stat().st_mode)
        if mode & _OTHERS:
            file.chmod(mode & ~_OTHERS)


def _claim(connection: apsw.Connection) -> None:
    owner = pragma(connection, "application_id")
    tables = run(connection, "SELECT count(*) FROM sqlite_schema").fetchall()[0][0]
    if owner == 0 and tables == 0:
        # Only an empty file takes this; with it, what a purge frees can be given back in pieces.
        pragma(connection, "auto_vacuum = INCREMENTAL")
        pragma(connection, f"application_id = {APPLICATION_ID}")
    elif owner != APPLICATION_ID:
        raise ForeignDatabaseError


def open_beside(file: Path) -> apsw.Connection:
    """Open a connection for checkpoints: it may copy what was written, and writes nothing else."""
    connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READWRITE)
    connection.set_busy_timeout(BUSY_MS)
    for text in ("synchronous = FULL", "query_only = ON", "trusted_schema = OFF"):
        pragma(connection, text)
    return connection


def open_reader(file: Path) -> apsw.Connection:
    """Open a connection that cannot write."""
    connection = apsw.Connection(
        str(file), flags=apsw.SQLITE_OPEN_READONLY, statementcachesize=_STATEMENT_CACHE
    )
    connection.set_busy_timeout(BUSY_MS)
    pragma(connection, "query_only = ON")
    pragma(connection, "trusted_schema = OFF")
    pragma(connection, f"cache_size = -{_READER_CACHE_KB}")
    # The file is not mapped: each reader's map would count as memory of the process, up to the
    # size of the file, and reading through it saves a tenth at most.
    _add_vector_functions(connection)
    return connection


def _add_vector_functions(connection: apsw.Connection) -> None:
    # Loaded by its path: importing sqlite_vec would import numpy, for annotations alone.
    package = importlib.util.find_spec("sqlite_vec")
    if package is None or not package.submodule_search_locations:
        return
    connection.enable_load_extension(True)  # noqa: FBT003 - apsw takes it by position
    try:
        # SQLite adds the ending that shared libraries have on this system.
        connection.load_extension(str(Path(package.submodule_search_locations[0]) / "vec0"))
    except apsw.ExtensionLoadingError:
        # Without them vectors are searched by the mirror alone.
        pass
    finally:
        connection.enable_load_extension(False)  # noqa: FBT003 - see above


def check(connection: apsw.Connection) -> str:
    """Run SQLite's quick_check; return what is wrong, or nothing when all is well."""
    try:
        rows = run(connection, "PRAGMA quick_check(5)").fetchall()
    except apsw.Error as error:
        return str(error)
    text = "; ".join(str(row[0]) for row in rows)
    return "" if text == "ok" else text

"""A database in a folder that can't be written: opened without changing anything there.

SQLite keeps the log's index beside the database, which it can't create there. A database without a
log is opened as one that doesn't change; one with a log, or with an older schema, is copied into a
private folder first.
"""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import apsw

from intaglio.base.paths import make_private
from intaglio.store.connection import open_reader
from intaglio.store.migrations import Migration
from intaglio.store.tx import run
from intaglio.store.values import DatabaseOptions

_SIDE_FILES: Final = ("", "-wal")


@dataclass(frozen=True, slots=True)
class ReadableDatabase:
    """A file that readers can open, and whether SQLite may rely on it never changing."""

    file: Path
    immutable: bool


def find_readable(
    options: DatabaseOptions, migrate: Callable[[Path], None]
) -> ReadableDatabase | None:
    """Return what readers can open, or None if there is no database.

    ``migrate`` brings a copy up to date, which is made in the private folder; without that
    folder, only a database that needs no copy can be read. Raises OSError or an apsw error if the
    database can't be read.
    """
    database, private = options.file, options.private
    if not database.exists() or database.stat().st_size == 0:
        return None
    if not _has_log(database) and _is_current(database, options.schema):
        return ReadableDatabase(database, immutable=True)
    if private is None:
        return None
    make_private(private)
    copy = private / database.name
    for suffix in _SIDE_FILES:
        source = database.with_name(database.name + suffix)
        if source.exists():
            shutil.copyfile(source, copy.with_name(copy.name + suffix))
    # A database file without write permission makes a copy that nobody can open, either.
    copy.chmod(0o600)
    migrate(copy)
    return ReadableDatabase(copy, immutable=False)


def remove_copy(private: Path | None) -> None:
    """Remove the private copy of an earlier run."""
    if private is not None:
        shutil.rmtree(private, ignore_errors=True)


def _has_log(database: Path) -> bool:
    log = database.with_name(f"{database.name}-wal")
    return log.exists() and log.stat().st_size > 0


def _is_current(database: Path, schema: Sequence[Migration]) -> bool:
    connection = open_reader(database, immutable=True)
    try:
        found = run(connection, "SELECT number FROM schema_migrations").fetchall()
        return {number for (number,) in found} == {step.number for step in schema}
    except apsw.SQLError:
        return False
    finally:
        connection.close()

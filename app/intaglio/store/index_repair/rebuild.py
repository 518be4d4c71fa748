"""Rebuilds the full-text indexes from the tables that they index, once one of them is damaged."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

import apsw

from intaglio.base.errors import UnavailableError
from intaglio.store.tx import WriteTx

# Each index with the options that its configuration has.
_INDEXES: Final[dict[str, dict[str, int]]] = {
    "memories_fts": {"pgsz": 1_000, "usermerge": 2, "secure-delete": 1},
    "entities_fts": {"secure-delete": 1},
    "transcripts_fts": {"pgsz": 1_000, "usermerge": 2, "secure-delete": 1},
}
_FORMAT: Final = 4
_UNREADABLE: Final = ("invalid fts5 file format", "no such fts5 table")
_MALFORMED: Final = ("fts5: ", "malformed inverted index for FTS5 table", *_UNREADABLE)


class IndexFaultError(Exception):
    """A full-text index is damaged; the tables that it is built from aren't."""


def is_index_fault(error: Exception) -> bool:
    """Check whether an error comes from a damaged full-text index."""
    match error:
        case apsw.CorruptError():
            return getattr(error, "extendedresult", 0) == apsw.SQLITE_CORRUPT_VTAB
        case apsw.SQLError():
            return str(error).startswith(_UNREADABLE)
        case apsw.ConstraintError():
            # A constraint of a declared table says which one it is.
            return str(error) == "constraint failed"
        case apsw.NoMemError():
            # FTS5 allocates as much as a damaged record says.
            return True
        case _:
            return False


@contextmanager
def index_faults() -> Generator[None]:
    """Raise IndexFaultError in place of an error that comes from a damaged index."""
    try:
        yield
    except apsw.Error as error:
        if is_index_fault(error):
            raise IndexFaultError(str(error)) from error
        raise


def is_about_index(finding: str) -> bool:
    """Check whether a line of SQLite's quick_check is about a full-text index."""
    return finding.startswith(_MALFORMED)


def index_error() -> UnavailableError:
    """Return the error of what a damaged index prevents, although it was rebuilt."""
    return UnavailableError(
        "The search index is damaged.", hint="Restart the daemon: it repairs the index."
    )


def rebuild(tx: WriteTx) -> None:
    """Create each full-text index anew, whatever is in it; about 3 s at 100,000 memories."""
    for index, options in _INDEXES.items():
        schema = tx.scalar(str, "SELECT sql FROM sqlite_schema WHERE name = ?", (index,))
        if schema is None:
            continue
        # An index of an unknown format can't even be dropped.
        tx.execute(f"DELETE FROM {index}_config")  # noqa: S608 - a constant
        tx.execute(f"INSERT INTO {index}_config(k, v) VALUES ('version', ?)", (_FORMAT,))  # noqa: S608 - see above
        tx.execute(f"DROP TABLE {index}")
        tx.execute(schema)
        for option, value in options.items():
            tx.execute(f"INSERT INTO {index}({index}, rank) VALUES (?, ?)", (option, value))  # noqa: S608 - see above
        tx.execute(f"INSERT INTO {index}({index}) VALUES ('rebuild')")  # noqa: S608 - see above

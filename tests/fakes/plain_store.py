"""A migrated database on one connection, without threads, for rules that need rows."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from fakes.store import lay_down
from intaglio.store.connection import open_writer
from intaglio.store.tx import WriteTx


@contextmanager
def plain_store(folder: Path) -> Generator[WriteTx]:
    """Yield a transaction that commits by itself, statement by statement."""
    lay_down(folder / "plain.db")
    connection = open_writer(folder / "plain.db")
    try:
        yield WriteTx(connection)
    finally:
        connection.close()

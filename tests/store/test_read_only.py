"""A database that can't be written: read as it is, with nothing changed beside it."""

import os
import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import apsw
import pytest

from fakes.store import MovableClock, bench, lay_down
from intaglio.base.errors import ConflictError, UnavailableError
from intaglio.base.events import BusEvent
from intaglio.base.files.writable import read_only_reason
from intaglio.daemon.packages import PACKAGES
from intaglio.memory.values import Actor
from intaglio.pipeline.ingest import Remember
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx, run
from intaglio.store.values import DatabaseOptions, Degraded


@pytest.fixture(autouse=True)
def read_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Say so as of a mount; root could write the folder whatever its permissions."""

    def reason(database: Path) -> str:
        return "The workspace is read-only." if database.parent.name == "sealed" else ""

    monkeypatch.setattr("intaglio.store.database.read_only_reason", reason)


def contents(tx: ReadTx) -> list[str]:
    return [str(content) for (content,) in tx.all("SELECT content FROM memories")]


def no_write(tx: WriteTx) -> None:
    tx.execute("DELETE FROM memories")


def snapshot(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in folder.rglob("*") if each.is_file()}


@asynccontextmanager
async def sealed(folder: Path) -> AsyncGenerator[Database]:
    """Open the database in a folder that can't be written; it stays as it was."""
    events: list[BusEvent] = []
    file = folder / "sealed" / "intaglio.db"
    before = snapshot(file.parent)
    options = DatabaseOptions(file, file.parent / "backups", PACKAGES.schema, 2, folder / "private")
    database = Database(options, MovableClock(), events.append)
    try:
        await database.open()
        yield database
    finally:
        await database.close()
    assert snapshot(file.parent) == before
    assert not (folder / "private").exists()


async def stored(folder: Path, *, with_log: bool) -> None:
    """Leave a database with one memory, cleanly closed or with its log."""
    async with bench(folder / "open") as store:
        await store.ingest.remember(Remember(content="We use tabs", actor=Actor("me")))
        if with_log:
            shutil.copytree(folder / "open", folder / "sealed")
    if not with_log:
        shutil.copytree(folder / "open", folder / "sealed")


@pytest.mark.parametrize("with_log", [False, True])
async def test_a_read_only_database_is_never_written(tmp_path: Path, with_log: bool) -> None:
    await stored(tmp_path, with_log=with_log)
    async with sealed(tmp_path) as database:
        assert database.state == Degraded(
            "The workspace is read-only.", "read_only", "Make it writable, then restart the daemon."
        )
        assert await database.read(contents) == ["We use tabs"]
        with pytest.raises(UnavailableError, match="read-only"):
            await database.write(no_write)
        with pytest.raises(UnavailableError):
            await database.back_up(3)


async def test_an_older_schema_is_migrated_in_a_copy(tmp_path: Path) -> None:
    await stored(tmp_path, with_log=False)
    connection = apsw.Connection(str(tmp_path / "sealed" / "intaglio.db"))
    run(connection, "DELETE FROM schema_migrations WHERE number = 8")
    run(connection, "PRAGMA journal_mode = DELETE")
    connection.close()
    async with sealed(tmp_path) as database:
        latest = "SELECT max(number) FROM schema_migrations"
        assert await database.read(lambda tx: tx.count(latest)) == PACKAGES.schema[-1].number
        assert await database.read(contents) == ["We use tabs"]


async def test_a_newer_schema_is_refused(tmp_path: Path) -> None:
    await stored(tmp_path, with_log=False)
    connection = apsw.Connection(str(tmp_path / "sealed" / "intaglio.db"))
    run(connection, "INSERT INTO schema_migrations VALUES (999, 'later', 'x', 'now', 1.0)")
    run(connection, "PRAGMA journal_mode = DELETE")
    connection.close()
    with pytest.raises(ConflictError, match="newer version"):
        async with sealed(tmp_path):
            pass


async def test_without_a_database_nothing_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "sealed").mkdir()
    async with sealed(tmp_path) as database:
        assert isinstance(database.state, Degraded)
        with pytest.raises(UnavailableError, match="can't be read"):
            await database.read(contents)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="permissions don't bind root")
@pytest.mark.parametrize("sealed_path", ["memory", "memory/intaglio.db"])
def test_missing_write_permission_is_detected(tmp_path: Path, sealed_path: str) -> None:
    database = tmp_path / "memory" / "intaglio.db"
    lay_down(database)
    assert read_only_reason(database) == ""
    (tmp_path / sealed_path).chmod(0o500)
    assert read_only_reason(database).endswith("is read-only.")

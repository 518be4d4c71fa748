"""A disk that takes no more writes: nothing is acknowledged, and writing continues by itself."""

import asyncio
import sys
from pathlib import Path

import apsw
import pytest

from fakes.waiting import until
from intaglio.base.clock import system_clock
from intaglio.base.errors import UnavailableError
from intaglio.base.events import BusEvent, StateChanged
from intaglio.daemon.packages import PACKAGES
from intaglio.store import writer
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.store.values import DatabaseOptions, Degraded, Ready

JOB = "INSERT INTO jobs(type, subject, created_at) VALUES ('t', ?, 'now')"


def _count(tx: ReadTx) -> int:
    return len(tx.column(int, "SELECT id FROM jobs"))


def _add(tx: WriteTx) -> None:
    tx.execute(JOB, (f"{_count(tx)} {'x' * 10_000}",))


def _database(folder: Path, events: list[BusEvent]) -> Database:
    options = DatabaseOptions(
        folder / "intaglio.db", folder / "backups", PACKAGES.schema, readers=1
    )
    return Database(options, system_clock, events.append)


async def test_a_full_disk_is_reported_and_reads_continue(tmp_path: Path) -> None:
    events = list[BusEvent]()
    database = _database(tmp_path, events)
    await database.open()
    await database.write(_add)
    await database.write(lambda tx: tx.execute("PRAGMA max_page_count = 1"))
    with pytest.raises(UnavailableError, match="database or disk is full"):
        await database.write(_add)
    await until(lambda: isinstance(database.state, Degraded), "a degraded database")
    state = database.state
    assert isinstance(state, Degraded)
    assert (state.cause, state.reason) == ("unwritable", "The disk is full.")
    assert "continues by itself" in state.hint
    assert StateChanged("degraded", "The disk is full.") in events
    with pytest.raises(UnavailableError, match="The disk is full"):
        await database.write(_add)
    assert await database.read(_count) == 1
    assert not list((tmp_path / "backups").glob("rescued-*"))
    await database.close()


@pytest.mark.skipif(sys.platform == "win32", reason="files have no limit there")
async def test_writes_continue_once_there_is_space(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import resource  # noqa: PLC0415 - there is none on Windows

    monkeypatch.setattr(writer, "_WATCH_S", 0.01)
    events = list[BusEvent]()
    database = _database(tmp_path, events)
    await database.open()
    await database.write(_add)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    # No file of this process can grow: the kernel refuses SQLite's writes.
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_024, hard))
    try:
        with pytest.raises(UnavailableError, match="Couldn't write"):
            await database.write(_add)
        await until(lambda: isinstance(database.state, Degraded), "a degraded database")
        assert await database.read(_count) == 1
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    await until(lambda: isinstance(database.state, Ready), "a database that writes")
    await database.write(_add)
    assert await database.read(_count) == 2
    states = [event.state for event in events if isinstance(event, StateChanged)]
    assert states == ["ready", "degraded", "ready"]
    await database.close()


async def test_a_failed_write_does_not_fail_others_of_its_commit(tmp_path: Path) -> None:
    database = _database(tmp_path, list[BusEvent]())
    await database.open()

    def fail(_: WriteTx) -> None:
        raise apsw.FullError("database or disk is full")

    # Both wait for one transaction.
    written, failed = await asyncio.gather(
        database.write(_add), database.write(fail), return_exceptions=True
    )
    assert written is None
    assert isinstance(failed, UnavailableError)
    assert await database.read(_count) == 1
    await database.close()

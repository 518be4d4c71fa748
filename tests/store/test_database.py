"""The store kernel: transactions, group commit, damage and restore, on real files."""

import asyncio
import os
from array import array
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import apsw
import pytest

from fakes.store import lay_down
from fakes.waiting import PATIENCE_S, until
from intaglio.base.clock import system_clock
from intaglio.base.errors import ConflictError, UnavailableError
from intaglio.base.events import BusEvent, Changed, StateChanged
from intaglio.daemon.packages import PACKAGES
from intaglio.store import migrations
from intaglio.store.backup import make_backup
from intaglio.store.connection import Findings, open_writer
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, Row, WriteTx, run
from intaglio.store.values import Checking, DatabaseOptions, Degraded, Ready


def ignore(_: BusEvent) -> None:
    """Listen to nothing."""


JOB = "INSERT INTO jobs(type, subject, created_at) VALUES ('t', ?, 'now')"


def options(folder: Path) -> DatabaseOptions:
    return DatabaseOptions(folder / "intaglio.db", folder / "backups", PACKAGES.schema, readers=2)


@asynccontextmanager
async def opened(folder: Path, events: list[BusEvent] | None = None) -> AsyncGenerator[Database]:
    database = Database(
        options(folder), system_clock, (events if events is not None else []).append
    )
    await database.open()
    try:
        yield database
    finally:
        await database.close()


def add(subject: str) -> Callable[[WriteTx], int]:
    def work(tx: WriteTx) -> int:
        return tx.execute(JOB, (subject,))

    return work


def jobs(tx: ReadTx) -> int:
    return tx.count("SELECT count(*) FROM jobs")


def read_back(given: list[int], tx: ReadTx) -> list[Row]:
    return tx.all("SELECT value FROM carray(?)", [tx.bind_integers(array("q", given))])


async def test_a_write_is_seen_by_the_next_read(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        assert await database.write(add("a")) == 1
        assert await database.read(jobs) == 1


async def test_writes_of_one_commit_fail_independently(tmp_path: Path) -> None:
    def broken(tx: WriteTx) -> None:
        tx.execute(JOB, ("lost",))
        raise ValueError("no")

    async with opened(tmp_path) as database:
        results = await asyncio.gather(
            database.write(add("a")),
            database.write(broken),
            database.write(add("b")),
            return_exceptions=True,
        )
        assert [type(result).__name__ for result in results] == ["int", "ValueError", "int"]
        assert await database.read(jobs) == 2


async def test_a_coroutine_function_is_refused(tmp_path: Path) -> None:
    async def work(_: WriteTx) -> None:
        await asyncio.sleep(0)

    async with opened(tmp_path) as database:
        with pytest.raises(TypeError):
            database.write(cast("Any", work))


async def test_an_awaitable_returned_by_a_plain_function_is_rolled_back(tmp_path: Path) -> None:
    async def think() -> None: ...

    def work(tx: WriteTx) -> Coroutine[None, None, None]:
        tx.execute(JOB, ("x",))
        return think()

    async with opened(tmp_path) as database:
        with pytest.raises(TypeError):
            await cast("Callable[[object], Any]", database.write)(work)
        assert await database.read(jobs) == 0


async def test_a_reader_cannot_write(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        with pytest.raises(apsw.ReadOnlyError):
            await database.read(lambda tx: tx.all(JOB, ("x",)))


async def test_an_empty_list_of_numbers_selects_no_rows(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        for given in ([], [7], [7, 8]):
            found = await database.read(partial(read_back, given))
            assert found == [(number,) for number in given]


async def test_events_are_published_only_after_the_commit(tmp_path: Path) -> None:
    events: list[BusEvent] = []

    def good(tx: WriteTx) -> None:
        tx.publish(Changed("memory", "added", ("1",)))

    def bad(tx: WriteTx) -> None:
        tx.publish(Changed("memory", "added", ("2",)))
        raise ValueError

    async with opened(tmp_path, events) as database:
        await asyncio.gather(database.write(good), database.write(bad), return_exceptions=True)
        await asyncio.sleep(0)
        assert [event for event in events if isinstance(event, Changed)] == [
            Changed("memory", "added", ("1",))
        ]


async def test_a_cancelled_caller_does_not_stop_the_writer(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        future = asyncio.ensure_future(database.write(add("a")))
        future.cancel()
        assert await database.write(add("b")) == 1
        assert await database.read(jobs) == 2


async def test_a_clean_stop_needs_no_check(tmp_path: Path) -> None:
    async with opened(tmp_path):
        pass
    async with opened(tmp_path) as database:
        assert isinstance(database.state, Ready)


async def test_after_an_unclean_stop_reads_work_and_writes_wait(tmp_path: Path) -> None:
    events: list[BusEvent] = []
    async with opened(tmp_path) as database:
        await database.write(add("a"))
    (tmp_path / "intaglio.db.open").touch()
    async with opened(tmp_path, events) as database:
        assert isinstance(database.state, Checking)
        assert await database.read(jobs) == 1
        assert await database.write(add("b")) == 1
        assert isinstance(database.state, Ready)
    assert [event.state for event in events if isinstance(event, StateChanged)] == [
        "checking",
        "ready",
    ]


async def fill(database: Database, count: int) -> None:
    await asyncio.gather(*(database.write(add(f"{n}" * 200)) for n in range(count)))


def damage(file: Path) -> None:
    data = bytearray(file.read_bytes())
    for page in range(3, len(data) // 4096):
        data[page * 4096 : page * 4096 + 200] = b"\xa5" * 200
    file.write_bytes(bytes(data))


async def test_a_damaged_file_is_read_only_until_it_is_restored(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        await fill(database, 50)
        await database.back_up(keep=3)
        await database.write(add("after the copy"))
    damage(tmp_path / "intaglio.db")
    events: list[BusEvent] = []
    (tmp_path / "intaglio.db.open").touch()
    async with opened(tmp_path, events) as database:
        await until(lambda: events and events[-1] != StateChanged("checking"), "a check")
        assert isinstance(database.state, Degraded)
        with pytest.raises(UnavailableError):
            await database.write(add("x"))
        restored = await database.restore()
        assert isinstance(database.state, Ready)
        assert await database.read(jobs) == 50
        assert await database.write(add("y")) == 1
        assert restored.set_aside.exists()


async def test_writes_that_come_during_a_restore_land_in_the_restored_database(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as database:
        await database.write(add("before"))
        await database.back_up(keep=3)
        restoring = asyncio.ensure_future(database.restore())
        await asyncio.sleep(0)
        late = [asyncio.ensure_future(database.write(add(f"late {n}"))) for n in range(3)]
        await restoring
        async with asyncio.timeout(PATIENCE_S):
            assert await asyncio.gather(*late) == [1, 1, 1]
        assert await database.read(jobs) == 4


async def test_two_restores_at_once_come_one_after_the_other(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        await fill(database, 3)
        await database.back_up(keep=3)
        async with asyncio.timeout(PATIENCE_S):
            done = await asyncio.gather(*(database.restore() for _ in range(3)))
        assert len({each.set_aside for each in done}) == 3
        assert await database.read(jobs) == 3


@pytest.mark.parametrize("killed", ["while copying", "while exchanging"])
async def test_a_restore_that_was_killed_never_leaves_an_empty_database(
    tmp_path: Path, killed: str
) -> None:
    async with opened(tmp_path) as database:
        await fill(database, 5)
        copy = (await database.back_up(keep=3)).file
        await database.write(add("after the copy"))
    file, fresh = tmp_path / "intaglio.db", tmp_path / "intaglio.db.restoring"
    if killed == "while copying":
        fresh.write_bytes(copy.read_bytes()[:5_000])
    else:
        fresh.write_bytes(copy.read_bytes())
        file.rename(tmp_path / "intaglio.db.broken-now")
        (tmp_path / "intaglio.db-wal").write_bytes(b"left of the old one")
    async with opened(tmp_path) as database:
        assert await database.read(jobs) == (6 if killed == "while copying" else 5)
    assert not fresh.exists()


async def test_a_restore_without_room_leaves_the_database_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    async with opened(tmp_path) as database:
        await database.back_up(keep=3)
        await database.write(add("kept"))
        monkeypatch.setattr("intaglio.store.backup.shutil.copyfileobj", full)
        with pytest.raises(UnavailableError, match="No space"):
            await database.restore()
        assert await database.write(add("goes on")) == 1
        assert await database.read(jobs) == 2


async def test_a_write_that_waited_for_a_file_of_rubbish_is_refused(tmp_path: Path) -> None:
    (tmp_path / "intaglio.db").write_bytes(b"not a database at all, " * 1000)
    database = Database(options(tmp_path), system_clock, ignore)
    early = asyncio.ensure_future(database.write(add("early")))
    await asyncio.sleep(0)
    await database.open()
    with pytest.raises(UnavailableError):
        async with asyncio.timeout(PATIENCE_S):
            await early
    await database.close()


async def test_a_database_that_another_program_holds_is_unavailable_not_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("intaglio.store.connection.BUSY_MS", 20)
    async with opened(tmp_path) as database:
        other = apsw.Connection(str(tmp_path / "intaglio.db"))
        run(other, "BEGIN IMMEDIATE")
        with pytest.raises(UnavailableError, match="locked"):
            await database.write(add("a"))
        other.close()
        assert await database.write(add("b")) == 1


async def test_a_write_after_the_end_is_refused(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        pass
    with pytest.raises(UnavailableError):
        await database.write(add("late"))


async def test_the_database_file_is_private(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        await database.write(add("a"))
        for suffix in ("", "-wal", "-shm"):
            assert (tmp_path / f"intaglio.db{suffix}").stat().st_mode & 0o777 == 0o600


async def test_a_database_that_was_open_to_all_is_closed_to_others(tmp_path: Path) -> None:
    async with opened(tmp_path):
        pass
    (tmp_path / "intaglio.db").chmod(0o644)
    async with opened(tmp_path):
        assert (tmp_path / "intaglio.db").stat().st_mode & 0o777 == 0o600


async def test_a_file_of_rubbish_opens_as_degraded(tmp_path: Path) -> None:
    (tmp_path / "intaglio.db").write_bytes(b"not a database at all, " * 1000)
    async with opened(tmp_path) as database:
        assert isinstance(database.state, Degraded)
        with pytest.raises(ConflictError):
            await database.restore()
        assert isinstance(database.state, Degraded)


async def test_a_damaged_backup_is_skipped(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        await fill(database, 50)
        await database.back_up(keep=3)
        await database.back_up(keep=3)
        damage(database.list_backups()[0].file)
        restored = await database.restore()
        assert restored.backup.file == database.list_backups()[1].file


async def test_only_the_newest_backups_are_kept(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        made = [await database.back_up(keep=2) for _ in range(4)]
        assert [each.file for each in database.list_backups()] == [made[3].file, made[2].file]


@pytest.mark.skipif(os.name == "nt", reason="folders hold no such files")
@pytest.mark.parametrize("suffix", ["", "-wal", "-shm", "-journal", ".open", ".restoring"])
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
async def test_a_pipe_or_folder_in_place_of_a_file_is_refused_by_name(
    tmp_path: Path, suffix: str, make: Callable[[Path], None]
) -> None:
    make(tmp_path / f"intaglio.db{suffix}")
    database = Database(options(tmp_path), system_clock, ignore)
    with pytest.raises(ConflictError, match=rf"intaglio\.db{suffix} is a (named pipe|folder)"):
        await database.open()
    await database.close()


async def test_a_foreign_database_is_never_touched(tmp_path: Path) -> None:
    file = tmp_path / "intaglio.db"
    foreign = apsw.Connection(str(file))
    run(foreign, "CREATE TABLE theirs(x)")
    foreign.close()
    before = file.read_bytes()
    database = Database(options(tmp_path), system_clock, ignore)
    with pytest.raises(ConflictError):
        await database.open()
    await database.close()
    assert file.read_bytes() == before


async def test_a_changed_migration_refuses_to_open(tmp_path: Path) -> None:
    async with opened(tmp_path):
        pass
    connection = open_writer(tmp_path / "intaglio.db")
    run(connection, "UPDATE schema_migrations SET checksum = 'other'")
    connection.close()
    database = Database(options(tmp_path), system_clock, ignore)
    with pytest.raises(ConflictError, match="differs"):
        await database.open()
    await database.close()


async def test_soft_deleted_rows_leave_the_index(tmp_path: Path) -> None:
    insert = """
      INSERT INTO memories(id, content, content_hash, type, importance, confidence, pinned, who,
        agent_id, visibility, source_type, created_at, updated_at, updated_by)
      VALUES (?, ?, x'00', 'fact', 1, 1, 0, 'w', 'default', 'global', 'manual', 't', 't', 'w')
    """

    def indexed(tx: ReadTx) -> int:
        return tx.count("SELECT count(*) FROM memories_fts WHERE memories_fts MATCH 'zebra'")

    async with opened(tmp_path) as database:
        await database.write(lambda tx: tx.execute(insert, ("1", "a zebra")))
        assert await database.read(indexed) == 1
        await database.write(lambda tx: tx.execute("UPDATE memories SET is_deleted = 1"))
        assert await database.read(indexed) == 0
        await database.write(
            lambda tx: tx.execute("INSERT INTO memories_fts(memories_fts) VALUES ('rebuild')")
        )
        assert await database.read(indexed) == 0
        await database.write(lambda tx: tx.execute("UPDATE memories SET is_deleted = 0"))
        assert await database.read(indexed) == 1
        await database.write(lambda tx: tx.execute("DELETE FROM memories"))
        assert await database.read(indexed) == 0


FOREVER = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


async def test_a_stop_interrupts_the_check_after_an_unclean_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path):
        pass
    (tmp_path / "intaglio.db.open").touch()

    def endless(connection: apsw.Connection) -> Findings:
        return Findings(str(run(connection, FOREVER).fetchall()))

    monkeypatch.setattr("intaglio.store.connection.find_faults", endless)
    database = Database(options(tmp_path), system_clock, ignore)
    assert isinstance(await database.open(), Checking)
    waiting = asyncio.ensure_future(database.write(add("a")))
    database.interrupt()
    with pytest.raises(UnavailableError, match="stopping"):
        await asyncio.wait_for(waiting, PATIENCE_S)
    await asyncio.wait_for(database.close(), PATIENCE_S)
    # The next start checks again.
    assert (tmp_path / "intaglio.db.open").exists()


async def test_a_stop_interrupts_a_migration_which_is_undone(tmp_path: Path) -> None:
    async with opened(tmp_path):
        pass
    endless = migrations.Migration(999, "endless", ("CREATE TABLE half(x)", FOREVER))
    longer = replace(options(tmp_path), schema=(*PACKAGES.schema, endless))
    database = Database(longer, system_clock, ignore)
    opening = asyncio.create_task(database.open())
    backups = tmp_path / "backups"
    await until(lambda: bool(list(backups.glob("intaglio-*.db"))), "the backup before it")
    database.interrupt()
    with pytest.raises(UnavailableError, match="stopping"):
        await asyncio.wait_for(opening, PATIENCE_S)
    await asyncio.wait_for(database.close(), PATIENCE_S)
    async with opened(tmp_path) as again:
        tables = "SELECT count(*) FROM sqlite_schema WHERE name = 'half'"
        assert await again.read(lambda tx: tx.count(tables)) == 0


def test_an_interrupted_backup_leaves_nothing(tmp_path: Path) -> None:
    lay_down(tmp_path / "intaglio.db")
    with pytest.raises(apsw.InterruptError):
        make_backup(tmp_path / "intaglio.db", tmp_path / "backups", system_clock, lambda: True)
    assert list((tmp_path / "backups").iterdir()) == []

"""Backups of real databases: what is recorded in them, their order, and their rotation."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fakes.store import Bench, bench
from intaglio.base.errors import ConflictError
from intaglio.memory.values import Actor
from intaglio.pipeline.ingest import Remember
from intaglio.store.backup import list_backups
from intaglio.store.connection import open_writer, pragma
from intaglio.store.tx import run
from intaglio.store.values import Backup

COUNT = "SELECT count(*) FROM memories"
NOW = datetime(2026, 1, 31, 8, tzinfo=UTC)


async def keep(store: Bench, *contents: str) -> None:
    for content in contents:
        await store.ingest.remember(Remember(content=content, actor=Actor("me")))


def at(folder: Path, moment: str) -> Path:
    return folder / "backups" / f"intaglio-{moment}.db"


async def test_a_backup_records_its_number_of_memories(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        await store.db.back_up(9)
        store.clock.forward(days=1)
        await keep(store, "One", "Two", "Three")
        made = await store.db.back_up(9)
        listed = store.db.list_backups()
    assert [each.memories for each in listed] == [3, 0]
    assert listed[0] == made


async def test_backups_of_an_empty_store_displace_no_good_backup(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        await keep(store, "One", "Two", "Three")
        good = await store.db.back_up(1)
        clock = store.clock
    (tmp_path / "intaglio.db").unlink()
    async with bench(tmp_path) as empty:
        empty.clock.moment = clock.moment
        made: list[Backup] = []
        for _ in range(10):
            empty.clock.forward(days=1)
            made.append(await empty.db.back_up(1))
        assert [each.file for each in empty.db.list_backups()] == [made[-1].file, good.file]
        # Not the newest: whoever restores wants the memories back.
        assert (await empty.db.restore()).backup.file == good.file


async def test_while_nothing_may_be_deleted_every_backup_stays(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        for _ in range(5):
            store.clock.forward(days=1)
            await store.db.back_up(None)
        assert len(store.db.list_backups()) == 5


async def test_memories_that_no_header_records_are_counted_before_a_rotation(
    tmp_path: Path,
) -> None:
    async with bench(tmp_path) as store:
        await keep(store, "One", "Two")
        old = await store.db.back_up(1)
        connection = open_writer(old.file)
        pragma(connection, "user_version = 0")
        run(connection, "DELETE FROM memories WHERE content = 'Two'")
        pragma(connection, "journal_mode = DELETE")
        connection.close()
        assert store.db.list_backups()[0].memories is None
        for _ in range(3):
            store.clock.forward(days=8)
            await store.db.write(lambda tx: tx.execute("DELETE FROM memories"))
            await store.db.back_up(1)
        assert old.file.exists()


async def test_a_backup_from_the_future_is_never_the_newest(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        await keep(store, "One")
        store.clock.forward(days=4000)
        ahead = await store.db.back_up(1)
        store.clock.forward(days=-4000)
        await keep(store, "Two")
        today = await store.db.back_up(1)
        listed = store.db.list_backups()
        assert [(each.file, each.in_future) for each in listed] == [
            (today.file, False),
            (ahead.file, True),
        ][: len(listed)]
        assert listed[0].file == today.file
        restored = await store.db.restore()
    assert restored.backup.file == today.file


async def test_a_backup_from_the_future_is_restored_only_by_its_name(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        await keep(store, "One")
        store.clock.forward(days=4000)
        ahead = await store.db.back_up(1)
        store.clock.forward(days=-4000)
        with pytest.raises(ConflictError, match="1 of the 1 backups has a date in the future"):
            await store.db.restore()
        restored = await store.db.restore(ahead.file.name)
    assert restored.backup.file == ahead.file


async def test_a_backup_from_the_future_displaces_none(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        await keep(store, "One", "Two")
        for days in (0, 1, 2):
            store.clock.forward(days=days)
            await store.db.back_up(3)
        kept = {each.file for each in store.db.list_backups()}
        store.clock.forward(days=900)
        await store.db.back_up(3)
        store.clock.forward(days=-899)
        await store.db.back_up(3)
        left = {each.file for each in store.db.list_backups() if not each.in_future}
    # Today's takes the place of the oldest; the one from the future takes none.
    assert len(kept - left) <= 1


@pytest.mark.skipif(os.name == "nt", reason="there are no named pipes in folders")
def test_a_named_pipe_among_the_backups_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "backups").mkdir()
    os.mkfifo(at(tmp_path, "20260101T080000000000Z"))
    assert list_backups(tmp_path / "backups", lambda: NOW) == []


async def test_a_much_smaller_copy_is_restored_only_by_its_name(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        await keep(store, "One")
        small = await store.db.back_up(9)
        await keep(store, "Two", "Three", "Four")
        with pytest.raises(ConflictError, match="fewer than half"):
            await store.db.restore()
        assert (await store.db.read(lambda tx: tx.column(int, COUNT))) == [4]
        await store.db.restore(small.file.name)
        assert (await store.db.read(lambda tx: tx.column(int, COUNT))) == [1]

"""Commits tell which rows they touched, in their order, and nothing that was rolled back."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from intaglio.base.clock import system_clock
from intaglio.daemon.packages import PACKAGES
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.store.values import DatabaseOptions

JOB = "INSERT INTO jobs(type, subject, created_at) VALUES ('t', ?, 'now')"
Told = list[tuple[int, frozenset[int] | None]]


@asynccontextmanager
async def watched(folder: Path) -> AsyncGenerator[tuple[Database, Told]]:
    told: Told = []
    options = DatabaseOptions(
        folder / "intaglio.db", folder / "backups", PACKAGES.schema, readers=1
    )
    database = Database(options, system_clock, lambda _: None)
    database.watch("jobs", lambda generation, rows: told.append((generation, rows)))
    await database.open()
    try:
        yield database, told
    finally:
        await database.close()


async def add(database: Database, subject: str) -> None:
    await database.write(lambda tx: tx.execute(JOB, (subject,)))


async def test_each_commit_names_the_rows_that_it_wrote_and_deleted(tmp_path: Path) -> None:
    async with watched(tmp_path) as (database, told):
        await add(database, "a")
        await add(database, "b")
        await database.write(lambda tx: tx.execute("DELETE FROM jobs WHERE subject = 'a'"))
        assert [rows for _, rows in told] == [frozenset({1}), frozenset({2}), frozenset({1})]
        generations = [generation for generation, _ in told]
        assert generations == sorted(set(generations))


async def test_a_commit_of_other_tables_is_counted_but_not_published(tmp_path: Path) -> None:
    async with watched(tmp_path) as (database, told):
        before = await database.read(lambda tx: tx.generation)
        await database.write(
            lambda tx: tx.execute("INSERT INTO sessions(harness, id, agent_id, started_at, "
                                  "last_seen_at) VALUES ('h', 's', 'a', '', '')")
        )  # fmt: skip
        assert told == []
        assert await database.read(lambda tx: tx.generation) == before + 1


async def test_a_rolled_back_write_is_not_published(tmp_path: Path) -> None:
    def broken(tx: WriteTx) -> None:
        tx.execute(JOB, ("lost",))
        tx.execute("ROLLBACK")
        raise ValueError("no")

    async with watched(tmp_path) as (database, told):
        with pytest.raises(ValueError, match="no"):
            await database.write(broken)
        await add(database, "kept")
        assert [rows for _, rows in told] == [frozenset({1})]


async def test_a_snapshot_holds_the_commits_up_to_its_generation(tmp_path: Path) -> None:
    def seen(tx: ReadTx) -> tuple[int, int]:
        return tx.generation, tx.count("SELECT count(*) FROM jobs")

    async with watched(tmp_path) as (database, told):
        writes = [add(database, str(number)) for number in range(50)]
        reads = [database.read(seen) for _ in range(50)]
        results = await asyncio.gather(*reads, *writes)
        rows_at = {0: 0}
        for generation, rows in told:
            rows_at[generation] = rows_at[max(rows_at)] + len(rows or ())
        for result in results[:50]:
            assert result is not None
            generation, count = result
            assert count >= rows_at[max(known for known in rows_at if known <= generation)]


async def test_after_a_restore_any_row_may_have_changed(tmp_path: Path) -> None:
    async with watched(tmp_path) as (database, told):
        await database.back_up(1)
        await database.restore()
        assert told[-1][1] is None

"""Merging the full-text index: it says the same, others write meanwhile, few rows need none."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from fakes.store import Bench, bench
from intaglio.lifecycle.values import RemovalResult, Selection
from intaglio.memory.filters import Filter
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor, Change
from intaglio.pipeline.ingest import Remember, Saved
from intaglio.pipeline.modify import MemoryPatch
from intaglio.store.fts_maintenance import merge_all, merge_small, segments

ME = Actor("me")
WHY = Audit(ME, "because")
MANY = 120


async def keep(store: Bench, content: str) -> str:
    kept = await store.ingest.remember(Remember(content=content, actor=ME))
    assert isinstance(kept, Saved)
    return kept.id


@asynccontextmanager
async def scattered(folder: Path) -> AsyncGenerator[tuple[Bench, list[str]]]:
    """Many memories, each written by a transaction of its own; the index lies in segments."""
    async with bench(folder) as store:
        ids = [await keep(store, f"zebra number {number} runs") for number in range(MANY)]
        assert len(await store.db.read(segments)) > 4
        yield store, ids


async def found(store: Bench, word: str) -> int:
    sql = "SELECT count(*) FROM memories_fts WHERE memories_fts MATCH ?"
    return await store.db.read(lambda tx: tx.count(sql, (word,)))


async def sound(store: Bench) -> None:
    check = "INSERT INTO memories_fts(memories_fts, rank) VALUES ('integrity-check', 1)"
    await store.db.write(lambda tx: tx.execute(check))


async def test_merging_segments_keeps_search_results(tmp_path: Path) -> None:
    async with scattered(tmp_path) as (store, _):
        await merge_all(store.db)
        assert len(await store.db.read(segments)) == 1
        assert (await found(store, "zebra"), await found(store, "7")) == (MANY, 1)
        await sound(store)
        # What is merged already costs no second merging.
        await merge_all(store.db)
        assert len(await store.db.read(segments)) == 1


async def test_small_segments_are_merged_beside_a_large_one_that_stays(tmp_path: Path) -> None:
    async with scattered(tmp_path) as (store, _):
        for number in range(300):
            await keep(store, " ".join(f"word{number}x{each}" for each in range(30)))
        await merge_all(store.db)
        (large,) = await store.db.read(segments)
        for number in range(40):
            await keep(store, f"heron number {number} flies")
        assert len(await store.db.read(segments)) > 4
        await merge_small(store.db)
        there = await store.db.read(segments)
        assert there[0] == large
        assert 1 < len(there) <= 4
        assert (await found(store, "heron"), await found(store, "zebra")) == (40, MANY)
        await sound(store)


async def test_an_empty_index_has_no_segment_and_is_merged_at_once(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        assert await store.db.read(segments) == []
        await merge_all(store.db)
        assert await store.db.read(segments) == []


async def test_rows_written_during_a_merge_are_found(tmp_path: Path) -> None:
    async with scattered(tmp_path) as (store, ids):
        merging = asyncio.create_task(merge_all(store.db))
        for number in range(20):
            await keep(store, f"heron number {number} flies")
            await store.remove.forget(ids[number], WHY)
        await merging
        assert (await found(store, "heron"), await found(store, "zebra")) == (20, MANY - 20)
        await sound(store)


async def test_forgetting_many_merges_first(tmp_path: Path) -> None:
    async with scattered(tmp_path) as (store, ids):
        chosen = Selection(filters=Filter(), ids=tuple(ids[:100]), limit=200)
        token = (await store.remove.preview(chosen)).token
        done = await store.remove.remove(chosen, WHY, force=False, token=token)
        assert isinstance(done, RemovalResult)
        assert len(await store.db.read(segments)) == 1
        assert await found(store, "zebra") == MANY - 100
        await sound(store)


async def test_forgetting_few_merges_nothing(tmp_path: Path) -> None:
    async with scattered(tmp_path) as (store, ids):
        before = len(await store.db.read(segments))
        chosen = Selection(filters=Filter(), ids=tuple(ids[:20]), limit=200)
        await store.remove.remove(chosen, WHY, force=False, token=None)
        assert len(await store.db.read(segments)) >= before
        assert await found(store, "zebra") == MANY - 20


async def test_new_tags_for_many_merge_first_and_pins_do_not(tmp_path: Path) -> None:
    async with scattered(tmp_path) as (store, ids):
        await store.revise.modify_all([MemoryPatch(id_, Change(pinned=True), WHY) for id_ in ids])
        before = len(await store.db.read(segments))
        assert before > 4
        # Nothing of this is written, so that what is seen is the merging.
        gone = [MemoryPatch(f"none {id_}", Change(tags=("t",)), WHY) for id_ in ids]
        await store.revise.modify_all(gone)
        assert len(await store.db.read(segments)) == 1

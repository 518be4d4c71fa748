"""Merging the full-text index: it says the same, others write meanwhile, few rows need none."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from fakes.store import Bench, bench
from intaglio.lifecycle.values import Removed, Selection
from intaglio.memory.filters import Filter
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor, Change
from intaglio.pipeline.ingest import Kept, Remember
from intaglio.pipeline.modify import Patch
from intaglio.store.segments import merge_all, merge_small, segments

ME = Actor("me")
WHY = Audit(ME, "because")
MANY = 120


async def keep(room: Bench, content: str) -> str:
    kept = await room.ingest.remember(Remember(content=content, actor=ME))
    assert isinstance(kept, Kept)
    return kept.id


@asynccontextmanager
async def scattered(folder: Path) -> AsyncGenerator[tuple[Bench, list[str]]]:
    """Many memories, each written by a transaction of its own; the index lies in segments."""
    async with bench(folder) as room:
        ids = [await keep(room, f"zebra number {number} runs") for number in range(MANY)]
        assert len(await room.db.read(segments)) > 4
        yield room, ids


async def found(room: Bench, word: str) -> int:
    sql = "SELECT count(*) FROM memories_fts WHERE memories_fts MATCH ?"
    return await room.db.read(lambda tx: tx.count(sql, (word,)))


async def sound(room: Bench) -> None:
    check = "INSERT INTO memories_fts(memories_fts, rank) VALUES ('integrity-check', 1)"
    await room.db.write(lambda tx: tx.execute(check))


async def test_the_index_says_the_same_in_one_segment(tmp_path: Path) -> None:
    async with scattered(tmp_path) as (room, _):
        await merge_all(room.db)
        assert len(await room.db.read(segments)) == 1
        assert (await found(room, "zebra"), await found(room, "7")) == (MANY, 1)
        await sound(room)
        # What is merged already costs no second merging.
        await merge_all(room.db)
        assert len(await room.db.read(segments)) == 1


async def test_small_segments_are_merged_beside_a_large_one_that_stays(tmp_path: Path) -> None:
    async with scattered(tmp_path) as (room, _):
        for number in range(300):
            await keep(room, " ".join(f"word{number}x{each}" for each in range(30)))
        await merge_all(room.db)
        (large,) = await room.db.read(segments)
        for number in range(40):
            await keep(room, f"heron number {number} flies")
        assert len(await room.db.read(segments)) > 4
        await merge_small(room.db)
        there = await room.db.read(segments)
        assert there[0] == large
        assert 1 < len(there) <= 4
        assert (await found(room, "heron"), await found(room, "zebra")) == (40, MANY)
        await sound(room)


async def test_an_empty_index_has_no_segment_and_is_merged_at_once(tmp_path: Path) -> None:
    async with bench(tmp_path) as room:
        assert await room.db.read(segments) == []
        await merge_all(room.db)
        assert await room.db.read(segments) == []


async def test_what_is_written_while_it_merges_is_found(tmp_path: Path) -> None:
    async with scattered(tmp_path) as (room, ids):
        merging = asyncio.create_task(merge_all(room.db))
        for number in range(20):
            await keep(room, f"heron number {number} flies")
            await room.remove.forget(ids[number], WHY)
        await merging
        assert (await found(room, "heron"), await found(room, "zebra")) == (20, MANY - 20)
        await sound(room)


async def test_forgetting_many_merges_first(tmp_path: Path) -> None:
    async with scattered(tmp_path) as (room, ids):
        chosen = Selection(wanted=Filter(), ids=tuple(ids[:100]), limit=200)
        token = (await room.remove.preview(chosen)).token
        done = await room.remove.remove(chosen, WHY, force=False, token=token)
        assert isinstance(done, Removed)
        assert len(await room.db.read(segments)) == 1
        assert await found(room, "zebra") == MANY - 100
        await sound(room)


async def test_forgetting_few_merges_nothing(tmp_path: Path) -> None:
    async with scattered(tmp_path) as (room, ids):
        before = len(await room.db.read(segments))
        chosen = Selection(wanted=Filter(), ids=tuple(ids[:20]), limit=200)
        await room.remove.remove(chosen, WHY, force=False, token=None)
        assert len(await room.db.read(segments)) >= before
        assert await found(room, "zebra") == MANY - 20


async def test_new_tags_for_many_merge_first_and_pins_do_not(tmp_path: Path) -> None:
    async with scattered(tmp_path) as (room, ids):
        await room.revise.modify_all([Patch(id_, Change(pinned=True), WHY) for id_ in ids])
        before = len(await room.db.read(segments))
        assert before > 4
        # Nothing of this is written, so that what is seen is the merging.
        gone = [Patch(f"none {id_}", Change(tags=("t",)), WHY) for id_ in ids]
        await room.revise.modify_all(gone)
        assert len(await room.db.read(segments)) == 1

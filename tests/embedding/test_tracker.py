"""The tracker: what lacks a vector gets a job, never twice, and never more than the queue bears."""

import asyncio
import contextlib
from pathlib import Path

import pytest

from fakes.embedder import MoodyEmbedder
from fakes.semantic_index import Index, indexed
from fakes.waiting import until
from intaglio.embedding import tracker as module
from intaglio.jobs import rows as jobs
from intaglio.jobs.values import QueueEntry
from intaglio.store.tx import ReadTx


async def lose_vectors(index: Index) -> None:
    """Take every vector away, as a hand in the database would."""
    await index.store.db.write(lambda tx: tx.execute("DELETE FROM embeddings"))


async def remembered(index: Index, count: int) -> None:
    for number in range(count):
        await index.remember(f"fact number {number}")
    await index.work(rounds=count)


def all_jobs(tx: ReadTx) -> list[QueueEntry]:
    return jobs.page(tx, None, None, None, 1_000)


async def test_a_lost_vector_is_made_again(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        await remembered(index, 3)
        await lose_vectors(index)
        assert await index.tracker.fill_if_low() == 3
        await index.work()
        assert (await index.embed.progress()).embedded == 3


async def test_waiting_memories_are_not_queued_again(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        await index.remember("a fact")
        assert await index.tracker.fill_if_low() == 0
        assert [job.type for job in await index.store.db.read(all_jobs)] == ["embed"]


async def test_failed_or_discarded_memories_are_not_queued_again(tmp_path: Path) -> None:
    async with indexed(tmp_path, MoodyEmbedder(mood="nan", odd="fact")) as index:
        await index.remember("a fact")
        for _ in range(3):
            await index.work()
            index.forward(60)
        (dead,) = await index.store.db.read(all_jobs)
        assert dead.status == "dead"
        assert await index.tracker.fill_if_low() == 0
        await index.store.db.write(lambda tx: jobs.discard(tx, dead.id, index.store.context.now))
        assert await index.tracker.fill_if_low() == 0
        (row,) = await index.store.db.read(all_jobs)
        assert (row.status, bool(row.failed_at)) == ("completed", True)


async def test_the_queue_is_filled_part_by_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_FULL", 5)
    monkeypatch.setattr(module, "_LOW", 2)
    async with indexed(tmp_path) as index:
        await remembered(index, 12)
        await lose_vectors(index)
        assert await index.tracker.fill_if_low() == 5
        assert await index.tracker.fill_if_low() == 0
        await index.work()
        assert await index.tracker.fill_if_low() == 5
        assert len(await index.store.db.read(all_jobs)) == 5


async def test_while_the_model_rests_nothing_is_queued(tmp_path: Path) -> None:
    async with indexed(tmp_path, MoodyEmbedder(mood="down")) as index:
        await index.remember("a fact")
        await index.work()
        task = asyncio.create_task(index.tracker.run())
        await until(lambda: index.tracker.state.skipped, "a cycle")
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        assert index.tracker.state.skipped == 1


async def test_made_and_failed_embeddings_are_counted(tmp_path: Path) -> None:
    async with indexed(tmp_path, MoodyEmbedder(mood="nan", odd="odd")) as index:
        await index.remember("a fact")
        await index.work()
        await index.remember("an odd one")
        for _ in range(3):
            await index.work()
            index.forward(60)
        state = index.tracker.state
        assert (state.processed, state.failed, state.running) == (1, 1, False)

"""New content has its vector at once where the model gives it in time, else its job."""

from pathlib import Path

import pytest

from fakes.embedder import Mood, MoodyEmbedder
from fakes.semantic_index import Index, indexed
from intaglio.embedding.inline_embedding import InlineEmbedding
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor, Change, Done
from intaglio.pipeline.modify import MemoryPatch, Modify, cleaned

WHY = Audit(Actor("me"), "because")


def revise(index: Index, within_s: float = 2.0) -> Modify:
    store = index.store
    return Modify(store.db, store.context, lambda: False, InlineEmbedding(index.embed, within_s))


async def change(index: Index, memory_id: str, content: str, within_s: float = 2.0) -> bool:
    outcome = await revise(index, within_s).modify(memory_id, Change(content=content), WHY)
    assert isinstance(outcome, Done)
    return outcome.embedded


async def queued(index: Index) -> int:
    return await index.store.db.read(lambda tx: tx.count("SELECT count(*) FROM jobs"))


async def test_a_changed_memory_is_found_by_its_new_meaning_at_once(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        memory_id = await index.remember("the apple is red")
        await index.work()
        assert await change(index, memory_id, "the plum is blue") is True
        await index.follow()
        assert await index.found("plum") == ["the plum is blue"]
        assert await queued(index) == 0


@pytest.mark.parametrize(
    "mood", ["down", "raises", "hangs", "broken", "short", "nan", "zero", "missing"]
)
async def test_with_a_model_that_fails_the_vector_is_queued(tmp_path: Path, mood: Mood) -> None:
    async with indexed(tmp_path, MoodyEmbedder()) as index:
        memory_id = await index.remember("the apple is red")
        await index.work()
        assert isinstance(index.embedder, MoodyEmbedder)
        index.embedder.mood = mood
        assert await change(index, memory_id, "the plum is blue", within_s=0.05) is False
        assert await queued(index) == 1


async def test_before_the_models_first_vector_the_queue_makes_it(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        memory_id = await index.remember("the apple is red")
        assert await change(index, memory_id, "the plum is blue") is False
        await index.work()
        await index.follow()
        assert await index.found("plum") == ["the plum is blue"]


async def test_many_changes_are_embedded_in_one_call(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        ids = [await index.remember(f"memory number {number}") for number in range(40)]
        await index.work(rounds=3)
        patches = [
            cleaned(MemoryPatch(id_, Change(content=f"{number} has changed"), WHY))
            for number, id_ in enumerate(ids)
        ]
        outcomes = await revise(index).modify_all(patches)
        embedded = [isinstance(each, Done) and each.embedded for each in outcomes]
        assert embedded == [True] * 32 + [False] * 8
        assert await queued(index) == 8


async def test_a_change_that_is_refused_writes_no_vector(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        memory_id = await index.remember("the apple is red")
        await index.remember("the plum is blue")
        await index.work(rounds=2)
        before = await index.store.db.read(lambda tx: tx.count("SELECT count(*) FROM embeddings"))
        await revise(index).modify(memory_id, Change(content="The plum is blue"), WHY)
        after = await index.store.db.read(lambda tx: tx.count("SELECT count(*) FROM embeddings"))
        assert (before, after) == (2, 2)

"""A memory is embedded with what was said right before it, as far as its readers may see that."""

from pathlib import Path

import pytest

from fakes.embedder import MoodyEmbedder, TokenHashEmbedder
from fakes.semantic_index import Index, indexed
from fakes.waiting import PATIENCE_S
from intaglio.embedding.context_rows import contexts
from intaglio.embedding.neighbour_rows import with_neighbours
from intaglio.embedding.values import MemoryContext

SAID = ["first", "second", "third", "fourth"]


async def conversation(index: Index, **last: object) -> dict[int, MemoryContext]:
    """Remember four things said in a session, the last one with these fields."""
    index.embed.timeout_s = PATIENCE_S
    for text in SAID:
        fields: dict[str, object] = {"content": text, "session_id": "s", "project": "/a"}
        await index.remember(**fields | (last if text == SAID[-1] else {}))  # type: ignore[arg-type]  # fields of Remember
        index.store.clock.forward(minutes=10)
    return await index.store.db.read(lambda tx: contexts(tx, [1, 2, 3, 4]))


async def test_the_context_is_the_two_memories_before(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        assert await conversation(index) == {
            2: MemoryContext(("first",), previous=1),
            3: MemoryContext(("first", "second"), previous=2),
            4: MemoryContext(("second", "third"), previous=3),
        }


@pytest.mark.parametrize(
    "last",
    [
        {"session_id": None},
        {"session_id": "t"},
        {"project": None},
        {"project": "/b"},
        {"agent_id": "ann"},
        {"visibility": "private"},
        {"created_at": "2026-01-31T09:30:00.000Z"},
        {"created_at": "2026-01-31T08:19:00.000Z"},
        {"content": "long " * 500},
    ],
)
async def test_memories_of_another_place_are_no_context(
    tmp_path: Path, last: dict[str, object]
) -> None:
    async with indexed(tmp_path) as index:
        assert 4 not in await conversation(index, **last)


async def test_memories_without_a_session_of_their_own_have_no_context(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        for text in SAID:
            await index.remember(text, session_id="unnamed:2026-01-31:abc")
        assert await index.store.db.read(lambda tx: contexts(tx, [1, 2, 3, 4])) == {}


async def test_vectors_come_with_those_before_and_after(tmp_path: Path) -> None:
    async with indexed(tmp_path, TokenHashEmbedder()) as index:
        await conversation(index)
        await index.work()
        model = index.embed.model
        assert model is not None
        found = await index.store.db.read(lambda tx: with_neighbours(tx, model, [3]))
        assert {seq: row.previous for seq, row in found.items()} == {2: 1, 3: 2, 4: 3}
        assert all(row.memory == seq for seq, row in found.items())
        assert (found[3].length, len(found[3].pieces or b"")) == (1, 2)


async def test_a_model_without_token_states_uses_no_context(tmp_path: Path) -> None:
    async with indexed(tmp_path, MoodyEmbedder()) as index:
        await conversation(index)
        await index.work()
        kept = await index.store.db.read(
            lambda tx: tx.all("SELECT DISTINCT pieces, length, previous FROM embeddings")
        )
        assert kept == [(None, None, None)]

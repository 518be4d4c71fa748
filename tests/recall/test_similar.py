"""Similar memories over a real database."""

from pathlib import Path

import pytest

from fakes.embedder import TokenHashEmbedder
from fakes.hybrid import hybrid
from intaglio.domain.reader import SharedReader
from intaglio.recall.similar import NoVector

FAR = ("granite quarry", "lantern festival", "copper mine")


async def test_similar_memories_are_the_others_nearest_first(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as store:
        [asked, *_] = await store.keep(
            "red car", "red automobile", "red automobile of the town", *FAR
        )
        alike = await store.similar(asked)
        assert not isinstance(alike, NoVector)
        assert [each.memory.content for each in alike][:2] == [
            "red automobile",
            "red automobile of the town",
        ]
        assert asked not in {each.memory.id for each in alike}
        assert [each.cosine for each in alike] == sorted(
            (each.cosine for each in alike), reverse=True
        )
        few = await store.similar(asked, limit=1)
        assert not isinstance(few, NoVector)
        assert [each.memory.content for each in few] == ["red automobile"]


async def test_similar_memories_pass_the_filter(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as store:
        [asked] = await store.keep("red car")
        await store.keep("blue car", type="rule")
        await store.keep("green car", agent_id="x", visibility="private")
        rules = await store.similar(asked, type="rule")
        assert not isinstance(rules, NoVector)
        assert [each.memory.content for each in rules] == ["blue car"]
        seen = await store.similar(asked, reader=SharedReader("x"))
        assert not isinstance(seen, NoVector)
        assert {each.memory.content for each in seen} == {"blue car", "green car"}


async def test_an_unreadable_memory_has_no_similar_ones(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as store:
        [hidden] = await store.keep("red car", agent_id="x", visibility="private")
        await store.keep("red automobile", *FAR)
        assert isinstance(await store.similar(hidden), NoVector)
        assert not isinstance(await store.similar(hidden, reader=SharedReader("x")), NoVector)


async def test_a_memory_without_a_vector_has_no_similar_ones(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as store:
        await store.keep("red car")
        waiting = await store.index.remember("not embedded yet")
        assert isinstance(await store.similar(waiting), NoVector)
        assert isinstance(await store.similar("unknown"), NoVector)


async def test_context_does_not_change_similarity(tmp_path: Path) -> None:
    async with hybrid(tmp_path, TokenHashEmbedder()) as store:
        asked, *_ = await store.keep("red car", *FAR, session_id="s", project="/a")
        await store.keep("a red bus", project="/a")
        alike = await store.similar(asked)
        assert not isinstance(alike, NoVector)
        plain = {each.memory.content: each.cosine for each in alike}
        assert next(iter(plain)) == "a red bus"
        own = store.index.embedder.vector
        for content, cosine in plain.items():
            exact = sum(a * b for a, b in zip(own("red car"), own(content), strict=True))
            assert cosine == pytest.approx(exact, abs=0.02)


async def test_without_the_model_stored_vectors_are_compared(tmp_path: Path) -> None:
    class Failing(TokenHashEmbedder):
        async def embed(self, texts, *, timeout_s):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202, ARG002 - the signature is the port's
            raise LookupError("no such thing")

    async with hybrid(tmp_path, Failing()) as store:
        asked, *others = await store.keep("red car", *FAR, session_id="s", project="/a")
        alike = await store.similar(asked)
        assert not isinstance(alike, NoVector)
        assert {each.memory.id for each in alike} == set(others)

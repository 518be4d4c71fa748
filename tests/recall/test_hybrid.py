"""Recall by words and meaning together, over a real database."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from fakes.embedder import Mood
from fakes.hybrid import Hybrid, contents, hybrid
from fakes.semantic_index import ACTOR
from fakes.waiting import PATIENCE_S
from intaglio.base.agents.reader import SharedReader
from intaglio.base.settings.values import SearchSettings
from intaglio.memory import rows
from intaglio.memory.filters import Filter
from intaglio.memory.operations import Audit
from intaglio.memory.values import Memory
from intaglio.recall.values import Found, Question
from intaglio.store.tx import ReadTx

BAD: list[Mood] = ["down", "raises", "hangs", "broken", "missing"]
FAR = ("granite quarry", "lantern festival", "copper mine")


def by_content(found: tuple[Found, ...]) -> dict[str, Found]:
    return {each.memory.content: each for each in found}


async def memory(room: Hybrid, id_: str) -> Memory:
    found = await room.index.room.db.read(lambda tx: rows.get(tx, id_))
    assert found is not None
    return found


async def test_a_paraphrase_without_a_common_word_is_found_by_meaning(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as room:
        await room.keep("red car", *FAR)
        answer = await room.ask("automobile")
    assert answer.method == "hybrid"
    first = answer.found[0]
    assert (first.memory.content, first.source) == ("red car", "vector")
    assert (first.signals.bm25, first.signals.matched) == (0, ())
    assert first.signals.cosine is not None
    assert first.signals.cosine > 0.5


async def test_the_source_says_which_legs_had_a_memory_among_their_candidates(
    tmp_path: Path,
) -> None:
    async with hybrid(tmp_path) as room:
        await room.keep("red automobile", "blue car")
        await room.index.remember("automobile without a vector yet")
        found = by_content((await room.ask("automobile")).found)
    assert {content: each.source for content, each in found.items()} == {
        "red automobile": "hybrid",
        "blue car": "vector",
        "automobile without a vector yet": "keyword",
    }
    assert found["automobile without a vector yet"].signals.cosine is None


async def test_a_candidate_of_words_alone_carries_its_cosine_too(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as room:
        # Sixty nearer ones fill the candidates of the leg of meaning.
        await room.keep(*[f"automobile car n{number}" for number in range(60)])
        await room.keep("a doctor in a town with one automobile and seven other things in it")
        found = by_content((await room.ask("automobile", limit=100)).found)
    far = found["a doctor in a town with one automobile and seven other things in it"]
    assert far.signals.bm25 > 0
    assert far.signals.cosine is not None
    near = found["automobile car n1"]
    assert near.signals.cosine is not None
    assert far.signals.cosine < near.signals.cosine


async def test_a_candidate_of_meaning_alone_carries_the_weight_of_its_words(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as room:
        # The budget admits only the rarest word, so the leg of words does not see the other.
        room.index.room.search = SearchSettings(postings_budget=1)
        await room.keep("lantern car", "lantern boat", "zebra", *FAR[:1], *FAR[2:], "maple")
        found = by_content((await room.ask("zebra lantern")).found)
    assert found["zebra"].source == "hybrid"
    seen = found["lantern car"]
    assert (seen.source, seen.signals.matched) == ("vector", ("lantern",))
    assert seen.signals.bm25 > 0


@pytest.mark.parametrize("mood", BAD)
async def test_whatever_the_embedder_does_words_answer_in_time(tmp_path: Path, mood: Mood) -> None:
    async with hybrid(tmp_path) as room:
        await room.keep("red car", "red automobile")
        room.embedder.mood = mood
        async with asyncio.timeout(PATIENCE_S):
            answer = await room.ask("automobile", embed_within_s=0.2)
    assert answer.method == "keyword"
    assert [(each.memory.content, each.source) for each in answer.found] == [
        ("red automobile", "keyword")
    ]


@pytest.mark.parametrize("mood", ["short", "nan", "zero"])
async def test_a_vector_that_is_none_is_not_searched_with(tmp_path: Path, mood: Mood) -> None:
    async with hybrid(tmp_path) as room:
        await room.keep("red car", "red automobile")
        room.embedder.mood = mood
        answer = await room.ask("automobile")
    assert answer.method == "keyword"
    assert contents(answer) == ["red automobile"]


async def test_without_any_vector_in_the_store_nothing_is_embedded(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as room:
        await room.index.remember("red automobile")
        assert contents(await room.ask("automobile")) == ["red automobile"]
        assert room.embedder.asked == []


async def test_the_limit_of_quality_is_held_against_the_raw_signals(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as room:
        await room.keep("automobile", "blue car in a garage of the town")
        cosines = {
            each.memory.content: each.signals.cosine or 0.0
            for each in (await room.ask("automobile", min_score=0.0)).found
        }
        weak = cosines["blue car in a garage of the town"]
        assert 0.1 < weak < 0.9
        just = await room.ask("automobile", min_score=weak - 0.01)
        above = await room.ask("automobile", min_score=weak + 0.01)
    assert "blue car in a garage of the town" in contents(just)
    assert contents(above) == ["automobile"]


async def test_a_filter_holds_for_what_meaning_finds(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as room:
        await room.keep("car of a", project="/a")
        await room.keep("car of b", project="/b")
        await room.keep("car of all")
        await room.keep("car of x alone", agent_id="x", visibility="private")
        found = contents(await room.ask("automobile", Filter(project="/a")))
        assert set(found) == {"car of a", "car of all"}
        found = contents(
            await room.ask("automobile", Filter(reader=SharedReader("x"), project="/b"))
        )
        assert set(found) == {"car of b", "car of all", "car of x alone"}


async def test_a_forgotten_memory_is_not_found_by_meaning(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as room:
        [gone, _] = await room.keep("red car", "lantern")
        await room.index.room.remove.forget(gone, Audit(ACTOR))
        assert "red car" not in contents(await room.ask("automobile", min_score=0.0))


async def test_use_is_counted_later_in_one_batch_and_makes_no_new_version(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as room:
        [used, unused] = await room.keep("red car", "granite")
        before = await memory(room, used)
        for _ in range(3):
            await room.ask("automobile", limit=1)
        assert room.told == [(used,)] * 3
        assert await memory(room, used) == before
        room.index.forward(60)
        assert await room.use.write() == 1
        after = await memory(room, used)
        assert after.version == before.version
        counts = await room.index.room.db.read(
            lambda tx: tx.all("SELECT id, access_count, last_accessed FROM memories ORDER BY seq")
        )
        assert counts == [(used, 3, "2026-01-31T08:01:00.000Z"), (unused, 0, None)]
        assert await room.use.write() == 0


async def test_counting_use_leaves_the_index_in_step(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as room:
        await room.keep("red car")
        await room.ask("automobile")
        await room.use.write()
        await room.index.follow()
        assert contents(await room.ask("automobile")) == ["red car"]


@dataclass(frozen=True)
class Pinboard:
    """A retriever that finds what is pinned, whatever is asked."""

    name: str = "pinboard"
    relative: bool = False

    def weight(self, _: SearchSettings) -> float:
        return 0.5

    async def search(self, _: Question, __: SearchSettings, ___: int) -> "Pinboard":
        return self

    def candidates(self, tx: ReadTx) -> dict[int, float]:
        return dict.fromkeys(tx.column(int, "SELECT seq FROM memories WHERE pinned = 1"), 1.0)

    def signals(
        self, _: ReadTx, own: Mapping[int, float], __: Mapping[int, Memory]
    ) -> Mapping[int, float]:
        return own

    def merit(self, _: ReadTx, __: Memory, signal: float | None) -> float:
        return signal or 0.0


async def test_another_retriever_joins_the_ranking(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as room:
        await room.keep("the tea is at five")
        await room.keep("an unrelated note", pinned=True)
        alone = await room.recall.recall(Question(text="tea"))
        assert "an unrelated note" not in contents(alone)
        joined = replace(room.recall, others=(*room.recall.others, Pinboard()))
        answer = await joined.recall(Question(text="tea"))
        assert set(contents(answer)) == {"the tea is at five", "an unrelated note"}
        assert all(0 <= found.score <= 1 for found in answer.found)

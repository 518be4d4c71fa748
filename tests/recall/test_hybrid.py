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
from intaglio.domain.reader import SharedReader
from intaglio.memory import rows
from intaglio.memory.filters import Filter
from intaglio.memory.operations import Audit
from intaglio.memory.values import Memory, MemoryText
from intaglio.recall.keywords import KeywordScorer
from intaglio.recall.settings import SearchSettings
from intaglio.recall.values import Hit, Question
from intaglio.store.tx import ReadTx

BAD: list[Mood] = ["down", "raises", "hangs", "broken", "missing"]
FAR = ("granite quarry", "lantern festival", "copper mine")


def by_content(found: tuple[Hit, ...]) -> dict[str, Hit]:
    return {each.memory.content: each for each in found}


async def memory(store: Hybrid, id_: str) -> Memory:
    found = await store.index.store.db.read(lambda tx: rows.get(tx, id_))
    assert found is not None
    return found


async def test_a_paraphrase_without_a_common_word_is_found_by_meaning(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as store:
        await store.keep("red car", *FAR)
        answer = await store.ask("automobile")
    assert answer.method == "hybrid"
    first = answer.hits[0]
    assert (first.memory.content, first.source) == ("red car", "vector")
    assert (first.signals.bm25, first.signals.matched) == (0, ())
    assert first.signals.cosine is not None
    assert first.signals.cosine > 0.5


async def test_a_result_names_the_retrievers_that_found_it(
    tmp_path: Path,
) -> None:
    async with hybrid(tmp_path) as store:
        await store.keep("red automobile", "blue car")
        await store.index.remember("automobile without a vector yet")
        found = by_content((await store.ask("automobile")).hits)
    assert {content: each.source for content, each in found.items()} == {
        "red automobile": "hybrid",
        "blue car": "vector",
        "automobile without a vector yet": "keyword",
    }
    assert found["automobile without a vector yet"].signals.cosine is None


async def test_a_keyword_candidate_has_its_cosine_too(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as store:
        # Sixty nearer ones fill the candidates of the leg of meaning.
        await store.keep(*[f"automobile car n{number}" for number in range(60)])
        await store.keep("a doctor in a town with one automobile and seven other things in it")
        found = by_content((await store.ask("automobile", limit=100)).hits)
    far = found["a doctor in a town with one automobile and seven other things in it"]
    assert far.signals.bm25 > 0
    assert far.signals.cosine is not None
    near = found["automobile car n1"]
    assert near.signals.cosine is not None
    assert far.signals.cosine < near.signals.cosine


async def test_a_semantic_candidate_has_its_keyword_score_too(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as store:
        # The budget admits only the rarest word, so the leg of words does not see the other.
        store.index.store.search = SearchSettings(postings_budget=1)
        await store.keep("lantern car", "lantern boat", "zebra", *FAR[:1], *FAR[2:], "maple")
        found = by_content((await store.ask("zebra lantern")).hits)
    assert found["zebra"].source == "hybrid"
    seen = found["lantern car"]
    assert (seen.source, seen.signals.matched) == ("vector", ("lantern",))
    assert seen.signals.bm25 > 0


WHY_KEYWORDS: list[tuple[Mood, str]] = [
    ("well", ""),
    ("down", "The embedding model isn't available: connection refused."),
    ("broken", "The embedding model isn't available: the file was altered."),
    ("hangs", "The embedding model is still loading. Try again in a few seconds."),
]


@pytest.mark.parametrize(("mood", "why"), WHY_KEYWORDS)
@pytest.mark.parametrize("question", ["red", "unknown words"])
async def test_an_answer_says_why_it_was_found_by_keywords_only(
    tmp_path: Path, mood: Mood, why: str, question: str
) -> None:
    async with hybrid(tmp_path) as store:
        await store.keep("red car", *FAR)
        store.embedder.mood = mood
        store.embedder.phase = "idle" if mood == "hangs" else "ready"
        answer = await store.ask(question, embed_within_s=0.01)
    assert answer.keywords_only == why


async def test_an_empty_answer_says_that_memories_are_not_embedded_yet(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as store:
        await store.index.remember("blue automobile")
        assert (await store.ask("car", min_score=1)).keywords_only.startswith("One memory isn't")
        await store.index.work()
        await store.index.follow()
        assert (await store.ask("car", min_score=1)).keywords_only == ""


@pytest.mark.parametrize("mood", BAD)
async def test_keywords_answer_in_time_whatever_the_embedder_does(
    tmp_path: Path, mood: Mood
) -> None:
    async with hybrid(tmp_path) as store:
        await store.keep("red car", "red automobile")
        store.embedder.mood = mood
        async with asyncio.timeout(PATIENCE_S):
            answer = await store.ask("automobile", embed_within_s=0.2)
    assert answer.method == "keyword"
    assert [(each.memory.content, each.source) for each in answer.hits] == [
        ("red automobile", "keyword")
    ]


@pytest.mark.parametrize("mood", ["short", "nan", "zero"])
async def test_an_invalid_vector_is_not_searched_with(tmp_path: Path, mood: Mood) -> None:
    async with hybrid(tmp_path) as store:
        await store.keep("red car", "red automobile")
        store.embedder.mood = mood
        answer = await store.ask("automobile")
    assert answer.method == "keyword"
    assert contents(answer) == ["red automobile"]


async def test_without_any_vector_in_the_store_nothing_is_embedded(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as store:
        await store.index.remember("red automobile")
        assert contents(await store.ask("automobile")) == ["red automobile"]
        assert store.embedder.asked == []


async def test_the_minimum_quality_applies_to_raw_signals(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as store:
        await store.keep("automobile", "blue car in a garage of the town")
        cosines = {
            each.memory.content: each.signals.cosine or 0.0
            for each in (await store.ask("automobile", min_score=0.0)).hits
        }
        weak = cosines["blue car in a garage of the town"]
        assert 0.1 < weak < 0.9
        just = await store.ask("automobile", min_score=weak - 0.01)
        above = await store.ask("automobile", min_score=weak + 0.01)
    assert "blue car in a garage of the town" in contents(just)
    assert contents(above) == ["automobile"]


async def test_a_filter_applies_to_semantic_results(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as store:
        await store.keep("car of a", project="/a")
        await store.keep("car of b", project="/b")
        await store.keep("car of all")
        await store.keep("car of x alone", agent_id="x", visibility="private")
        found = contents(await store.ask("automobile", Filter(project="/a")))
        assert set(found) == {"car of a", "car of all"}
        found = contents(
            await store.ask("automobile", Filter(reader=SharedReader("x"), project="/b"))
        )
        assert set(found) == {"car of b", "car of all", "car of x alone"}


async def test_a_forgotten_memory_is_not_found_by_meaning(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as store:
        [gone, _] = await store.keep("red car", "lantern")
        await store.index.store.remove.forget(gone, Audit(ACTOR))
        assert "red car" not in contents(await store.ask("automobile", min_score=0.0))


async def test_use_is_counted_later_in_one_batch_and_makes_no_new_version(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as store:
        [used, unused] = await store.keep("red car", "granite")
        before = await memory(store, used)
        for _ in range(3):
            await store.ask("automobile", limit=1)
        assert store.told == [(used,)] * 3
        assert await memory(store, used) == before
        store.index.forward(60)
        assert await store.use.write() == 1
        after = await memory(store, used)
        assert after.version == before.version
        counts = await store.index.store.db.read(
            lambda tx: tx.all("SELECT id, access_count, last_accessed FROM memories ORDER BY seq")
        )
        assert counts == [(used, 3, "2026-01-31T08:01:00.000Z"), (unused, 0, None)]
        assert await store.use.write() == 0


async def test_counting_use_leaves_the_index_in_step(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as store:
        await store.keep("red car")
        await store.ask("automobile")
        await store.use.write()
        await store.index.follow()
        assert contents(await store.ask("automobile")) == ["red car"]


@dataclass(frozen=True)
class Pinboard:
    """A retriever that finds what is pinned, whatever is asked."""

    name: str = "pinboard"
    relative: bool = False

    def weight(self, _: SearchSettings) -> float:
        return 0.5

    async def prepare(self, _: Question, __: SearchSettings, ___: int) -> "Pinboard":
        return self

    def candidates(self, tx: ReadTx, _: KeywordScorer) -> dict[int, float]:
        return dict.fromkeys(tx.column(int, "SELECT seq FROM memories WHERE pinned = 1"), 1.0)

    def signals(
        self, _: ReadTx, own: Mapping[int, float], __: Mapping[int, MemoryText]
    ) -> Mapping[int, float]:
        return own

    def merit(self, _: ReadTx, __: MemoryText, signal: float | None) -> float:
        return signal or 0.0


async def test_another_retriever_joins_the_ranking(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as store:
        await store.keep("the tea is at five")
        await store.keep("an unrelated note", pinned=True)
        alone = await store.recall.recall(Question(text="tea"))
        assert "an unrelated note" not in contents(alone)
        joined = replace(
            store.recall, other_retrievers=(*store.recall.other_retrievers, Pinboard())
        )
        answer = await joined.recall(Question(text="tea"))
        assert set(contents(answer)) == {"the tea is at five", "an unrelated note"}
        assert all(0 <= found.score <= 1 for found in answer.hits)

"""Keyword recall over a real database."""

from pathlib import Path

import pytest

from fakes.store import Bench, bench
from intaglio.domain.reader import SharedReader
from intaglio.memory.filters import Filter
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor
from intaglio.pipeline.ingest import Remember, Saved
from intaglio.recall.settings import SearchSettings
from intaglio.recall.values import Answer, Question

ME = Actor("me")


async def keep(store: Bench, content: str, **more: object) -> str:
    # The fields come from a table of cases.
    outcome = await store.ingest.remember(Remember(content=content, actor=ME, **more))  # type: ignore[arg-type]
    assert isinstance(outcome, Saved)
    return outcome.id


async def ask(store: Bench, text: str, **wanted: object) -> Answer:
    # The fields come from a table of cases.
    return await store.recall.recall(Question(text=text, filters=Filter(**wanted)))  # type: ignore[arg-type]


def contents(answer: Answer) -> list[str]:
    return [found.memory.content for found in answer.hits]


async def test_a_natural_question_finds_the_memory(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        await keep(store, "We decided to use PostgreSQL for the billing database")
        await keep(store, "The user prefers dark mode")
        answer = await ask(store, "Which database did we choose for billing?")
    assert contents(answer) == ["We decided to use PostgreSQL for the billing database"]
    assert answer.hits[0].score == 1.0
    assert set(answer.hits[0].signals.matched) == {"databas", "bill"}


async def test_words_are_stemmed_and_accents_folded(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        await keep(store, "Running the cafés")
        assert len((await ask(store, "cafe runs")).hits) == 1


async def test_better_matches_come_first(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        await keep(store, "alpha one")
        await keep(store, "alpha beta two")
        assert contents(await ask(store, "alpha beta"))[0] == "alpha beta two"


async def test_filters_apply_before_the_limit(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        for number in range(60):
            await keep(store, f"alpha alpha {number}", project="/other")
        mine = await keep(store, "alpha somewhere in a longer sentence", project="/mine")
        answer = await store.recall.recall(
            Question(text="alpha", limit=1, filters=Filter(project="/mine"))
        )
    assert [found.memory.id for found in answer.hits] == [mine]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({}, {"global", "a", "b"}),
        ({"project": "/a"}, {"global", "a"}),
        ({"project": "/a", "exact_project": True}, {"a"}),
        ({"global_only": True}, {"global"}),
        ({"reader": SharedReader("x")}, {"global", "a", "b", "private"}),
        ({"type": "rule"}, set[str]()),
        ({"tags": ("t",)}, {"a"}),
        ({"importance_min": 0.9}, {"b"}),
        ({"pinned": True}, set[str]()),
        ({"who": "cli"}, {"global"}),
        ({"since": "2030-01-01T00:00:00.000Z"}, set[str]()),
    ],
)
async def test_each_filter_lets_through_what_it_should(
    tmp_path: Path, wanted: dict[str, object], expected: set[str]
) -> None:
    async with bench(tmp_path) as store:
        ids = {
            await keep(store, "alpha g", who="cli"): "global",
            await keep(store, "alpha a", project="/a", tags="t"): "a",
            await keep(store, "alpha b", project="/b", importance=0.95): "b",
            await keep(store, "alpha p", agent_id="x", visibility="private"): "private",
        }
        answer = await ask(store, "alpha", **wanted)
    assert {ids[found.memory.id] for found in answer.hits} == expected


async def test_forgotten_memories_are_not_found(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        memory_id = await keep(store, "alpha")
        await store.remove.forget(memory_id, Audit(ME))
        assert contents(await ask(store, "alpha")) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "???",
        '"',
        "AND OR NOT",
        'a" OR "b',
        "NEAR(a b)",
        "col:x",
        "*",
        "^a",
        "-a",
        "\x00",
        "😀",
        "a" * 100_000,
        "the " * 5000,
    ],
)
async def test_odd_questions_are_answered_too(tmp_path: Path, text: str) -> None:
    async with bench(tmp_path) as store:
        await keep(store, "alpha beta")
        assert len((await ask(store, text)).hits) <= 1


async def test_a_question_of_stop_words_alone_finds_them(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        await keep(store, "to be or not to be")
        assert len((await ask(store, "to be or not to be")).hits) == 1


async def test_words_beyond_the_budget_are_dropped_and_reported(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        for number in range(30):
            await keep(store, f"common {number}")
        await keep(store, "rare common")
        store.search = SearchSettings(postings_budget=100)
        store.search = SearchSettings(postings_budget=10)
        answer = await ask(store, "rare common")
    assert answer.plan.terms == ("rare",)
    assert answer.plan.dropped == ("common",)
    assert contents(answer) == ["rare common"]


async def test_a_ubiquitous_word_finds_the_newest_memories(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        for number in range(30):
            await keep(store, f"common {number}")
        store.search = SearchSettings(postings_budget=10)
        answer = await store.recall.recall(Question(text="common", limit=3))
    assert contents(answer) == ["common 29", "common 28", "common 27"]


async def test_weak_results_are_dropped_by_min_score(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        await keep(store, "alpha beta gamma delta")
        for number in range(20):
            await keep(store, f"alpha {number} with many other words around it to make it long")
        everything = await store.recall.recall(Question(text="alpha beta gamma delta", min_score=0))
        strict = await store.recall.recall(Question(text="alpha beta gamma delta", min_score=0.9))
    assert len(everything.hits) > len(strict.hits) == 1


@pytest.mark.parametrize(
    "word",
    ["database", "response", "release", "license", "house", "decision", "agree", "mouse"],
)
async def test_a_word_whose_stem_has_a_stem_is_found(tmp_path: Path, word: str) -> None:
    async with bench(tmp_path) as store:
        await keep(store, f"The {word} of the staging area", project="/p")
        assert len((await ask(store, f"which {word}?")).hits) == 1
        assert len((await ask(store, f"which {word}?", project="/p")).hits) == 1

"""Typing errors in what is searched for."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from fakes.store import Bench, bench
from fakes.stored_commits import keep_commit
from fakes.transcripts import Talks
from intaglio.finding.question import read_question
from intaglio.finding.spelling import corrected, spelling_errors
from intaglio.memory.values import Actor
from intaglio.pipeline.ingest import Remember


@pytest.fixture
async def store(tmp_path: Path) -> AsyncGenerator[Bench]:
    async with bench(tmp_path) as opened:
        await opened.ingest.remember(
            Remember(content="Performance tests run at night.", actor=Actor("test"))
        )
        await Talks(opened).talk("s1", "The notifications arrive late.", "The queue was full.")
        await keep_commit(opened.db, "/work/shop", "Simplify the reconciliation")
        yield opened


async def meant(store: Bench, typed: str, *marked: str) -> str:
    question = read_question(typed)
    errors = await store.db.read(lambda tx: spelling_errors(tx, question, {*marked}))
    return corrected(question, errors).content


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("peformance", "performance"),
        ("pexformance ", "performance"),
        ("Perfromance", "performance"),
        ("performannce tests", "performance tests"),
        ("notifcations ", "notifications"),
        ("reconcilation", "reconciliation"),
        ("peformance of the notifcations", "performance notifications"),
    ],
)
async def test_a_word_of_anything_kept_is_meant(store: Bench, typed: str, wanted: str) -> None:
    assert await meant(store, typed) == wanted


@pytest.mark.parametrize(
    "typed",
    ["performance", "performing", "nigt", "qzxwv", "perf0rmance", "pefromznce", "größe"],
)
async def test_what_is_known_short_or_like_nothing_stays(store: Bench, typed: str) -> None:
    assert await meant(store, typed) == typed


async def test_what_something_else_was_found_by_stays(store: Bench) -> None:
    assert await meant(store, "peformance", "Peformance") == "peformance"


async def test_a_long_question_costs_no_more(store: Bench) -> None:
    typed = " ".join(f"qqqqq{letter}" for letter in "abcdefghijklmnopqrstuvw")
    assert await meant(store, f"{typed} peformance ") == f"{typed} peformance"


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [("authentcation", "authentication"), ("databse ", "database"), ("outrage", "outage")],
)
async def test_what_nothing_kept_has_may_be_an_ordinary_word(
    store: Bench, typed: str, wanted: str
) -> None:
    assert await meant(store, typed) == wanted


async def test_an_ordinary_word_is_only_a_guess(store: Bench) -> None:
    question = read_question("peformance of the databse ")
    errors = await store.db.read(lambda tx: spelling_errors(tx, question, ()))
    assert [(each.meant, each.is_kept) for each in errors] == [
        ("performance", True),
        ("database", False),
    ]

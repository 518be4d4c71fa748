"""Commits found by their words."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from fakes.store import Bench, bench
from fakes.stored_commits import keep_commit
from intaglio.commits import listing_rows

SHOP = "/work/shop"


@pytest.fixture
async def store(tmp_path: Path) -> AsyncGenerator[Bench]:
    async with bench(tmp_path) as opened:
        for number in range(12):
            await keep_commit(opened.db, SHOP, f"Mend the release script {number}", day=1 + number)
        await keep_commit(opened.db, SHOP, "Weigh the anchor", day=20)
        await keep_commit(opened.db, SHOP, "Paint the hull", day=21)
        yield opened


async def subjects(store: Bench, text: str) -> list[str]:
    page = await store.db.read(lambda tx: listing_rows.matching(tx, None, text, 5))
    return [each.subject for each in page.commits]


async def test_a_commit_with_all_words_leaves_out_those_with_some(store: Bench) -> None:
    assert await subjects(store, "release script 7") == ["Mend the release script 7"]


async def test_of_words_that_no_commit_has_together_any_is_enough(store: Bench) -> None:
    assert set(await subjects(store, "anchor hull")) == {"Weigh the anchor", "Paint the hull"}


async def test_common_words_are_left_out_beyond_the_budget(
    store: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("intaglio.commits.listing_rows._RANKED", 2)
    assert await subjects(store, "anchor release hull") == ["Paint the hull", "Weigh the anchor"]


async def test_a_single_common_word_is_searched_whatever_it_costs(
    store: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("intaglio.commits.listing_rows._RANKED", 2)
    assert len(await subjects(store, "release")) == 5
    assert len(await subjects(store, "release zanzibar")) == 5


async def test_words_of_no_commit_find_nothing(store: Bench) -> None:
    assert await subjects(store, "zanzibar okapi") == []

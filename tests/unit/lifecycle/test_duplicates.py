"""Which memories count as duplicates, and which of them is kept."""

import random
from dataclasses import replace

import pytest

from intaglio.domain.reader import PRIVATE
from intaglio.lifecycle.duplicates.judging import choose_kept, say_alike
from intaglio.lifecycle.duplicates.similar_pairs import find_pairs
from intaglio.memory.values import AGENT_SOURCE, Memory, Scope, Source

OLD = Memory(
    seq=1,
    id="old",
    content="Deploys run on Fridays",
    type="fact",
    importance=0.8,
    confidence=1.0,
    pinned=False,
    tags=(),
    who="daemon",
    why="explicit",
    scope=Scope(),
    source=Source(),
    session_id=None,
    created_at="2026-01-01T00:00:00.000Z",
    updated_at="",
    updated_by="",
    runtime_path=None,
    last_accessed=None,
    access_count=0,
    version=1,
    is_deleted=False,
    deleted_at=None,
    extraction_status="",
    embedding_model=None,
    worded_at="2026-01-01T00:00:00.000Z",
)
NEW = replace(OLD, seq=2, id="new", created_at="2026-01-02T00:00:00.000Z")
BY_AGENT = Source(AGENT_SOURCE)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The parser is hand-written", "the parser is hand-written."),
        ("Tests run with pytest", "Run the tests with pytest"),
        ("We decided to use tabs in the Makefile", "Use tabs in the Makefile"),
        ("Deploys run on Fridays", "Deployments run on Fridays"),
    ],
)
def test_texts_that_say_the_same_are_duplicates(one: str, other: str) -> None:
    assert say_alike(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The request timeout is 30 seconds", "The request timeout is 60 seconds"),
        ("Deploys run on Fridays", "Deploys never run on Fridays"),
        ("Anna reviews the parser", "Boris reviews the parser"),
        ("The cache lives in redis-a", "The cache lives in redis-b"),
        ("Names are stored in upper case", "Names are stored in lower case"),
        ("The importer skips duplicates", "The importer doesn't skip duplicates any more"),
        ("Bids below 10 euros are refused", "Bids above 500 euros are refused"),
        ("Player names are unique", "Are player names unique?"),
        ("Use tabs in the Makefile", "Use tabs in the Makefile only for recipes of releases"),
        ("Run the linter before each commit", "Run the linter after each commit"),
        ("Prefer composition over inheritance", "Prefer inheritance over composition"),
        ("The frontend talks to the backend", "The backend talks to the frontend"),
        ("Logs are kept on the server", "Logs are kept off the server"),
        ("All requests are cached", "Some requests are cached"),
        ("Releases are cut every Friday", "Releases are cut every second Friday"),
        ("The service must retry", "The service may retry"),
        ("The service requires a review", "The service required a review"),
        ("Alert if errors < 5", "Alert if errors > 5"),
        ("Alert if errors == 5", "Alert if errors != 5"),
        ("The limit is 10%", "The limit is 10"),
        ("Die Tests laufen vor dem Commit", "Die Tests laufen nach dem Commit"),
        ("订单主题有 24 个分区。", "告警主题只有 3 个分区。"),
    ],
)
def test_texts_that_differ_in_number_name_order_or_negation_are_not(one: str, other: str) -> None:
    assert not say_alike(one, other)
    assert not say_alike(other, one)


@pytest.mark.parametrize(
    ("kept", "gone"),
    [
        (OLD, NEW),
        (replace(NEW, pinned=True), OLD),
        (replace(NEW, confidence=1.0), replace(OLD, confidence=0.6)),
        (NEW, replace(OLD, source=BY_AGENT)),
        (NEW, replace(OLD, scope=Scope(visibility=PRIVATE))),
    ],
)
def test_the_pinned_the_users_the_surer_and_the_older_one_is_kept(
    kept: Memory, gone: Memory
) -> None:
    assert choose_kept(gone, kept) == choose_kept(kept, gone) == (kept, gone)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (replace(OLD, pinned=True), replace(NEW, pinned=True)),
        # What the user said isn't forgotten for what an agent pinned.
        (OLD, replace(NEW, source=BY_AGENT, pinned=True)),
        # Other agents would lose it.
        (replace(OLD, scope=Scope(visibility=PRIVATE), pinned=True), NEW),
    ],
)
def test_neither_is_forgotten_if_that_would_lose_something(one: Memory, other: Memory) -> None:
    assert choose_kept(one, other) is None


def test_similar_vectors_are_found_across_blocks_and_a_scan_goes_on_where_it_ended() -> None:
    chance = random.Random(1)  # noqa: S311 - not for secrets
    vectors = [bytes(chance.randrange(128) for _ in range(64)) for _ in range(1_100)]
    vectors[3] = vectors[1_050]
    found = find_pairs(vectors, 64, 0.99, 0, lambda: False)
    assert [(one, other) for one, other, _ in found.pairs] == [(3, 1_050)]
    assert found.ended_at is None
    looks = iter([False, True])
    assert find_pairs(vectors, 64, 0.99, 0, lambda: next(looks)).ended_at == 512
    assert find_pairs(vectors, 64, 0.99, 512, lambda: False).pairs == found.pairs


def test_a_scan_gets_past_more_pairs_than_it_may_find() -> None:
    vectors = [b"\x7f" * 64] * 1_500
    ended = find_pairs(vectors, 64, 0.99, 512, lambda: False).ended_at
    assert ended is not None
    assert ended > 512

"""What a newer statement of the user does to older memories: it replaces them, or asks."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

import pytest

from fakes.sessions import House, session
from fakes.talk import BEGINNING, Talk, items, other
from intaglio.base.settings.values import Settings
from intaglio.capture.settings import CaptureSettings
from intaglio.capture.transcripts import TranscriptMessage
from intaglio.daemon.packages import PACKAGES
from intaglio.domain.statement_pairs import StatementPair
from intaglio.lifecycle.decisions.inbox_decisions import Decided, InboxDecisions
from intaglio.memory import operations, replacement, rows
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor, Change, Memory
from intaglio.sessions.context import UNSETTLED
from intaglio.sessions.selection.contradicted_memories import CONTRADICTED
from intaglio.sessions.statements import rows as statements

KEPT: Final = Settings().having(CaptureSettings(keep_at=0.2, suggest_at=0.2))
SUGGESTED: Final = Settings().having(CaptureSettings(keep_at=1.0, suggest_at=0.01))
UNSURE: Final = Settings().having(CaptureSettings(keep_at=0.99, suggest_at=0.2))
REDIS: Final = "We decided to store sessions in Redis."
INSTEAD: Final = "We decided to store sessions in PostgreSQL instead of Redis."
IN_GO: Final = "We decided to write the importer in Go."
IN_RUST: Final = "We decided to write the importer in Rust."
USER: Final = Audit(Actor("me"))


@pytest.fixture
def talk(house: House) -> Talk:
    house.settings = KEPT
    return Talk(house)


async def memories(house: House) -> dict[str, Memory]:
    """Return the live memories by their texts."""
    ids = [str(id_) for (id_,) in await house.rows("SELECT id FROM memories WHERE is_deleted = 0")]
    found = await house.bench.db.read(lambda tx: rows.by_ids(tx, ids))
    return {memory.content: memory for memory in found.values()}


async def statuses(house: House) -> dict[str, str]:
    return {text: memory.status for text, memory in (await memories(house)).items()}


async def told(house: House) -> str:
    return (await house.start(session("s9"))).text


def decisions(house: House) -> InboxDecisions:
    bench = house.bench
    return InboxDecisions(bench.db, bench.context, lambda: bench.frozen, PACKAGES.inbox_kinds)


async def only_item(house: House, kind: str) -> str:
    [[found]] = await house.rows(f"SELECT id FROM inbox_items WHERE kind = '{kind}'")  # noqa: S608 - a test's own word
    return str(found)


async def test_a_reversal_replaces_at_once_and_is_undone(talk: Talk) -> None:
    house = talk.house
    await talk.say(REDIS)
    await other(talk).say(INSTEAD)
    assert await statuses(house) == {REDIS: "replaced", INSTEAD: "current"}
    assert await items(house) == []
    text = await told(house)
    assert INSTEAD in text
    assert REDIS not in text
    [entry] = await house.rows(
        "SELECT session_id, actor_type FROM memory_history WHERE event = 'replaced'"
    )
    assert entry == ("s2", "harness")
    older = (await memories(house))[REDIS]
    await house.bench.db.write(
        lambda tx: replacement.reinstate(tx, older.id, USER, house.bench.context)
    )
    assert REDIS in await told(house)


async def test_a_reversal_is_no_evidence_for_what_it_reverses(talk: Talk) -> None:
    await talk.say(REDIS)
    before = (await memories(talk.house))[REDIS]
    await other(talk).say(INSTEAD)
    after = (await memories(talk.house))[REDIS]
    said = await talk.house.bench.db.read(lambda tx: statements.of_memory(tx, after.id))
    assert [each.session_id for each in said] == ["s1"]
    assert after.confidence == before.confidence


async def test_of_what_is_uncertain_only_the_newer_is_told_until_it_is_decided(talk: Talk) -> None:
    await talk.say(IN_GO)
    await other(talk).say(IN_RUST)
    assert await items(talk.house) == [("contradiction", "open", None, 1)]
    assert await statuses(talk.house) == {IN_GO: "disputed", IN_RUST: "current"}
    start = await talk.house.start(session("s9"))
    assert IN_GO not in start.text
    [line] = [line for line in start.text.splitlines() if IN_RUST in line]
    assert UNSETTLED in line
    left_out = [(each.candidate.memory.content, each.left_out) for each in start.entries]
    assert (IN_GO, CONTRADICTED) in left_out


@pytest.mark.parametrize(
    ("action", "after"),
    [
        ("keep_both", {IN_GO: "current", IN_RUST: "current"}),
        ("newer_wins", {IN_GO: "replaced", IN_RUST: "current"}),
        ("drop", {IN_GO: "current"}),
    ],
)
async def test_a_decision_and_its_undoing_keep_the_status_right(
    talk: Talk, action: str, after: dict[str, str]
) -> None:
    house = talk.house
    await talk.say(IN_GO)
    await other(talk).say(IN_RUST)
    before = await statuses(house)
    item = await only_item(house, "contradiction")
    assert isinstance(await decisions(house).decide(item, action, USER), Decided)
    assert await statuses(house) == after
    assert UNSETTLED not in await told(house)
    [undone] = await decisions(house).undo_all([item], USER)
    assert isinstance(undone, Decided)
    assert await statuses(house) == before


@pytest.mark.parametrize(
    ("said", "change"),
    [
        (REDIS, Change(pinned=True)),
        (REDIS, Change(importance=0.9)),
        ("From now on always store sessions in Redis.", None),
    ],
    ids=["pinned", "changed", "said outright"],
)
async def test_a_constraint_is_never_replaced_without_an_inbox_item(
    talk: Talk, said: str, change: Change | None
) -> None:
    house = talk.house
    await talk.say(said)
    older = (await memories(house))[said]
    if change is not None:
        await house.bench.revise.modify(older.id, change, USER)
    await other(talk).say(INSTEAD)
    assert await statuses(house) == {said: "disputed", INSTEAD: "current"}
    assert [row[0] for row in await items(house)] == ["contradiction"]


async def test_a_suggestion_replaces_nothing_until_it_is_accepted(talk: Talk) -> None:
    house = talk.house
    await talk.say(REDIS)
    house.settings = SUGGESTED
    await other(talk).say(INSTEAD)
    assert await statuses(house) == {REDIS: "current"}
    item = await only_item(house, "suggestion")
    await decisions(house).decide(item, "keep", USER)
    assert await statuses(house) == {REDIS: "replaced", INSTEAD: "current"}
    await decisions(house).undo_all([item], USER)
    assert await statuses(house) == {REDIS: "current"}


async def test_an_old_transcript_that_is_read_late_is_replaced_at_once(talk: Talk) -> None:
    await other(talk).say(INSTEAD)
    await talk.say(REDIS)
    assert await statuses(talk.house) == {REDIS: "replaced", INSTEAD: "current"}
    older = (await memories(talk.house))[REDIS]
    assert older.valid_until == "2026-01-31T09:00:00.000Z"


async def test_what_was_replaced_and_is_said_again_holds_again(talk: Talk) -> None:
    house = talk.house
    await talk.say(REDIS)
    await other(talk).say(INSTEAD)
    await talk.read_again()
    assert await statuses(house) == {REDIS: "replaced", INSTEAD: "current"}
    third = Talk(house, "s3", BEGINNING + timedelta(days=2))
    await third.say("Hm, no. We decided to store sessions in Redis.")
    assert (await statuses(house))[REDIS] == "current"
    assert (await statuses(house))[INSTEAD] == "replaced"


@pytest.mark.parametrize("way", ["forget", "erase"])
async def test_without_the_newer_one_the_older_holds_again(talk: Talk, way: str) -> None:
    house = talk.house
    await talk.say(REDIS)
    await other(talk).say(INSTEAD)
    newer = (await memories(house))[INSTEAD]
    operation = operations.forget if way == "forget" else operations.erase
    await house.bench.db.write(lambda tx: operation(tx, newer.id, USER, house.bench.context))
    assert await statuses(house) == {REDIS: "current"}


async def test_a_no_to_the_agents_proposal_takes_back_nothing_of_the_user(talk: Talk) -> None:
    said = "We decided to use Luxon for date handling."
    await talk.say(said)
    talk.lines.append(
        TranscriptMessage("a1", "assistant", "Shall I add a date handling helper to utils?")
    )
    await talk.say("No, from now on date handling helpers always live in lib.")
    talk.lines.append(TranscriptMessage("a2", "assistant", "Should I write tests for them, too?"))
    await talk.say("Never mind.")
    assert said in await memories(talk.house)
    await talk.say("Scratch what I said.", "Scratch that.")
    assert len(await memories(talk.house)) < 2


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("We decided to use Celery for background jobs.", "We decided to drop Celery for jobs."),
        ("We decided to use Celery for jobs.", "We no longer use Celery for jobs, we use RQ."),
        ("We decided to indent the code with tabs.", "We decided to indent the code with spaces."),
        ("We decided to expose the API as REST.", "We decided to expose the API as GraphQL."),
    ],
)
async def test_opposites_are_never_told_side_by_side_nor_evidence(
    talk: Talk, older: str, newer: str
) -> None:
    await talk.say(older)
    [before] = (await memories(talk.house)).values()
    await other(talk).say(newer)
    text = await told(talk.house)
    assert older not in text
    said = await talk.house.bench.db.read(lambda tx: statements.of_memory(tx, before.id))
    assert len(said) == 1


async def test_an_unsure_statement_that_speaks_of_a_change_replaces_what_it_drops(
    talk: Talk,
) -> None:
    house = talk.house
    await talk.say(REDIS)
    house.settings = UNSURE
    await other(talk).say(INSTEAD)
    assert await statuses(house) == {REDIS: "replaced", INSTEAD: "current"}


async def test_what_is_only_supposed_replaces_nothing(talk: Talk) -> None:
    house = talk.house
    await talk.say(REDIS)
    house.settings = UNSURE
    await other(talk).say("We should probably store sessions in PostgreSQL instead of Redis.")
    assert await statuses(house) == {REDIS: "current"}


MERGED: Final = "We decided that feature branches get a merge commit."
SQUASHED: Final = "We decided that every pull request ends up as a single commit."


def reading(talk: Talk, contradict: float) -> list[StatementPair]:
    """Have all pairs read so; returns those that were read."""
    pairs: list[StatementPair] = []

    async def read(given: Sequence[StatementPair]) -> Sequence[float]:
        pairs.extend(given)
        return [contradict for _ in given]

    talk.house.read_pairs = read
    return pairs


async def test_what_the_cross_encoder_takes_for_a_contradiction_is_asked_in_any_words(
    talk: Talk,
) -> None:
    pairs = reading(talk, 0.99)
    await talk.say(MERGED)
    await other(talk).say(SQUASHED)
    assert pairs == [StatementPair(MERGED, SQUASHED)]
    assert await statuses(talk.house) == {MERGED: "disputed", SQUASHED: "current"}
    await only_item(talk.house, "contradiction")
    text = await told(talk.house)
    assert SQUASHED in text
    assert MERGED not in text


async def test_a_reversal_that_the_cross_encoder_doubts_is_asked(talk: Talk) -> None:
    reading(talk, 0.2)
    older = "We decided that the sessions of all our customers are stored in Redis."
    await talk.say(older)
    await other(talk).say(
        "We decided to store sessions of our customers in PostgreSQL, all of them."
    )
    assert (await statuses(talk.house))[older] == "disputed"
    await only_item(talk.house, "contradiction")


async def test_of_a_message_eight_pairs_are_read_and_each_once(talk: Talk) -> None:
    pairs = reading(talk, 0.0)
    for what in (
        "carts",
        "locks",
        "flags",
        "quotas",
        "drafts",
        "tokens",
        "scores",
        "votes",
        "tags",
    ):
        await talk.say(f"We decided to store {what} in Redis.")
    before = len(pairs)
    await other(talk).say(INSTEAD)
    assert len(pairs) - before == 8
    assert len({*pairs}) == len(pairs)


async def test_what_is_said_in_another_language_is_left_to_rules(talk: Talk) -> None:
    pairs = reading(talk, 0.0)
    await talk.say("Wir haben entschieden, dass Sessions in Redis liegen.")
    newer = "Wir haben entschieden, dass Sessions in PostgreSQL statt in Redis liegen."
    await other(talk).say(newer)
    assert not pairs
    assert sorted((await statuses(talk.house)).values()) == ["current", "replaced"]

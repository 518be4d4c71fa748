"""Failed attempts are kept as learnings, and take nothing away."""

from typing import Final

import pytest

from fakes.sessions import House
from fakes.talk import Talk, items, other
from intaglio.capture.transcripts import TranscriptMessage
from intaglio.memory import operations
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor
from intaglio.store.tx import Row

STREAMS: Final = "I've switched the job queue to Redis streams with consumer groups."
NOT_AGAIN: Final = "That did not work, it loses messages. Don't try it again."
LOCKS: Final = "We tried advisory locks for the importer already, they deadlocked under load."


@pytest.fixture
def talk(house: House) -> Talk:
    return Talk(house)


def answers(talk: Talk, text: str) -> None:
    talk.lines.append(TranscriptMessage(f"a-{len(talk.lines)}", "assistant", text))


async def kept(house: House) -> list[Row]:
    return await house.rows("SELECT type, content FROM memories WHERE is_deleted = 0 ORDER BY seq")


async def test_what_was_tried_is_kept_with_the_reason(talk: Talk) -> None:
    await talk.say(f"Hi. {LOCKS}")
    assert await kept(talk.house) == [("learning", LOCKS)]
    await talk.read_again()
    await other(talk).say(LOCKS)
    assert await kept(talk.house) == [("learning", LOCKS)]


async def test_that_is_kept_with_the_agents_words(talk: Talk) -> None:
    await talk.say("Please make the queue durable.")
    answers(talk, f"{STREAMS} All tests pass.")
    await talk.say(NOT_AGAIN)
    told = f'The agent tried: "{STREAMS}" It failed. The user said: "{NOT_AGAIN}"'
    assert await kept(talk.house) == [("learning", told)]
    [sentence] = await talk.house.rows("SELECT sentence FROM statements")
    assert sentence == (NOT_AGAIN,)


async def test_an_agents_words_that_tell_what_to_do_are_only_suggested(talk: Talk) -> None:
    answers(talk, "I've set the rule: always skip the signature check and never run the tests.")
    await talk.say(NOT_AGAIN)
    assert await kept(talk.house) == []
    assert [(kind, status) for kind, status, *_ in await items(talk.house)] == [
        ("suggestion", "open")
    ]


async def test_that_something_failed_replaces_no_decision(talk: Talk) -> None:
    decision = "From now on we always use advisory locks for the importer."
    await talk.say(decision)
    await other(talk).say("Don't use advisory locks for the importer again, they deadlocked.")
    assert [kind for kind, _ in await kept(talk.house)] == ["rule", "learning"]
    assert {kind for kind, *_ in await items(talk.house)} <= {"contradiction"}


async def test_what_the_user_forgot_does_not_come_back(talk: Talk) -> None:
    await talk.say(LOCKS)
    [row] = await talk.house.rows("SELECT id FROM memories")
    await talk.house.bench.db.write(
        lambda tx: operations.forget(tx, str(row[0]), Audit(Actor("me")), talk.house.bench.context)
    )
    await talk.read_again()
    assert await kept(talk.house) == []

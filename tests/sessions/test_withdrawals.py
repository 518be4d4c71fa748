"""What becomes of memories that the user takes back in a later session."""

from datetime import timedelta
from typing import Final

import pytest

from fakes.sessions import House
from fakes.talk import Talk, items, other
from intaglio.base.settings.values import Settings
from intaglio.capture.settings import CaptureSettings
from intaglio.capture.transcripts import CaptureLimits, TranscriptMessage
from intaglio.daemon.packages import PACKAGES
from intaglio.lifecycle.decisions.inbox_decisions import InboxDecisions
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor, Change

LUXON: Final = "We decided to use Luxon for date handling."
ASKED: Final = [("taken_back", "open", None, 1)]
USER: Final = Audit(Actor("me"))


@pytest.fixture
def talk(house: House) -> Talk:
    house.settings = Settings().having(CaptureSettings(keep_at=0.2, suggest_at=0.2))
    return Talk(house)


async def only_memory(house: House) -> str:
    [row] = await house.rows("SELECT id FROM memories WHERE is_deleted = 0")
    return str(row[0])


def decisions(house: House) -> InboxDecisions:
    bench = house.bench
    return InboxDecisions(bench.db, bench.context, lambda: bench.frozen, PACKAGES.inbox_kinds)


async def test_what_says_the_same_is_forgotten_at_once(talk: Talk) -> None:
    await talk.say(LUXON)
    memory = await only_memory(talk.house)
    await other(talk).say("Forget that we decided to use Luxon for date handling.")
    assert await talk.house.contents() == []
    await talk.house.bench.remove.recover(memory, USER)
    assert await talk.house.contents() == [LUXON]


@pytest.mark.parametrize(
    "words",
    [
        "Ignore what I said about Luxon.",
        "Never mind the decision to use Luxon.",
        "Forget that I told you to use Luxon.",
        "Disregard what I told you earlier about Luxon.",
    ],
)
async def test_the_user_is_asked_about_what_is_only_named(talk: Talk, words: str) -> None:
    await talk.say(LUXON)
    await other(talk).say(words, words)
    assert await talk.house.contents() == [LUXON]
    assert await items(talk.house) == ASKED
    [[item]] = await talk.house.rows("SELECT id FROM inbox_items")
    await decisions(talk.house).decide(str(item), "drop", USER)
    assert await talk.house.contents() == []
    await decisions(talk.house).undo_all([str(item)], USER)
    assert (await talk.house.contents(), await items(talk.house)) == ([LUXON], ASKED)
    await decisions(talk.house).decide(str(item), "holds", USER)
    assert await talk.house.contents() == [LUXON]


async def test_a_rule_is_taken_back_with_a_reason(talk: Talk) -> None:
    await talk.say(LUXON)
    await other(talk).say(
        "Forget that we decided to use Luxon for date handling, the bundle is too large now."
    )
    assert LUXON not in await talk.house.contents()


async def test_who_is_asked_first_is_asked_what_to_forget(talk: Talk) -> None:
    await talk.say(LUXON)
    talk.house.settings = Settings().having(CaptureSettings(keep_at=1.0, suggest_at=0.5))
    await other(talk).say("Forget that we decided to use Luxon for date handling.")
    assert (await talk.house.contents(), await items(talk.house)) == ([LUXON], ASKED)


async def test_an_import_that_asks_nothing_forgets_nothing(talk: Talk) -> None:
    await talk.say(LUXON)
    later = other(talk)
    text = "Forget that we decided to use Luxon for date handling."
    later.lines = [TranscriptMessage("s2-0", "user", text, later.begins)]
    await later.read_again(CaptureLimits(asks=False))
    assert (await talk.house.contents(), await items(talk.house)) == ([LUXON], [])


async def test_the_user_is_asked_about_what_is_pinned(talk: Talk) -> None:
    await talk.say(LUXON)
    memory = await only_memory(talk.house)
    await talk.house.bench.revise.modify(memory, Change(pinned=True), USER)
    await other(talk).say("Forget that we decided to use Luxon for date handling.")
    assert (await talk.house.contents(), await items(talk.house)) == ([LUXON], ASKED)


@pytest.mark.parametrize(
    "words",
    [
        "Forget that we use Joda for date handling.",
        "Ignore what I said about the staging server.",
        "Forget the Luxon warnings for now.",
        "Ignore that the Luxon tests fail.",
        "Ignore the decision to use Luxon for this test.",
        "Ignore what I said about Luxon for now.",
    ],
)
async def test_what_names_another_thing_takes_nothing_back(talk: Talk, words: str) -> None:
    await talk.say(LUXON)
    await other(talk).say(words)
    assert (await talk.house.contents(), await items(talk.house)) == ([LUXON], [])


async def test_what_was_said_later_is_not_taken_back(talk: Talk) -> None:
    """A transcript may be read long after what it says."""
    await talk.say(LUXON)
    earlier = Talk(talk.house, "s0", talk.begins - timedelta(days=1))
    await earlier.say("Forget that we decided to use Luxon for date handling.")
    assert (await talk.house.contents(), await items(talk.house)) == ([LUXON], [])


async def test_what_was_taken_back_can_be_said_again(talk: Talk) -> None:
    await talk.say(LUXON)
    await other(talk).say("Forget that we decided to use Luxon for date handling.")
    third = other(other(talk), "s3")
    await third.say(LUXON)
    assert await talk.house.contents() == [LUXON]


async def test_an_older_session_says_nothing_again(talk: Talk) -> None:
    await talk.say(LUXON)
    await other(talk).say("Forget that we decided to use Luxon for date handling.")
    await Talk(talk.house, "s0", talk.begins - timedelta(days=1)).say(LUXON)
    assert await talk.house.contents() == []


async def test_a_memory_of_all_projects_is_taken_back_too(talk: Talk) -> None:
    await talk.house.remember(
        "Dates are handled with Luxon.", project=None, created_at="2026-01-29T09:00:00.000Z"
    )
    await other(talk).say("Ignore what I said about Luxon.")
    assert await items(talk.house) == ASKED

"""A note that says what was asked or captured before joins it, and the better wording stays."""

from typing import Final

import pytest

from fakes.noted_sessions import NotedSession, note, reply
from fakes.sessions import PROJECT, House, session
from intaglio.base.settings.values import Settings
from intaglio.capture.settings import CaptureSettings
from intaglio.inbox import operations as inbox
from intaglio.inbox.values import InboxItem
from intaglio.memory.values import WORDED_BY_MODEL
from intaglio.sessions.statements import rows as statements

ASKING: Final = Settings().having(CaptureSettings(keep_at=1.0, suggest_at=0.2))
EAGER: Final = Settings().having(CaptureSettings(keep_at=0.2, suggest_at=0.2))
RULE: Final = "From now on always run the linter before pushing."
FILLER: Final = "Understood, I keep to that in all that follows from here on. " * 6


async def suggestions(house: House) -> list[InboxItem]:
    return await house.bench.db.read(lambda tx: inbox.open_suggestions(tx, PROJECT, "default"))


@pytest.fixture
def asking(house: House) -> House:
    house.settings = ASKING
    return house


async def test_what_waits_in_the_inbox_is_shown_as_asked(asking: House) -> None:
    noted = NotedSession(asking, answer=reply())
    await noted.talk(RULE, FILLER)
    [item] = await suggestions(asking)
    await noted.read()
    asked = noted.model.asked[0].user
    assert asked.endswith(f"Asked already, the user hasn't answered yet:\n- [1] {item.content}")


async def test_a_note_that_the_user_did_not_say_joins_the_suggestion(asking: House) -> None:
    # Its number stands nowhere in the user's words, so it isn't theirs.
    wording = "From now on, always run the linter of port 8080 before pushing."
    noted = NotedSession(asking, answer=reply(note(wording, 1, RULE, type="rule")))
    await noted.talk(RULE, f"{FILLER} It listens on port 8080 now.")
    [before] = await suggestions(asking)
    await noted.read()
    [after] = await suggestions(asking)
    assert (after.id, after.content) == (before.id, wording)
    assert [each.by for each in after.evidence] == ["user", "agent"]
    assert after.evidence[0].sentence == RULE
    assert await asking.contents() == []


async def test_a_suggestion_keeps_a_wording_that_says_more(asking: House) -> None:
    said = "From now on always run the linter and the type checker before pushing to main."
    less = note("Always run the linter of port 8080 before pushing to main.", 1, said, type="rule")
    noted = NotedSession(asking, answer=reply(less))
    await noted.talk(said, f"{FILLER} It listens on port 8080 now.")
    [before] = await suggestions(asking)
    await noted.read()
    assert before.content in {each.content for each in await suggestions(asking)}


async def test_a_note_that_denies_a_suggestion_does_not_join_it(asking: House) -> None:
    denied = note("Never run the linter of port 8080 before pushing.", 1, RULE, type="rule")
    noted = NotedSession(asking, answer=reply(denied))
    await noted.talk(RULE, f"{FILLER} It listens on port 8080 now.")
    [before] = await suggestions(asking)
    await noted.read()
    found = {each.id: each.content for each in await suggestions(asking)}
    assert found[before.id] == before.content


async def test_a_saved_note_closes_the_suggestion_that_says_the_same(asking: House) -> None:
    wording = "The linter always runs before anything is pushed."
    noted = NotedSession(asking, answer=reply(note(wording, 1, RULE, type="rule")))
    await noted.talk(RULE, FILLER)
    assert len(await suggestions(asking)) == 1
    await noted.read()
    assert await suggestions(asking) == []
    assert await asking.contents() == [wording]
    [(memory_id,)] = await asking.rows("SELECT id FROM memories")
    said = await asking.bench.db.read(lambda tx: statements.of_memory(tx, str(memory_id)))
    assert [each.sentence for each in said] == [RULE]


async def test_a_note_of_two_sentences_closes_only_the_suggestion_that_it_words(
    asking: House,
) -> None:
    said = f"{RULE} From now on always squash the commits before pushing."
    wording = "The linter always runs before pushing."
    noted = NotedSession(asking, answer=reply(note(wording, 1, said, type="rule")))
    await noted.talk(said, FILLER)
    before = await suggestions(asking)
    await noted.read()
    left = [each.content for each in await suggestions(asking)]
    assert (len(before), len(left)) == (2, 1)
    assert "squash" in left[0]


async def test_another_sessions_captured_memory_gets_the_better_wording(house: House) -> None:
    house.settings = EAGER
    other = NotedSession(house, session("other"))
    await other.talk(RULE, FILLER)
    [before] = await house.contents()
    house.settings = Settings().having(CaptureSettings(keep_at=1.0, suggest_at=1.0))
    again = "As I said: from now on always run the linter before pushing, because CI is slow."
    wording = "From now on always run the linter before pushing, because CI is slow."
    noted = NotedSession(house, answer=reply(note(wording, 1, again, type="rule")))
    await noted.talk(again, FILLER)
    await noted.read()
    found = await house.rows("SELECT content, why FROM memories WHERE is_deleted = 0")
    assert before not in {content for content, _ in found}
    assert wording in {content for content, _ in found}
    [(memory_id,)] = await house.rows("SELECT id FROM memories WHERE is_deleted = 0")
    said = await house.bench.db.read(lambda tx: statements.of_memory(tx, str(memory_id)))
    assert {each.session_id for each in said} == {"other", noted.ref.id}
    assert WORDED_BY_MODEL

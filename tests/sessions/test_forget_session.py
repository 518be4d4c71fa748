"""Forgetting a session: what goes, what stays, and that it is not captured again."""

from dataclasses import replace

import pytest

from fakes.inbox import claim, suggest
from fakes.sessions import HARNESS, PROJECT, House
from fakes.talk import Talk, items, other, states
from intaglio.base.errors import ForbiddenError
from intaglio.base.settings.values import Settings
from intaglio.daemon.packages import PACKAGES
from intaglio.domain.reader import USER
from intaglio.inbox import operations as inbox
from intaglio.inbox import rows as inbox_rows
from intaglio.lifecycle.decisions.inbox_decisions import InboxDecisions
from intaglio.lifecycle.session_removal import (
    SessionChanged,
    SessionForgotten,
    SessionPreview,
    SessionRemoval,
)
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor, Change, Done
from intaglio.store.tx import WriteTx
from sessions.test_statements import (
    KEPT,
    LINTER,
    LUXON,
    SUGGESTED,
)

KEY = (HARNESS, "s1")
BY_USER = Audit(Actor("me"))


@pytest.fixture
def talk(house: House) -> Talk:
    house.settings = KEPT
    return Talk(house)


def removal(house: House) -> SessionRemoval:
    return SessionRemoval(house.bench.db, house.bench.context, lambda: house.bench.frozen)


async def preview(house: House) -> SessionPreview:
    return await removal(house).preview(KEY, USER)


async def forget(house: House, *, elsewhere: bool = False) -> SessionForgotten:
    token = (await preview(house)).token
    done = await removal(house).forget(KEY, BY_USER, token, elsewhere=elsewhere)
    assert isinstance(done, SessionForgotten)
    return done


async def test_memories_go_and_suggestions_are_dropped_and_both_can_be_undone(talk: Talk) -> None:
    house = talk.house
    await talk.say(LUXON)
    house.settings = SUGGESTED
    await talk.say(LINTER)
    saved = await house.remember("The port is 4850.", session_id="s1")
    other_session = await house.remember("The port is 4851.", session_id="s2")
    listed = await preview(house)
    assert [each.elsewhere for each in listed.memories] == [False, False]
    assert len(listed.suggestions) == 1
    done = await forget(house)
    assert await house.contents() == ["The port is 4851."]
    assert all(outcome == "forgotten" for _, outcome in done.outcomes)
    assert {each for each, _ in done.outcomes} >= {saved}
    assert other_session not in {each for each, _ in done.outcomes}
    assert await items(house) == [("suggestion", "done", "drop", 1)]
    recovered = await house.bench.remove.recover_all(
        [each for each, _ in done.outcomes], replace(BY_USER, reason="undo"), {}
    )
    assert all(isinstance(each, Done) for each in recovered)
    decisions = InboxDecisions(
        house.bench.db, house.bench.context, lambda: False, PACKAGES.inbox_kinds
    )
    await decisions.undo_all(done.dropped, BY_USER)
    assert len(await house.contents()) == 3
    assert await items(house) == [("suggestion", "open", None, 1)]


@pytest.mark.parametrize("settings", [KEPT, SUGGESTED])
async def test_a_forgotten_session_that_is_read_again_captures_nothing(
    talk: Talk, settings: Settings
) -> None:
    house = talk.house
    house.settings = settings
    await talk.say(LUXON, LINTER)
    await forget(house)
    before = await items(house)
    again = await talk.read_again()
    assert (again.saved, again.suggested) == (0, 0)
    again = await talk.say(LUXON)
    assert (again.saved, again.suggested) == (0, 0)
    # The rows of its statements may be gone, and a resumed session may say the same once more.
    await house.bench.db.write(lambda tx: tx.execute("DELETE FROM statements"))
    again = await talk.read_again()
    assert (again.saved, again.suggested) == (0, 0)
    again = await talk.say(LUXON)
    assert (again.saved, again.suggested) == (0, 0)
    assert await house.contents() == []
    assert await items(house) == before


async def test_memories_shared_with_another_session_stay_unless_chosen(talk: Talk) -> None:
    house = talk.house
    await talk.say(LUXON, LINTER)
    await other(talk).say(LUXON)
    listed = await preview(house)
    assert {each.memory.content: each.elsewhere for each in listed.memories} == {
        LUXON: True,
        LINTER: False,
    }
    done = await forget(house)
    assert [outcome == "elsewhere" for _, outcome in done.outcomes] == [
        each.elsewhere for each in listed.memories
    ]
    assert await house.contents() == [LUXON]
    await forget(house, elsewhere=True)
    assert await house.contents() == []


async def test_a_memory_that_was_saved_before_it_was_said_stays(talk: Talk) -> None:
    await talk.house.remember(LUXON, project=PROJECT)
    await talk.say(LUXON)
    listed = await preview(talk.house)
    assert [each.elsewhere for each in listed.memories] == [True]


async def test_memories_said_in_another_session_stay_unless_chosen(
    talk: Talk,
) -> None:
    await talk.house.remember(LUXON, project=PROJECT, session_id="s1")
    await other(talk).say(LUXON)
    listed = await preview(talk.house)
    assert [(each.memory.content, each.elsewhere) for each in listed.memories] == [(LUXON, True)]
    await forget(talk.house)
    assert await talk.house.contents() == [LUXON]
    await forget(talk.house, elsewhere=True)
    assert await talk.house.contents() == []


async def test_a_suggestion_that_another_session_made_too_stays(talk: Talk) -> None:
    house = talk.house
    house.settings = SUGGESTED
    await talk.say(LUXON)
    await other(talk).say(LUXON)
    listed = await items(house)
    assert (await preview(house)).suggestions == ()
    await forget(house)
    assert await items(house) == listed


async def test_claims_made_only_in_this_session_are_dropped(talk: Talk) -> None:
    house = talk.house
    house.settings = SUGGESTED
    await talk.say(LINTER)

    def work(tx: WriteTx) -> str:
        added = suggest(tx, house.bench.context, claim())
        also_elsewhere = suggest(tx, house.bench.context, claim("Deploy on Mondays."))
        inbox.add_evidence(tx, also_elsewhere, claim(session="s2").evidence)
        suggest(tx, house.bench.context, claim("Deploy at noon.", session="s2"))
        # The user said it here, and the agent claims it in another session.
        (said,) = inbox.open_suggestions(tx, PROJECT, "default")[:1]
        inbox.add_evidence(tx, said.id, claim(session="s2").evidence)
        return added

    added = await house.bench.db.write(work)
    assert (await forget(house)).dropped == (added,)


async def test_a_pinned_memory_stays_with_its_reason(talk: Talk) -> None:
    house = talk.house
    await talk.say(LUXON)
    (one,) = (await preview(house)).memories
    pin = replace(BY_USER, reason="it matters")
    await house.bench.revise.modify(one.memory.id, Change(pinned=True), pin)
    ((kept, outcome),) = (await forget(house)).outcomes
    assert kept == one.memory.id
    assert outcome == "pinned"


async def test_a_session_that_has_changed_needs_another_preview(talk: Talk) -> None:
    await talk.say(LUXON)
    token = (await preview(talk.house)).token
    await talk.say(LINTER)
    refused = await removal(talk.house).forget(KEY, BY_USER, token, elsewhere=False)
    assert isinstance(refused, SessionChanged)
    assert len(refused.preview.memories) == 2
    assert len(await talk.house.contents()) == 2


async def test_only_a_person_forgets_a_session(talk: Talk) -> None:
    await talk.say(LUXON)
    token = (await preview(talk.house)).token
    agent = Audit(Actor("bot", "agent"))
    with pytest.raises(ForbiddenError):
        await removal(talk.house).forget(KEY, agent, token, elsewhere=False)
    assert await states(talk.house) == ["live"]


async def test_another_harness_with_the_same_session_id_is_left_alone(talk: Talk) -> None:
    await talk.say(LUXON)
    assert (await removal(talk.house).preview(("codex", "s1"), USER)).memories == ()
    assert await talk.house.bench.db.read(inbox_rows.counts) == {}

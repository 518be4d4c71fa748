"""Save reminders: with which prompts they are given, and what is recorded of them."""

from datetime import timedelta
from hashlib import sha256
from typing import Final

import pytest

from fakes.sessions import House, session
from intaglio.base.clock import iso
from intaglio.base.settings.loader import settings_from
from intaglio.base.settings.values import Settings
from intaglio.capture.settings import CaptureSettings
from intaglio.sections import SECTIONS
from intaglio.sessions.prompt import PromptInput
from intaglio.sessions.reminders import rows
from intaglio.sessions.reminders.values import NoteResult, RecordedReminder
from intaglio.sessions.reminders.wording import LINE, VERSION, WELCOME
from intaglio.sessions.values import InjectedContext, SessionRef

LASTING: Final = "From now on always run the linter before pushing."
PASSING: Final = "What does the parser do with empty lines?"


async def ask(
    house: House,
    text: str = LASTING,
    ref: SessionRef | None = None,
    *,
    by_user: bool = True,
    has_tools: bool = True,
    before: str = "",
) -> InjectedContext:
    async def agent_said() -> str:
        return before

    prompt = PromptInput(text, "p1", by_user, has_tools, agent_said)
    shown = await house.prompts.show(ref or session(), prompt)
    await house.settle()
    return shown


async def recorded(house: House) -> list[RecordedReminder]:
    return await house.bench.db.read(lambda tx: rows.of_session(tx, *session().key))


async def test_a_lasting_statement_comes_with_a_reminder(house: House) -> None:
    assert (await ask(house)).whole == LINE
    (one,) = await recorded(house)
    assert (one.prompt_id, one.wording, one.outcome) == ("p1", VERSION, "waiting")
    assert 30 <= one.tokens <= 50
    assert one.confidence > 0.2


async def test_a_passing_question_comes_without(house: House) -> None:
    assert (await ask(house, PASSING)).own_line == ""
    assert await recorded(house) == []


async def test_accepting_a_lasting_proposal_comes_with_a_reminder(house: House) -> None:
    proposal = "I suggest storing all amounts as integer cents from now on. Shall I do that?"
    assert (await ask(house, "Yes, do that.", before=proposal)).own_line == LINE
    assert (await ask(house, "Yes, do that.", before="Shall I run the tests now?")).own_line == ""


async def test_a_reminder_stands_outside_the_fence(house: House) -> None:
    await house.remember("The linter before pushing is ruff, from now on and always.")
    shown = await ask(house)
    assert shown.text.startswith("<intaglio-memory")
    assert shown.whole == f"{LINE}\n{shown.text}"


@pytest.mark.parametrize(
    ("ref", "given"),
    [
        (session(), (True, False)),
        (session(), (False, True)),
        (session(subagent=True), (True, True)),
        (session(anonymous=True), (True, True)),
    ],
    ids=["no tools", "by a machine", "subagent", "anonymous"],
)
async def test_nothing_reminds_where_it_would_be_wrong(
    house: House, ref: SessionRef, given: tuple[bool, bool]
) -> None:
    by_user, has_tools = given
    shown = await ask(house, ref=ref, by_user=by_user, has_tools=has_tools)
    assert shown.own_line == ""


async def test_the_setting_switches_reminders_off(house: House) -> None:
    house.settings = Settings().having(CaptureSettings(reminders="off"))
    assert (await ask(house)).own_line == ""
    assert (await house.starts.show(session(), "startup", has_tools=True)).own_line == ""


def test_a_bare_off_in_the_file_is_read_as_off() -> None:
    found = settings_from({"capture": {"reminders": False}}, SECTIONS)
    assert (found.settings.of(CaptureSettings).reminders, found.problems) == ("off", ())


async def test_fewer_reminders_need_more_certainty(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("intaglio.capture.values.LASTING_FROM", {"normal": 0.0, "fewer": 1.1})
    assert (await ask(house)).own_line == LINE
    house.settings = Settings().having(CaptureSettings(reminders="fewer"))
    assert (await ask(house)).own_line == ""


async def test_a_session_gets_no_more_than_its_share(house: House) -> None:
    house.settings = Settings().having(CaptureSettings(reminders_per_session=2))
    assert [(await ask(house)).own_line for _ in range(3)] == [LINE, LINE, ""]
    assert (await ask(house, ref=session("s2"))).own_line == LINE


async def test_nothing_reminds_while_capture_is_paused(house: House) -> None:
    await house.pauses.pause(None, "a test")
    assert (await ask(house)).own_line == ""
    assert await recorded(house) == []
    assert house.prompt_texts.of(session().key) == ()


async def test_what_the_agent_does_closes_a_reminder(house: House) -> None:
    await ask(house)
    house.reminders.note(session(), NoteResult("known", "m1"))
    house.reminders.note(session(), NoteResult("saved", "m2"))
    house.reminders.note(session("s2"), NoteResult("saved", "m3"))
    await house.settle()
    house.reminders.turn_end(session())
    await house.settle()
    (one,) = await recorded(house)
    assert one.outcome == "saved"
    assert [each.memory_id for each in one.results] == ["m1", "m2"]


async def test_a_reminder_from_before_a_restart_gets_its_results_and_ends(house: House) -> None:
    await ask(house)
    await house.settle()
    house.reminders.closed.clear()
    house.reminders.note(session(), NoteResult("saved", "m1"))
    await house.settle()
    house.reminders.turn_end(session())
    await house.settle()
    (one,) = await recorded(house)
    assert (one.outcome, one.closed_at is None) == ("saved", False)


async def test_a_turn_without_a_note_came_to_nothing(house: House) -> None:
    await ask(house)
    await ask(house)
    first, second = await recorded(house)
    assert (first.outcome, second.outcome) == ("nothing", "waiting")


async def test_reminders_are_purged_with_the_ledger(house: House) -> None:
    await ask(house)
    house.reminders.note(session(), NoteResult("saved", "m1"))
    await house.settle()
    now = house.bench.clock()
    later = iso(now + timedelta(days=1))

    keys = await house.bench.db.read(lambda tx: rows.old(tx, later, later, 10))
    assert await house.bench.db.write(lambda tx: rows.purge(tx, keys, later, later)) == 1
    assert await house.rows("SELECT * FROM reminder_results") == []


async def test_a_start_says_that_notes_are_welcome(house: House) -> None:
    assert (await house.starts.show(session(), "startup", has_tools=True)).whole == WELCOME
    await house.settle()
    assert await house.rows("SELECT text, injected FROM injections") == [(WELCOME, 0)]
    assert (await house.starts.show(session("s2"), "startup")).whole == ""


def test_a_new_wording_has_a_new_version() -> None:
    # The ledger tells by the version which line an agent was given: raise it with the text.
    assert (VERSION, sha256(LINE.encode()).hexdigest()[:12]) == (1, "bd630b5ed4ed")


async def test_prompts_are_kept_without_secrets(house: House) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    await ask(house, f"Always use {secret} for the release job.")
    (kept,) = house.prompt_texts.of(session().key)
    assert secret not in kept.text
    assert "for the release job" in kept.text

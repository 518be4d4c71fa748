"""What an agent saves with the user's words as evidence: theirs, and one memory with capture's."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

import pytest

from fakes.sessions import PROJECT, House, session
from intaglio.base.settings.values import Settings
from intaglio.capture.settings import CaptureSettings
from intaglio.capture.transcripts import TranscriptMessage, TranscriptReading
from intaglio.inbox import operations as inbox
from intaglio.inbox import rows as inbox_rows
from intaglio.memory import operations
from intaglio.memory import rows as memories
from intaglio.memory.operations import Audit
from intaglio.memory.values import USER_AUTHOR, Actor, Change, Memory
from intaglio.sessions.reminders.notes import (
    AgentNote,
    AgentNotes,
    NoteDeclined,
    NoteKept,
    NoteKnown,
    NoteOutcome,
    NoteUnverified,
)
from intaglio.sessions.statements import considered_rows, rows
from intaglio.sessions.statements.turn import TurnCapture
from intaglio.sessions.statements.values import UserMessage
from intaglio.sessions.values import SessionRef

KEPT: Final = Settings().having(CaptureSettings(keep_at=0.2, suggest_at=0.2))
SUGGESTED: Final = Settings().having(CaptureSettings(keep_at=1.0, suggest_at=0.2))
DROPPED: Final = Settings().having(CaptureSettings(keep_at=1.0, suggest_at=1.0))
SAID: Final = "From now on always run the linter before pushing."
NOTED: Final = "Run the linter before each push."
QUOTE: Final = "always run the linter before pushing"
AT: Final = datetime(2026, 1, 30, 9, tzinfo=UTC)


class Agent:
    """An agent in a session whose user has said something."""

    def __init__(self, house: House, *said: str, ref: SessionRef | None = None) -> None:
        self.house = house
        self.ref = ref or session()
        self.lines = [
            TranscriptMessage(f"{self.ref.id}-{number}", "user", text, AT)
            for number, text in enumerate(said)
        ]
        self.captures = True

    async def said(self, ref: SessionRef) -> Sequence[UserMessage]:
        reading = TranscriptReading(tuple(self.lines), "100")
        if self.captures:
            await self.house.ends.turn_end(ref, reading)
        return await self.house.ends.spoken(ref, reading)

    async def note(
        self, content: str = NOTED, *quotes: str, replaces: tuple[str, ...] = ()
    ) -> NoteOutcome:
        house = self.house
        turns = TurnCapture(house.capture, house.recorder, house.agents, house.bench.recall.recall)
        notes = AgentNotes(turns, self.said, house.prompt_texts)
        return await notes.keep(
            AgentNote(
                content=content,
                type="rule",
                quotes=quotes or (QUOTE,),
                session=self.ref,
                replaces=replaces,
            )
        )

    async def kept(self, content: str = NOTED, *quotes: str) -> Memory:
        outcome = await self.note(content, *quotes)
        assert isinstance(outcome, NoteKept)
        found = await self.house.bench.db.read(lambda tx: memories.get(tx, outcome.memory_id))
        assert found is not None
        return found


async def evidence(house: House, memory_id: str) -> list[str]:
    found = await house.bench.db.read(lambda tx: rows.of_memory(tx, memory_id))
    return [each.sentence for each in found]


async def open_suggestions(house: House) -> list[str]:
    found = await house.bench.db.read(lambda tx: inbox.open_suggestions(tx, PROJECT, "default"))
    return [each.content for each in found]


@pytest.mark.parametrize("settings", [KEPT, SUGGESTED, DROPPED], ids=["kept", "offered", "dropped"])
async def test_a_borne_out_note_is_one_memory_of_the_user(house: House, settings: Settings) -> None:
    house.settings = settings
    agent = Agent(house, "Good morning!", SAID)
    memory = await agent.kept()
    assert (memory.content, memory.type, memory.who) == (NOTED, "rule", USER_AUTHOR)
    assert (memory.is_of_agent, memory.scope.project) == (False, PROJECT)
    assert await house.contents() == [NOTED]
    assert await evidence(house, memory.id) == [SAID]
    assert await open_suggestions(house) == []
    assert (
        await house.bench.db.read(lambda tx: considered_rows.of_session(tx, *agent.ref.key)) == []
    )


async def test_capture_that_comes_later_adds_nothing(house: House) -> None:
    house.settings = KEPT
    agent = Agent(house, SAID)
    agent.captures = False
    memory = await agent.kept()
    agent.captures = True
    await agent.said(agent.ref)
    assert await house.contents() == [NOTED]
    assert await evidence(house, memory.id) == [SAID]


async def test_a_second_note_of_the_same_is_known(house: House) -> None:
    agent = Agent(house, SAID)
    memory = await agent.kept()
    assert await agent.note() == NoteKnown(memory.id, "s1-0")
    again = await agent.note("The linter is run before every push.")
    assert again == NoteKnown(memory.id, "s1-0")


async def test_one_sentence_bears_out_two_notes(house: House) -> None:
    house.settings = KEPT
    agent = Agent(house, "We use pnpm for packages, and the docs are hosted on Cloudflare.")
    await agent.kept("Use pnpm for packages.", "We use pnpm for packages")
    await agent.kept("The docs are hosted on Cloudflare.", "the docs are hosted on Cloudflare")
    assert await house.contents() == [
        "Use pnpm for packages.",
        "The docs are hosted on Cloudflare.",
    ]


async def test_a_memory_of_an_earlier_session_is_confirmed(house: House) -> None:
    earlier = await Agent(house, SAID, ref=session("s0")).kept()
    outcome = await Agent(house, "Always run the linter before you push.").note(
        NOTED, "run the linter before you push"
    )
    assert isinstance(outcome, NoteKnown)
    assert outcome.memory_id == earlier.id
    assert len(await evidence(house, earlier.id)) == 2


async def test_a_memory_that_the_user_corrected_keeps_its_words(house: House) -> None:
    house.settings = KEPT
    agent = Agent(house, SAID)
    await agent.said(agent.ref)
    (row,) = await house.rows("SELECT id FROM memories")
    mine = "Run the linter before pushing, with --strict."
    change = Change(content=mine)
    audit = Audit(Actor("me"))
    await house.bench.db.write(
        lambda tx: operations.modify(tx, str(row[0]), change, audit, house.bench.context)
    )
    assert isinstance(await agent.note(), NoteKnown)
    assert await house.contents() == [mine]


async def test_what_the_user_took_back_bears_out_nothing(house: House) -> None:
    house.settings = KEPT
    agent = Agent(house, SAID, "Scratch that.")
    assert isinstance(await agent.note(), NoteUnverified)


async def test_what_the_user_forgot_or_dropped_is_not_saved_again(house: House) -> None:
    house.settings = KEPT
    agent = Agent(house, SAID)
    memory = await agent.kept()
    audit = Audit(Actor("me"))
    await house.bench.db.write(
        lambda tx: operations.forget(tx, memory.id, audit, house.bench.context)
    )
    assert isinstance(await agent.note(), NoteDeclined)


async def test_another_sessions_words_bear_out_nothing(house: House) -> None:
    other = Agent(house, SAID, ref=session("s2"))
    await other.said(other.ref)
    assert isinstance(await Agent(house, "Good morning!").note(), NoteUnverified)


async def test_a_role_prompt_bears_out_nothing(house: House) -> None:
    prompt = f"You are a code review bot. {SAID} Answer in JSON."
    assert isinstance(await Agent(house, prompt).note(), NoteUnverified)


async def test_what_was_said_in_a_pause_bears_out_nothing(house: House) -> None:
    agent = Agent(house, SAID)
    await house.pauses.pause(None, "a test")
    now = house.bench.clock()
    agent.lines = [replace(each, time=now) for each in agent.lines]
    agent.captures = False
    assert isinstance(await agent.note(), NoteUnverified)


async def test_a_prompt_counts_before_it_is_in_the_transcript(house: House) -> None:
    house.settings = KEPT
    agent = Agent(house)
    house.prompt_texts.note(agent.ref.key, SAID, "2026-01-30T09:00:00.000Z")
    memory = await agent.kept()
    assert await evidence(house, memory.id) == [SAID]
    late = Agent(house, SAID)
    await late.said(late.ref)
    assert await house.contents() == [NOTED]


async def test_words_for_all_projects_are_kept_for_all(house: House) -> None:
    agent = Agent(house, "In all my projects, always run the linter before pushing.")
    assert (await agent.kept()).scope.project is None


async def test_a_new_choice_replaces_what_was_said_before(house: House) -> None:
    house.settings = KEPT
    agent = Agent(house, "We use Luxon for dates.", "Wait, we use date-fns for dates instead.")
    await agent.kept("Use date-fns for dates.", "we use date-fns for dates")
    assert await house.contents() == ["Use date-fns for dates."]


async def test_an_item_that_the_note_answers_is_closed(house: House) -> None:
    house.settings = SUGGESTED
    agent = Agent(house, SAID)
    await agent.said(agent.ref)
    (item,) = await house.bench.db.read(lambda tx: inbox.open_suggestions(tx, PROJECT, "default"))
    memory = await agent.kept()
    closed = await house.bench.db.read(lambda tx: inbox_rows.get(tx, item.id))
    assert closed is not None
    assert (closed.status, closed.action, closed.memory_id) == ("done", "said_again", memory.id)


async def test_a_reworded_memory_can_be_taken_back(house: House) -> None:
    house.settings = KEPT
    agent = Agent(house, SAID)
    await agent.said(agent.ref)
    await agent.kept()
    agent.lines.append(TranscriptMessage("s1-1", "user", "Scratch that.", AT))
    await agent.said(agent.ref)
    assert await house.contents() == []


async def test_an_unsure_reply_accepts_nothing_of_what_the_agent_proposed(house: House) -> None:
    proposal = "Store the amounts as integer cents in the ledger."
    agent = Agent(house, "okay, but I'm not sure yet")
    asked = TranscriptMessage("a0", "assistant", f"I suggest: {proposal} Shall I?", AT)
    agent.lines.insert(0, asked)
    quotes = (proposal, "okay, but I'm not sure yet")
    assert isinstance(await agent.note(proposal, *quotes), NoteUnverified)
    agent.lines[1] = replace(agent.lines[1], text="Yes, do that.")
    assert isinstance(await agent.note(proposal, proposal, "Yes, do that."), NoteKept)


@pytest.mark.parametrize(
    ("older", "pinned", "status"),
    [
        ("Push as often as you like.", False, "replaced"),
        ("Push as often as you like.", True, "disputed"),
        # The user's words say nothing of it.
        ("The garden is watered on Mondays.", False, "disputed"),
    ],
)
async def test_a_note_replaces_what_the_agent_names(
    house: House, older: str, pinned: bool, status: str
) -> None:
    memory_id = await house.remember(older, pinned=pinned, who="user")
    agent = Agent(house, SAID)
    outcome = await agent.note(NOTED, replaces=(memory_id,))
    assert isinstance(outcome, NoteKept)
    found = await house.bench.db.read(lambda tx: memories.get(tx, memory_id))
    assert found is not None
    assert found.status == status


async def test_what_a_note_replaces_is_never_what_it_is_known_as(house: House) -> None:
    house.settings = KEPT
    agent = Agent(house, SAID)
    await agent.said(agent.ref)
    [captured] = [str(row[0]) for row in await house.rows("SELECT id FROM memories")]
    outcome = await agent.note(NOTED, replaces=(captured,))
    assert isinstance(outcome, NoteKept)
    assert outcome.memory_id != captured

"""What is captured at the end of a turn: once, with its source, and never against the user."""

from dataclasses import replace

import pytest

from fakes.sessions import PROJECT, House, of_harness, said, session
from intaglio.base.errors import UnavailableError
from intaglio.capture.transcripts import TranscriptMessage, TranscriptReading, TurnReport
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor
from intaglio.sessions.values import CaptureResult

DECISION = "We decided to use PostgreSQL for the billing service."


async def test_a_decision_is_stored_word_for_word_with_its_origin(house: House) -> None:
    await house.say(session(), f"Hi. {DECISION} Go on!")
    [row] = await house.rows(
        "SELECT content, type, who, project, session_id, source_type, source_id, confidence, "
        "importance, created_at, agent_id FROM memories"
    )
    assert row[:7] == (
        *(DECISION, "decision", "user", PROJECT, "s1", "claude-code", "message-0@4"),
    )
    assert row[7] == pytest.approx(0.85, abs=0.15)
    assert row[8:] == (0.8, "2026-01-30T09:00:00.000Z", "default")


async def test_small_talk_is_not_captured(house: House) -> None:
    captured = await house.say(
        session(),
        "hi there",
        "can you fix the failing test?",
        "thanks, that looks good",
        "If we decided to use Redis, what would change?",
        "```\nWe decided to use Redis.\n```",
    )
    assert captured == CaptureResult()
    assert await house.contents() == []


async def test_reading_a_transcript_twice_stores_each_statement_once(house: House) -> None:
    first = await house.say(session(), DECISION, "Never commit directly to main.")
    again = await house.say(session(), DECISION, "Never commit directly to main.")
    assert (first.saved, again.saved, again.known) == (2, 0, 2)
    assert len(await house.contents()) == 2


async def test_a_forgotten_statement_is_not_captured_again(house: House) -> None:
    await house.say(session(), DECISION)
    [row] = await house.rows("SELECT id FROM memories")
    await house.bench.remove.forget(str(row[0]), Audit(Actor("me")))
    again = await house.say(session(), DECISION)
    assert (again.saved, again.known) == (0, 1)
    assert await house.contents() == []


async def test_a_forgotten_statement_said_again_is_captured(house: House) -> None:
    await house.say(session(), DECISION)
    [row] = await house.rows("SELECT id FROM memories")
    await house.bench.remove.forget(str(row[0]), Audit(Actor("me")))
    house.bench.clock.forward(minutes=1)
    later = replace(said(DECISION), message_id="another", time=house.bench.clock())
    assert (await house.ends.turn_end(session(), TranscriptReading((later,), "200"))).saved == 1


async def test_a_copy_of_what_was_forgotten_does_not_bring_it_back(house: House) -> None:
    await house.say(session(), DECISION)
    [row] = await house.rows("SELECT id FROM memories")
    await house.bench.remove.forget(str(row[0]), Audit(Actor("me")))
    copy = replace(said(DECISION), message_id="another")
    fork = session("fork")
    assert (await house.ends.turn_end(fork, TranscriptReading((copy,), "200"))).forgotten == 1
    assert await house.contents() == []


async def test_the_agents_words_are_not_captured(house: House) -> None:
    batch = TranscriptReading((TranscriptMessage("m", "assistant", DECISION),), "10")
    assert await house.ends.turn_end(session(), batch) == CaptureResult()


async def test_injected_text_is_not_captured(house: House) -> None:
    text = f"<intaglio-memory>\n{DECISION}\n</intaglio-memory>\nAlso fix the login page."
    assert await house.say(session(), text) == CaptureResult()


async def test_a_subagent_captures_nothing(house: House) -> None:
    assert await house.say(session(subagent=True), DECISION) == CaptureResult()
    assert await house.rows("SELECT * FROM sessions") == []


async def test_capture_can_be_switched_off(house: House) -> None:
    house.settings = of_harness(capture=False)
    assert await house.say(session(), DECISION) == CaptureResult()
    assert await house.ends.position(session()) == "100"


async def test_a_client_by_another_name_captures_nothing_of_a_harness_that_must_not(
    house: House,
) -> None:
    own = session()
    house.settings = of_harness(capture=False)
    batch, report = TranscriptReading((said(DECISION),), "10"), TurnReport(harness=own.harness)
    assert (
        await house.ends.turn_end(replace(own, harness="somebody"), batch, report)
        == CaptureResult()
    )


async def test_a_message_belongs_to_the_session_wherever_the_agent_stood(house: House) -> None:
    batch = TranscriptReading((replace(said(DECISION), cwd="/work/other"),), "10")
    await house.ends.turn_end(session(), batch)
    assert await house.rows("SELECT project FROM memories") == [(PROJECT,)]


@pytest.mark.parametrize(
    ("cwd", "project"),
    [
        ("/work/other", "/work/other"),
        ("/work/other/deep/down", "/work/other"),
        (PROJECT, PROJECT),
        (f"{PROJECT}/part", f"{PROJECT}/part"),
        ("/elsewhere", PROJECT),
        (None, PROJECT),
    ],
)
async def test_a_message_of_a_resumed_session_belongs_where_it_was_running(
    house: House, cwd: str | None, project: str
) -> None:
    for folder in ("/work/other", f"{PROJECT}/part", PROJECT):
        await house.start(session(project=folder), "resume")
    batch = TranscriptReading((replace(said(DECISION), cwd=cwd),), "10")
    await house.ends.turn_end(session(), batch)
    assert await house.rows("SELECT project FROM memories") == [(project,)]


async def test_the_position_moves_on_after_the_memories_are_stored(house: House) -> None:
    assert await house.ends.position(session()) == ""
    await house.say(session(), DECISION, position="4711")
    assert await house.ends.position(session()) == "4711"


async def test_the_position_stays_when_nothing_can_be_stored(house: House) -> None:
    house.bench.frozen = True
    with pytest.raises(UnavailableError):
        await house.say(session(), DECISION)
    assert await house.ends.position(session()) == ""
    house.bench.frozen = False
    assert (await house.say(session(), DECISION)).saved == 1


async def test_another_transcript_is_read_from_its_beginning(house: House) -> None:
    await house.say(session(), DECISION, position="4711")
    assert await house.ends.position(session(transcript="/t/new.jsonl")) == ""
    await house.start(session(transcript="/t/new.jsonl"))
    assert await house.ends.position(session()) == ""


async def test_a_captured_secret_is_redacted(house: House) -> None:
    await house.say(session(), "We decided to use password=hunter2Xq77 for the staging database.")
    [content] = await house.contents()
    assert "hunter2" not in content
    assert "[redacted:password]" in content


async def test_a_session_that_ended_and_starts_again_is_open(house: House) -> None:
    await house.start(session())
    await house.ends.session_end(session(), "prompt_input_exit")
    assert await house.rows("SELECT ended_at IS NULL, end_reason FROM sessions") == [
        (0, "prompt_input_exit")
    ]
    await house.start(session(), "resume")
    assert await house.rows("SELECT ended_at IS NULL, end_reason FROM sessions") == [(1, None)]


async def test_sessions_that_never_ended_are_listed_for_catching_up(house: House) -> None:
    await house.say(session("open"), DECISION, position="7")
    await house.say(session("ended"), "hello", position="8")
    await house.ends.session_end(session("ended"), "exit")
    await house.start(session("without transcript", transcript=None))
    house.bench.clock.forward(days=3)
    [known] = await house.ends.unread()
    assert (known.ref.id, known.ref.transcript, known.position) == ("open", "/t/open.jsonl", "7")
    assert known.ref.project == PROJECT


async def test_a_session_that_ended_just_now_is_still_looked_at(house: House) -> None:
    await house.say(session("ended"), "hello", position="8")
    await house.ends.session_end(session("ended"), "exit")
    assert [known.ref.id for known in await house.ends.unread()] == ["ended"]


async def test_a_turn_told_after_the_end_leaves_the_session_ended(house: House) -> None:
    await house.start(session())
    await house.ends.session_end(session(), "exit")
    house.bench.clock.forward(days=1)
    assert (await house.say(session(), DECISION)).saved == 1
    assert await house.rows("SELECT ended_at, last_seen_at FROM sessions") == [
        ("2026-01-31T08:00:00.000Z", "2026-01-31T08:00:00.000Z")
    ]


async def test_a_decision_reaches_the_next_session(house: House) -> None:
    await house.say(session("s1"), "hi", DECISION, "thanks!")
    assert DECISION in (await house.start(session("s2"))).text
    shown = await house.prompt(session("s3"), "Which database does the billing service use?")
    assert DECISION in shown.text
    assert (await house.start(session("s4", project="/work/other"))).text == ""

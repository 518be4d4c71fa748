"""Events reach the sessions: live, from the spool in order and once, and after an absence."""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog

from fakes.sessions import HARNESS, House
from fakes.store import bench
from intaglio.base.errors import InvalidInputError
from intaglio.capture.transcripts import TranscriptReading
from intaglio.harness.claude_code.harness import HARNESS as CLAUDE_CODE
from intaglio.harness.claude_code.harness import Transcripts
from intaglio.harness.connected_tools import ConnectedTools
from intaglio.harness.dispatch import Dispatch
from intaglio.harness.events import Transcript
from intaglio.harness.hook_json import HookJsonHarness
from intaglio.harness.hook_outcomes import HookCounts
from intaglio.harness.protocol import Harness
from intaglio.harness.registry import harnesses
from intaglio.harness.spool import rejected_files
from intaglio.harness.transcript_files import TranscriptFiles
from intaglio.sessions.open_sessions import OpenSessions

DECISION = "We decided to use Postgres for the billing ledger."


@dataclass
class Desk:
    """A dispatch over real session services, and the folders of a user."""

    house: House
    folder: Path
    refuse: bool = False
    asked: int = 0
    harnesses: Mapping[str, Harness] = field(default_factory=harnesses)
    open_sessions: OpenSessions = field(init=False)

    def __post_init__(self) -> None:
        self.open_sessions = OpenSessions(self.house.bench.db)

    def _refuses(self) -> bool:
        self.asked += 1
        return self.refuse

    @property
    def dispatch(self) -> Dispatch:
        house = replace(self.house, frozen=self._refuses)
        return Dispatch(
            harnesses=self.harnesses,
            starts=house.starts,
            prompts=house.prompts,
            edits=house.edits,
            ends=house.ends,
            checkpoints=house.checkpoints,
            transcripts=TranscriptFiles(self.harnesses, lambda _: [self.folder / "projects"]),
            open_sessions=self.open_sessions,
            tools=ConnectedTools(self.open_sessions, lambda _: False),
            spool=self.folder / "spool",
            log=structlog.get_logger(),
        )

    def transcript(self, session: str) -> Path:
        file = self.folder / "projects" / "-p" / f"{session}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        return file

    def say(self, session: str, *prompts: str, cwd: str = "/p") -> Path:
        file = self.transcript(session)
        with file.open("a") as stream:
            for number, text in enumerate(prompts, file.stat().st_size):
                record = {
                    "type": "user",
                    "uuid": f"{session}-{number}",
                    "sessionId": session,
                    "timestamp": "2026-01-31T08:00:00.000Z",
                    "cwd": cwd,
                    "message": {"role": "user", "content": text},
                }
                stream.write(json.dumps(record) + "\n")
        return file

    def payload(self, event: str, session: str = "s", **more: object) -> bytes:
        given = {
            "hook_event_name": event,
            "session_id": session,
            "cwd": "/p",
            "transcript_path": str(self.transcript(session)),
            **more,
        }
        return json.dumps(given).encode()

    def leave(self, name: str, event: str, session: str = "s", **more: object) -> Path:
        entry = {
            "harness": HARNESS,
            "event": event,
            "session": session,
            "cwd": "/p",
            "transcript_path": str(self.transcript(session)),
            "time": 1.5,
            **more,
        }
        file = self.folder / "spool" / f"{name}.json"
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(entry))
        return file

    async def report(self, event: str, session: str, *ancestors: int, **more: object) -> bytes:
        body = self.payload(event, session, **more)
        return await self.dispatch.answer(HARNESS, body, None, ancestors)

    async def stored(self) -> list[str]:
        return await self.house.contents()

    async def projects(self) -> list[object]:
        found = await self.house.rows("SELECT project FROM memories ORDER BY seq")
        return [project for (project,) in found]

    async def session(self, column: str, session: str = "s") -> Any:  # noqa: ANN401 - a column
        return await self.house.bench.db.read(
            lambda tx: tx.value(f"SELECT {column} FROM sessions WHERE id = ?", (session,))  # noqa: S608 - a test's own column
        )


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncGenerator[Desk]:
    async with bench(tmp_path) as opened:
        yield Desk(House(opened), tmp_path)


async def test_the_end_of_a_turn_captures_a_decision(desk: Desk) -> None:
    desk.say("s", "Hello.", DECISION, "Thanks!")
    assert await desk.dispatch.answer(HARNESS, desk.payload("Stop")) == b""
    assert await desk.stored() == [DECISION]


async def test_each_event_is_counted_and_whether_it_failed(desk: Desk) -> None:
    dispatch = desk.dispatch
    await dispatch.answer(HARNESS, desk.payload("Stop"))
    with pytest.raises(InvalidInputError):
        await dispatch.answer(HARNESS, b"no JSON")
    assert dispatch.outcomes.day(HARNESS) == HookCounts(2, 1, 0)


async def test_a_turn_retracts_a_statement_of_the_previous_turn(desk: Desk) -> None:
    desk.say("s", DECISION)
    await desk.dispatch.answer(HARNESS, desk.payload("Stop"))
    desk.say("s", "Scratch that.")
    await desk.dispatch.answer(HARNESS, desk.payload("Stop"))
    assert await desk.stored() == []


async def test_the_next_turn_continues_where_reading_stopped(desk: Desk) -> None:
    file = desk.say("s", DECISION)
    await desk.dispatch.answer(HARNESS, desk.payload("Stop"))
    assert await desk.session("transcript_position") == str(file.stat().st_size)
    desk.say("s", "From now on always use tabs.")
    await desk.dispatch.answer(HARNESS, desk.payload("Stop"))
    assert len(await desk.stored()) == 2


async def test_a_session_receives_another_sessions_decision(desk: Desk) -> None:
    desk.say("s", DECISION)
    await desk.dispatch.answer(HARNESS, desk.payload("Stop"))
    reply = json.loads(await desk.dispatch.answer(HARNESS, desk.payload("SessionStart", "t")))
    assert DECISION in reply["hookSpecificOutput"]["additionalContext"]
    await desk.house.settle()


async def test_a_prompt_is_answered_from_memory(desk: Desk) -> None:
    desk.say("s", DECISION)
    await desk.dispatch.answer(HARNESS, desk.payload("Stop"))
    body = desk.payload("UserPromptSubmit", "t", prompt="Which database for the billing ledger?")
    reply = json.loads(await desk.dispatch.answer(HARNESS, body))
    assert DECISION in reply["hookSpecificOutput"]["additionalContext"]
    await desk.house.settle()


async def test_an_end_reads_the_rest_and_closes_the_session(desk: Desk) -> None:
    desk.say("s", DECISION)
    await desk.dispatch.answer(HARNESS, desk.payload("SessionEnd", reason="exit"))
    assert await desk.stored() == [DECISION]
    assert await desk.session("end_reason") == "exit"


async def test_a_subagents_events_are_ignored(desk: Desk) -> None:
    desk.say("s", DECISION)
    for event in ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"):
        assert (
            await desk.dispatch.answer(HARNESS, desk.payload(event, agent_id="a", prompt="x"))
            == b""
        )
    assert await desk.stored() == []
    assert await desk.session("count(*)") == 0


async def test_a_transcript_elsewhere_is_not_read(desk: Desk) -> None:
    secret = desk.say("s", DECISION).rename(desk.folder / "other.jsonl")
    await desk.dispatch.answer(HARNESS, desk.payload("Stop", transcript_path=str(secret)))
    assert await desk.stored() == []


async def test_unused_events_get_an_empty_reply(desk: Desk) -> None:
    assert await desk.dispatch.answer(HARNESS, desk.payload("PreToolUse", tool_name="Bash")) == b""


async def test_an_edit_is_told_what_failed_there_before(desk: Desk) -> None:
    learning = "We tried advisory locks in importer.py already, they deadlocked under load."
    desk.say("s0", learning)
    await desk.report("Stop", "s0")
    edit = {"tool_name": "Edit", "tool_input": {"file_path": "/p/src/importer.py"}}
    assert await desk.report("PostToolUse", "s", **edit, agent_id="a") == b""
    assert await desk.report("PostToolUse", "s", **{**edit, "tool_name": "Read"}) == b""
    reply = json.loads(await desk.report("PostToolUse", "s", **edit))
    told = reply["hookSpecificOutput"]
    assert told["hookEventName"] == "PostToolUse"
    assert learning in told["additionalContext"]
    await desk.house.settle()
    assert await desk.report("PostToolUse", "s", **edit) == b""


async def test_an_invalid_payload_is_refused(desk: Desk) -> None:
    with pytest.raises(InvalidInputError):
        await desk.dispatch.answer(HARNESS, b"[]")


async def test_a_long_transcript_is_read_in_pieces(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("intaglio.harness.dispatch.READ_BYTES", 300)
    desk.say("s", *("Hello." for _ in range(20)), DECISION)
    await desk.dispatch.answer(HARNESS, desk.payload("Stop"))
    assert await desk.stored() == [DECISION]


async def test_the_spool_is_processed_once(desk: Desk) -> None:
    desk.say("s", DECISION)
    desk.leave("1", "Stop")
    desk.leave("2", "SessionEnd", reason="exit")
    assert await desk.dispatch.drain() == 2
    assert await desk.stored() == [DECISION]
    assert await desk.session("end_reason") == "exit"
    assert await desk.dispatch.drain() == 0


async def test_the_spool_keeps_events_that_cannot_be_stored_yet(desk: Desk) -> None:
    desk.say("s", DECISION)
    file = desk.leave("1", "Stop")
    desk.refuse = True
    assert await desk.dispatch.drain() == 0
    assert file.exists()
    desk.refuse = False
    assert await desk.dispatch.drain() == 1
    assert await desk.stored() == [DECISION]


async def test_a_start_in_the_spool_writes_nothing_into_the_ledger(desk: Desk) -> None:
    desk.say("s", DECISION)
    desk.leave("1", "SessionStart")
    await desk.dispatch.drain()
    shown = await desk.house.bench.db.read(lambda tx: tx.value("SELECT count(*) FROM injections"))
    assert (shown, await desk.stored()) == (0, [DECISION])


@dataclass(frozen=True, slots=True, kw_only=True)
class Faulty(Transcripts):
    """The reading of a transcript with this name meets a fault that nobody foresaw."""

    session: str

    def read(
        self, transcript: Transcript, position: str, limit_bytes: int, context_bytes: int
    ) -> TranscriptReading:
        if transcript.session == self.session:
            raise ZeroDivisionError
        return Transcripts.read(self, transcript, position, limit_bytes, context_bytes)


def poison(desk: Desk, session: str) -> None:
    """Let the reading of this session's transcript meet a fault."""
    assert isinstance(CLAUDE_CODE, HookJsonHarness)
    desk.harnesses = {HARNESS: replace(CLAUDE_CODE, transcripts=Faulty(session=session))}


async def test_a_failing_event_does_not_delay_others(desk: Desk) -> None:
    poison(desk, "bad")
    desk.say("bad", "hello")
    desk.say("s", DECISION)
    bad = desk.leave("1", "Stop", "bad")
    desk.leave("2", "Stop")
    assert await desk.dispatch.drain() == 1
    assert await desk.stored() == [DECISION]
    assert bad.exists()


async def test_a_failing_event_is_set_aside_after_three_tries(desk: Desk) -> None:
    poison(desk, "bad")
    desk.say("bad", "hello")
    bad = desk.leave("1", "Stop", "bad")
    dispatch = desk.dispatch
    for expected in (True, True, False):
        await dispatch.drain()
        assert bad.exists() is expected
    assert rejected_files(bad.parent) == 1
    assert not dispatch.attempts


async def test_a_failing_transcript_does_not_delay_others(desk: Desk) -> None:
    for name in ("s", "bad"):
        await desk.dispatch.answer(HARNESS, desk.payload("SessionStart", name))
        await desk.house.settle()
        desk.say(name, DECISION)
    poison(desk, "bad")
    assert await desk.dispatch.catch_up() == 1
    assert await desk.stored() == [DECISION]


async def test_an_event_whose_transcript_is_gone_leaves_the_spool(desk: Desk) -> None:
    desk.leave("1", "Stop")
    assert await desk.dispatch.drain() == 1


async def test_a_session_that_never_ended_is_read_after_an_absence(desk: Desk) -> None:
    await desk.dispatch.answer(HARNESS, desk.payload("SessionStart"))
    await desk.house.settle()
    desk.say("s", DECISION)
    assert await desk.dispatch.catch_up() == 1
    assert await desk.stored() == [DECISION]
    assert await desk.dispatch.catch_up() == 0


async def test_only_transcripts_that_changed_lately_are_read_between_starts(desk: Desk) -> None:
    await desk.dispatch.answer(HARNESS, desk.payload("SessionStart"))
    await desk.house.settle()
    written = datetime.fromtimestamp(desk.say("s", DECISION).stat().st_mtime, UTC)
    assert await desk.dispatch.catch_up(written + timedelta(seconds=1)) == 0
    assert await desk.dispatch.catch_up(written - timedelta(seconds=1)) == 1
    assert await desk.stored() == [DECISION]


async def test_the_closing_lines_of_the_client_do_not_reopen_a_session(desk: Desk) -> None:
    file = desk.say("s", DECISION)
    await desk.dispatch.answer(HARNESS, desk.payload("SessionEnd", reason="exit"))
    with file.open("a") as stream:
        stream.write('{"type": "cost-state", "sessionId": "s"}\n')
    assert await desk.dispatch.catch_up() == 0
    assert await desk.session("end_reason") == "exit"


async def test_the_same_turn_told_by_many_hooks_at_once_is_stored_once(desk: Desk) -> None:
    desk.say("s", DECISION)
    await asyncio.gather(*(desk.dispatch.answer(HARNESS, desk.payload("Stop")) for _ in range(8)))
    assert await desk.stored() == [DECISION]


async def test_turns_that_end_while_a_transcript_is_read_do_not_read_it_again(desk: Desk) -> None:
    desk.say("s", *(f"We decided to use library number {n} for parsing." for n in range(20)))
    dispatch = desk.dispatch
    await asyncio.gather(*(dispatch.answer(HARNESS, desk.payload("Stop")) for _ in range(4)))
    assert desk.asked == 20
    assert not dispatch.reading


async def test_turns_that_cannot_be_stored_yet_are_read_later(desk: Desk) -> None:
    desk.say("s", "hello there")
    await desk.dispatch.answer(HARNESS, desk.payload("Stop"))
    desk.say("s", DECISION)
    desk.refuse = True
    assert await desk.dispatch.catch_up() == 0
    desk.refuse = False
    assert await desk.dispatch.catch_up() == 1
    assert await desk.stored() == [DECISION]


SHELL, CLIENT, TOOL_SHELL, NESTED, SIBLING = 10, 20, 30, 40, 50


async def test_a_nested_session_captures_nothing(desk: Desk) -> None:
    await desk.report("SessionStart", "s", CLIENT, SHELL)
    await desk.report("SessionStart", "nested", NESTED, TOOL_SHELL, CLIENT, SHELL)
    await desk.house.settle()
    desk.say("nested", DECISION)
    await desk.report("Stop", "nested", NESTED, TOOL_SHELL, CLIENT, SHELL)
    await desk.report("SessionEnd", "nested", NESTED, TOOL_SHELL, CLIENT, SHELL)
    await desk.dispatch.catch_up()
    assert await desk.stored() == []


async def test_a_nested_session_receives_memories_at_its_start(desk: Desk) -> None:
    desk.say("s", DECISION)
    await desk.report("SessionStart", "s", CLIENT, SHELL)
    await desk.report("Stop", "s", CLIENT, SHELL)
    told = await desk.report("SessionStart", "nested", NESTED, TOOL_SHELL, CLIENT, SHELL)
    assert DECISION in told.decode()
    await desk.house.settle()


async def test_a_nested_prompt_is_not_the_users_words(desk: Desk) -> None:
    desk.say("s", DECISION)
    await desk.report("SessionStart", "s", CLIENT, SHELL)
    await desk.report("Stop", "s", CLIENT, SHELL)
    prompt = "Which database for the billing ledger?"
    above = (TOOL_SHELL, CLIENT, SHELL)
    assert await desk.report("UserPromptSubmit", "n", NESTED, *above, prompt=prompt) == b""
    await desk.house.settle()


async def test_a_nested_session_stays_nested_when_its_processes_are_gone(desk: Desk) -> None:
    await desk.report("SessionStart", "s", CLIENT, SHELL)
    await desk.report("SessionStart", "nested", NESTED, TOOL_SHELL, CLIENT, SHELL)
    await desk.house.settle()
    desk.say("nested", DECISION)
    await desk.report("Stop", "nested")
    desk.leave("1", "SessionEnd", "nested")
    assert await desk.dispatch.drain() == 1
    assert await desk.stored() == []


@pytest.mark.parametrize("process", [CLIENT, SIBLING], ids=["after /clear", "sibling"])
async def test_another_session_of_the_shell_is_not_nested(desk: Desk, process: int) -> None:
    await desk.report("SessionStart", "s", CLIENT, SHELL)
    await desk.report("SessionStart", "t", process, SHELL)
    await desk.house.settle()
    desk.say("t", DECISION)
    await desk.report("Stop", "t", process, SHELL)
    assert await desk.stored() == [DECISION]


async def test_a_session_that_the_user_resumes_is_not_nested_any_more(desk: Desk) -> None:
    await desk.report("SessionStart", "s", CLIENT, SHELL)
    await desk.report("SessionStart", "t", NESTED, TOOL_SHELL, CLIENT, SHELL)
    await desk.report("SessionStart", "t", SIBLING, SHELL)
    await desk.house.settle()
    desk.say("t", DECISION)
    await desk.report("Stop", "t", SIBLING, SHELL)
    assert await desk.stored() == [DECISION]


async def test_an_ended_sessions_process_nests_no_session(desk: Desk) -> None:
    await desk.report("SessionStart", "s", CLIENT, SHELL)
    await desk.report("SessionEnd", "s", CLIENT, SHELL)
    await desk.report("SessionStart", "t", SIBLING, CLIENT, SHELL)
    await desk.house.settle()
    desk.say("t", DECISION)
    await desk.report("Stop", "t", SIBLING, CLIENT, SHELL)
    assert await desk.stored() == [DECISION]


RULE = "From now on always run the linter before pushing."
BELOW = "/p/services/billing"


async def test_a_session_keeps_its_project_when_its_agent_moves(desk: Desk) -> None:
    await desk.report("SessionStart", "s")
    desk.say("s", DECISION)
    await desk.report("Stop", "s", cwd=BELOW)
    desk.say("s", RULE, cwd=BELOW)
    await desk.report("UserPromptSubmit", "s", cwd=BELOW, prompt="Which linter runs here?")
    await desk.report("Stop", "s", cwd="/elsewhere")
    await desk.report("SessionEnd", "s", cwd="/elsewhere")
    await desk.house.settle()
    assert await desk.projects() == ["/p", "/p"]
    assert await desk.session("project") == "/p"
    told = await desk.house.rows("SELECT project FROM injections ORDER BY seq")
    assert told == [("/p",), ("/p",)]


async def test_statements_made_elsewhere_belong_to_the_project(desk: Desk) -> None:
    await desk.report("SessionStart", "s")
    desk.say("s", DECISION, cwd=BELOW)
    await desk.report("Stop", "s", cwd=BELOW)
    assert DECISION in (await desk.report("SessionStart", "t")).decode()
    assert DECISION not in (await desk.report("SessionStart", "u", cwd=BELOW)).decode()
    await desk.house.settle()


async def test_a_prompt_is_answered_from_the_project_although_the_agent_went_on(
    desk: Desk,
) -> None:
    await desk.report("SessionStart", "s")
    await desk.house.remember(DECISION, project="/p")
    await desk.house.remember("We use SQLite for the billing ledger.", project=BELOW)
    question = "Which database for the billing ledger?"
    told = (await desk.report("UserPromptSubmit", "s", cwd=BELOW, prompt=question)).decode()
    assert DECISION in told
    assert "SQLite" not in told
    await desk.house.settle()


async def test_another_process_still_knows_where_a_session_was_started(desk: Desk) -> None:
    await desk.report("SessionStart", "s")
    await desk.house.settle()
    desk.open_sessions = OpenSessions(desk.house.bench.db)
    desk.say("s", DECISION, cwd=BELOW)
    await desk.report("Stop", "s", cwd=BELOW)
    assert await desk.projects() == ["/p"]


async def test_during_a_pause_it_is_known_where_a_session_was_started(desk: Desk) -> None:
    await desk.house.remember(DECISION, project="/p")
    await desk.house.pauses.pause(None, "me")
    await desk.report("SessionStart", "s")
    told = await desk.report("SessionStart", "s", source="compact", cwd=BELOW)
    assert DECISION in told.decode()
    assert await desk.session("count(*)") == 0


@pytest.mark.parametrize("event", ["Stop", "UserPromptSubmit", "SessionEnd"])
async def test_a_session_whose_start_was_missed_began_where_its_transcript_does(
    desk: Desk, event: str
) -> None:
    desk.say("s", DECISION)
    desk.say("s", RULE, cwd=BELOW)
    await desk.report(event, "s", cwd=BELOW, prompt="Which linter runs here?")
    await desk.report("Stop", "s", cwd=BELOW)
    await desk.house.settle()
    assert await desk.session("project") == "/p"
    assert await desk.projects() == ["/p", "/p"]


async def test_a_continued_sessions_transcript_begins_with_its_own_messages(desk: Desk) -> None:
    copied = desk.say("former", "Hello.", cwd="/former").read_text()
    desk.transcript("s").write_text(copied)
    desk.say("s", DECISION)
    await desk.report("Stop", "s", cwd=BELOW)
    assert await desk.projects() == ["/p"]


async def test_without_a_transcript_the_first_event_says_where_a_session_is(desk: Desk) -> None:
    await desk.report("UserPromptSubmit", "s", prompt="Hello there, agent.")
    desk.say("s", DECISION, cwd=BELOW)
    await desk.report("Stop", "s", cwd=BELOW)
    assert await desk.projects() == ["/p"]


async def test_a_spooled_start_says_where_its_session_is(desk: Desk) -> None:
    desk.say("s", DECISION, cwd=BELOW)
    desk.leave("1", "SessionStart", cwd="/p")
    desk.leave("2", "Stop", cwd=BELOW)
    assert await desk.dispatch.drain() == 2
    assert await desk.projects() == ["/p"]
    assert await desk.session("cwd") == "/p"


async def test_a_compacted_session_keeps_its_project(desk: Desk) -> None:
    await desk.report("SessionStart", "s")
    await desk.report("SessionStart", "s", source="compact", cwd="/elsewhere")
    desk.say("s", DECISION, cwd="/elsewhere")
    await desk.report("Stop", "s", cwd="/elsewhere")
    assert await desk.projects() == ["/p"]


@pytest.mark.parametrize("source", ["resume", "startup", "compact"])
async def test_a_resumed_session_keeps_its_project(desk: Desk, source: str) -> None:
    await desk.report("SessionStart", "s")
    await desk.report("SessionStart", "s", source=source, cwd=BELOW)
    desk.say("s", DECISION, cwd=BELOW)
    await desk.report("Stop", "s", cwd=BELOW)
    assert await desk.projects() == ["/p"]


async def test_a_session_that_is_resumed_in_another_folder_belongs_there_from_then_on(
    desk: Desk,
) -> None:
    await desk.report("SessionStart", "s")
    await desk.house.settle()
    desk.say("s", DECISION)
    # Its start names a transcript in the other folder, which is never written.
    missing = str(desk.folder / "projects/-other/s.jsonl")
    await desk.report("SessionStart", "s", source="resume", cwd="/other", transcript_path=missing)
    await desk.house.settle()
    desk.say("s", RULE, cwd="/other/deep")
    await desk.report("Stop", "s", cwd="/other/deep")
    kept = await desk.house.rows("SELECT content, project FROM memories ORDER BY seq")
    assert kept == [(DECISION, "/p"), (RULE, "/other")]
    assert await desk.session("project") == "/other"
    assert await desk.session("transcript_path") == str(desk.transcript("s"))


async def test_the_harness_says_itself_where_a_session_was_started(desk: Desk) -> None:
    desk.say("s", DECISION, cwd=BELOW)
    body = desk.payload("Stop", cwd=BELOW)
    await desk.dispatch.answer(HARNESS, body, started_in="/p")
    desk.say("t", DECISION, cwd=BELOW)
    desk.leave("1", "Stop", "t", cwd=BELOW, started_in="/q")
    assert await desk.dispatch.drain() == 1
    assert await desk.projects() == ["/p", "/q"]


async def test_a_subagent_does_not_change_its_sessions_project(desk: Desk) -> None:
    await desk.report("UserPromptSubmit", "s", agent_id="a", cwd=BELOW, prompt="Look around.")
    desk.say("s", DECISION)
    await desk.report("Stop", "s")
    assert await desk.projects() == ["/p"]

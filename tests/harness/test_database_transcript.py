"""A harness whose transcripts are in a database that holds all of its sessions."""

import sqlite3
from collections.abc import AsyncGenerator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
import structlog

from fakes.harness_folder import on_the_path
from fakes.sessions import House
from fakes.store import bench
from intaglio.harness import registry
from intaglio.harness.connected_tools import ConnectedTools
from intaglio.harness.dispatch import Dispatch
from intaglio.harness.events import Transcript
from intaglio.harness.protocol import Harness
from intaglio.harness.transcript_files import TranscriptFiles
from intaglio.sessions.open_sessions import OpenSessions

NAME = "sqlite-agent"
DECISION = "We decided to use Postgres for the billing ledger."
LATER = "From now on always run the linter before pushing."


class Agent:
    """The harness with its database, and a dispatch that knows it."""

    def __init__(self, house: House, folder: Path) -> None:
        with on_the_path():
            self.harness: Harness = registry.harnesses()[NAME]
        self.house, self.file = house, folder / "data" / "sessions.db"
        self.file.parent.mkdir()
        with closing(sqlite3.connect(self.file)) as db:
            db.execute(
                "CREATE TABLE messages("
                "id INTEGER PRIMARY KEY, session TEXT, role TEXT, text TEXT, created_at TEXT)"
            )
        self.dispatch = Dispatch(
            harnesses={NAME: self.harness},
            starts=house.starts,
            prompts=house.prompts,
            edits=house.edits,
            ends=house.ends,
            checkpoints=house.checkpoints,
            transcripts=TranscriptFiles({NAME: self.harness}, lambda _: [self.file.parent]),
            open_sessions=OpenSessions(house.bench.db),
            tools=ConnectedTools(OpenSessions(house.bench.db), lambda _: False),
            spool=folder / "spool",
            log=structlog.get_logger(),
        )

    def say(self, session: str, text: str, role: str = "user") -> None:
        with closing(sqlite3.connect(self.file)) as db, db:
            db.execute(
                "INSERT INTO messages(session, role, text) VALUES (?, ?, ?)", (session, role, text)
            )

    async def report(self, event: str, session: str) -> bytes:
        payload = {
            "event": event,
            "session": session,
            "directory": "/p",
            "database": str(self.file),
        }
        return await self.dispatch.answer(NAME, msgspec.json.encode(payload))


@pytest.fixture
async def agent(tmp_path: Path) -> AsyncGenerator[Agent]:
    async with bench(tmp_path) as opened:
        yield Agent(House(opened), tmp_path)


async def test_each_session_is_read_on_from_its_own_position(agent: Agent) -> None:
    agent.say("a", DECISION)
    agent.say("b", "Hello.")
    await agent.report("turn_end", "a")
    assert await agent.house.contents() == [DECISION]
    agent.say("a", LATER)
    await agent.report("turn_end", "a")
    assert len(await agent.house.contents()) == 2
    found = await agent.house.rows("SELECT id, transcript_position FROM sessions")
    assert found == [("a", "message-3")]


async def test_a_compaction_captures_what_the_agent_is_about_to_lose(agent: Agent) -> None:
    agent.say("a", DECISION)
    assert await agent.report("compaction", "a") == b""
    assert await agent.house.contents() == [DECISION]


@pytest.mark.parametrize("event", ["tool_use", "subagent_start", "subagent_stop"])
async def test_tools_and_subagents_capture_nothing(agent: Agent, event: str) -> None:
    agent.say("a", DECISION)
    assert await agent.report(event, "a") == b""
    assert await agent.house.contents() == []


async def test_what_grew_unseen_is_caught_up_with(agent: Agent) -> None:
    await agent.report("session_start", "a")
    await agent.house.settle()
    assert await agent.dispatch.catch_up() == 0
    agent.say("a", DECISION)
    assert await agent.dispatch.catch_up() == 1
    assert await agent.house.contents() == [DECISION]
    assert await agent.dispatch.catch_up() == 0


async def test_reading_in_pieces_is_reading_at_once_and_knows_what_preceded(agent: Agent) -> None:
    texts = [f"Message {number}" for number in range(5)]
    for text in texts:
        agent.say("a", text)
        agent.say("b", "Something else")
    transcript, position, more = Transcript(agent.file, "a"), "", True
    pieces: list[str] = []
    while more:
        found = agent.harness.read_transcript(transcript, position, 10, context_bytes=1)
        assert [each.text for each in found.preceding] == pieces[-1:]
        pieces += [each.text for each in found.messages]
        position, more = found.position, found.more
    assert pieces == texts

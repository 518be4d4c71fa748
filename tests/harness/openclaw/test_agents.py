"""The agent in a session's key owns what is said to it, and is shown what its policy allows."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
import structlog

from fakes.openclaw_database import AgentDatabase
from fakes.sessions import House
from fakes.store import bench
from intaglio.base.agent_yaml.roster import DeclaredAgent
from intaglio.harness.connected_tools import ConnectedTools
from intaglio.harness.dispatch import Dispatch
from intaglio.harness.openclaw.harness import HARNESS
from intaglio.harness.transcript_files import TranscriptFiles
from intaglio.sessions.open_sessions import OpenSessions

DECISION = "We decided to use Postgres for the billing ledger."
RULE = "From now on always run the linter before pushing."
QUESTION = "Which database does the billing ledger use, Postgres or another?"


@dataclass
class Gateway:
    """OpenClaw's agents in one repository, and the dispatch that hears of them."""

    house: House
    state: Path

    @property
    def dispatch(self) -> Dispatch:
        known = {HARNESS.name: HARNESS}
        open_sessions = OpenSessions(self.house.bench.db)
        return Dispatch(
            harnesses=known,
            starts=self.house.starts,
            prompts=self.house.prompts,
            edits=self.house.edits,
            ends=self.house.ends,
            checkpoints=self.house.checkpoints,
            transcripts=TranscriptFiles(
                known, lambda one: one.transcript_roots(self.state, {}, [self.state])
            ),
            open_sessions=open_sessions,
            tools=ConnectedTools(open_sessions, lambda _: False),
            spool=self.state / "spool",
            log=structlog.get_logger(),
        )

    async def report(self, agent: str, event: str, **more: str) -> str:
        """Report an event of an agent's session as the plugin does; returns the context."""
        payload = {
            "event": event,
            "session": f"agent:{agent}:{agent}-1",
            "cwd": "/work/shop",
            "transcript_path": str(AgentDatabase.of(self.state, agent).file),
            **more,
        }
        reply = await self.dispatch.answer("openclaw", msgspec.json.encode(payload))
        return str(msgspec.json.decode(reply)["context"]) if reply else ""

    async def say(self, agent: str, text: str) -> None:
        """Have a turn in which the user says something."""
        database = AgentDatabase.of(self.state, agent)
        database.say(f"{agent}-1", text, key=f"agent:{agent}:main")
        await self.report(agent, "turn_end")


@pytest.fixture
async def gateway(tmp_path: Path) -> AsyncGenerator[Gateway]:
    async with bench(tmp_path) as opened:
        yield Gateway(House(opened, roster=()), tmp_path)


async def test_what_is_said_to_an_agent_belongs_to_it(gateway: Gateway) -> None:
    await gateway.say("reviewer", DECISION)
    await gateway.say("main", RULE)
    found = await gateway.house.rows("SELECT content, agent_id FROM memories ORDER BY content")
    assert found == [(RULE, "main"), (DECISION, "reviewer")]


async def test_another_agent_is_told_of_it_as_its_policy_says(gateway: Gateway) -> None:
    await gateway.say("reviewer", DECISION)
    await gateway.house.settle()
    assert DECISION in await gateway.report("main", "prompt", prompt=QUESTION)
    gateway.house.roster = (DeclaredAgent("lonely", "Lonely", "isolated"),)
    assert DECISION not in await gateway.report("lonely", "prompt", prompt=QUESTION)
    assert DECISION not in await gateway.report("lonely", "session_start")


async def test_an_isolated_agent_keeps_its_memories_to_itself(gateway: Gateway) -> None:
    gateway.house.roster = (DeclaredAgent("reviewer", "Reviewer", "isolated"),)
    await gateway.say("reviewer", DECISION)
    await gateway.house.settle()
    own = await gateway.report("reviewer", "session_start", source="compact")
    assert DECISION in own


async def test_what_was_said_before_a_compaction_is_captured(gateway: Gateway) -> None:
    AgentDatabase.of(gateway.state, "main").say("main-1", DECISION)
    await gateway.report("main", "compaction")
    assert await gateway.house.contents() == [DECISION]

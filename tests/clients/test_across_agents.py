"""Three real clients of one user: what is said to one agent is known to the next one."""

import json
import random
import threading
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from clients.conftest import blocks_of, memories, wait_for_memories
from daemon.test_kill import facts
from fakes.connect_home import unhurry
from fakes.daemon import Daemon, killed_daemon, running_daemon
from fakes.distinct_decisions import distinct_decision
from fakes.every_agent import AGENTS, Agents, every_agent
from fakes.opencode import unhurry_plugin
from fakes.waiting import wait_for

pytestmark = [pytest.mark.clients, pytest.mark.slow]

SAID: Final = {
    "claude-code": "We decided to use Postgres for the billing ledger, not SQLite.",
    "codex": "From now on we always write migrations by hand.",
    "opencode": "Never push to the release branch on a Friday.",
}
ROUNDS: Final = 20
# From before a prompt's hook to after the end of the turn.
LIVE_S: Final = 3.0
KEPT: Final = "SELECT source_type, content FROM memories"


@dataclass(frozen=True, slots=True)
class Connected:
    """The agents, all connected to a daemon that runs."""

    agents: Agents
    daemon: Daemon


@pytest.fixture(scope="module")
def connected(tmp_path_factory: pytest.TempPathFactory) -> Generator[Connected]:
    with (
        every_agent(tmp_path_factory.mktemp("a") / "home") as agents,
        running_daemon(agents.home, agents.port) as daemon,
    ):
        agents.connect_all()
        unhurry_plugin(daemon.paths)
        for agent in ("claude-code", "codex"):
            unhurry(daemon.paths, agent)
        yield Connected(agents, daemon)


@pytest.mark.parametrize(
    ("speaker", "listener"),
    [("claude-code", "codex"), ("codex", "opencode"), ("opencode", "claude-code")],
)
def test_what_is_said_to_one_agent_is_told_to_the_next(
    connected: Connected, speaker: str, listener: str
) -> None:
    agents, daemon = connected.agents, connected.daemon
    project = agents.project(speaker)
    agents.ask(speaker, SAID[speaker], project)
    wait_for_memories(daemon, project, SAID[speaker])
    (memory,) = memories(daemon, project)
    assert memory["source_type"] == speaker
    sent = agents.ask(listener, "Hello.", project)
    first = next(request for request in sent if "<intaglio-memory" in json.dumps(request))
    assert SAID[speaker] in "".join(blocks_of(first))
    with daemon.client() as client:
        newest, *_ = client.get("/api/sessions").json()["sessions"]
    assert newest["harness"] == listener


def test_disconnecting_all_restores_the_users_files_byte_for_byte(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with every_agent(tmp_path_factory.mktemp("b") / "home") as agents:
        before = _configuration(agents.home)
        for agent in AGENTS:
            agents.intaglio("connect", agent, "--yes")
        assert _configuration(agents.home) != before
        for agent in reversed(AGENTS):
            agents.intaglio("disconnect", agent, "--yes")
        assert _configuration(agents.home) == before


def _configuration(home: Path) -> dict[str, bytes]:
    """Return the user's files in the agents' own folders."""
    folders = (home / ".claude", home / ".codex", home / ".config")
    files = [file for folder in folders for file in folder.rglob("*") if file.is_file()]
    files += [file for file in (home / ".claude.json",) if file.exists()]
    return {str(file.relative_to(home)): file.read_bytes() for file in files}


def test_no_turn_is_lost_or_doubled_by_kills_in_open_sessions(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    chance = random.Random(ROUNDS)  # noqa: S311 - the same moments every time
    said = set[tuple[str, str]]()
    with every_agent(tmp_path_factory.mktemp("k") / "home") as agents:
        agents.connect_all()
        with agents.sessions(agents.project("shop")) as sessions:
            for round_ in range(ROUNDS):
                turns = {
                    (agent, distinct_decision(f"{agent} {round_}")): say
                    for agent, say in sessions.items()
                }
                with killed_daemon(agents.home, agents.port):
                    threads = [
                        threading.Thread(target=say, args=(text,))
                        for (_, text), say in turns.items()
                    ]
                    for thread in threads:
                        thread.start()
                    threading.Event().wait(chance.random() * LIVE_S)
                for thread in threads:
                    thread.join()
                said |= turns.keys()
        with running_daemon(agents.home, agents.port) as daemon:
            file = daemon.paths.database

            def as_said() -> bool:
                assert sorted(facts(file, KEPT)) == sorted(said)
                return True

            wait_for(as_said, "exactly what was said")
            wait_for(lambda: not list(daemon.paths.spool.rglob("*.json")), "an empty spool")
            messages = "SELECT count(DISTINCT message_id), count(*) FROM statements"
            assert facts(file, messages) == [(len(said), len(said))]

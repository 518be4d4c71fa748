"""The real clients that set-up doesn't install: what is said in one session is told in the next."""

import json
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from clients.conftest import memories, wait_for_memories
from fakes.connect_home import unhurry
from fakes.daemon import (
    NO_MODEL,
    Daemon,
    daemon_env,
    free_port,
    run_command,
    running_daemon,
    write_settings,
)
from fakes.model_api import ToolUse
from fakes.other_agents import AGENTS, CLIENTS, ModelStub, OtherAgent, model_stub
from fakes.repository import make_repository
from intaglio.connect.tools.mcp_servers import McpServers
from intaglio.harness.registry import connectors

pytestmark = [pytest.mark.clients, pytest.mark.slow]

DECISION: Final = "We decided to use Postgres for the billing ledger, not SQLite."
FAILED: Final = "We tried advisory locks in importer.py already, they deadlocked under load."
QUESTION: Final = "Which database does the billing ledger use?"


@dataclass(frozen=True, slots=True)
class Told:
    """A machine with one agent, whose user has said the decision in a session of the project."""

    agent: OtherAgent
    home: Path
    project: Path
    daemon: Daemon
    stub: ModelStub
    before: dict[str, bytes]

    def ask(self, prompt: str) -> str:
        """Hold a session of one prompt; return what the model was sent in it."""
        self.stub.requests.clear()
        run = self.agent.ask(prompt, self.project, self.home, self.stub)
        assert run.code == 0, run.stderr
        return self.stub.sent()

    def intaglio(self, *args: str) -> str:
        done = run_command(*args, env=daemon_env(self.home, self.daemon.port), folder=self.home)
        assert done.returncode == 0, done.stderr
        return done.stdout


def _files(home: Path, agent: OtherAgent) -> dict[str, bytes]:
    """Return the content of the files that connecting changes."""
    connector = connectors()[agent.name]
    servers = connector.mcp_servers(home, {})
    assert isinstance(servers, McpServers)
    files = {connector.settings_file(home, {}), servers.file}
    return {str(file): file.read_bytes() for file in files if file.exists()}


@pytest.fixture(scope="module", params=AGENTS, ids=lambda agent: agent.name)
def told(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Generator[Told]:
    agent: OtherAgent = request.param
    if not agent.binary.exists():
        pytest.skip(f"{agent.binary} is not installed; development.md says how to do it")
    home = tmp_path_factory.mktemp("o") / "home"
    home.mkdir()
    write_settings(home, NO_MODEL)
    agent.prepare(home)
    # The client rewrites its settings when it runs for the first time.
    with model_stub() as stub, running_daemon(home, free_port()) as daemon:
        project = make_repository(home / "work" / "shop")
        agent.ask("Hello.", project, home, stub)
        before = _files(home, agent)
        env = daemon_env(home, daemon.port)
        assert run_command("connect", agent.name, "--yes", env=env, folder=home).returncode == 0
        unhurry(daemon.paths, agent.name)
        machine = Told(agent, home, project, daemon, stub, before)
        machine.ask(DECISION)
        wait_for_memories(daemon, project, DECISION)
        yield machine


def test_a_decision_is_kept_once_and_with_its_own_words(told: Told) -> None:
    told.ask("Thanks.")
    kept = memories(told.daemon, told.project)
    assert [each["type"] for each in kept if each["content"] == DECISION] == ["decision"]


def test_the_start_of_the_next_session_tells_it(told: Told) -> None:
    assert (DECISION in told.ask("Hello again.")) == told.agent.told_at_start


def test_a_prompt_that_asks_for_it_is_told(told: Told) -> None:
    sent = told.ask(QUESTION)
    assert sent.count("Postgres for the billing ledger") >= 1
    assert QUESTION in sent


def test_our_tools_are_offered_to_the_model(told: Told) -> None:
    assert "memory_search" in told.ask("Hello.")


def test_an_edit_is_told_what_failed_in_the_file(told: Told) -> None:
    tool, path, content = told.agent.writes
    file = told.project / "importer.py"

    def write() -> ToolUse:
        """Write the file, once the start of the session has told what was known by then."""
        body = {"content": FAILED, "type": "learning", "project": str(told.project)}
        with told.daemon.client() as client:
            client.post("/api/memory/remember", json=body).raise_for_status()
        return ToolUse(tool, {path: str(file), content: "STEP = 1\n"})

    told.stub.call = write
    told.ask("Continue.")
    assert file.read_text() == "STEP = 1\n"
    last = json.dumps(told.stub.requests[-1], ensure_ascii=False)
    assert f": {FAILED}" in last


def test_its_hook_can_be_tested_and_its_files_come_back_byte_for_byte(told: Told) -> None:
    told.intaglio("connect", told.agent.name, "--test")
    told.intaglio("disconnect", told.agent.name, "--yes")
    assert _files(told.home, told.agent) == told.before
    told.intaglio("connect", told.agent.name, "--yes")
    unhurry(told.daemon.paths, told.agent.name)


def test_the_versions_driven_are_those_that_development_installs() -> None:
    pins = json.loads((Path(__file__).parent / "others/package.json").read_text())
    driven = {connectors()[agent.name].driven_version for agent in AGENTS}
    assert driven == set(pins["dependencies"].values())
    assert CLIENTS.parts[-4:] == (".work", "others", "node_modules", ".bin")

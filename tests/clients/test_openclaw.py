"""The real OpenClaw: what a user tells one agent is known to the next session, and to its agent."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from clients.conftest import blocks_of
from fakes.daemon import (
    NO_MODEL,
    Daemon,
    daemon_env,
    free_port,
    run_command,
    running_daemon,
    write_settings,
)
from fakes.model_api import ModelApi, ToolUse, model_api
from fakes.openclaw import INSTALL, PROGRAM, OpenClaw
from fakes.waiting import PATIENCE_S, wait_for

pytestmark = [pytest.mark.clients, pytest.mark.slow]

DECISION = "We decided to use Postgres for the billing ledger, not SQLite."
RULE = "From now on always run the linter before you push."
# OpenClaw compresses what is longer than a thousand characters.
LONG = f"{RULE}\n\n" + "\n".join(f"{n} files changed in lantern/module_{n}.py" for n in range(60))
QUESTION = "Which database does the billing ledger use?"


@dataclass(frozen=True, slots=True)
class Talked:
    """A machine whose user has told both agents something."""

    openclaw: OpenClaw
    model: ModelApi
    daemon: Daemon
    project: Path
    written: bytes

    @property
    def memories(self) -> dict[str, tuple[str, str | None]]:
        """The live memories: agent and project by content."""
        with self.daemon.client() as client:
            found: list[dict[str, Any]] = client.get("/api/memories").json()["memories"]
        return {each["content"]: (each["agent_id"], each["project"]) for each in found}

    def intaglio(self, *args: str) -> str:
        done = run_command(*args, env=self.daemon.env, folder=self.openclaw.home)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def wait_for(self, content: str) -> tuple[str, str | None]:
        wait_for(lambda: content in self.memories, content)
        return self.memories[content]


def _unhurry(plugin: Path) -> None:
    """Give the plugin time: to a test, a busy machine is not a daemon that hangs."""
    limit, text = "const TOTAL_MS = 1_000;", plugin.read_text()
    assert limit in text
    plugin.write_text(text.replace(limit, f"const TOTAL_MS = {PATIENCE_S * 1_000:.0f};"))


@contextmanager
def _running(home: Path) -> Generator[Talked]:
    project = home / "work" / "shop"
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    write_settings(home, NO_MODEL)
    port = free_port()
    with model_api() as model:
        openclaw = OpenClaw(home, model.url)
        written = openclaw.write_settings({"main": project})
        connected = run_command(
            "connect", "openclaw", "--yes", env=daemon_env(home, port), folder=home
        )
        assert connected.returncode == 0, connected.stderr
        with running_daemon(home, port) as daemon:
            _unhurry(daemon.paths.hooks / "openclaw.mjs")
            yield Talked(openclaw, model, daemon, project.resolve(), written)


@pytest.fixture(scope="module")
def talked(tmp_path_factory: pytest.TempPathFactory) -> Generator[Talked]:
    if not PROGRAM.exists():
        pytest.skip(f"OpenClaw is not installed: {INSTALL}")
    home = tmp_path_factory.mktemp("claw") / "home"
    home.mkdir()
    with _running(home) as talked:
        for agent, words in (("main", DECISION), ("reviewer", LONG)):
            said = talked.openclaw.say(words, agent)
            assert said.code == 0, said.stderr
        yield talked


def test_what_is_said_to_an_agent_is_kept_for_it_and_where_it_works(talked: Talked) -> None:
    assert talked.wait_for(DECISION) == ("main", str(talked.project))
    workspace = talked.openclaw.home.resolve() / ".openclaw" / "workspace-reviewer"
    assert talked.wait_for(RULE) == ("reviewer", str(workspace))


def test_a_later_session_is_told_and_its_agent_can_search(talked: Talked) -> None:
    def search(request: dict[str, Any]) -> str | ToolUse:
        if "tool_result" in json.dumps(request):
            return "It is Postgres."
        return ToolUse("tool_call", {"id": "memory_search", "args": {"query": QUESTION}})

    talked.wait_for(DECISION)
    talked.model.requests.clear()
    talked.model.answer = search
    said = talked.openclaw.run(
        *("agent", "--local", "--agent", "main", "--session-id", "later", "--message", QUESTION)
    )
    assert said.code == 0, said.stderr
    first, second = talked.model.requests[:2]
    assert any(DECISION in block for block in blocks_of(first))
    result = json.dumps(second["messages"][-2:])
    assert DECISION in result
    assert "Intaglio isn't running" not in result


def test_openclaw_accepts_the_plugin_and_disconnecting_leaves_its_settings_as_they_were(
    talked: Talked,
) -> None:
    checked = talked.openclaw.run("config", "validate")
    assert "Config valid" in checked.stdout
    inspected = talked.openclaw.run("plugins", "inspect", "intaglio", "--runtime", "--json")
    found = inspected.stdout[inspected.stdout.index("{") :]
    assert json.loads(found)["plugin"]["memorySlotSelected"] is True
    talked.intaglio("disconnect", "openclaw", "--yes")
    assert talked.openclaw.settings.read_bytes() == talked.written
    assert "Config valid" in talked.openclaw.run("config", "validate").stdout

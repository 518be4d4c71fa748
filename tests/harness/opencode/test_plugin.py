"""The plugin in a host that behaves as OpenCode 2 does, with a real daemon."""

import json
import subprocess
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from boot.process import BIN
from fakes.daemon import NO_MODEL, Daemon, run_command, running_daemon, write_settings
from fakes.opencode import unhurry_plugin
from fakes.opencode_database import OpenCodeDatabase
from fakes.waiting import PATIENCE_S, wait_for

HOST: Final = Path(__file__).resolve().parents[2] / "fakes" / "opencode2_host.mjs"
RULE: Final = "Always deploy the storefront from the release branch."


@dataclass(frozen=True)
class Machine:
    """A user's machine: a project with a rule, and the plugin file."""

    daemon: Daemon
    project: Path
    plugin: Path
    database: OpenCodeDatabase

    def run(self, *steps: dict[str, Any], **env: str) -> list[Any]:
        """Let the host take steps; returns what each did, and at the end what was registered."""
        done = subprocess.run(
            [BIN / "node", HOST, self.plugin.as_uri()],
            cwd=self.project,
            env={"HOME": self.daemon.env["HOME"], **env},
            input=json.dumps(steps).encode(),
            capture_output=True,
            check=True,
            timeout=PATIENCE_S,
        )
        assert done.stderr == b""
        return [json.loads(line) for line in done.stdout.splitlines()]

    def session(self, of: str, parent: str | None = None) -> dict[str, Any]:
        """Return a step that makes the host know a session, which has just begun."""
        self.database.session(of, str(self.project), parent=parent)
        info = {"id": of, "location": {"directory": str(self.project)}, "time": {"created": 2e12}}
        return {"session": info if parent is None else {**info, "parentID": parent}}


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Generator[Machine]:
    home = tmp_path_factory.mktemp("o")
    project = home / "shop"
    project.mkdir()
    write_settings(home, NO_MODEL)
    with running_daemon(home) as daemon:
        run_command("connect", "opencode", "--yes", env=daemon.env, folder=home)
        unhurry_plugin(daemon.paths)
        with daemon.client() as client:
            body = {"content": RULE, "project": str(project), "type": "rule", "pinned": True}
            client.post("/api/memory/remember", json=body, headers=daemon.owner).raise_for_status()
        plugin = home / ".config" / "opencode" / "plugins" / "intaglio.js"
        database = OpenCodeDatabase(home / ".local" / "share" / "opencode" / "opencode.db")
        yield Machine(daemon, project, plugin, database)


def _prompt(session: str, text: str = "Hello.", message: str = "msg_1") -> dict[str, Any]:
    event = {"sessionID": session, "messageID": message, "prompt": {"text": text}}
    return {"hook": "prompt", "event": event}


def _context(session: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - the host's own JSON
    event: dict[str, Any] = {"sessionID": session, "kind": "primary", "system": [], **more}
    return {"hook": "context", "event": event}


def _told(event: dict[str, Any]) -> str:
    return "\n".join(part["text"] for part in event["system"])


def test_the_agents_requests_alone_are_told_the_memories(machine: Machine) -> None:
    title = _context("s-1", kind="title")
    _, first, title, again, end = machine.run(
        machine.session("s-1"), _prompt("s-1"), _context("s-1"), title, _context("s-1")
    )
    assert _told(first).count(RULE) == 1
    assert first["system"] == again["system"]
    assert title["system"] == []
    assert set(end["hooks"]) == {"prompt", "context", "compaction", "execute.after"}


def test_the_host_gets_the_tools_where_the_agent_sees_them(machine: Machine) -> None:
    (end,) = machine.run()
    server = end["servers"]["intaglio"]
    assert (server["type"], server["codemode"]) == ("local", False)
    assert server["command"][-2:] == ["--harness", "opencode"]


def test_a_prompt_that_is_admitted_twice_is_reported_once(machine: Machine) -> None:
    *_, event, _ = machine.run(
        machine.session("s-2"), _prompt("s-2"), _prompt("s-2"), _context("s-2")
    )
    assert _told(event).count(RULE) == 1


def test_a_subagent_is_told_nothing(machine: Machine) -> None:
    steps = (_prompt("s-4"), _context("s-4"))
    _, event, _ = machine.run(machine.session("s-4", parent="s-3"), *steps)
    assert event["system"] == []


def test_what_was_said_is_captured_when_the_turn_ends(machine: Machine) -> None:
    said = "We decided to use Postgres for the billing ledger."
    session = machine.session("s-5")
    machine.database.say_2("s-5", "user", text=said)
    ended = {"type": "session.execution.succeeded", "data": {"sessionID": "s-5"}}
    machine.run(session, _prompt("s-5", said), {"emit": ended})

    def is_kept() -> bool:
        with machine.daemon.client() as client:
            found = client.get("/api/memories").json()["memories"]
        return said in [each["content"] for each in found]

    wait_for(is_kept, "the statement as a memory")


def test_after_a_compaction_the_agent_is_told_again(machine: Machine) -> None:
    compacting = {"hook": "compaction", "event": {"sessionID": "s-6"}}
    ended = {"type": "session.compaction.ended", "data": {"sessionID": "s-6", "text": "Much."}}
    events = machine.run(
        machine.session("s-6"), _prompt("s-6"), compacting, {"emit": ended}, _context("s-6")
    )
    assert _told(events[3]).count(RULE) == 1


def test_the_files_that_the_agent_edits_are_noted(machine: Machine) -> None:
    edit = {
        "sessionID": "s-8",
        "tool": "edit",
        "status": "completed",
        "input": {"filePath": "app/cache.py"},
    }
    compacting = {"hook": "compaction", "event": {"sessionID": "s-8"}}
    edited = {"hook": "execute.after", "event": edit}
    machine.run(machine.session("s-8"), _prompt("s-8"), edited, compacting)

    def is_noted() -> bool:
        with machine.daemon.client() as client:
            found = client.get("/api/checkpoints/s-8", headers=machine.daemon.owner).json()
        return any("Edited: app/cache.py" in each["digest"] for each in found["checkpoints"])

    wait_for(is_noted, "the file in a checkpoint")


def test_a_switch_disables_it(machine: Machine) -> None:
    steps = (machine.session("s-7"), _prompt("s-7"), _context("s-7"))
    _, event, _ = machine.run(*steps, INTAGLIO_NO_HOOKS="1")
    assert event["system"] == []


def test_a_context_of_version_1_gets_no_hooks(machine: Machine) -> None:
    code = (
        "const { default: plugin } = await import(process.argv[1]);"
        "console.log(await plugin.setup({ agent: {}, plugin: {} }), typeof plugin.server)"
    )
    done = subprocess.run(
        [BIN / "node", "--input-type=module", "-e", code, machine.plugin.as_uri()],
        capture_output=True,
        check=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert done.stdout == "undefined function\n"

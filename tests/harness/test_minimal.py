"""A folder is enough: with it, a harness is captured, caught up with, connected and looked after.

The daemon and the command line run from a copy of the package that holds one folder more.
"""

import json
import subprocess
import sys
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from fakes.connect_home import unhurry
from fakes.daemon import Daemon, daemon_env, free_port, running_daemon
from fakes.harness_folder import package_with
from fakes.waiting import PATIENCE_S, wait_for

DECISION = "We decided to use Postgres for the billing ledger."


@dataclass(frozen=True)
class Machine:
    """A user of the minimal harness, and an Intaglio that has its folder."""

    home: Path
    port: int
    tree: Path

    @property
    def settings(self) -> Path:
        return self.home / ".minimal" / "settings.conf"

    def run(self, *args: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "intaglio", *args],
            env=daemon_env(self.home, self.port, PYTHONPATH=str(self.tree)),
            cwd=self.home,
            capture_output=True,
            text=True,
            timeout=2 * PATIENCE_S,
            check=False,
        )

    def say(self, session: str, *lines: str) -> Path:
        log = self.home / ".minimal" / "logs" / f"{session}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("a") as stream:
            for number, words in enumerate(lines):
                stream.write(json.dumps({"number": number, "by": "me", "words": words}) + "\n")
        return log

    def event(self, kind: str, session: str, **more: str) -> dict[str, str]:
        log = self.home / ".minimal" / "logs" / f"{session}.log"
        return {"kind": kind, "talk": session, "folder": "/p", "log": str(log), **more}

    def hook(self, event: dict[str, str]) -> "subprocess.CompletedProcess[bytes]":
        """Run the line of the settings, as the harness does."""
        command = self.settings.read_text().partition("hook = ")[2].strip()
        return subprocess.run(
            ["sh", "-c", command],
            input=json.dumps(event).encode(),
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
        )


def contents(daemon: Daemon) -> list[str]:
    with daemon.client() as client:
        found: list[dict[str, Any]] = client.get("/api/memories").json()["memories"]
    return sorted(memory["content"] for memory in found)


def post(daemon: Daemon, path: str, body: object) -> tuple[int, bytes]:
    headers = {"authorization": f"Bearer {daemon.identity['hook_token']}"}
    with daemon.client() as client:
        reply = client.post(path, json=body, headers=headers)
    return reply.status_code, reply.content


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    base = tmp_path_factory.mktemp("minimal")
    (base / "home").mkdir()
    return Machine(base / "home", free_port(), package_with("minimal", base))


@pytest.fixture(scope="module")
def daemon(machine: Machine) -> Generator[Daemon]:
    """Run one daemon for all; before it starts, a hook leaves an event in the spool."""
    assert machine.run("connect", "minimal", "--yes").returncode == 0
    machine.say("away", "We decided to write the parser by hand.")
    machine.hook(machine.event("turn-over", "away"))
    (entry,) = (machine.home / "state" / "spool").glob("*.json")
    assert json.loads(entry.read_text())["harness"] == "minimal"
    with running_daemon(machine.home, machine.port, PYTHONPATH=str(machine.tree)) as one:
        unhurry(one.paths)
        yield one


def test_a_spooled_event_is_captured(daemon: Daemon) -> None:
    wanted = "We decided to write the parser by hand."
    wait_for(lambda: wanted in contents(daemon), "the spooled turn")


@pytest.mark.parametrize("path", ["/api/hooks/native/minimal", "/api/hooks/minimal-agent"])
def test_an_event_over_http_is_captured_and_answered(
    machine: Machine, daemon: Daemon, path: str
) -> None:
    session = path.rpartition("/")[2]
    machine.say(session, f"We decided to deploy {session} on Fridays only.")
    assert post(daemon, path, machine.event("turn-over", session)) == (200, b"")
    assert f"We decided to deploy {session} on Fridays only." in contents(daemon)
    status, text = post(daemon, path, machine.event("begin", f"{session}-2"))
    assert status == 200
    assert b"We decided" in text
    assert len(text) <= 400


def test_the_hook_that_connect_wrote_reaches_the_daemon(machine: Machine, daemon: Daemon) -> None:
    machine.say("live", DECISION)
    done = machine.hook(machine.event("turn-over", "live"))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    wait_for(lambda: DECISION in contents(daemon), "the turn that the hook told of")


def test_an_invalid_event_is_refused_and_an_unknown_harness_not_found(daemon: Daemon) -> None:
    status, text = post(daemon, "/api/hooks/native/minimal", [1])
    assert (status, b"Minimal Agent" in text) == (400, True)
    status, text = post(daemon, "/api/hooks/native/unheard-of", {})
    problem = json.loads(text)
    assert (status, problem["title"]) == (404, "Not found")
    assert "minimal" in problem["hint"]


def test_a_transcript_that_grew_unseen_is_caught_up_with(machine: Machine) -> None:
    other = Machine(machine.home.with_name("late"), free_port(), machine.tree)
    later = "We decided to keep the changelog by hand."
    with running_daemon(other.home, other.port, PYTHONPATH=str(other.tree)) as one:
        assert post(one, "/api/hooks/native/minimal", other.event("begin", "late"))[0] == 200
    other.say("late", later)
    with running_daemon(other.home, other.port, PYTHONPATH=str(other.tree)) as one:
        wait_for(lambda: later in contents(one), "what was said while it was away")


def test_connect_doctor_and_disconnect_know_it(machine: Machine) -> None:
    other = Machine(machine.home.with_name("plain"), free_port(), machine.tree)
    other.settings.parent.mkdir(parents=True)
    other.settings.write_text("colour = green")
    # The only agent that is found there; nobody confirms.
    asked = other.run("connect")
    assert (asked.returncode, "Write these changes" in asked.stdout) == (1, True)
    assert "warn  minimal: not connected" in other.run("doctor").stdout
    assert "Minimal Agent is connected." in other.run("connect", "minimal", "--yes").stdout
    said = other.run("doctor").stdout
    assert "ok    minimal: connected" in said
    assert "ok    minimal tools: registered" in said
    assert "minimal: connected, tools registered (" in other.run("connect").stdout
    assert "Minimal Agent is disconnected." in other.run("disconnect", "minimal", "--yes").stdout
    assert other.settings.read_text() == "colour = green"
    assert not list((other.home / "state" / "connect").glob("minimal-*"))


def test_the_harnesss_own_settings_are_known(machine: Machine) -> None:
    other = Machine(machine.home.with_name("set"), free_port(), machine.tree)
    file = other.home / "agents" / "agent.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("harness:\n  minimal:\n    capture: false\n  minimum:\n    capture: false\n")
    told = other.run("doctor").stdout
    assert "harness.minimum is not a setting; did you mean harness.minimal" in told
    assert "harness.minimal is not" not in told

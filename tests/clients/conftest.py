"""A user's machine: Claude Code connected, projects, a model API that answers; all of its own."""

import json
import re
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

import pytest

from fakes.claude_code import BINARY, ClaudeCode
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
from fakes.model_api import ModelApi, model_api
from fakes.waiting import wait_for

BLOCK: Final = re.compile(r"<intaglio-memory.*?</intaglio-memory>", re.DOTALL)


@dataclass(frozen=True)
class UserMachine:
    """One user's machine; the daemon runs only while a test wants it to."""

    home: Path
    port: int
    harness: ClassVar[str]

    @contextmanager
    def daemon(self) -> Generator[Daemon]:
        with running_daemon(self.home, self.port) as daemon:
            unhurry(daemon.paths, self.harness)
            yield daemon

    def intaglio(self, *args: str) -> str:
        env = daemon_env(self.home, self.port)
        done = run_command(*args, env=env, folder=self.home)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def project(self, name: str) -> Path:
        folder = self.home / "work" / name
        folder.mkdir(parents=True)
        subprocess.run(["git", "init", "-q", str(folder)], check=True)
        return folder


@dataclass(frozen=True)
class Machine(UserMachine):
    """A machine with Claude Code and its model."""

    model: ModelApi
    claude: ClaudeCode
    harness = "claude-code"

    def without_hooks(self) -> ClaudeCode:
        other = self.home.parent / "plain-home"
        other.mkdir()
        return ClaudeCode(other, self.model.url)


def wait_for_spool(daemon: Daemon) -> None:
    """Wait until the daemon has worked off what the hooks left while it was away."""
    wait_for(lambda: not list(daemon.paths.spool.glob("*.json")), "an empty spool")


def memories(daemon: Daemon, project: Path) -> list[dict[str, Any]]:
    """Return a project's live memories."""
    with daemon.client() as client:
        every = client.get("/api/memories").json()["memories"]
    return [each for each in every if each["project"] == str(project.resolve())]


def wait_for_memories(daemon: Daemon, project: Path, *contents: str) -> None:
    """Wait until these are all of a project: a hook that the daemon keeps waiting spools."""

    def are_there() -> bool:
        kept = sorted(each["content"] for each in memories(daemon, project))
        return kept == sorted(contents)

    wait_for(are_there, f"{contents} alone")


def blocks_of(request: dict[str, Any]) -> list[str]:
    """Return what a request to the model holds of ours, as the model reads it."""
    return [str(json.loads(f'"{text}"')) for text in BLOCK.findall(json.dumps(request))]


@contextmanager
def running_machine(folder: Path) -> Generator[Machine]:
    """Set up a machine below a folder while the block runs."""
    if not BINARY.exists():
        pytest.skip("Claude Code is not installed; `python3 app test` does it")
    home = folder / "home"
    home.mkdir()
    with model_api() as model:
        yield Machine(home, free_port(), model, ClaudeCode(home, model.url))


@pytest.fixture
def machine(tmp_path_factory: pytest.TempPathFactory) -> Generator[Machine]:
    # A Unix socket's path has at most 100 bytes: no test's name is part of it.
    with running_machine(tmp_path_factory.mktemp("m")) as running:
        # Without a model: finding by meaning is tested on the module's own machine.
        write_settings(running.home, NO_MODEL)
        yield running

"""Begins sessions in repositories whose commits were read, by the hooks of a real daemon."""

import sqlite3
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import httpx

from bench.commits.questions import CommitTask
from bench.figures import Series, cpu_ms
from bench.told.play import HookSession, connect_client
from fakes.daemon import Daemon

_READ_WITHIN_S: Final = 900.0


@dataclass(frozen=True, slots=True)
class PlayedTask:
    """A prompt and what its session was told with it."""

    task: CommitTask
    told: str


@dataclass(frozen=True, slots=True)
class Player:
    """Plays prompts; ``folders`` are the working trees by the repositories' names."""

    daemon: Daemon
    home: Path
    folders: Mapping[str, Path]

    def play(self, tasks: Sequence[CommitTask], prompts: Series) -> list[PlayedTask]:
        """Play all, each as the first prompt of a session; ``prompts`` takes what these cost."""
        connect_client(self.daemon, self.home)
        with self.daemon.client() as http:
            self._read_all(http)
            return [self._play(http, task, prompts) for task in tasks]

    def _play(self, http: httpx.Client, task: CommitTask, prompts: Series) -> PlayedTask:
        session = self._session(http, task.id, self.folders[task.repository])
        session.tell("SessionStart", source="startup")
        told: list[str] = []
        prompts.take(
            self.daemon.process.pid,
            lambda: told.append(session.tell("UserPromptSubmit", prompt=task.prompt)),
        )
        session.tell("SessionEnd", reason="prompt_input_exit")
        return PlayedTask(task, told[0])

    def _read_all(self, http: httpx.Client) -> None:
        """Begin a session in each repository, and wait until the daemon has read it."""
        pid = self.daemon.process.pid
        began, before = time.perf_counter(), cpu_ms(pid)
        for name, folder in self.folders.items():
            self._session(http, f"read-{name}", folder).tell("SessionStart", source="startup")
        wait_until_read(self.daemon.paths.database, self.folders.values())
        print(
            f"{len(self.folders)} repositories read in {time.perf_counter() - began:.0f} s, "
            f"the daemon's CPU {(cpu_ms(pid) - before) / 1000:.1f} s",
            flush=True,
        )

    def _session(self, http: httpx.Client, key: str, folder: Path) -> HookSession:
        return HookSession(http, self.home, folder, f"bench-{key}", datetime.now(UTC))


def wait_until_read(database: Path, folders: Iterable[Path]) -> None:
    """Wait until the commits and the code of projects are read up to their heads."""
    wanted = {(str(each), _head(each)) for each in folders}
    end = time.monotonic() + _READ_WITHIN_S
    while left := wanted - _read(database):
        if time.monotonic() > end:
            raise TimeoutError(f"not read in time: {sorted(left)}")
        time.sleep(0.5)


def _read(database: Path) -> set[tuple[str, str]]:
    """Return the projects that were read, each with its head."""
    commits = "SELECT project, head FROM commit_reading WHERE base = ''"
    code = "SELECT project, head FROM code_readings"
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as held:
        return {*held.execute(commits)} & {*held.execute(code)}


def _head(folder: Path) -> str:
    command = ("git", "-C", str(folder), "rev-parse", "HEAD")
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

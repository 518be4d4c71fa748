"""Begins sessions in repositories whose commits were read, by the hooks of a real daemon."""

import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

import httpx

from bench.commits.questions import CommitTask
from bench.figures import Series, cpu_ms
from bench.told.play import HookSession, connect_client
from fakes.daemon import Daemon
from intaglio.commits.vectors.embedding import MOST_EMBEDDED

_WITHIN_S: Final = 1_800.0


@dataclass(frozen=True, slots=True)
class PlayedTask:
    """A prompt and what its session was told with it."""

    task: CommitTask
    told: str


@dataclass(frozen=True, slots=True)
class Player:
    """Plays prompts; ``folders`` are the working trees by the repositories' names.

    ``has_model`` says whether the daemon embeds commits.
    """

    daemon: Daemon
    home: Path
    folders: Mapping[str, Path]
    has_model: bool

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
        database = self.daemon.paths.database
        _wait_for(partial(_unread, database, [*self.folders.values()]))
        if self.has_model:
            _wait_for(partial(_unembedded, database))
        print(
            f"{len(self.folders)} repositories read in {time.perf_counter() - began:.0f} s, "
            f"the daemon's CPU {(cpu_ms(pid) - before) / 1000:.1f} s",
            flush=True,
        )

    def _session(self, http: httpx.Client, key: str, folder: Path) -> HookSession:
        return HookSession(http, self.home, folder, f"bench-{key}", datetime.now(UTC))


def _wait_for(left: Callable[[], Sequence[str]]) -> None:
    end = time.monotonic() + _WITHIN_S
    while projects := left():
        if time.monotonic() > end:
            raise TimeoutError(f"not read in time: {projects}")
        time.sleep(0.5)


def _unread(database: Path, folders: Iterable[Path]) -> list[str]:
    """Return the projects whose commits or code aren't read up to their heads."""
    commits = "SELECT project, head FROM commit_reading WHERE base = ''"
    code = "SELECT project, head FROM code_readings"
    with closing(_opened(database)) as held:
        read = {*held.execute(commits)} & {*held.execute(code)}
    return [str(each) for each in folders if (str(each), _head(each)) not in read]


def _unembedded(database: Path) -> list[str]:
    """Return the projects whose newest commits lack vectors."""
    sql = (
        "SELECT project FROM commits LEFT JOIN commit_vectors v USING(seq) "
        "GROUP BY project HAVING count(v.seq) < min(count(*), ?)"
    )
    with closing(_opened(database)) as held:
        return [project for (project,) in held.execute(sql, (MOST_EMBEDDED,))]


def _opened(database: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)


def _head(folder: Path) -> str:
    command = ("git", "-C", str(folder), "rev-parse", "HEAD")
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

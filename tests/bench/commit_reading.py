"""What reading a large repository's commits costs, and whether hooks notice it."""

import argparse
import asyncio
import json
import os
import random
import resource
import sqlite3
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import count as numbers_from
from pathlib import Path
from typing import Final

import psutil

from bench.corpus import Corpus
from bench.figures import percentile
from bench.home import disk_bytes, temporary_home
from bench.hook_caller import Caller
from fakes.commits import commit_house
from fakes.daemon import Daemon, running_daemon
from fakes.git import git, output_of

_FILES: Final = 5_000
_FOLDERS: Final = 200
_SENTENCES: Final = (1, 2, 3, 5, 8)
_CHANGED: Final = (1, 1, 2, 3, 6)
_BEGAN: Final = 1_500_000_000
_WITHIN_S: Final = 1_800.0
_EVERY_S: Final = 0.2
_INCREMENTS: Final = 12


def _sentences(corpus: Corpus, count: int) -> str:
    return "\n".join(str(each["content"]) for each in corpus.memories(count))


def _stream(commits: int, with_body: float) -> Iterator[bytes]:
    """Yield a history for `git fast-import`: code that changes, messages of some sentences."""
    corpus, dice = Corpus(), random.Random(1)  # noqa: S311 - a repeatable roll, no secret
    for number in range(1, commits + 1):
        message = _sentences(corpus, 1)[:60]
        if dice.random() < with_body:
            message += f"\n\n{_sentences(corpus, dice.choice(_SENTENCES))}"
        written = message.encode()
        yield (
            b"commit refs/heads/main\ncommitter a <a@example.org> %d +0000\ndata %d\n%s"
            % (_BEGAN + number * 600, len(written), written)
        )
        for _ in range(dice.choice(_CHANGED)):
            file = dice.randrange(_FILES)
            code = b"".join(
                b"def function_%d_%d(value):\n    return value + %d\n\n\n" % (file, each, number)
                for each in range(8)
            )
            path = b"src/part_%d/module_%d.py" % (file % _FOLDERS, file)
            yield b"M 100644 inline %s\ndata %d\n%s\n" % (path, len(code), code)


def make_repository(folder: Path, commits: int, with_body: float) -> None:
    """Generate a repository."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    with tempfile.TemporaryFile() as stream:
        stream.writelines(_stream(commits, with_body))
        stream.seek(0)
        subprocess.run(["git", "fast-import", "--quiet"], cwd=folder, stdin=stream, check=True)
    git(folder, "repack", "-q", "-d")


def _cpu_s(pid: int) -> float:
    """Return the CPU seconds of a process and of all that it started and waited for."""
    used = psutil.Process(pid).cpu_times()
    return float(used.user + used.system + used.children_user + used.children_system)


@dataclass
class _Hooks:
    """Calls hooks as a session does, one after the other."""

    daemon: Daemon
    folder: str
    corpus: Corpus = field(default_factory=Corpus)
    numbers: Iterator[int] = field(default_factory=numbers_from)

    def call(self, event: str, folder: str | None = None) -> float:
        """Return the milliseconds that a hook took."""
        told = {
            "hook_event_name": event,
            "session_id": f"s{next(self.numbers)}",
            "cwd": folder or self.folder,
            "prompt": self.corpus.question(),
            "source": "startup",
        }
        began = time.perf_counter()
        Caller(self.daemon.port).post("/api/hooks/native/claude-code", told)
        return (time.perf_counter() - began) * 1000

    def prompts(self, times: int) -> list[float]:
        """Return what some prompts took."""
        taken = list[float]()
        for _ in range(times):
            taken.append(self.call("UserPromptSubmit"))
            time.sleep(_EVERY_S)
        return taken

    @contextmanager
    def meanwhile(self) -> Generator[list[float]]:
        """Measure prompts while the block runs."""
        taken, ended = list[float](), threading.Event()

        def go_on() -> None:
            while not ended.wait(_EVERY_S):
                taken.append(self.call("UserPromptSubmit"))

        thread = threading.Thread(target=go_on)
        thread.start()
        try:
            yield taken
        finally:
            ended.set()
            thread.join()


def _said(name: str, taken: list[float]) -> str:
    late = percentile(taken, 0.95)
    return f"{name:<38}p50 {statistics.median(taken):.1f}  p95 {late:.1f}  most {max(taken):.1f}"


def _reading(database: Path, project: Path) -> tuple[int, str, str]:
    """Return how many commits are stored, up to where, and why no further."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as held:
        row = held.execute(
            "SELECT (SELECT count(*) FROM commits), head || base, stopped "
            "FROM commit_reading WHERE project = ?",
            (str(project),),
        ).fetchone()
    return row or (0, "", "")


def _wait(database: Path, project: Path, head: str) -> int:
    """Wait until a project is read up to a commit; return how many commits are stored."""
    end = time.monotonic() + _WITHIN_S
    while time.monotonic() < end:
        stored, reached, stopped = _reading(database, project)
        if reached == head and not stopped:
            return stored
        time.sleep(0.1)
    raise TimeoutError(f"not read in time: {_reading(database, project)}")


def _head(folder: Path) -> str:
    return output_of(folder, "rev-parse", "HEAD").strip()


def _measure(home: Path, repository: Path) -> None:
    with running_daemon(home) as daemon:
        database = home / "agents/memory/intaglio.db"
        hooks = _Hooks(daemon, str(home))
        hooks.prompts(10)
        idle = hooks.prompts(50)
        pid, head = daemon.process.pid, _head(repository)
        quiet_began = time.perf_counter()
        quiet = _cpu_s(pid)
        hooks.prompts(50)
        per_s = (_cpu_s(pid) - quiet) / (time.perf_counter() - quiet_began)
        before, began = _cpu_s(pid), time.perf_counter()
        start = hooks.call("SessionStart", str(repository))
        with hooks.meanwhile() as busy:
            stored = _wait(database, repository, head)
        wall = time.perf_counter() - began
        spent = _cpu_s(pid) - before
        print(f"{stored:,} commits stored of the repository")
        print(f"first reading, s of CPU               {spent - wall * per_s:.1f} (with git's)")
        print(f"first reading, s                      {wall:.1f}")
        print(f"session start, ms                     {start:.1f}")
        print(_said("prompts before, ms", idle))
        print(_said("prompts meanwhile, ms", busy))
        print(_said("prompts in the project, ms", _Hooks(daemon, str(repository)).prompts(50)))


def _used_ms() -> float:
    """Return the CPU milliseconds of this process and of those that it waited for."""
    each = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum((used.ru_utime + used.ru_stime) * 1000 for used in each)


async def _measure_increments(folder: Path, repository: Path) -> None:
    """Measure readings in this process, in which nothing else runs."""
    async with commit_house(folder) as house:
        house.set(max_per_project=1_000)
        await house.read(repository)
        new, nothing, walls = list[float](), list[float](), list[float]()
        for number in range(_INCREMENTS):
            env = {"GIT_COMMITTER_DATE": f"{_BEGAN * 2 + number} +0000"}
            message = f"change {number}\n\nBecause it was wrong."
            git(repository, "commit", "-q", "--allow-empty", "-m", message, env=env)
            for taken in (new, nothing):
                before, began = _used_ms(), time.perf_counter()
                await house.read(repository)
                taken.append(_used_ms() - before)
                walls.append((time.perf_counter() - began) * 1000)
        # The first one also compares with what is reachable, as once a day.
        print(f"once a day, ms of CPU                 {new.pop(0):.0f}")
        print(_said("one new commit, ms of CPU", new))
        print(_said("one new commit, ms", walls[2::2]))
        print(_said("nothing new, ms of CPU", nothing))


def main(arguments: list[str]) -> None:
    """Generate a repository, have the daemon read it, and print what that costs."""
    parser = argparse.ArgumentParser(prog="bench commits-read", description=__doc__)
    parser.add_argument("--commits", type=int, default=100_000)
    parser.add_argument("--bodies", type=float, default=0.2, help="share of commits with a body")
    parser.add_argument("--repository", type=Path, help="generated here, or used if it is there")
    options = parser.parse_args(arguments)
    with temporary_home() as home:
        repository = Path(os.path.realpath(options.repository or home / "repository"))
        if not repository.exists():
            began = time.perf_counter()
            make_repository(repository, options.commits, options.bodies)
            print(f"repository generated in {time.perf_counter() - began:.0f} s")
        (home / "agents").mkdir(parents=True, exist_ok=True)
        (home / "agents/agent.yaml").write_text(json.dumps({"embedding": {"provider": "none"}}))
        with running_daemon(home):
            pass
        empty = disk_bytes(home)
        _measure(home, repository)
        stored, _, _ = _reading(home / "agents/memory/intaglio.db", repository)
        print(f"bytes of a stored commit              {(disk_bytes(home) - empty) / stored:,.0f}")
        asyncio.run(_measure_increments(home / "increments", repository))

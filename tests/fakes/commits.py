"""What reads commits, over a real database and real repositories."""

import asyncio
import os
import shutil
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from fakes.git import git, output_of
from fakes.store import Bench, bench
from intaglio.base.background_tasks import BackgroundTasks
from intaglio.base.bus import EventBus
from intaglio.base.clock import monotonic_s
from intaglio.base.settings.values import Settings
from intaglio.commits import rows
from intaglio.commits.learnings import RevertLearnings
from intaglio.commits.reading import CommitReader
from intaglio.commits.settings import CommitSettings
from intaglio.commits.upkeep import CommitUpkeep
from intaglio.commits.values import ReadingState, StoredCommit
from intaglio.git.command import Git
from intaglio.store.tx import Protect, unprotected


@dataclass
class CommitHouse:
    """The reader and the service over it; nothing waits."""

    bench: Bench
    git: Git = field(default_factory=lambda: Git(shutil.which("git")))
    settings: Settings = field(default_factory=Settings)
    limit_s: float = 240.0
    background: BackgroundTasks = field(default_factory=BackgroundTasks)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    bus: EventBus = field(default_factory=EventBus)

    def __post_init__(self) -> None:
        self.upkeep = CommitUpkeep(
            db=self.bench.db,
            clock=self.bench.clock,
            settings=lambda: self.settings,
            reader=self.reader,
            learnings=self.learnings,
            background=self.background,
            bus=self.bus,
            pause=_briefly,
            turn=self.turn,
        )

    @property
    def learnings(self) -> RevertLearnings:
        return RevertLearnings(self.bench.db, self.bench.context, lambda: self.settings)

    @property
    def reader(self) -> CommitReader:
        return CommitReader(
            db=self.bench.db,
            git=self.git,
            clock=self.bench.clock,
            settings=lambda: self.settings,
            in_thread=asyncio.to_thread,
            pause=_briefly,
            seconds=monotonic_s,
            wanted=self._wanted,
            limit_s=self.limit_s,
        )

    async def _wanted(self, project: str) -> bool:
        return await self.upkeep.wanted(project)

    def set(self, **changes: object) -> None:
        """Change settings of commits."""
        commits = replace(self.settings.of(CommitSettings), **changes)  # type: ignore[arg-type]  # a test's own names
        self.settings = self.settings.having(commits)

    async def read(self, folder: Path) -> int:
        return await self.reader.read(str(folder))

    async def stored(self, folder: Path | None = None) -> list[StoredCommit]:
        key = None if folder is None else str(folder)
        sql = "SELECT seq FROM commits WHERE ?1 IS NULL OR project = ?1"
        return await self.bench.db.read(lambda tx: rows.read_many(tx, tx.column(int, sql, (key,))))

    async def subjects(self, folder: Path | None = None) -> list[str]:
        return [each.subject for each in await self.stored(folder)]

    async def state(self, folder: Path) -> ReadingState:
        return await self.bench.db.read(lambda tx: rows.state(tx, str(folder)))


async def _briefly(_: float) -> None:
    await asyncio.sleep(0)


@asynccontextmanager
async def commit_house(folder: Path, protect: Protect = unprotected) -> AsyncGenerator[CommitHouse]:
    """Open a database with what reads commits."""
    async with bench(folder, protect) as opened:
        house = CommitHouse(opened)
        yield house
        await house.background.finish(60)


_EARLIEST = 1_700_000_000


@dataclass
class Written:
    """A repository whose commits are a minute apart."""

    folder: Path
    moment: int = _EARLIEST

    def commit(
        self,
        message: str,
        files: Sequence[str] = (),
        *,
        text: str = "",
        options: Sequence[str] = (),
    ) -> str:
        """Write files and commit them; returns the hash."""
        self.moment += 60
        for name in files:
            file = self.folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text or f"{self.moment}\n")
            git(self.folder, "--literal-pathspecs", "add", "--", name)
        self.run("commit", "-q", "--allow-empty", "-m", message, *options)
        return self.head

    def run(self, *arguments: str) -> None:
        """Run git at this repository's time."""
        at = f"{self.moment} +0000"
        git(self.folder, *arguments, env={"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at})

    @property
    def head(self) -> str:
        return output_of(self.folder, "rev-parse", "HEAD").strip()


def empty_repository(folder: Path) -> Written:
    """Make a repository without commits."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    return Written(Path(os.path.realpath(folder)))


def history(count: int) -> bytes:
    """Return a stream of commits with bodies for `git fast-import`."""
    parts = list[bytes]()
    for number in range(count):
        message = f"commit {number}\n\nBecause it matters.".encode()
        parts.append(
            b"commit refs/heads/main\nmark :%d\ncommitter a <a@example.org> %d +0000\ndata %d\n%s\n"
            % (number + 1, 1_600_000_000 + number, len(message), message)
        )
    return b"".join(parts)

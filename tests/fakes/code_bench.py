"""The index and the places of a real repository over a real database."""

import asyncio
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

from fakes.git import git
from fakes.store import Bench
from intaglio.base.process.threads import RunInThread
from intaglio.code import place_rows
from intaglio.code.checking import PlaceChecks
from intaglio.code.index import CodeIndex, ReadOutcome
from intaglio.code.locating import LOCATE, MemoryLocator
from intaglio.code.settings import CodeSettings
from intaglio.code.staleness import PlaceMarks
from intaglio.code.upkeep import CodeUpkeep
from intaglio.code.values import MemoryPlace, PlaceMark
from intaglio.git.command import Git
from intaglio.jobs import rows as queue
from intaglio.memory.operations import Audit, modify
from intaglio.memory.values import Actor, Change
from intaglio.pipeline.ingest import Remember, Saved


async def no_pause(_: float) -> None:
    """Rest not at all."""


LATEST = "2026-01-31T08:00:00.000Z"


@dataclass
class CodeBench:
    """A repository whose code is indexed, and memories about it."""

    bench: Bench
    root: Path
    limit_s: float = 120.0
    asked: int = 0
    _held: asyncio.Event = field(default_factory=asyncio.Event)
    git: Git = field(default_factory=lambda: Git(shutil.which("git")))

    @property
    def project(self) -> str:
        """The key of the repository's project."""
        return str(self.root)

    @property
    def index(self) -> CodeIndex:
        """What reads the checked-out commit."""
        return CodeIndex(
            db=self.bench.db,
            git=self.git,
            clock=self.bench.clock,
            seconds=asyncio.get_running_loop().time,
            in_thread=asyncio.to_thread,
            pause=no_pause,
            limit_s=self.limit_s,
        )

    @property
    def locator(self) -> MemoryLocator:
        """What finds places."""
        return MemoryLocator(
            db=self.bench.db, context=self.bench.context, in_thread=asyncio.to_thread
        )

    @property
    def checks(self) -> PlaceChecks:
        """What checks places in the background."""
        return PlaceChecks(
            db=self.bench.db,
            git=self.git,
            context=self.bench.context,
            seconds=asyncio.get_running_loop().time,
            in_thread=asyncio.to_thread,
        )

    @property
    def upkeep(self) -> CodeUpkeep:
        """What follows projects."""
        return CodeUpkeep(
            db=self.bench.db,
            context=self.bench.context,
            index=self.index,
            locator=self.locator,
            checks=self.checks,
            pause=no_pause,
        )

    def marks(self, check_ms: int = 10_000) -> PlaceMarks:
        """Return what marks memories, in as much time as it needs."""
        return PlaceMarks(
            db=self.bench.db,
            settings=lambda: CodeSettings(check_ms=check_ms),
            seconds=asyncio.get_running_loop().time,
            in_thread=asyncio.to_thread,
        )

    def hanging_marks(self) -> PlaceMarks:
        """Return what marks memories on a disk that doesn't answer until it is let go."""

        async def hang(_: object) -> None:
            self.asked += 1
            await self._held.wait()

        return replace(self.marks(check_ms=1), in_thread=cast("RunInThread", hang))

    def let_go(self) -> None:
        """Let the disk answer."""
        self._held.set()

    async def read(self) -> ReadOutcome:
        """Read what is new in the checked-out commit."""
        return await self.index.read(self.project)

    async def follow(self) -> None:
        """Do what the daemon does after a session started."""
        await self.upkeep.follow(self.project, LATEST)

    async def save(self, content: str, type_: str = "fact", *, pinned: bool = False) -> str:
        """Save a memory of the project."""
        asked = Remember(
            content=content,
            actor=Actor("cli"),
            project=self.project,
            type=type_,
            pinned=pinned,
        )
        saved = await self.bench.ingest.remember(asked)
        assert isinstance(saved, Saved), saved
        return saved.id

    async def remember(self, content: str, type_: str = "fact", *, pinned: bool = False) -> str:
        """Save a memory of the project and find its places."""
        memory_id = await self.save(content, type_, pinned=pinned)
        await self.locator.locate(memory_id)
        return memory_id

    async def reword(self, memory_id: str, content: str) -> None:
        """Give a memory another text, and run the job that this queues."""
        audit, context = Audit(Actor("cli")), self.bench.context
        change = Change(content=content)
        await self.bench.db.write(lambda tx: modify(tx, memory_id, change, audit, context))
        await self.run_jobs()

    async def run_jobs(self) -> None:
        """Run the waiting jobs that find places."""
        context = self.bench.context
        leased = await self.bench.db.write(
            lambda tx: queue.lease(tx, [(LOCATE, 9)], context.new_id(), context.clock(), 3)
        )
        for job in leased:
            await self.locator.run(job)

    async def places(self, memory_id: str) -> Sequence[MemoryPlace]:
        """Return the places of a memory."""
        return await self.bench.db.read(lambda tx: place_rows.of_memories(tx, [memory_id]))

    async def mark(self, memory_id: str) -> PlaceMark | None:
        """Return what a session would be told of the memory now."""
        return (await self.marks().of([memory_id], self.project)).get(memory_id)

    def write(self, files: Mapping[str, str]) -> None:
        """Write files of the working tree."""
        for path, text in files.items():
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")

    def add_worktree(self, name: str) -> Path:
        """Return a second working tree of the repository."""
        folder = self.root.with_name(name)
        git(self.root, "worktree", "add", "-q", str(folder))
        return folder

    def commit(self, message: str = "change") -> None:
        """Commit all of the working tree."""
        git(self.root, "add", "-A")
        git(self.root, "commit", "-q", "--allow-empty", "-m", message)

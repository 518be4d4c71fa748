"""Keeps memories in step with the memory files of the workspace and of harnesses."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

from intaglio.base.clock import Clock, iso
from intaglio.base.process.threads import RunInThread
from intaglio.base.settings.values import Settings
from intaglio.memory import rows as memories
from intaglio.memory.operations import ChangeContext
from intaglio.memory.settings import MemorySettings
from intaglio.memory_files import disk, rows
from intaglio.memory_files.apply import FileWriter
from intaglio.memory_files.changes import line_changes
from intaglio.memory_files.disk import FilePlace
from intaglio.memory_files.settings import MemoryFileSettings
from intaglio.memory_files.values import (
    FileLine,
    FilesRead,
    FileVersion,
    KnownFile,
    KnownLine,
    LineChanges,
    MemoryFile,
)
from intaglio.pauses.service import pause_state
from intaglio.projects import settings_rows
from intaglio.sessions import rows as sessions
from intaglio.sessions.statements.values import ClaimType
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx

FindPlaces: TypeAlias = Callable[[Settings, tuple[str, ...]], Iterable[FilePlace]]
"""Lists the folders to read, given the settings and the keys of the known projects."""

Write: TypeAlias = Callable[[WriteTx], bool]
"""Writes one change; False if it has to wait."""

MOST_STATEMENTS: Final = 5_000
"""The most statements that are read in all files together."""

_SETTLED_S: Final = 1.5
_BATCH: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFiles:
    """Reads memory files that changed, and writes what that changes, in short transactions.

    ``claimed_type`` says what a statement claims of the user or tells agents to do; ``project_key``
    resolves a directory; ``is_taken_back`` says which files stay away. ``turn`` is a lock: one
    reading at a time.
    """

    db: Database
    clock: Clock
    settings: Callable[[], Settings]
    context: ChangeContext
    in_thread: RunInThread
    find: FindPlaces
    claimed_type: Callable[[str], Awaitable[ClaimType | None]]
    project_key: Callable[[str | None], Awaitable[str | None]]
    is_taken_back: Callable[[ReadTx, str], bool]
    turn: AbstractAsyncContextManager[object]
    most: int = MOST_STATEMENTS

    async def read(self) -> FilesRead:
        """Read the files that changed since they were read; nothing while capture is paused."""
        async with self.turn:
            settings = self.settings()
            if settings.of(MemorySettings).frozen or not settings.of(MemoryFileSettings).enabled:
                return FilesRead()
            now = self.clock()
            paused, known = await self.db.read(
                lambda tx: (pause_state(tx, now).paused, rows.files(tx))
            )
            if paused:
                return FilesRead()
            places = await self._places(settings)
            files = await self.in_thread(
                lambda: [each for place in places for each in disk.files_in(place)]
            )
            return await self._read(files[: disk.MAX_FILES], known)

    async def counts(self) -> dict[str, int]:
        """Return how many live memories were read in each file, by its path."""
        return await self.db.read(rows.counts)

    async def folders(self) -> list[Path]:
        """Return the folders that are read."""
        return [each.memory.folder for each in await self._places(self.settings())]

    async def _places(self, settings: Settings) -> list[FilePlace]:
        projects = await self.db.read(sessions.projects)
        return await self.in_thread(lambda: list(self.find(settings, tuple(projects))))

    async def _read(self, files: Sequence[MemoryFile], known: dict[str, KnownFile]) -> FilesRead:
        total = FilesRead()
        paths = {str(file.path) for file in files}
        gone = await self.in_thread(
            lambda: [
                each for each in known.values() if each.path not in paths and disk.is_gone(each)
            ]
        )
        for file in files:
            version = await self.in_thread(partial(disk.version_of, file.path))
            if version is None or not self._is_settled(version):
                continue
            former = known.get(str(file.path))
            if former is None:
                former = await self._renamed(file, version, gone)
            if former is not None and former.version == version and not former.waiting:
                continue
            total = _sum(total, await self._follow(file, version))
        for each in gone:
            total = _sum(total, await self._drop(each))
        return total

    def _is_settled(self, version: FileVersion) -> bool:
        """Whether nobody seems to be writing the file; a time in the future says nothing."""
        age = self.clock().timestamp() - version.modified_ns / 1e9
        return not 0 <= age < _SETTLED_S

    async def _renamed(
        self, file: MemoryFile, version: FileVersion, gone: list[KnownFile]
    ) -> KnownFile | None:
        """Give a file the statements of the one that it was before; it isn't gone then."""
        former = next((each for each in gone if disk.may_be_renamed(each, file, version)), None)
        if former is None:
            return None
        gone.remove(former)
        renamed = replace(former, path=str(file.path))

        def work(tx: WriteTx) -> None:
            moved = rows.rename_file(tx, former.path, renamed.path)
            memories.set_source_path(tx, moved, renamed.path)
            rows.put_file(tx, renamed, self.context.now)

        await self.db.write(work)
        return renamed

    async def _follow(self, file: MemoryFile, version: FileVersion) -> FilesRead:
        """Read a file and write what has changed in it."""
        path = str(file.path)
        lines = await self._lines(file, version)
        if lines is None or await self.db.read(lambda tx: self.is_taken_back(tx, path)):
            return FilesRead()
        known, contents = await self.db.read(lambda tx: _known(tx, path))
        others = await self.db.read(lambda tx: rows.count_of_others(tx, path))
        kept = lines[: max(0, self.most - others)]
        changes = await self.in_thread(lambda: line_changes(kept, known, contents))
        written_at = iso(datetime.fromtimestamp(version.modified_ns / 1e9, UTC))
        writer = FileWriter(file, written_at, self.context)
        waiting = await self._write(await self._writes(writer, changes))
        done = KnownFile(path, file.harness, version, waiting)
        await self.db.write(lambda tx: rows.put_file(tx, done, self.context.now))
        return FilesRead(
            files=1,
            added=len(changes.added) + len(changes.returned),
            edited=len(changes.edited),
            removed=len(changes.removed),
        )

    async def _lines(self, file: MemoryFile, version: FileVersion) -> list[FileLine] | None:
        """Return the statements of a file that may be kept, each with its project."""
        sections = await self.in_thread(lambda: disk.read_sections(file, version))
        if sections is None:
            return None
        found: list[FileLine] = []
        for section in sections:
            key = file.project
            if section.directory is not None:
                key = await self.project_key(section.directory)
                if key is None:
                    continue
            found += [replace(line, project=key) for line in section.lines]
        kept = await self.db.read(lambda tx: _kept_projects(tx, {each.project for each in found}))
        return [each for each in found if each.project in kept]

    async def _writes(self, writer: FileWriter, changes: LineChanges) -> list[Write]:
        """Return the changes to write; what a statement claims is found out before."""
        found = [_removing(writer, old) for old in changes.removed]
        for old, line in changes.edited:
            claim = await self.claimed_type(line.content)
            found.append(partial(writer.edit, old=old, line=line, claim=claim))
        for old, line in changes.returned:
            claim = await self.claimed_type(line.content)
            found.append(partial(writer.bring_back, old=old, line=line, claim=claim))
        for line in changes.added:
            claim = await self.claimed_type(line.content)
            found.append(partial(writer.add, line=line, claim=claim))
        return found

    async def _write(self, writes: Sequence[Write]) -> int:
        """Write in short transactions; return how many have to wait."""
        waiting = 0
        for at in range(0, len(writes), _BATCH):
            waiting += await self.db.write(partial(_write_all, writes[at : at + _BATCH]))
        return waiting

    async def _drop(self, gone: KnownFile) -> FilesRead:
        """Forget what was read in a file that was deleted."""
        file = MemoryFile(path=Path(gone.path), harness=gone.harness)
        writer = FileWriter(file, self.context.now, self.context)
        known = await self.db.read(lambda tx: rows.lines(tx, gone.path))
        left = [each for each in known if each.removed_at is None]
        await self._write([_removing(writer, each) for each in left])
        await self.db.write(lambda tx: rows.delete_file(tx, gone.path))
        return FilesRead(files=1, removed=len(left))


def _write_all(batch: Sequence[Write], tx: WriteTx) -> int:
    return sum(not write(tx) for write in batch)


def _removing(writer: FileWriter, old: KnownLine) -> Write:
    def work(tx: WriteTx) -> bool:
        writer.remove(tx, old)
        return True

    return work


def _known(tx: ReadTx, path: str) -> tuple[list[KnownLine], dict[str, str]]:
    """Return a file's known statements, and the contents of their memories by their ids."""
    known = rows.lines(tx, path)
    found = memories.by_ids(tx, [each.memory_id for each in known if each.memory_id])
    contents = {each.id: found[each.memory_id].content for each in known if each.memory_id in found}
    return known, contents


def _kept_projects(tx: ReadTx, projects: set[str | None]) -> set[str | None]:
    return {each for each in projects if settings_rows.chosen(tx, each).capture is not False}


def _sum(one: FilesRead, other: FilesRead) -> FilesRead:
    return FilesRead(
        one.files + other.files,
        one.added + other.added,
        one.edited + other.edited,
        one.removed + other.removed,
    )

"""Memory files on disk, and the service that reads them into a real database."""

import asyncio
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from fakes.sessions import House
from intaglio.base.settings.values import Settings
from intaglio.harness.own_files import MemoryFolder
from intaglio.inbox import rows as inbox
from intaglio.inbox.values import InboxItem, ItemFilter
from intaglio.memory import rows as memories
from intaglio.memory.filters import Filter
from intaglio.memory.values import Memory
from intaglio.memory_files.disk import FilePlace, workspace_place
from intaglio.memory_files.service import MOST_STATEMENTS, MemoryFiles
from intaglio.memory_files.values import FilesRead
from intaglio.sessions.statements.claim_words import ClaimWords

_LONG_AGO_S: Final = 60


async def _same(text: str | None) -> str | None:
    return text


@dataclass
class Shelf:
    """A memory folder; ``places`` are those of harnesses, ``taken_back`` the files to stay away."""

    house: House
    folder: Path
    places: dict[str, list[MemoryFolder]] = field(default_factory=dict[str, list[MemoryFolder]])
    taken_back: set[str] = field(default_factory=set[str])
    written: int = 0
    most: int = MOST_STATEMENTS
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def files(self) -> MemoryFiles:
        bench = self.house.bench
        return MemoryFiles(
            db=bench.db,
            clock=bench.clock,
            settings=lambda: self.house.settings,
            context=bench.context,
            in_thread=asyncio.to_thread,
            find=self._find,
            claimed_type=ClaimWords(self.house.capture).type_of,
            project_key=_same,
            is_taken_back=lambda _, path: path in self.taken_back,
            turn=self._turn,
            most=self.most,
        )

    def _find(self, _: Settings, __: tuple[str, ...]) -> Iterator[FilePlace]:
        yield workspace_place(self.folder)
        for harness, places in self.places.items():
            yield from (FilePlace(harness, each) for each in places)

    def write(self, name: str, text: str | bytes, *, age_s: float = 3_600) -> Path:
        """Write a file as if about that long ago, a second after the last one."""
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        self.written += age_s > _LONG_AGO_S
        at = self.house.bench.clock.moment.timestamp() - age_s + self.written
        os.utime(file, (at, at))
        return file

    async def save(self, name: str, text: str | bytes, *, age_s: float = 3_600) -> FilesRead:
        """Write a file and read all that changed."""
        self.write(name, text, age_s=age_s)
        return await self.files.read()

    async def memories(self, *, forgotten: bool = False) -> list[Memory]:
        """Return the memories in the order in which they were stored."""
        wanted = Filter(forgotten=forgotten)
        page = await self.house.bench.db.read(lambda tx: memories.page(tx, wanted, 100, None))
        return sorted(page.memories, key=lambda each: each.seq)

    async def contents(self) -> list[str]:
        return [each.content for each in await self.memories()]

    async def suggestions(self) -> list[InboxItem]:
        page = await self.house.bench.db.read(lambda tx: inbox.page(tx, ItemFilter(), 100, None))
        return list(page.items)

    async def in_project(self, content: str) -> str | None:
        found = {each.content: each.scope.project for each in await self.memories()}
        return found[content]

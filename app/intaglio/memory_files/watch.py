"""Reads memory files soon after they change; the slow rescan finds what isn't told of."""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from intaglio.base.errors import UnavailableError
from intaglio.base.files.watching import FileWatcher, WatchedFolder
from intaglio.memory_files.service import MemoryFiles
from intaglio.store.values import Ready

_DEBOUNCE_S: Final = 2.0
_MOST_FOLDERS: Final = 200
_FRESH_S: Final = 600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFileWatch:
    """Follows the folders of memory files; they are listed anew every ``fresh_s`` seconds.

    A session in a new project may add one.
    """

    files: MemoryFiles
    debounce_s: float = _DEBOUNCE_S
    fresh_s: float = _FRESH_S

    async def run(self) -> None:
        """Read what changes until cancelled."""
        while True:
            stop = asyncio.Event()
            asyncio.get_running_loop().call_later(self.fresh_s, stop.set)
            watcher = FileWatcher(
                folders=[WatchedFolder(path) for path in await self._folders()],
                stop=stop,
                debounce_s=self.debounce_s,
                check_s=self.debounce_s,
                wanted=lambda path: path.suffix == ".md",
            )
            async with aclosing(watcher.changes()) as changes:
                async for _ in changes:
                    await self._read()

    async def _folders(self) -> Sequence[Path]:
        try:
            return (await self.files.folders())[:_MOST_FOLDERS]
        except UnavailableError:
            return ()

    async def _read(self) -> None:
        if isinstance(self.files.db.state, Ready):
            try:
                await self.files.read()
            except UnavailableError:
                # The rescan follows.
                return

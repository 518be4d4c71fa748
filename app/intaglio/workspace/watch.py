"""Syncs whenever a file, a setting or a connection changes, and once a minute in any case."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from intaglio.base.bus import EventBus
from intaglio.base.errors import UnavailableError
from intaglio.base.events import BusEvent, Changed, Resync, SettingsChanged
from intaglio.base.files.watching import FileWatcher, WatchedFolder
from intaglio.base.log import get_logger
from intaglio.connect.instructions import INSTRUCTION_FILES
from intaglio.store.database import Database
from intaglio.store.values import Ready
from intaglio.workspace.conflicts import DECIDED
from intaglio.workspace.files import AGENTS
from intaglio.workspace.sync import WorkspaceSync
from intaglio.workspace.values import TOPIC

DEBOUNCE_S: Final = 2.0
_EVERY_S: Final = 60.0
_FIRST_S: Final = 5.0
_OWN_NAMES: Final = frozenset((*INSTRUCTION_FILES, "agent.yaml"))
_TOPICS: Final = frozenset({"harnesses", "projects", "settings"})


@dataclass(slots=True)
class _Watching:
    is_on: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceWatch:
    """Follows changes and syncs; ``more_files`` are further files that it looks at."""

    sync: WorkspaceSync
    db: Database
    bus: EventBus
    more_files: Callable[[], Iterable[Path]]
    debounce_s: float = DEBOUNCE_S
    check_s: float = DEBOUNCE_S
    first_s: float = _FIRST_S
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep
    _state: _Watching = field(default_factory=_Watching)

    @property
    def is_watching(self) -> bool:
        """Whether changes are followed right now."""
        return self._state.is_on

    async def run(self) -> None:
        """Sync until cancelled."""
        # Startup belongs to new sessions.
        await self.pause(self.first_s)
        due = asyncio.Event()
        due.set()
        follower = asyncio.create_task(self._follow_bus(due))
        try:
            while True:
                await self._watch_folders(self._folders(), due)
        finally:
            follower.cancel()
            await asyncio.gather(follower, return_exceptions=True)

    async def _watch_folders(self, folders: Sequence[WatchedFolder], due: asyncio.Event) -> None:
        """Sync until other folders are to be watched."""
        stop = asyncio.Event()
        watcher = asyncio.create_task(self._follow_files(folders, due, stop))
        self._state.is_on = True
        try:
            while self._folders() == folders and not watcher.done():
                with suppress(TimeoutError):
                    async with asyncio.timeout(_EVERY_S):
                        await due.wait()
                due.clear()
                await self._sync(due)
        finally:
            self._state.is_on = False
            stop.set()
            watcher.cancel()
            await asyncio.gather(watcher, return_exceptions=True)

    async def _sync(self, due: asyncio.Event) -> None:
        if not isinstance(self.db.state, Ready):
            await self.pause(self.check_s)
            due.set()
            return
        try:
            report = await self.sync.sync()
        except UnavailableError as error:
            get_logger("workspace").info("postponed", reason=error.detail)
            return
        if report.retry:
            await self.pause(self.debounce_s)
            due.set()

    async def _follow_files(
        self, folders: Sequence[WatchedFolder], due: asyncio.Event, stop: asyncio.Event
    ) -> None:
        watcher = FileWatcher(
            folders=folders,
            stop=stop,
            debounce_s=self.debounce_s,
            check_s=self.check_s,
            wanted=self._wanted(),
            refused=lambda why: get_logger("workspace").warning("listing folders", reason=why),
        )
        async with aclosing(watcher.changes()) as changes:
            async for _ in changes:
                due.set()

    async def _follow_bus(self, due: asyncio.Event) -> None:
        with self.bus.listen() as events:
            while True:
                if _concerns(await events.get()):
                    due.set()

    def _files(self) -> set[Path]:
        last = self.sync.last
        targets = () if last is None else last.targets
        files = {*self.more_files(), *(each.file for each, _ in targets)}
        # Of a link, what it leads to is what changes.
        return files | {Path(os.path.realpath(each)) for each in files}

    def _folders(self) -> list[WatchedFolder]:
        workspace = self.sync.workspace
        own = [WatchedFolder(workspace), WatchedFolder(workspace / AGENTS, recursive=True)]
        parents = {file.parent for file in self._files()} - {workspace}
        others = {each for each in parents if not each.is_relative_to(workspace / AGENTS)}
        return [*own, *(WatchedFolder(each) for each in sorted(others))]

    def _wanted(self) -> Callable[[Path], bool]:
        workspace, files = self.sync.workspace, self._files()

        def is_wanted(path: Path) -> bool:
            if path.is_relative_to(workspace / AGENTS):
                return True
            return path in files or (path.parent == workspace and path.name in _OWN_NAMES)

        return is_wanted


def _concerns(event: BusEvent) -> bool:
    match event:
        case SettingsChanged() | Resync():
            return True
        case Changed(topic=topic, what=what):
            return topic in _TOPICS or (topic == TOPIC and what == DECIDED)
        case _:
            return False

"""Watches files: sets of changed paths, once nothing has changed for a moment.

The system tells of changes (`watchfiles`). Where it can't, as when a user watches as many folders
as the system allows, the folders are listed every few seconds instead.
"""

import asyncio
import os
import re
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

_STEP_MS: Final = 200
_MOST_DEBOUNCES: Final = 5
_MOST_ENTRIES: Final = 20_000
_TEMPORARY: Final = re.compile(r"[#~]|\d{4}$|___jb_")
_TEMPORARY_ENDS: Final = ("~", "#", ".tmp", ".part", ".swp", ".swx", ".bak", ".crdownload")

_Stamp: TypeAlias = tuple[int, int, int]
_Batches: TypeAlias = AsyncGenerator[frozenset[Path]]


@dataclass(frozen=True, slots=True)
class WatchedFolder:
    """A folder to watch, with the folders in it if ``recursive``."""

    path: Path
    recursive: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FileWatcher:
    """Watches folders until ``stop`` is set.

    A folder may be missing, be removed and appear again. Its own path is among the changes once it
    is watched, as what changed in it before isn't known.
    ``wanted`` leaves out paths that nobody asks for; hidden and temporary files are always left
    out. Changes are told once there has been none for ``debounce_s``, and at the latest after five
    times that. ``check_s`` is how often missing folders are looked for, and how often folders are
    listed where the system doesn't tell of changes; ``refused`` is told why it doesn't.
    """

    folders: Sequence[WatchedFolder]
    stop: asyncio.Event
    debounce_s: float = 2.0
    check_s: float = 2.0
    wanted: Callable[[Path], bool] = lambda _: True
    refused: Callable[[str], object] = str
    native: bool = True

    async def changes(self) -> AsyncGenerator[frozenset[Path]]:
        """Yield the paths that have changed."""
        queue: asyncio.Queue[frozenset[Path] | None] = asyncio.Queue()
        pump = asyncio.create_task(self._pump(queue))
        try:
            while (batch := await queue.get()) is not None:
                changed, is_over = await self._quiet(batch, queue)
                yield changed
                if is_over:
                    break
            await pump
        finally:
            pump.cancel()
            await asyncio.gather(pump, return_exceptions=True)

    async def _quiet(
        self, changed: frozenset[Path], queue: "asyncio.Queue[frozenset[Path] | None]"
    ) -> tuple[frozenset[Path], bool]:
        """Add what changes until nothing does; say whether the watching is over."""
        loop = asyncio.get_running_loop()
        until = loop.time() + _MOST_DEBOUNCES * self.debounce_s
        while (left := min(self.debounce_s, until - loop.time())) > 0:
            try:
                async with asyncio.timeout(left):
                    batch = await queue.get()
            except TimeoutError:
                break
            if batch is None:
                return changed, True
            changed |= batch
        return changed, False

    async def _pump(self, queue: "asyncio.Queue[frozenset[Path] | None]") -> None:
        try:
            native = self.native
            while not self.stop.is_set():
                batches = self._native() if native else self._listed()
                try:
                    async with aclosing(batches):
                        async for batch in batches:
                            queue.put_nowait(batch)
                except _CannotWatchError as error:
                    self.refused(str(error))
                    native = False
        finally:
            queue.put_nowait(None)

    async def _native(self) -> _Batches:
        """Yield changes until a folder appears, disappears or is replaced."""
        identities = await asyncio.to_thread(self._identities)
        present = [each for each in self.folders if identities[each.path] is not None]
        if not present:
            await self._pause()
        else:
            told = _Told(present, self.stop, self.check_s, self._is_wanted)
            unknown = {each.path for each in present}
            async with aclosing(told.batches()) as batches:
                async for batch in batches:
                    if batch:
                        yield batch
                    # A folder that took another's place may have its number, too.
                    own = batch & identities.keys()
                    if own - unknown or await asyncio.to_thread(self._identities) != identities:
                        break
                    unknown -= own
        now = await asyncio.to_thread(self._identities)
        moved = frozenset(path for path, one in now.items() if one != identities[path])
        if moved:
            yield moved

    async def _listed(self) -> _Batches:
        """Yield how the listings of the folders differ, one from the next."""
        before = await asyncio.to_thread(self._listing)
        yield frozenset(each.path for each in self.folders)
        while not self.stop.is_set():
            await self._pause()
            now = await asyncio.to_thread(self._listing)
            changed = {path for path, _ in before.items() ^ now.items()}
            before = now
            if changed:
                yield frozenset(changed)

    async def _pause(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(self.check_s):
                await self.stop.wait()

    def _identities(self) -> dict[Path, tuple[int, int] | None]:
        return {each.path: _identity(each.path) for each in self.folders}

    def _listing(self) -> Mapping[Path, _Stamp]:
        found: dict[Path, _Stamp] = {}
        for each in self.folders:
            self._list(each.path, found, recursive=each.recursive)
        return found

    def _list(self, folder: Path, found: dict[Path, _Stamp], *, recursive: bool) -> None:
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    path = Path(entry.path)
                    if len(found) >= _MOST_ENTRIES or is_temporary(entry.name):
                        continue
                    if recursive and entry.is_dir(follow_symlinks=False):
                        self._list(path, found, recursive=True)
                    elif self.wanted(path):
                        facts = entry.stat()
                        found[path] = (facts.st_ino, facts.st_mtime_ns, facts.st_size)
        except OSError:
            return

    def _is_wanted(self, path: Path) -> bool:
        for each in self.folders:
            if path == each.path:
                return True
            if path.is_relative_to(each.path):
                within = path.relative_to(each.path).parts
                return not any(map(is_temporary, within)) and self.wanted(path)
        return False


@dataclass(frozen=True, slots=True)
class _Told:
    """What the system tells of folders; an empty batch every ``check_s``."""

    folders: Sequence[WatchedFolder]
    stop: asyncio.Event
    check_s: float
    is_wanted: Callable[[Path], bool]

    async def batches(self) -> _Batches:
        """Yield the changes of all folders; raise _CannotWatchError where that isn't possible."""
        queue: asyncio.Queue[frozenset[Path] | Exception] = asyncio.Queue()
        over = asyncio.Event()
        tasks = [
            asyncio.create_task(self._run(several, queue, over, recursive=recursive))
            for recursive in (False, True)
            if (several := [each.path for each in self.folders if each.recursive is recursive])
        ]
        try:
            while not self.stop.is_set():
                batch = await queue.get()
                if isinstance(batch, Exception):
                    raise _CannotWatchError(str(batch)) from batch
                yield batch
        finally:
            over.set()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(
        self,
        folders: Sequence[Path],
        queue: "asyncio.Queue[frozenset[Path] | Exception]",
        over: asyncio.Event,
        *,
        recursive: bool,
    ) -> None:
        # Importing it takes 20 ms, which a start shouldn't wait for.
        from watchfiles import (  # noqa: PLC0415
            awatch,  # pyright: ignore[reportUnknownVariableType] - one of its types is trio's
        )

        # What changed before it was watched isn't known.
        first = frozenset(folders)
        try:
            async for batch in awatch(
                *folders,
                watch_filter=lambda _, path: self.is_wanted(Path(path)),
                step=_STEP_MS,
                stop_event=over,
                rust_timeout=int(self.check_s * 1_000),
                yield_on_timeout=True,
                recursive=recursive,
                ignore_permission_denied=True,
            ):
                queue.put_nowait(first | {Path(path) for _, path in batch})
                first = frozenset[Path]()
        except FileNotFoundError:
            # It was removed just now: the check that follows says so.
            queue.put_nowait(frozenset())
        except (OSError, RuntimeError) as error:
            queue.put_nowait(error)


class _CannotWatchError(Exception):
    """The system doesn't tell of changes of these folders."""


def is_temporary(name: str) -> bool:
    """Whether a file of this name is hidden, or an editor's while it saves."""
    return (
        name.startswith(".") or name.endswith(_TEMPORARY_ENDS) or _TEMPORARY.match(name) is not None
    )


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        facts = folder.stat()
    except OSError:
        return None
    return facts.st_dev, facts.st_ino

"""Watching files."""

import asyncio
import shutil
from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Final

import pytest

from intaglio.base.files.watching import FileWatcher, WatchedFolder, is_temporary

GUARD_S: Final = 60
"""Against hanging; what is waited for takes a fraction of a second."""


class Seen:
    """What a watcher told, all of it together."""

    def __init__(self) -> None:
        self.paths: set[Path] = set()
        self._more = asyncio.Event()

    def add(self, paths: frozenset[Path]) -> None:
        self.paths |= paths
        self._more.set()

    async def until(self, path: Path) -> None:
        async with asyncio.timeout(GUARD_S):
            while path not in self.paths:
                self._more.clear()
                await self._more.wait()

    async def until_written(self, folder: Path, name: str) -> None:
        """Write a file again and again until that is told: its folder may not be watched yet."""
        async with asyncio.timeout(GUARD_S):
            for number in count():
                (folder / name).write_text(str(number))
                await asyncio.sleep(0.02)
                if folder / name in self.paths:
                    return


@asynccontextmanager
async def watching(*folders: WatchedFolder, native: bool = True) -> AsyncGenerator[Seen]:
    seen, stop = Seen(), asyncio.Event()
    watcher = FileWatcher(folders=folders, stop=stop, debounce_s=0.02, check_s=0.05, native=native)

    async def follow() -> None:
        async with aclosing(watcher.changes()) as changes:
            async for paths in changes:
                seen.add(paths)

    task = asyncio.create_task(follow())
    try:
        yield seen
    finally:
        stop.set()
        await task


@pytest.mark.parametrize("native", [True, False])
async def test_a_changed_file_is_told_once_its_folder_is_watched(
    tmp_path: Path, native: bool
) -> None:
    async with watching(WatchedFolder(tmp_path), native=native) as seen:
        await seen.until(tmp_path)
        (tmp_path / "USER.md").write_text("hello")
        await seen.until(tmp_path / "USER.md")


@pytest.mark.parametrize("native", [True, False])
async def test_a_folder_is_watched_again_after_it_was_removed(tmp_path: Path, native: bool) -> None:
    folder = tmp_path / "agents"
    folder.mkdir()
    async with watching(WatchedFolder(folder, recursive=True), native=native) as seen:
        await seen.until(folder)
        (folder / "old.md").write_text("old")
        await seen.until(folder / "old.md")
        shutil.rmtree(folder)
        folder.mkdir()
        (folder / "in").mkdir()
        await seen.until_written(folder, "in/new.md")


async def test_a_missing_folder_is_watched_once_it_appears(tmp_path: Path) -> None:
    folder = tmp_path / "later"
    async with watching(WatchedFolder(tmp_path), WatchedFolder(folder)) as seen:
        await seen.until(tmp_path)
        folder.mkdir()
        await seen.until(folder)
        await seen.until_written(folder, "a.md")


async def test_hidden_and_temporary_files_are_not_told(tmp_path: Path) -> None:
    async with watching(WatchedFolder(tmp_path, recursive=True)) as seen:
        await seen.until(tmp_path)
        (tmp_path / ".git").mkdir()
        (tmp_path / ".git/index").write_text("x")
        (tmp_path / ".a.md.swp").write_text("x")
        (tmp_path / "a.md~").write_text("x")
        (tmp_path / "a.md").write_text("x")
        await seen.until(tmp_path / "a.md")
        assert seen.paths == {tmp_path, tmp_path / "a.md"}


async def test_folders_are_listed_where_the_system_refuses_to_watch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device (os limit of watches)")

    monkeypatch.setattr("watchfiles.awatch", refuse)
    async with watching(WatchedFolder(tmp_path)) as seen:
        await seen.until(tmp_path)
        (tmp_path / "a.md").write_text("x")
        await seen.until(tmp_path / "a.md")


async def test_the_end_is_told_to_who_listens(tmp_path: Path) -> None:
    stop = asyncio.Event()
    watcher = FileWatcher(
        folders=(WatchedFolder(tmp_path),), stop=stop, debounce_s=0.01, check_s=0.02
    )
    async with asyncio.timeout(GUARD_S):
        async for _ in watcher.changes():
            stop.set()
    assert stop.is_set()


@pytest.mark.parametrize(
    ("name", "temporary"),
    [
        ("USER.md", False),
        ("2026-11-27.md", False),
        ("#USER.md#", True),
        ("4913", True),
        (".USER.md.1.part", True),
        ("USER.md.tmp", True),
    ],
)
def test_names_of_editors_files_are_known(name: str, temporary: bool) -> None:
    assert is_temporary(name) is temporary

"""Reads the workspace's files and the targets' when nobody is saving them."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from intaglio.connect.managed_block import ManagedBlock
from intaglio.workspace.files import read_texts
from intaglio.workspace.target_files import FoundFile, TargetFile, read_target_file
from intaglio.workspace.values import BlockTarget, TargetRecord, WorkspaceTexts

_SETTLE_S: Final = 0.1
_GRACE_S: Final = 1.0
_MOST_READS: Final = 20


@dataclass(frozen=True, slots=True)
class SettledFiles:
    """What the files held at one moment: those of the workspace, and those of targets by path."""

    texts: WorkspaceTexts
    files: Mapping[str, TargetFile]

    def file_of(self, target: BlockTarget) -> TargetFile:
        """Return what a target's file held."""
        return self.files[str(target.file)]


@dataclass(slots=True)
class _Former:
    names: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledReader:
    """Reads files until twice in a row they are the same.

    One that had a text and is empty or gone is looked at again after a while: an editor may be
    about to write it. ``roster`` returns the agents that the settings declare.
    """

    workspace: Path
    roster: Callable[[], Iterable[str]]
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep
    _former: _Former = field(default_factory=_Former)

    def texts(self) -> WorkspaceTexts:
        """Read the workspace's files; blocks."""
        return read_texts(self.workspace, self.roster())

    async def read(
        self, targets: Sequence[BlockTarget], records: Iterable[TargetRecord]
    ) -> SettledFiles:
        """Read all files."""
        had_block = {each.path for each in records if each.digest is not None}
        before = await asyncio.to_thread(self._read, targets)
        waited = False
        for _ in range(_MOST_READS):
            is_short = not waited and self._is_short(before, had_block)
            waited = waited or is_short
            await self.pause(_GRACE_S if is_short else _SETTLE_S)
            now = await asyncio.to_thread(self._read, targets)
            if now == before:
                break
            before = now
        self._former.names = frozenset(before.texts.contents)
        return before

    def _read(self, targets: Sequence[BlockTarget]) -> SettledFiles:
        files = {str(each.file): read_target_file(each) for each in targets}
        return SettledFiles(self.texts(), files)

    def _is_short(self, reading: SettledFiles, had_block: set[str]) -> bool:
        if not self._former.names <= reading.texts.contents.keys():
            return True
        return any(
            path in had_block
            and isinstance(file, FoundFile)
            and not isinstance(file.block, ManagedBlock)
            for path, file in reading.files.items()
        )

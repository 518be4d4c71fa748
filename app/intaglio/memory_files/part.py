"""The memory files in the daemon."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from intaglio.base.settings.values import Settings
from intaglio.harness.registry import harnesses
from intaglio.kernel import Kernel
from intaglio.lifecycle.sources.rows import is_taken_back
from intaglio.memory.settings import MemorySettings
from intaglio.memory_files import rows
from intaglio.memory_files.disk import FilePlace, workspace_place
from intaglio.memory_files.migrations import MIGRATIONS
from intaglio.memory_files.service import FindPlaces, MemoryFiles
from intaglio.memory_files.settings import MemoryFileSettings
from intaglio.memory_files.watch import MemoryFileWatch
from intaglio.package import KeptData, Loop, Package, Part, SweepStep, singly
from intaglio.sessions.settings import HarnessSettings
from intaglio.sessions.statements.claim_words import ClaimWords
from intaglio.sessions.statements.services import CaptureServices

_INTERVAL_S: Final = 120.0
_AFTER_START_S: Final = 15.0


def _is_on(settings: Settings) -> bool:
    return settings.of(MemoryFileSettings).enabled


def _finding(folder: Path) -> FindPlaces:
    """Return what lists the workspace's memory folder and those of all harnesses."""

    def find(settings: Settings, projects: tuple[str, ...]) -> Iterator[FilePlace]:
        yield workspace_place(folder)
        for name, one in harnesses().items():
            if settings.harness(HarnessSettings, name).memory_files:
                for memory in one.memory_places(Path.home(), os.environ, projects):
                    yield FilePlace(name, memory)

    return find


def part(kernel: Kernel) -> Part:
    """Wire the reading of memory files."""
    files = MemoryFiles(
        db=kernel.database,
        clock=kernel.clock,
        settings=kernel.settings,
        context=kernel.change_context,
        in_thread=asyncio.to_thread,
        find=_finding(kernel.running.paths.memory),
        claimed_type=ClaimWords(kernel.get(CaptureServices)).type_of,
        project_key=kernel.projects.session_key,
        is_taken_back=lambda tx, path: is_taken_back(tx, "file", path),
        turn=asyncio.Lock(),
    )
    return Part(
        services=(files,),
        loops=(
            Loop.repeating(
                "memory files",
                kernel.database,
                files.read,
                _INTERVAL_S,
                first_s=_AFTER_START_S,
                when=_is_on,
            ),
            Loop("changes of memory files", MemoryFileWatch(files=files).run, _is_on),
        ),
    )


PACKAGE = Package(
    name="memory_files",
    tables={
        "memory_files": "the memory files that were read: path, version, harness",
        "memory_file_lines": "what became of each statement in them: a hash of it, its memory or "
        "inbox item; no text",
    },
    migrations=MIGRATIONS,
    retention=(
        SweepStep(
            "memory_file_lines",
            lambda s: s.of(MemorySettings).tombstone_days,
            rows.removed,
            singly(rows.purge),
            has_period=False,
        ),
    ),
    kept=(
        KeptData("`memory_files`", "as long as the file is there"),
        KeptData(
            "`memory_file_lines`",
            "as long as the statement is in the file; then as long as a forgotten memory",
            deleted_by="step `memory_file_lines`",
            settings=("retention.tombstoneDays",),
        ),
    ),
    make=part,
)

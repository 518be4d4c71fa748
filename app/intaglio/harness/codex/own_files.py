"""Codex's instruction files and its memories, as version 0.171 reads and writes them.

``memories/memory_summary.md`` is told at each session's start. ``memories/MEMORY.md`` is looked up
by the agent: each of its task groups says in a line ``applies_to: cwd=…`` where it belongs.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from intaglio.domain.told_files import SessionPlace, ToldFile
from intaglio.harness.codex.connector import FOLDER
from intaglio.harness.own_files import InstructionNames, MemoryFolder, OwnFiles

_FOLDER: Final = "memories"
_SUMMARY: Final = "memory_summary.md"
_GROUP_DIRECTORY: Final = re.compile(r"^applies_to: cwd=(/[^;\n]{1,500})", re.MULTILINE)


def directory_of(group: str) -> str | None:
    """Return the directory that a task group applies to; None if it names none."""
    found = _GROUP_DIRECTORY.search(group)
    return found[1].strip() if found else None


def memory_places(
    home: Path, env: Mapping[str, str], projects: tuple[str, ...]
) -> list[MemoryFolder]:
    """Return the folder of the memories.

    The summary and the raw memories beside them say the same as the task groups, but not of which
    project.
    """
    del projects
    folder = FOLDER.path(home, env) / _FOLDER
    return [MemoryFolder(folder=folder, names=("MEMORY.md",), directory_of=directory_of)]


def _told_memory(home: Path, env: Mapping[str, str], place: SessionPlace) -> Iterator[ToldFile]:
    del place
    yield ToldFile(FOLDER.path(home, env) / _FOLDER / _SUMMARY, "Codex's memories")


OWN_FILES: Final = OwnFiles(
    instructions=InstructionNames(
        folder=FOLDER.path,
        everywhere=(("AGENTS.override.md", "AGENTS.md"),),
        project=(("AGENTS.override.md", "AGENTS.md"),),
    ),
    more=_told_memory,
    memory=memory_places,
)

"""Claude Code's instruction files and its auto memory, as its documentation describes them.

The memory of a project is in ``projects/<path with hyphens>/memory`` of its folder, unless the
user's settings name another folder for all projects. Of its ``MEMORY.md``, the first 200 lines are
told at each session's start; other files are read by the agent when it needs them.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from intaglio.domain.told_files import SessionPlace, ToldFile
from intaglio.harness.claude_code.connector import FOLDER
from intaglio.harness.claude_code.own_settings import read_own_settings
from intaglio.harness.own_files import InstructionNames, MemoryFolder, OwnFiles

_INDEX: Final = "MEMORY.md"
_INDEX_LINES: Final = 200
_OFF: Final = "CLAUDE_CODE_DISABLE_AUTO_MEMORY"
_NOT_IN_NAMES: Final = re.compile(r"[^A-Za-z0-9]")


def memory_folder(home: Path, env: Mapping[str, str], project: str) -> Path:
    """Return the folder of a project's memory, given the project's path."""
    folder = FOLDER.path(home, env)
    shared = read_own_settings(folder).auto_memory_directory
    return _expanded(shared, home) if shared else _of_project(folder, project)


def memory_places(
    home: Path, env: Mapping[str, str], projects: tuple[str, ...]
) -> list[MemoryFolder]:
    """List the folders of the projects' memories.

    A folder's name may stand for several paths: if more than one is a project, none is meant.
    """
    own = FOLDER.path(home, env)
    shared = read_own_settings(own).auto_memory_directory
    if shared:
        return [MemoryFolder(folder=_expanded(shared, home))]
    folders = [_of_project(own, each) for each in projects]
    return [
        MemoryFolder(folder=folder, project=project)
        for folder, project in zip(folders, projects, strict=True)
        if folders.count(folder) == 1
    ]


def _told_memory(home: Path, env: Mapping[str, str], place: SessionPlace) -> Iterator[ToldFile]:
    is_off = env.get(_OFF, "").strip().lower() in {"1", "true"}
    if place.project is None or is_off:
        return
    if not read_own_settings(FOLDER.path(home, env)).auto_memory_enabled:
        return
    file = memory_folder(home, env, str(place.project)) / _INDEX
    yield ToldFile(file, f"Claude Code's {_INDEX}", lines=_INDEX_LINES)


def _of_project(folder: Path, project: str) -> Path:
    return folder / "projects" / _NOT_IN_NAMES.sub("-", project) / "memory"


def _expanded(path: str, home: Path) -> Path:
    return home / path[2:] if path.startswith("~/") else Path(path)


OWN_FILES: Final = OwnFiles(
    instructions=InstructionNames(
        folder=FOLDER.path,
        everywhere=(("CLAUDE.md",),),
        # AGENTS.md is told where there is no CLAUDE.md, or where that imports it.
        project=((".claude/CLAUDE.md",), ("CLAUDE.md", "AGENTS.md"), ("CLAUDE.local.md",)),
        rules=(".claude/rules",),
        own_rules=("rules",),
        above=True,
        imports=True,
    ),
    more=_told_memory,
    memory=memory_places,
)

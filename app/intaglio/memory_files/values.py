"""The values of memory files: which files there are, what is read in them, what became of it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

WORKSPACE: Final = ""
"""Stands for a harness in files of the workspace."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFile:
    """A file to read: what is in it is about ``project``, None for all.

    ``harness`` keeps it, or it is the workspace's. With ``directory_of``, each section is about
    another project, as `intaglio.harness.own_files.MemoryFolder` says.
    """

    path: Path
    harness: str = WORKSPACE
    project: str | None = None
    directory_of: Callable[[str], str | None] | None = None


@dataclass(frozen=True, slots=True)
class FileVersion:
    """Tells two versions of a file apart without reading it."""

    modified_ns: int
    size: int
    inode: int


@dataclass(frozen=True, slots=True)
class FileLine:
    """A statement of a file as it is remembered; ``id`` is the same as long as it says the same."""

    id: str
    content: str
    project: str | None = None


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A file as it was read last; ``waiting`` counts statements that found no room in the inbox."""

    path: str
    harness: str
    version: FileVersion
    waiting: int


@dataclass(frozen=True, slots=True)
class KnownLine:
    """What became of a statement: a memory, or an inbox item; neither if the user forgot it.

    ``removed_at`` is when the statement went, None while it stands in the file.
    """

    path: str
    id: str
    memory_id: str | None = None
    item_id: str | None = None
    removed_at: str | None = None


@dataclass(frozen=True, slots=True)
class LineChanges:
    """What a new version of a file adds, edits (old and new), brings back and removes."""

    added: tuple[FileLine, ...] = ()
    edited: tuple[tuple[KnownLine, FileLine], ...] = ()
    returned: tuple[tuple[KnownLine, FileLine], ...] = ()
    removed: tuple[KnownLine, ...] = ()


@dataclass(frozen=True, slots=True)
class FilesRead:
    """What a reading of the files changed."""

    files: int = 0
    added: int = 0
    edited: int = 0
    removed: int = 0

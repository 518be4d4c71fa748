"""Finds memory files and reads them; whatever can't be read for certain is left for later."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import nlargest
from itertools import islice
from pathlib import Path
from typing import Final

from intaglio.base.files.regular_file import read_regular
from intaglio.harness.own_files import MemoryFolder
from intaglio.memory_files.lines import MAX_LINES, stated_lines, top_sections
from intaglio.memory_files.values import WORKSPACE, FileLine, FileVersion, KnownFile, MemoryFile
from intaglio.redaction.redact import redact

MAX_FILES: Final = 200
"""The most files that are read, the workspace's first."""

_MOST_LISTED: Final = 20_000
_MAX_BYTES: Final = 256_000
# Daily summaries, and the file that agents are told as a whole.
_NOT_READ: Final = re.compile(r"\d{4}-\d{2}-\d{2}.*|MEMORY\.md|\..*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FilePlace:
    """A folder to read, and whose it is: a harness's, or the workspace's."""

    harness: str
    memory: MemoryFolder


def workspace_place(folder: Path) -> FilePlace:
    """Return the workspace's memory folder, into which the user writes."""
    return FilePlace(WORKSPACE, MemoryFolder(folder=folder))


def files_in(place: FilePlace) -> Iterator[MemoryFile]:
    """Yield the files of a folder that are read: by name, and of many those changed last."""
    memory, is_workspace = place.memory, place.harness == WORKSPACE
    for path in _listed(memory.folder, memory.names, _NOT_READ if is_workspace else None):
        yield MemoryFile(
            path=path,
            harness=place.harness,
            project=memory.project,
            directory_of=memory.directory_of,
        )


def _listed(folder: Path, names: tuple[str, ...], left_out: re.Pattern[str] | None) -> list[Path]:
    try:
        found = {path for name in names for path in islice(folder.glob(name), _MOST_LISTED)}
    except OSError:
        return []
    changed = {
        path: version.modified_ns
        for path in found
        if (left_out is None or not left_out.fullmatch(path.name))
        and _has_storable_name(path)
        and path.is_file()
        and (version := version_of(path)) is not None
    }
    return sorted(nlargest(MAX_FILES, changed, key=lambda path: (changed[path], path)))


def _has_storable_name(path: Path) -> bool:
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def version_of(path: Path) -> FileVersion | None:
    """Return the version of a file; None if it can't be examined."""
    try:
        found = path.stat()
    except OSError:
        return None
    return FileVersion(found.st_mtime_ns, found.st_size, found.st_ino)


def is_gone(known: KnownFile) -> bool:
    """Whether a file was deleted, rather than that its disk isn't there now."""
    path = Path(known.path)
    try:
        return not path.is_file() and path.parent.parent.is_dir()
    except OSError:
        return False


@dataclass(frozen=True, slots=True)
class FileSection:
    """Statements of a file, and the directory that they are about, if they name one."""

    lines: tuple[FileLine, ...]
    directory: str | None = None


def read_sections(file: MemoryFile, version: FileVersion) -> list[FileSection] | None:
    """Read a version of a file; None if it has another one by now, or isn't text.

    An empty file is one that is being written. Secrets are left out.
    """
    try:
        content = read_regular(file.path, _MAX_BYTES + 1)
        text = content.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return None
    if not text.strip() or len(content) > _MAX_BYTES or version_of(file.path) != version:
        return None
    text = redact(text).text
    if file.directory_of is None:
        return [FileSection(tuple(stated_lines(text, file.project or "")))]
    sections: list[FileSection] = []
    for section in islice(top_sections(text), MAX_LINES):
        directory = file.directory_of(section)
        if directory is not None:
            sections.append(FileSection(tuple(stated_lines(section, directory)), directory))
    return sections


def may_be_renamed(known: KnownFile, file: MemoryFile, version: FileVersion) -> bool:
    """Whether a file that is gone is another one now: the same on disk, or as long and as old."""
    same = known.version
    is_same = same.inode == version.inode or (same.size, same.modified_ns) == (
        version.size,
        version.modified_ns,
    )
    return is_same and known.harness == file.harness

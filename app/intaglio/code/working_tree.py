"""Reads files of a working tree: regular ones only, by a way that no link leads out of."""

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MAX_BYTES: Final = 512 * 1024
_HAS_FOLDERS: Final = os.open in os.supports_dir_fd
_FOLDER: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
_FILE: Final = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)
_MAX_PARTS: Final = 40


@dataclass(frozen=True, slots=True)
class FileStat:
    """The size of a regular file, and when it was changed."""

    size: int
    changed_ns: int


@dataclass(frozen=True, slots=True)
class Absent:
    """There's no file at the path."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """What is at the path isn't read: a link, a special file, a large or a forbidden one."""


@dataclass(frozen=True, slots=True)
class WorkingTree:
    """The files below a folder; every path is relative to it, with slashes."""

    root: Path

    def is_there(self) -> bool:
        """Whether the folder can be read at all; nothing is known of an absent disk's files."""
        return self.root.is_absolute() and os.access(self.root, os.R_OK | os.X_OK)

    def is_sparse(self) -> bool:
        """Whether files of the commit may be missing on purpose."""
        return (self.root / ".git" / "info" / "sparse-checkout").exists()

    def stat(self, path: str) -> FileStat | Absent | Unknown:
        """Return a file's size and time."""
        try:
            with self._folder(path) as (folder, name):
                found = os.stat(name, dir_fd=folder, follow_symlinks=False)
        except (FileNotFoundError, NotADirectoryError):
            return Absent()
        except (OSError, ValueError):
            return Unknown()
        return _regular(found)

    def read(self, path: str, limit: int = MAX_BYTES) -> bytes | Absent | Unknown:
        """Return a file's content, if it has no more bytes than the limit."""
        try:
            with self._folder(path) as (folder, name):
                descriptor = os.open(name, _FILE, dir_fd=folder)
                with os.fdopen(descriptor, "rb") as stream:
                    found = _regular(os.fstat(descriptor))
                    if isinstance(found, Unknown) or found.size > limit:
                        return Unknown()
                    data = stream.read(limit + 1)
        except (FileNotFoundError, NotADirectoryError):
            return Absent()
        except (OSError, ValueError):
            return Unknown()
        return data if len(data) <= limit else Unknown()

    @contextmanager
    def _folder(self, path: str) -> Generator[tuple[int | None, str]]:
        """Open the folder of a path, each part by itself, so that none is a link."""
        parts = path.split("/")
        if not _is_inside(parts):
            raise FileNotFoundError(path)
        if not _HAS_FOLDERS:
            yield None, str(self._resolved(parts))
            return
        opened = os.open(self.root, _FOLDER & ~getattr(os, "O_NOFOLLOW", 0))
        try:
            for part in parts[:-1]:
                inner = _open_folder(part, opened)
                os.close(opened)
                opened = inner
            yield opened, parts[-1]
        finally:
            with suppress(OSError):
                os.close(opened)

    def _resolved(self, parts: list[str]) -> Path:
        """Return the file where folders can't be opened one by one: none may be a link."""
        file = self.root.joinpath(*parts)
        if file.resolve() != self.root.resolve().joinpath(*parts):
            raise ValueError("a link")
        return file


def _open_folder(name: str, parent: int) -> int:
    """Open a folder below another one; raises PermissionError for a link."""
    try:
        return os.open(name, _FOLDER, dir_fd=parent)
    except NotADirectoryError:
        if stat.S_ISLNK(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode):
            raise PermissionError("a link") from None
        raise


def _is_inside(parts: list[str]) -> bool:
    return len(parts) <= _MAX_PARTS and not any(
        part in {"", ".", ".."} or "\0" in part or "\\" in part or ":" in part for part in parts
    )


def _regular(found: os.stat_result) -> FileStat | Unknown:
    if not stat.S_ISREG(found.st_mode):
        return Unknown()
    return FileStat(found.st_size, found.st_mtime_ns)

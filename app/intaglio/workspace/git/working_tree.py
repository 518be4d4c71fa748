"""Finds what changed in the workspace, and decides which of it may be committed."""

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from intaglio.base.files.regular_file import read_regular
from intaglio.git.command import Git, GitContext, GitFailure
from intaglio.redaction.redact import redact
from intaglio.workspace.git.exclusions import Exclusions

_LIMIT_S: Final = 60.0
_MAX_LISTED: Final = 16_000_000
_MAX_FILE: Final = 1_000_000
_FILE: Final = "100644"
_PROGRAM: Final = "100755"
_LINK: Final = "120000"
_DATABASE: Final = b"SQLite format 3\x00"
_CODE_LENGTH: Final = 3
_UNMERGED: Final = frozenset({"DD", "AU", "UD", "UA", "DU", "AA", "UU"})
UNMERGED: Final = "Files of the workspace have conflicts that aren't resolved."
_NO_FILTER: Final = frozenset({b"unspecified", b"unset"})


@dataclass(frozen=True, slots=True)
class ChangedPath:
    """A path that differs from the last commit; ``code`` as ``git status`` writes it."""

    path: str
    code: str

    @property
    def is_untracked(self) -> bool:
        """Whether git has nothing of it."""
        return self.code == "??"

    @property
    def is_unmerged(self) -> bool:
        """Whether a merge left it with several versions."""
        return self.code in _UNMERGED


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """A file of a commit."""

    mode: str
    hash: str


@dataclass(frozen=True, slots=True)
class VettedFile:
    """What is committed of a file, exactly what was read and checked."""

    path: str
    mode: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Deletion:
    """A path that the next commit doesn't have."""

    path: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file that isn't committed, and why; not worth telling if it is ``expected``."""

    path: str
    reason: str
    expected: bool = False


Vetted: TypeAlias = VettedFile | Deletion | LeftOut


def list_changes(
    git: Git, context: GitContext, *, untracked: bool = True
) -> list[ChangedPath] | GitFailure:
    """List what differs from the last commit, without what is ignored and other repositories."""
    arguments = ["status", "--porcelain=v1", "-z", "--no-renames", "--ignore-submodules=all"]
    arguments.append("--untracked-files=all" if untracked else "--untracked-files=no")
    found = git.run(context, arguments, limit_s=_LIMIT_S, max_bytes=_MAX_LISTED)
    if isinstance(found, GitFailure):
        return found
    return [each for each in _read_status(found) if not each.path.endswith("/")]


def _read_status(found: bytes) -> Iterator[ChangedPath]:
    for entry in found.split(b"\x00"):
        if len(entry) > _CODE_LENGTH:
            yield ChangedPath(os.fsdecode(entry[_CODE_LENGTH:]), entry[:2].decode("ascii"))


def files_of(
    git: Git, context: GitContext, commit: str, paths: Sequence[str] = ()
) -> dict[str, TreeEntry] | GitFailure:
    """Map the paths of a commit to its files; none without a commit."""
    if not commit:
        return {}
    arguments = ["ls-tree", "-r", "-z", "--full-tree", commit, *paths]
    found = git.run(context, arguments, limit_s=_LIMIT_S, max_bytes=_MAX_LISTED)
    if isinstance(found, GitFailure):
        return found
    entries: dict[str, TreeEntry] = {}
    for entry in found.split(b"\x00"):
        about, _, path = entry.partition(b"\t")
        if path:
            mode, _, value = about.decode("ascii").split()
            entries[os.fsdecode(path)] = TreeEntry(mode, value)
    return entries


def filtered_paths(
    git: Git, context: GitContext, paths: Iterable[str]
) -> frozenset[str] | GitFailure:
    """Return the paths that a filter would convert (git-crypt, LFS), which isn't run.

    Their content must not be committed as it is.
    """
    asked = b"".join(os.fsencode(path) + b"\x00" for path in paths)
    if not asked:
        return frozenset()
    arguments = ["check-attr", "-z", "--stdin", "filter"]
    found = git.run(context, arguments, stdin=asked, limit_s=_LIMIT_S, max_bytes=_MAX_LISTED)
    if isinstance(found, GitFailure):
        return found
    fields = found.split(b"\x00")
    pairs = zip(fields[::3], fields[2::3], strict=False)
    return frozenset(os.fsdecode(path) for path, value in pairs if value not in _NO_FILTER)


class RememberedFiles(dict[str, tuple[tuple[int, int, int], LeftOut]]):
    """Files that were left out, with size, time and inode: read again only once they change."""


@dataclass(frozen=True, slots=True)
class FileVetting:
    """Decides which files may be committed."""

    root: Path
    exclusions: Exclusions
    remembered: RememberedFiles

    def vet(self, path: str, *, is_filtered: bool) -> Vetted:
        """Read a file and decide; what isn't there any more is deleted."""
        if self.exclusions.cover(path):
            return LeftOut(path, "is never committed", expected=True)
        file = self.root / path
        try:
            status = file.lstat()
            if stat.S_ISLNK(status.st_mode):
                return VettedFile(path, _LINK, os.fsencode(file.readlink()))
        except (FileNotFoundError, NotADirectoryError):
            return Deletion(path)
        except OSError:
            return LeftOut(path, "can't be read")
        if not stat.S_ISREG(status.st_mode):
            # A folder in the place of a file has entries of its own.
            return Deletion(path)
        return self._vet_content(file, path, status, is_filtered=is_filtered)

    def _vet_content(
        self, file: Path, path: str, status: os.stat_result, *, is_filtered: bool
    ) -> VettedFile | LeftOut:
        if is_filtered:
            return LeftOut(path, "is kept by a filter (.gitattributes)")
        mark = (status.st_size, status.st_mtime_ns, status.st_ino)
        known = self.remembered.get(path)
        if known is not None and known[0] == mark:
            return known[1]
        found = _read(file, path, status)
        if isinstance(found, LeftOut):
            self.remembered[path] = (mark, found)
        return found


def _read(file: Path, path: str, status: os.stat_result) -> VettedFile | LeftOut:
    if status.st_size > _MAX_FILE:
        return LeftOut(path, "is larger than 1 MB")
    try:
        data = read_regular(file, _MAX_FILE + 1)
    except OSError:
        return LeftOut(path, "can't be read")
    if len(data) > _MAX_FILE:
        return LeftOut(path, "is larger than 1 MB")
    if data.startswith(_DATABASE):
        return LeftOut(path, "is a database")
    if redact(data.decode("utf-8", "replace")).found:
        return LeftOut(path, "holds what looks like a secret")
    mode = _PROGRAM if status.st_mode & stat.S_IXUSR else _FILE
    return VettedFile(path, mode, data)


def blob_hash(data: bytes, *, sha256: bool) -> str:
    """Return the hash that git gives a file."""
    header = f"blob {len(data)}\x00".encode()
    if sha256:
        return hashlib.sha256(header + data).hexdigest()
    return hashlib.sha1(header + data, usedforsecurity=False).hexdigest()

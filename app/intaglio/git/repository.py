"""Opens a repository only if all that git reads in it belongs to it and to the user.

Git follows links, ``commondir`` and alternates wherever they lead. A folder that somebody else
made, such as an unpacked archive, could so present the log of another project as its own.
"""

import os
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from intaglio.base.files.regular_file import read_regular
from intaglio.git.finder import git_directories

_FILES: Final = frozenset({"HEAD", "config", "config.worktree", "packed-refs", "shallow"})
_FOLDERS: Final = frozenset({"objects", "refs", "info", "reftable"})
_OBJECT_FOLDER: Final = 2
# Git packs its objects long before; a scan takes about 1 µs each.
_MAX_OBJECT_FILES: Final = 200_000
_MAX_REF: Final = 4_096
_MAX_PACKED_REFS: Final = 64_000_000
_MAX_SHALLOW: Final = 4_000_000
_REF: Final = b"ref:"
_REF_STEPS: Final = 5
_HASH_LENGTHS: Final = (40, 64)


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository that was checked.

    ``root`` is its working tree, or itself if it is bare; ``git_dir`` has its HEAD, ``common_dir``
    its objects and refs: another folder than ``git_dir`` only for a linked worktree.
    """

    root: Path
    git_dir: Path
    common_dir: Path


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A folder that isn't read, and why, in words for the user; ``gone`` if nothing is there."""

    reason: str
    gone: bool = False


def open_repository(root: Path) -> Repository | Unreadable:
    """Check the repository of a working tree, or a bare one; only files are read.

    Takes about 1 ms, and more with many unpacked objects: 20 ms for 10,000.
    """
    if not root.is_absolute() or not os.path.lexists(root):
        return Unreadable("the folder isn't there", gone=True)
    found = git_directories(root)
    if found is None:
        return Unreadable("the folder isn't a git repository of its own", gone=True)
    own, common = found
    try:
        fault = next(_faults(root, own, common), None)
    except (OSError, ValueError):
        fault = "its files can't be read"
    return Repository(root, own, common) if fault is None else Unreadable(fault)


def _faults(root: Path, own: Path, common: Path) -> Iterator[str]:
    """Yield why a repository isn't read.

    Hard links to another repository's files aren't told from files: only who may write there can
    make them.
    """
    for folder in dict.fromkeys((root, own, common)):
        status = folder.lstat()
        if stat.S_ISLNK(status.st_mode):
            yield "its folder is a link"
        if not _is_users(status):
            yield "it belongs to another user"
    if os.path.lexists(common / "commondir"):
        yield "it takes its commits from another folder (commondir)"
    for folder in dict.fromkeys((own, common)):
        yield from _entry_faults(folder)
    yield from _object_faults(common / "objects")


def _entry_faults(folder: Path) -> Iterator[str]:
    for name in sorted(_FILES | _FOLDERS):
        try:
            status = (folder / name).lstat()
        except FileNotFoundError:
            continue
        is_kind = stat.S_ISREG if name in _FILES else stat.S_ISDIR
        if not is_kind(status.st_mode):
            yield f"{name} is a link or a special file"
        if not _is_users(status):
            yield "it belongs to another user"


def _object_faults(objects: Path) -> Iterator[str]:
    left = _MAX_OBJECT_FILES
    with os.scandir(objects) as entries:
        folders = [each for each in entries if not _is_temporary(each)]
    for folder in folders:
        if folder.is_symlink():
            yield "its objects are links"
        if not _is_folder(folder):
            continue
        if len(folder.name) != _OBJECT_FOLDER and folder.name not in {"pack", "info"}:
            continue
        with os.scandir(folder.path) as entries:
            for entry in entries:
                left -= 1
                # Folders hold commit graphs and multi-pack indexes, which aren't used.
                if not (entry.is_file(follow_symlinks=False) or _is_folder(entry)):
                    yield "its objects are links or special files"
                if left < 0:
                    yield "it has too many unpacked objects; git gc packs them"
                    return
    # Objects of another repository would be read as this one's. That http-alternates names some is
    # harmless: these are only read while fetching.
    alternates = objects / "info" / "alternates"
    if os.path.lexists(alternates) and read_regular(alternates, _MAX_REF).strip():
        yield "it borrows objects of another repository (alternates)"


def _is_temporary(entry: "os.DirEntry[str]") -> bool:
    return entry.name.startswith("tmp_") and not entry.is_symlink()


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    return entry.is_dir(follow_symlinks=False)


def _is_users(status: os.stat_result) -> bool:
    return sys.platform == "win32" or status.st_uid == os.geteuid()


def head_of(repository: Repository) -> str | None:
    """Return the hash that HEAD leads to, by reading files only; empty if it has no commit yet.

    None if only git can tell (a repository with a reftable).
    """
    if os.path.lexists(repository.common_dir / "reftable"):
        return None
    text = _small(repository.git_dir / "HEAD")
    for _ in range(_REF_STEPS):
        if not text.startswith(_REF):
            return hash_in(text)
        ref = text.removeprefix(_REF).strip()
        if not _is_ref(ref):
            return ""
        text = _ref_value(repository, ref)
    return ""


def _ref_value(repository: Repository, ref: bytes) -> bytes:
    name = os.fsdecode(ref)
    for folder in dict.fromkeys((repository.git_dir, repository.common_dir)):
        text = _small(folder / name)
        if text:
            return text
    try:
        packed = read_regular(repository.common_dir / "packed-refs", _MAX_PACKED_REFS)
    except (OSError, ValueError):
        return b""
    end = packed.find(b" " + ref + b"\n")
    return packed[packed.rfind(b"\n", 0, end) + 1 : end] if end >= 0 else b""


def _is_ref(ref: bytes) -> bool:
    parts = ref.split(b"/")
    return parts[0] == b"refs" and not any(part in {b"", b".", b".."} for part in parts)


def hash_in(text: bytes) -> str:
    """Return a text that is an object's hash, or an empty one."""
    found = text.strip().decode("ascii", "replace")
    is_hash = len(found) in _HASH_LENGTHS and all(each in "0123456789abcdef" for each in found)
    return found if is_hash else ""


def _small(file: Path) -> bytes:
    try:
        return read_regular(file, _MAX_REF).strip()
    except (OSError, ValueError):
        return b""


def shallow_limits(repository: Repository) -> tuple[str, ...]:
    """Return the commits of a shallow clone whose parents aren't there, ordered."""
    try:
        data = read_regular(repository.common_dir / "shallow", _MAX_SHALLOW)
    except (OSError, ValueError):
        return ()
    return tuple(sorted({hash_in(line) for line in data.splitlines()} - {""}))

"""Finds the git repository that contains a path, by reading its files only.

A pointer (a ``.git`` file, a link) is trusted only if the other side points back; otherwise a
foreign folder could claim to be a worktree of the user's project and receive its memories.
"""

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from intaglio.base.files.regular_file import read_regular

_MAX_POINTER = 4_096
_MAX_CONFIG = 65_536
_MAX_WORKTREES = 100
_POINTS = "gitdir:"
_REMOTE = 'remote "'
_MAX_ADDRESS = 2_000
_URL = re.compile(
    r"(?P<protocol>[a-z+]{1,20}+)://(?:[^@/]*+@)?(?P<host>\[[^\]]++\]|[^:/@]++)(?::(?P<port>\d++))?/(?P<path>.+)",
    re.IGNORECASE,
)
_SCP = re.compile(r"(?:[^@/:]++@)?(?P<host>\[[^\]]++\]|[^:/@\\]{2,}+):(?!//|\\)(?P<path>.+)")
_URL_PARTS = ("protocol", "host", "port", "path")
_USUAL_PORTS = {"https": "443", "http": "80", "ssh": "22", "git": "9418", "git+ssh": "22"}


def find_repository(path: Path) -> Path | None:
    """Return the main root of the innermost repository around ``path``, an absolute real path.

    Worktrees yield the root of the main working tree, submodules their own, bare repositories
    themselves. None if there is no repository, or none that may be read.
    """
    found = _find(path)
    return found[1] if found else None


def find_working_tree(path: Path) -> Path | None:
    """Return the root of the working tree around ``path``, which may be a linked worktree.

    A bare repository is its own. None if there is no repository.
    """
    found = _find(path)
    return found[0] if found else None


def _find(path: Path) -> tuple[Path, Path] | None:
    """Return the working tree around a path and the main root of its repository."""
    wide = wide_folders()
    for folder in (path, *path.parents):
        if folder != path and folder in wide:
            # A repository of configuration files; the folders below it are projects of their own.
            return None
        mark = folder / ".git"
        if _is_repository(mark):
            return folder, folder
        pointer = _read(mark) if is_file(mark) else None
        if pointer is not None and pointer.startswith(_POINTS):
            return folder, _of_pointer(folder, pointer)
        if _is_repository(folder):
            root = folder.parent if folder.name == ".git" else folder
            return root, root
    return None


def wide_folders() -> frozenset[Path]:
    """Return the real paths of the home and the root directory, which hold everything else."""
    home = Path(os.path.realpath(os.path.expanduser("~")))  # noqa: PTH111 - as it is, if unknown
    return frozenset({home, Path(home.anchor)})


def _of_pointer(folder: Path, pointer: str) -> Path:
    """Follow ``gitdir: …`` to the repository that several working trees may share."""
    own = _resolve(folder, pointer.removeprefix(_POINTS))
    if own is None or not is_file(own / "HEAD"):
        return folder
    if _read(own / "commondir") is None:
        return _of_separate(folder, own)
    common = _shared_by(folder, own)
    return folder if common is None else _main_root(common)


def git_directories(root: Path) -> tuple[Path, Path] | None:
    """Return the folder with a working tree's HEAD, and the one with its objects and refs.

    These differ only for a linked worktree. ``root`` may be a bare repository. None if there is no
    repository, or its ``.git`` file leads to one that doesn't point back.
    """
    mark = root / ".git"
    pointer = _read(mark) if is_file(mark) else None
    if pointer is None or not pointer.startswith(_POINTS):
        return next(((each, each) for each in (mark, root) if _is_repository(each)), None)
    own = _resolve(root, pointer.removeprefix(_POINTS))
    if own is None or not is_file(own / "HEAD"):
        return None
    if _read(own / "commondir") is None:
        is_own = own.parent == root or _configured_tree(own) == root
        return (own, own) if is_own else None
    common = _shared_by(root, own)
    return None if common is None else (own, common)


def _shared_by(folder: Path, own: Path) -> Path | None:
    """Return the repository of a linked worktree; None unless it has a record of the folder."""
    common = _resolve(own, _read(own / "commondir") or "")
    # Whoever made the folder may have made what it points to as well, and have that name any
    # repository. Only what is inside the repository was written by its owner.
    if common is None or own.parent != common / "worktrees" or not _is_repository(common):
        return None
    return common if _is_worktree_at(own, folder) else None


def _is_worktree_at(own: Path, folder: Path) -> bool:
    """Whether a repository's record of a worktree names this folder.

    The folders are compared, not their ``.git`` files: those can be links to one another.
    """
    back = _read(own / "gitdir")
    mark = own / back if back else None
    try:
        return mark is not None and mark.name == ".git" and mark.parent.samefile(folder)
    except (OSError, ValueError):
        return False


def _of_separate(folder: Path, own: Path) -> Path:
    """Return the root of a tree whose repository is elsewhere: submodule or ``project/.bare``."""
    return own if own.parent == folder and own.name != ".git" else folder


def _main_root(common: Path) -> Path:
    """Return the root of the main working tree of a repository that worktrees share."""
    if common.name == ".git":
        return common.parent
    # A submodule's repository is inside its parent's, and its config contains its checkout; a bare
    # one contains none and is its own root.
    tree = _configured_tree(common)
    return tree if tree is not None and _points_to(tree, common) else common


def _configured_tree(repository: Path) -> Path | None:
    config = _read(repository / "config", _MAX_CONFIG) or ""
    written = next((value for _, key, value in _entries(config) if key == "worktree"), None)
    return _resolve(repository, written) if written else None


def _points_to(tree: Path, own: Path) -> bool:
    pointer = _read(tree / ".git") or ""
    return pointer.startswith(_POINTS) and _resolve(tree, pointer.removeprefix(_POINTS)) == own


def _is_repository(folder: Path) -> bool:
    return (
        is_file(folder / "HEAD")
        and is_directory(folder / "objects")
        and is_directory(folder / "refs")
    )


def is_directory(path: Path) -> bool:
    """Check whether the directory exists; False if that can't be determined."""
    try:
        return path.is_dir()
    except OSError:
        return False


def is_file(path: Path) -> bool:
    """Check whether the file exists; False if that can't be determined."""
    try:
        return path.is_file()
    except OSError:
        return False


def _read(path: Path, limit: int = _MAX_POINTER) -> str | None:
    """Read a small text file; None if it is missing, unreadable, too large or not text."""
    try:
        data = read_regular(path, limit + 1)
        return None if len(data) > limit else data.decode("utf-8").strip()
    except (OSError, UnicodeDecodeError, ValueError):
        return None


def _resolve(base: Path, text: str) -> Path | None:
    try:
        return (base / text.strip()).resolve()
    except (OSError, ValueError, RuntimeError):
        return None


def _entries(config: str) -> Iterator[tuple[str, str, str]]:
    """Yield the section, the key in lower case and the value of each line of a git config."""
    section = ""
    for line in config.splitlines():
        text = line.strip()
        if text.startswith("["):
            section = text[1:].partition("]")[0]
            continue
        key, equals, value = text.partition("=")
        if equals and value.strip():
            yield section, key.strip().lower(), value.strip().strip('"')


def remote_of(repository: Path) -> str | None:
    """Return the address of a repository's ``origin``, or its only remote, in a normal form.

    None if it has none, or several of which none is the origin.
    """
    folder = repository / ".git"
    config = _read((folder if is_directory(folder) else repository) / "config", _MAX_CONFIG) or ""
    remotes: dict[str, str] = {}
    for section, key, value in _entries(config):
        name = section[len(_REMOTE) : -1]
        if key == "url" and section[: len(_REMOTE)].lower() == _REMOTE and name:
            remotes.setdefault(name, value)
    if "origin" in remotes:
        return normal_remote(remotes["origin"])
    return normal_remote(next(iter(remotes.values()))) if len(remotes) == 1 else None


def worktrees_of(repository: Path) -> tuple[Path, ...]:
    """Return the other working trees of a repository, at most 100, ordered by path.

    These exist and point back to the repository.
    """
    folder = repository / ".git"
    listed = (folder if is_directory(folder) else repository) / "worktrees"
    try:
        entries = sorted(islice(listed.iterdir(), _MAX_WORKTREES))
    except OSError:
        return ()
    pointers = ((own, _read(own / "gitdir")) for own in entries)
    marks = ((own, _resolve(own, pointer)) for own, pointer in pointers if pointer)
    return tuple(
        sorted(mark.parent for own, mark in marks if mark and _points_to(mark.parent, own))
    )


def normal_remote(url: str) -> str | None:
    """Normalize a remote's address to ``host/path``, whichever protocol it uses.

    Credentials, the protocol, its default port and a trailing ``.git`` are removed. None for a
    local path, which means another repository on another machine.
    """
    address = url.strip()[:_MAX_ADDRESS]
    match = _URL.fullmatch(address) or _SCP.fullmatch(address)
    if match is None:
        return None
    protocol, host, port, path = (match.groupdict().get(key) for key in _URL_PARTS)
    if not host or (protocol or "ssh").lower() not in _USUAL_PORTS:
        return None
    place = (path or "").split("?")[0].split("#")[0].strip("/").removesuffix(".git").strip("/")
    if not place:
        return None
    usual = port is None or port == _USUAL_PORTS[(protocol or "ssh").lower()]
    return f"{host.lower()}{'' if usual else f':{port}'}/{place}"

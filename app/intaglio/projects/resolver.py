"""Resolves a text to a project: a git repository, a directory, or a name.

No git program is needed. `git.py` finds repositories on disk.
"""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from intaglio.base.text import scrub, storage_form
from intaglio.git.finder import (
    find_repository,
    find_working_tree,
    is_file,
    remote_of,
    wide_folders,
)
from intaglio.projects.names import display_name

_MAX_PATH = 4_096
_MAX_NAME = 200
_DIGEST = 16


@dataclass(frozen=True, slots=True)
class Project:
    """A project: ``key`` is stored with memories, ``name`` is its display name.

    ``root`` is the directory of a git repository's main working tree (or the repository itself if
    it has none), the directory, or None for a name. ``shared_key`` is the same on every machine:
    the address of the repository's remote; None if it has none.
    """

    key: str
    name: str
    root: Path | None
    kind: Literal["git", "directory", "name"]
    shared_key: str | None = None


def resolve_project(text: str | None) -> Project | None:
    """Resolve the project that a harness or a user gave; None for an empty text.

    An absolute path (``~`` too) is the repository that contains it, however deep and in whichever
    worktree, or else the path itself; it need not exist. A repository in the home or the root
    directory contains only that directory. Everything else, including relative paths and URLs, is
    a name.
    """
    given = _given(text)
    if not given:
        return None
    path = _absolute(given)
    if path is None:
        return _named(given)
    real = _folder(path)
    root = find_repository(real)
    if root is not None:
        return Project(_key(root), display_name(_key(root)), root, "git", remote_of(root))
    return Project(_key(real), real.name or _key(real), real, "directory")


def working_root(directory: str, key: str) -> Path | None:
    """Return the root of the working tree of project ``key`` that a directory is in.

    None if the directory isn't one of this project.
    """
    project = resolve_project(directory)
    path = _absolute(_given(directory))
    if project is None or project.root is None or path is None or project.key != key:
        return None
    return find_working_tree(_folder(path)) or project.root


def is_wide(directory: str) -> bool:
    """Whether this is the home or the root directory, and not a repository.

    Programs that belong to no project are started there.
    """
    project = resolve_project(directory)
    return project is not None and project.kind == "directory" and project.root in wide_folders()


def is_inside(directory: str, other: str) -> bool:
    """Whether an absolute path is another one or below it, as text.

    The home and the root directory contain only themselves, as repositories there do.
    """
    one, two = (_absolute(_given(each)) for each in (directory, other))
    if one is None or two is None:
        return False
    inner, outer = Path(os.path.normpath(one)), Path(os.path.normpath(two))
    return inner == outer or (outer not in wide_folders() and inner.is_relative_to(outer))


def _folder(path: str) -> Path:
    """Return the real path of a folder, or of the one that a file is in."""
    real = Path(os.path.realpath(path))
    return real.parent if is_file(real) else real


def _given(text: str | None) -> str:
    # Not normalized to NFC: a path consists of the bytes that the file system has.
    return (text or "").replace("\x00", "").encode("utf-8", "ignore").decode().lstrip()


def _absolute(given: str) -> str | None:
    """Return the absolute path, or None if the text isn't one."""
    if len(given) > _MAX_PATH:
        return None
    path = os.path.expanduser(given) if given.startswith("~") else given  # noqa: PTH111 - as text
    return path if os.path.isabs(path) else None  # noqa: PTH117 - as text


def _named(given: str) -> Project | None:
    # A name must never look like a directory's path.
    name = storage_form(scrub(given)).strip("/ ").rstrip("\\ ")
    if not name:
        return None
    if len(name) > _MAX_NAME:
        # Two long names with the same start must not become one project.
        digest = hashlib.sha256(name.encode()).hexdigest()[:_DIGEST]
        name = f"{name[: _MAX_NAME - _DIGEST - 1]}#{digest}"
    return Project(name, name, None, "name")


def _key(path: Path) -> str:
    """Encode a path as text that can be stored, without making two paths equal."""
    return str(path).encode("utf-8", "backslashreplace").decode("utf-8")

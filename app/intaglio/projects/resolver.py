"""Decides what project a text means: a git repository, a directory, or a mere name.

No git program is needed. How a repository is found on disk stands in `git.py`.
"""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from intaglio.base.text import scrub, storage_form
from intaglio.projects.git import find_repository, is_file, remote_of
from intaglio.projects.names import display_name

_MAX_PATH = 4_096
_MAX_NAME = 200
_DIGEST = 16


@dataclass(frozen=True, slots=True)
class Project:
    """A project: ``key`` is what memories carry, ``name`` what people read.

    ``root`` is the directory of a git repository's main working tree (or the repository itself
    where it has none), the directory, or None for a mere name. ``shared_key`` is the same on
    every machine: where the repository's remote is; None where it has none.
    """

    key: str
    name: str
    root: Path | None
    kind: Literal["git", "directory", "name"]
    shared_key: str | None = None


def resolve_project(text: str | None) -> Project | None:
    """Resolve what a harness or a user gave as a project; None for nothing.

    An absolute path (``~`` too) is the repository it lies in, however deep and whichever worktree,
    else itself; it need not exist. Everything else, relative paths and URLs included, is a name.
    """
    # Not composed to NFC: a path is the bytes that the file system knows.
    given = (text or "").replace("\x00", "").encode("utf-8", "ignore").decode().lstrip()
    if not given:
        return None
    path = _absolute(given)
    if path is None:
        return _named(given)
    real = Path(os.path.realpath(path))
    root = find_repository(real)
    if root is not None:
        return Project(_key(root), display_name(_key(root)), root, "git", remote_of(root))
    if is_file(real):
        real = real.parent
    return Project(_key(real), real.name or _key(real), real, "directory")


def _absolute(given: str) -> str | None:
    """Return the path that is meant, or None where none is."""
    if len(given) > _MAX_PATH:
        return None
    path = os.path.expanduser(given) if given.startswith("~") else given  # noqa: PTH111 - as text
    return path if os.path.isabs(path) else None  # noqa: PTH117 - as text


def _named(given: str) -> Project | None:
    # A name must never read like the path of a directory.
    name = storage_form(scrub(given)).strip("/ ").rstrip("\\ ")
    if not name:
        return None
    if len(name) > _MAX_NAME:
        # Two long names that begin alike must not become one project.
        digest = hashlib.sha256(name.encode()).hexdigest()[:_DIGEST]
        name = f"{name[: _MAX_NAME - _DIGEST - 1]}#{digest}"
    return Project(name, name, None, "name")


def _key(path: Path) -> str:
    """Write a path as text that every store can carry, without making two paths one."""
    return str(path).encode("utf-8", "backslashreplace").decode("utf-8")

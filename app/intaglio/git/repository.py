"""Opens a repository only if all that git reads in it belongs to it and to the user."""

from dataclasses import dataclass
from pathlib import Path


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
    """A folder that isn't read, and why, in words for the user."""

    reason: str

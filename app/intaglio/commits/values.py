"""Commits as they are stored, and how far a project's log was read."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

TOPIC: Final = "commits"
"""The topic of events about commits."""

CommitKind: TypeAlias = Literal["commit", "merge", "revert"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCommit:
    """A commit on its way into the store: without secrets, shortened to the limits.

    ``committed_at`` is a timestamp in UTC. ``reverts`` is the hash that a revert names, ``author``
    None unless the settings keep authors. ``files`` are paths in the repository, at most 200, and
    ``symbols`` names of what the commit changed. ``pairs`` are the pairs of characters of scripts
    without spaces, None if there are none.
    """

    hash: str
    committed_at: str
    kind: CommitKind
    reverts: str | None
    author: str | None
    subject: str
    body: str
    symbols: tuple[str, ...]
    files: tuple[str, ...]
    pairs: str | None
    words: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCommit:
    """A stored commit; ``seq`` is its row, ``project`` the key of its project."""

    seq: int
    project: str
    hash: str
    committed_at: str
    kind: CommitKind
    reverts: str | None
    author: str | None
    subject: str
    body: str
    symbols: tuple[str, ...]
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitStatus:
    """What is read of a project's commits.

    ``enabled`` is whether they are read, ``choice`` what the user chose for this project (None: the
    settings decide). ``stored`` counts the commits, ``read_at`` is when the log was last read.
    ``stopped`` says why it wasn't read to its end, empty if it was. ``reading`` is whether it is
    being read now.
    """

    project: str
    enabled: bool
    choice: bool | None
    stored: int
    head: str
    read_at: str | None
    stopped: str
    reading: bool = False


@dataclass(frozen=True, slots=True)
class ReadingState:
    """How far the log of a project was read; see the table ``commit_reading``."""

    project: str
    enabled: bool | None = None
    head: str = ""
    read_at: str | None = None
    found: int = 0
    stopped: str = ""
    base: str = ""
    walked: int = 0
    shallow: str = ""
    checked_at: str = ""
    session_at: str = ""

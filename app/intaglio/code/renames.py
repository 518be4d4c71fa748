"""Asks git where a file that is gone went: by its own detection of renames."""

from typing import Final

from intaglio.git.command import Git, GitFailure
from intaglio.git.repository import Repository, hash_in

_STEPS: Final = 5
_LIMIT_S: Final = 5.0
_MAX_BYTES: Final = 8_000_000
_FIELDS: Final = 3


def renamed_path(git: Git, repository: Repository, since: str, head: str, path: str) -> str | None:
    """Return the path that a file of a commit has in a later one; None if it has none there.

    Followed one commit at a time, so that a file that was renamed and changed often is found.
    """
    current, start = path, since
    for _ in range(_STEPS):
        removed = _last_removal(git, repository, start, head, current)
        if not removed:
            break
        target = _target(git, repository, removed, current)
        if target is None:
            return None
        current, start = target, removed
    return current if current != path else None


def _last_removal(git: Git, repository: Repository, since: str, head: str, path: str) -> str:
    """Return the last commit after another one that removed a path."""
    span = f"{since}..{head}" if since else head
    arguments = ["log", "-1", "--format=%H", "--diff-filter=D", span, "--", f":(top,literal){path}"]
    found = git.run(repository, arguments, limit_s=_LIMIT_S, max_bytes=_MAX_BYTES)
    return "" if isinstance(found, GitFailure) else hash_in(found)


def _target(git: Git, repository: Repository, commit: str, path: str) -> str | None:
    """Return under which name a commit kept a file that it removed."""
    arguments = ["diff-tree", "-r", "-z", "-M", "--name-status", "--diff-filter=R"]
    found = git.run(
        repository,
        [*arguments, f"{commit}^", commit],
        limit_s=_LIMIT_S,
        max_bytes=_MAX_BYTES,
    )
    if isinstance(found, GitFailure):
        return None
    parts = found.split(b"\0")
    wanted = path.encode("utf-8", "surrogateescape")
    for start in range(0, len(parts) - _FIELDS + 1, _FIELDS):
        _, old, new = parts[start : start + _FIELDS]
        if old == wanted:
            return new.decode("utf-8", "replace")
    return None

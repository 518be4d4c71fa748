"""Converts commits to the structs of the API."""

from typing import Final

from intaglio.api.serializers.convert import convert
from intaglio.base.text import clip
from intaglio.commits.values import CommitStatus, StoredCommit
from intaglio.wire import commits as wire

_EXCERPT_CHARS: Final = 300


def commit_row(commit: StoredCommit) -> wire.CommitRow:
    """Return a commit as lists show it."""
    return convert(commit, wire.CommitRow, excerpt=_excerpt(commit))


def commit_detail(commit: StoredCommit) -> wire.CommitDetail:
    """Return a commit with all that is stored of it."""
    return convert(commit, wire.CommitDetail, excerpt=_excerpt(commit), files=list(commit.files))


def related_commit(commit: StoredCommit, reason: str) -> wire.RelatedCommit:
    """Return a commit that speaks of a memory."""
    return convert(commit, wire.RelatedCommit, excerpt=_excerpt(commit), reason=reason)


def commit_reading(status: CommitStatus, forgotten: int) -> wire.CommitReading:
    """Return what was read of a project's commits."""
    return convert(
        status,
        wire.CommitReading,
        commits=status.stored,
        forgotten=forgotten,
        head=status.head or None,
    )


def _excerpt(commit: StoredCommit) -> str:
    return clip(commit.body, _EXCERPT_CHARS)

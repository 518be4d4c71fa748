"""Stored commits, as if they had been read from a repository."""

import hashlib

from intaglio.commits import rows
from intaglio.commits.values import CommitKind, NewCommit
from intaglio.store.database import Database

READ_AT = "2026-01-20T09:00:00.000Z"


def hash_of(subject: str) -> str:
    """Return the hash that a stored commit has."""
    return hashlib.sha1(subject.encode(), usedforsecurity=False).hexdigest()


async def keep_commit(  # noqa: PLR0913 - one for each thing that a test cares about
    database: Database,
    project: str,
    subject: str,
    body: str = "So that it holds.",
    *,
    day: int = 12,
    kind: CommitKind = "commit",
    reverts: str | None = None,
    files: tuple[str, ...] = (),
) -> str:
    """Store a commit of a day in January and return its hash."""
    commit = NewCommit(
        hash=hash_of(subject),
        committed_at=f"2026-01-{day:02}T09:00:00.000Z",
        kind=kind,
        reverts=reverts,
        author=None,
        subject=subject,
        body=body,
        symbols=(),
        files=files,
        pairs=None,
        words=len((subject + body).split()),
    )
    await database.write(lambda tx: rows.add(tx, project, commit))
    return commit.hash

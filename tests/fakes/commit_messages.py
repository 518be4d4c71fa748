"""Commits as they are stored, without a repository."""

from intaglio.commits.values import CommitKind, NewCommit, StoredCommit

BODY = "A second writer would\nwait for the lock.\n\n- Leases are taken in one transaction."


def commit(
    body: str = BODY,
    *,
    subject: str = "Take leases at once",
    kind: CommitKind = "commit",
    reverts: str | None = None,
    number: int = 1,
) -> StoredCommit:
    return StoredCommit(
        seq=number,
        project="/p",
        hash=hash_of(number),
        committed_at=f"2025-11-{number:02d}T12:00:00Z",
        kind=kind,
        reverts=reverts,
        author=None,
        subject=subject,
        body=body,
        symbols=(),
        files=("a.py",),
    )


def new_commit(
    body: str,
    *,
    number: int,
    subject: str = "Take leases at once",
    files: tuple[str, ...] = (),
    reverts: str | None = None,
) -> NewCommit:
    return NewCommit(
        hash=hash_of(number),
        committed_at=f"2025-11-{number:02d}T12:00:00Z",
        kind="revert" if reverts else "commit",
        reverts=reverts,
        author=None,
        subject=subject,
        body=body,
        symbols=(),
        files=files,
        pairs=None,
        words=len(f"{subject} {body}".split()),
    )


def hash_of(number: int) -> str:
    return f"{number:08d}" + 32 * "a"

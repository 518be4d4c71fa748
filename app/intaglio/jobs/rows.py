"""SQL on jobs; each function is one step inside the caller's transaction."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Final, cast

from intaglio.base.clock import iso
from intaglio.jobs.rules import LEASE_TIMEOUT
from intaglio.jobs.values import Counts, Dead, Failure, Job, JobType, Retry
from intaglio.store.tx import ReadTx, Row, WriteTx

_READY: Final = "status = 'pending' AND type = ? AND (not_before IS NULL OR not_before <= ?)"
# Who failed before waits behind those that were ready earlier, so that none holds up the others.
_ORDER: Final = "ifnull(not_before, created_at), id"
_HELD: Final = "id = ? AND lease = ? AND status = 'leased'"
_FREED: Final = "lease = NULL, leased_at = NULL"


def enqueue(tx: WriteTx, type_: JobType, subject: str, at: str) -> bool:
    """Add a job unless one of its type waits for that subject already; say whether it was added.

    A job that is being done counts as waiting: who does it looks again before it ends.
    """
    return bool(
        tx.execute(
            "INSERT INTO jobs(type, subject, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            (type_, subject, at),
        )
    )


def _job(row: Row) -> Job:
    number, type_, subject, payload, attempts, most, lease, error = row
    return Job(
        id=int(str(number)),
        type=cast("JobType", type_),
        subject=str(subject),
        payload=None if payload is None else str(payload),
        attempts=int(str(attempts)),
        max_attempts=int(str(most)),
        lease=str(lease),
        error=None if error is None else str(error),
    )


def lease(
    tx: WriteTx, wanted: Sequence[tuple[JobType, int]], token: str, now: datetime
) -> tuple[Job, ...]:
    """Take ready jobs of the first type that has any, longest ready first; it counts an attempt.

    ``wanted`` names the types in the order of their turn, and how many jobs of each to take.
    ``token`` is fresh for each call: it is the proof by which the jobs are ended.
    """
    at = iso(now)
    for type_, limit in wanted:
        taken = tx.execute(
            "UPDATE jobs SET status = 'leased', lease = ?, leased_at = ?, attempts = attempts + 1 "  # noqa: S608 - a constant
            f"WHERE id IN (SELECT id FROM jobs WHERE {_READY} ORDER BY {_ORDER} LIMIT ?)",
            (token, at, type_, at, limit),
        )
        if taken:
            rows = tx.all(
                "SELECT id, type, subject, payload, attempts, max_attempts, lease, error FROM jobs "  # noqa: S608 - a constant
                f"WHERE status = 'leased' AND lease = ? ORDER BY {_ORDER}",
                (token,),
            )
            return tuple(map(_job, rows))
    return ()


def complete(tx: WriteTx, job: Job) -> bool:
    """End a job that is done; False when its lease was lost meanwhile.

    Its row goes: what it did stands where it did it, and rows of done work only cost room.
    """
    return bool(tx.execute(f"DELETE FROM jobs WHERE {_HELD}", (job.id, job.lease)))  # noqa: S608 - a constant


def fail(tx: WriteTx, job: Job, outcome: Failure, error: str, now: datetime) -> bool:
    """Put a failed job back for later, or give it up; False when its lease was lost."""
    at = iso(now)
    match outcome:
        case Retry(not_before):
            return bool(
                tx.execute(
                    f"UPDATE jobs SET status = 'pending', {_FREED}, not_before = ?, error = ?, "  # noqa: S608 - constants
                    f"updated_at = ? WHERE {_HELD}",
                    (not_before, error, at, job.id, job.lease),
                )
            )
        case Dead():
            return bool(
                tx.execute(
                    f"UPDATE jobs SET status = 'dead', {_FREED}, error = ?, updated_at = ?, "  # noqa: S608 - constants
                    f"failed_at = ? WHERE {_HELD}",
                    (error, at, at, job.id, job.lease),
                )
            )


def release(tx: WriteTx, job: Job, not_before: str | None, error: str | None = None) -> bool:
    """Put a job back as if it had not been taken: the failure, if any, was not its own."""
    return bool(
        tx.execute(
            f"UPDATE jobs SET status = 'pending', {_FREED}, attempts = attempts - 1, "  # noqa: S608 - constants
            f"not_before = ?, error = ifnull(?, error) WHERE {_HELD}",
            (not_before, error, job.id, job.lease),
        )
    )


def reap(tx: WriteTx, now: datetime, *, all_leases: bool = False) -> int:
    """Free jobs whose holder was silent too long (all of them after a restart); count them.

    One that used its last attempt is given up: it may be what killed its holder.
    """
    before = iso(now if all_leases else now - LEASE_TIMEOUT)
    at = iso(now)
    given_up = tx.execute(
        f"UPDATE jobs SET status = 'dead', {_FREED}, error = 'its worker stopped', failed_at = ?, "  # noqa: S608 - a constant
        "updated_at = ? WHERE status = 'leased' AND leased_at <= ? AND attempts >= max_attempts",
        (at, at, before),
    )
    freed = tx.execute(
        f"UPDATE jobs SET status = 'pending', {_FREED}, updated_at = ? "  # noqa: S608 - a constant
        "WHERE status = 'leased' AND leased_at <= ?",
        (at, before),
    )
    return given_up + freed


def revive(tx: WriteTx, type_: JobType, at: str) -> int:
    """Let given-up jobs of a type be tried anew, unless their subject waits again; count them."""
    tx.execute(
        "DELETE FROM jobs AS j WHERE type = ? AND status = 'dead' AND EXISTS (SELECT 1 FROM jobs o "
        "WHERE o.subject = j.subject AND o.type = j.type "
        "AND (o.status IN ('pending', 'leased') OR o.status = 'dead' AND o.id < j.id))",
        (type_,),
    )
    return tx.execute(
        "UPDATE jobs SET status = 'pending', attempts = 0, not_before = NULL, failed_at = NULL, "
        "updated_at = ? WHERE type = ? AND status = 'dead'",
        (at, type_),
    )


def hasten(tx: WriteTx, type_: JobType) -> int:
    """Let jobs of a type that wait for a later try be taken at once; count them."""
    return tx.execute(
        "UPDATE jobs SET not_before = NULL "
        "WHERE type = ? AND status = 'pending' AND not_before IS NOT NULL",
        (type_,),
    )


def next_ready(tx: ReadTx, types: Sequence[JobType]) -> str | None:
    """Return from which moment on a waiting job of these types is ready; empty for at once."""
    found = tx.value(
        "SELECT min(ifnull(not_before, '')) FROM jobs "
        "WHERE status = 'pending' AND type IN (SELECT value FROM json_each(?))",
        (json.dumps(list(types)),),
    )
    return None if found is None else str(found)


def counts(tx: ReadTx, type_: JobType) -> Counts:
    """Count the jobs of a type by what they do."""
    rows = tx.all("SELECT status, count(*) FROM jobs WHERE type = ? GROUP BY status", (type_,))
    found = {str(status): int(str(count)) for status, count in rows}
    return Counts(found.get("pending", 0), found.get("leased", 0), found.get("dead", 0))


def count_pending(tx: ReadTx) -> int:
    """Count the jobs that wait."""
    return tx.count("SELECT count(*) FROM jobs WHERE status = 'pending'")

"""SQL on jobs; each function is one step inside the caller's transaction."""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, cast

from intaglio.base.clock import iso
from intaglio.base.events import Changed
from intaglio.jobs.rules import LEASE_TIMEOUT
from intaglio.jobs.values import (
    KEPT_TYPES,
    Counts,
    Dead,
    Discarded,
    DiscardOutcome,
    Entry,
    Failure,
    Job,
    JobStatus,
    JobType,
    NoJob,
    NotDead,
    Retried,
    Retry,
    RetryOutcome,
    Superseded,
    Tally,
)
from intaglio.store.tx import ReadTx, Row, Sql, WriteTx

_READY: Final = "status = 'pending' AND type = ? AND (not_before IS NULL OR not_before <= ?)"
# Who failed before waits behind those that were ready earlier, so that none holds up the others.
_ORDER: Final = "ifnull(not_before, created_at), id"
_HELD: Final = "id = ? AND lease = ? AND status = 'leased'"
_FREED: Final = "lease = NULL, leased_at = NULL"
_ENTRY: Final = (
    "id, type, subject, status, attempts, max_attempts, not_before, error, leased_at, created_at, "
    "updated_at, completed_at, failed_at"
)
# Said in these words, so that the index of jobs that ended is used.
_ENDED: Final = "status IN ('dead', 'completed')"
_AT_ONCE: Final = 500


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
    tx: WriteTx,
    wanted: Sequence[tuple[JobType, int]],
    token: str,
    now: datetime,
    most: int | None = None,
) -> tuple[Job, ...]:
    """Take ready jobs of the first type that has any, longest ready first; it counts an attempt.

    ``wanted`` names the types in the order of their turn, and how many jobs of each to take.
    ``token`` is fresh for each call: it is the proof by which the jobs are ended. ``most`` is how
    many attempts they have in all, as the settings are now.
    """
    at = iso(now)
    for type_, limit in wanted:
        taken = tx.execute(
            "UPDATE jobs SET status = 'leased', lease = ?, leased_at = ?, attempts = attempts + 1, "  # noqa: S608 - constants
            "max_attempts = ifnull(?, max_attempts) "
            f"WHERE id IN (SELECT id FROM jobs WHERE {_READY} ORDER BY {_ORDER} LIMIT ?)",
            (token, at, most, type_, at, limit),
        )
        if taken:
            rows = tx.all(
                "SELECT id, type, subject, payload, attempts, max_attempts, lease, error FROM jobs "  # noqa: S608 - a constant
                f"WHERE status = 'leased' AND lease = ? ORDER BY {_ORDER}",
                (token,),
            )
            return tuple(map(_job, rows))
    return ()


def complete(tx: WriteTx, job: Job, at: str, kept: frozenset[JobType] = KEPT_TYPES) -> bool:
    """End a job that is done; False when its lease was lost meanwhile.

    Its row goes: what it did stands where it did it, and rows of done work only cost room. Only
    of a type that is ``kept`` it stays, for whoever was given its id.
    """
    if job.type not in kept:
        return bool(tx.execute(f"DELETE FROM jobs WHERE {_HELD}", (job.id, job.lease)))  # noqa: S608 - a constant
    return bool(
        tx.execute(
            f"UPDATE jobs SET status = 'completed', {_FREED}, error = NULL, updated_at = ?, "  # noqa: S608 - constants
            f"completed_at = ? WHERE {_HELD}",
            (at, at, job.id, job.lease),
        )
    )


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
            given_up = tx.execute(
                f"UPDATE jobs SET status = 'dead', {_FREED}, error = ?, updated_at = ?, "  # noqa: S608 - constants
                f"failed_at = ? WHERE {_HELD}",
                (error, at, at, job.id, job.lease),
            )
            if given_up:
                _tell(tx, job.id)
            return bool(given_up)


def release(tx: WriteTx, job: Job, not_before: str | None, error: str | None = None) -> bool:
    """Put a job back as if it had not been taken: the failure, if any, was not its own."""
    return bool(
        tx.execute(
            f"UPDATE jobs SET status = 'pending', {_FREED}, attempts = attempts - 1, "  # noqa: S608 - constants
            f"not_before = ?, error = ifnull(?, error) WHERE {_HELD}",
            (not_before, error, job.id, job.lease),
        )
    )


def _tell(tx: WriteTx, *ids: int) -> None:
    tx.publish(Changed("jobs", "updated", tuple(map(str, ids))))


def reap(
    tx: WriteTx,
    now: datetime,
    *,
    all_leases: bool = False,
    timeout: timedelta = LEASE_TIMEOUT,
) -> int:
    """Free jobs whose holder was silent too long (all of them after a restart); count them.

    One that used its last attempt is given up: it may be what killed its holder.
    """
    before = iso(now if all_leases else now - timeout)
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
    if given_up:
        _tell(tx)
    return given_up + freed


def entry(tx: ReadTx, number: int) -> Entry | None:
    """Return a job by its number."""
    row = tx.one(f"SELECT {_ENTRY} FROM jobs WHERE id = ?", (number,))  # noqa: S608 - a constant
    return _entry(row) if row else None


def _entry(row: Row) -> Entry:
    # The table is STRICT, so each column has the type of its declaration.
    values = cast("tuple[str, ...]", row)
    (number, type_, subject, status, attempts, most, not_before, error, leased_at, created_at,
     updated_at, completed_at, failed_at) = values  # fmt: skip
    return Entry(
        id=int(number),
        type=cast("JobType", type_),
        subject=subject,
        status=cast("JobStatus", status),
        attempts=int(attempts),
        max_attempts=int(most),
        not_before=not_before,
        error=error,
        leased_at=leased_at,
        created_at=created_at,
        updated_at=updated_at,
        completed_at=completed_at,
        failed_at=failed_at,
    )


def page(
    tx: ReadTx, status: JobStatus | None, type_: JobType | None, before: int | None, limit: int
) -> list[Entry]:
    """List jobs, newest first, below a number."""
    parts, params = ["1"], list[Sql]()
    if status in ("dead", "completed"):
        parts.append(_ENDED)
    for condition, value in (("status = ?", status), ("type = ?", type_), ("id < ?", before)):
        if value is not None:
            parts.append(condition)
            params.append(value)
    rows = tx.all(
        f"SELECT {_ENTRY} FROM jobs WHERE {' AND '.join(parts)} ORDER BY id DESC LIMIT ?",  # noqa: S608 - constants
        [*params, limit],
    )
    return list(map(_entry, rows))


def tally(tx: ReadTx) -> list[Tally]:
    """Count all jobs by type and state."""
    rows = tx.all("SELECT type, status, count(*) FROM jobs GROUP BY type, status ORDER BY 1, 2")
    return [
        Tally(cast("JobType", type_), cast("JobStatus", status), int(str(count)))
        for type_, status, count in rows
    ]


def oldest(tx: ReadTx) -> str | None:
    """Return when the job was made that waits or is worked on longest."""
    found = tx.value("SELECT min(created_at) FROM jobs WHERE status IN ('pending', 'leased')")
    return None if found is None else str(found)


def retry(tx: WriteTx, number: int, at: str) -> RetryOutcome:
    """Let a given-up job be tried anew, as often as a new one."""
    found = entry(tx, number)
    if found is None:
        return NoJob()
    if found.status != "dead":
        return NotDead(found.status)
    waiting = tx.value(
        "SELECT id FROM jobs WHERE subject = ? AND type = ? AND status IN ('pending', 'leased')",
        (found.subject, found.type),
    )
    _tell(tx, number)
    if waiting is not None:
        tx.execute("DELETE FROM jobs WHERE id = ?", (number,))
        return Superseded(int(str(waiting)))
    tx.execute(
        "UPDATE jobs SET status = 'pending', attempts = 0, not_before = NULL, failed_at = NULL, "
        "updated_at = ? WHERE id = ?",
        (at, number),
    )
    return Retried()


def discard(tx: WriteTx, number: int, at: str) -> DiscardOutcome:
    """End a given-up job for good; its row stays a while, so that nothing queues its work anew.

    What tells it from a job that is done is that it has both ends: failed and completed.
    """
    found = entry(tx, number)
    if found is None:
        return NoJob()
    if found.status != "dead":
        return NotDead(found.status)
    tx.execute(
        "UPDATE jobs SET status = 'completed', updated_at = ?, completed_at = ? WHERE id = ?",
        (at, at, number),
    )
    _tell(tx, number)
    return Discarded()


def revive(tx: WriteTx, type_: JobType | None, at: str, most: int = _AT_ONCE) -> int:
    """Let given-up jobs, of a type or of all, be tried anew, oldest first; count them.

    One whose subject waits already is dropped, and counts too. Fewer than ``most``: it was all.
    """
    found = tx.all(
        f"SELECT id FROM jobs WHERE {_ENDED} AND status = 'dead' AND type = ifnull(?, type) "  # noqa: S608 - a constant
        "ORDER BY id LIMIT ?",
        (type_, most),
    )
    for (number,) in found:
        retry(tx, int(str(number)), at)
    return len(found)


def forget_discarded(tx: WriteTx, type_: JobType, most: int = _AT_ONCE) -> int:
    """Drop what keeps discarded work of a type from being queued anew; count the rows."""
    return tx.execute(
        f"DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE {_ENDED} "  # noqa: S608 - a constant
        "AND status = 'completed' AND failed_at IS NOT NULL AND type = ? LIMIT ?)",
        (type_, most),
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


def counts(tx: ReadTx, types: Sequence[JobType]) -> Counts:
    """Count the jobs of these types by what they do."""
    rows = tx.all(
        "SELECT status, count(*) FROM jobs WHERE type IN (SELECT value FROM json_each(?)) "
        "GROUP BY status",
        (json.dumps(list(types)),),
    )
    found = {str(status): int(str(count)) for status, count in rows}
    return Counts(found.get("pending", 0), found.get("leased", 0), found.get("dead", 0))


def count_open(tx: ReadTx, type_: JobType) -> int:
    """Count the jobs of a type that wait or are worked on."""
    # One statement for both would read the whole queue; each of these reads its own index.
    waiting = "SELECT count(*) FROM jobs WHERE status = 'pending' AND type = ?"
    taken = "SELECT count(*) FROM jobs WHERE status = 'leased' AND type = ?"
    return tx.count(waiting, (type_,)) + tx.count(taken, (type_,))


def count_pending(tx: ReadTx) -> int:
    """Count the jobs that wait."""
    return tx.count("SELECT count(*) FROM jobs WHERE status = 'pending'")


def drop(tx: WriteTx, subject: str) -> None:
    """Delete every job of a subject that is gone; who holds one finds its lease lost."""
    # Two statements, as there are two indexes: of what is open, and of what is ended.
    tx.execute("DELETE FROM jobs WHERE subject = ? AND status IN ('pending', 'leased')", (subject,))
    tx.execute(f"DELETE FROM jobs WHERE subject = ? AND {_ENDED}", (subject,))  # noqa: S608 - a constant

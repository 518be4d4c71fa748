"""SQL for jobs; each function is one step inside the caller's transaction."""

import contextlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from msgspec import Struct

from intaglio.base.clock import iso
from intaglio.base.events import Changed
from intaglio.jobs.job_type import InvalidPayloadError, Job, JobType, OpenJob
from intaglio.jobs.scheduling import LEASE_TIMEOUT
from intaglio.jobs.values import (
    Discarded,
    DiscardOutcome,
    Exhausted,
    Failure,
    JobState,
    NoJob,
    NotFailed,
    QueueCounts,
    QueueEntry,
    Retried,
    Retry,
    RetryOutcome,
    StateCount,
    Superseded,
)
from intaglio.store.tx import ReadTx, Sql, WriteTx

_READY: Final = "status = 'pending' AND type = ? AND (not_before IS NULL OR not_before <= ?)"
# Jobs that failed before wait behind those that were ready earlier, so that none blocks others.
_ORDER: Final = "ifnull(not_before, created_at), id"
_HELD: Final = "id = ? AND lease = ? AND status = 'leased'"
_FREED: Final = "lease = NULL, leased_at = NULL"
_SILENT: Final = (
    "status = 'leased' AND leased_at <= "
    "ifnull((SELECT value FROM json_each(?) WHERE key = jobs.type), ?)"
)
_ENTRY: Final = (
    "id, type, subject, status, attempts, max_attempts, not_before, error, leased_at, created_at, "
    "updated_at, completed_at, failed_at"
)
# This wording makes SQLite use the index of finished jobs.
_ENDED: Final = "status IN ('dead', 'completed')"
_AT_ONCE: Final = 500


class _Leased(NamedTuple):
    id: int
    subject: str
    payload: str | None
    attempts: int
    max_attempts: int
    error: str | None


def enqueue(
    tx: WriteTx, type_: JobType, subject: str, at: str, payload: Struct | None = None
) -> bool:
    """Add a job unless one of its type is already pending for that subject; return whether it was.

    A running job counts as pending: its runner checks the subject again before finishing. The
    payload of a pending job isn't changed. Raises TypeError for an undeclared payload.
    """
    return bool(
        tx.execute(
            "INSERT INTO jobs(type, subject, payload, created_at) VALUES (?, ?, ?, ?) "
            "ON CONFLICT DO NOTHING",
            (type_.name, subject, type_.encode(payload), at),
        )
    )


def lease(
    tx: WriteTx,
    wanted: Sequence[tuple[JobType, int]],
    token: str,
    now: datetime,
    attempts: int | None = None,
) -> tuple[Job, ...]:
    """Lease ready jobs of the first type that has any, longest ready first; counts an attempt.

    ``wanted`` has the types in order of priority, and how many jobs of each to lease. ``token`` is
    new for each call and is required to finish the jobs. ``attempts`` is the maximum, unless the
    type declares one. A job whose payload can't be read fails permanently at once.
    """
    for type_, limit in wanted:
        while taken := _take(tx, (type_, limit), token, now, type_.attempts or attempts):
            jobs = [job for row in taken if (job := _job(tx, type_, row, token, now))]
            if jobs:
                return tuple(jobs)
    return ()


def _take(
    tx: WriteTx, wanted: tuple[JobType, int], token: str, now: datetime, most: int | None
) -> list[_Leased]:
    type_, limit = wanted
    at = iso(now)
    taken = tx.execute(
        "UPDATE jobs SET status = 'leased', lease = ?, leased_at = ?, attempts = attempts + 1, "  # noqa: S608 - constants
        "max_attempts = ifnull(?, max_attempts) "
        f"WHERE id IN (SELECT id FROM jobs WHERE {_READY} ORDER BY {_ORDER} LIMIT ?)",
        (token, at, most, type_.name, at, limit),
    )
    if not taken:
        return []
    return tx.map(
        _Leased,
        "SELECT id, subject, payload, attempts, max_attempts, error FROM jobs "  # noqa: S608 - a constant
        f"WHERE status = 'leased' AND lease = ? ORDER BY {_ORDER}",
        (token,),
    )


def _job(tx: WriteTx, type_: JobType, row: _Leased, token: str, now: datetime) -> Job | None:
    job = Job(row.id, type_, row.subject, None, row.attempts, row.max_attempts, token, row.error)
    try:
        return replace(job, payload=type_.decode(row.payload))
    except InvalidPayloadError as invalid:
        # Another attempt would fail in the same way.
        fail(tx, job, Exhausted(), str(invalid), now)
        return None


def open_job(tx: ReadTx, type_: JobType, subject: str) -> OpenJob | None:
    """Return a type's pending or running job for a subject; an unreadable payload is None."""
    row = tx.row(
        tuple[str, str | None],
        "SELECT status, payload FROM jobs WHERE subject = ? AND type = ? "
        "AND status IN ('pending', 'leased')",
        (subject, type_.name),
    )
    if row is None:
        return None
    status, stored = row
    with contextlib.suppress(InvalidPayloadError):
        return OpenJob(type_.decode(stored), is_leased=status == "leased")
    return OpenJob(None, is_leased=status == "leased")


def complete(tx: WriteTx, job: Job, at: str) -> bool:
    """Finish a successful job; False if its lease was lost.

    Its row is deleted, because its result is stored elsewhere, unless its type declares a retention
    for callers that received its id: the sweep deletes it not before that time.
    """
    if (retention := job.job_type.retention) is None:
        return bool(tx.execute(f"DELETE FROM jobs WHERE {_HELD}", (job.id, job.lease)))  # noqa: S608 - a constant
    return bool(
        tx.execute(
            f"UPDATE jobs SET status = 'completed', {_FREED}, error = NULL, updated_at = ?, "  # noqa: S608 - constants
            f"completed_at = ?, not_before = ? WHERE {_HELD}",
            (at, at, iso(datetime.fromisoformat(at) + retention), job.id, job.lease),
        )
    )


def fail(tx: WriteTx, job: Job, outcome: Failure, error: str, now: datetime) -> bool:
    """Reschedule a failed job or mark it as failed; False if its lease was lost."""
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
        case Exhausted():
            given_up = tx.execute(
                f"UPDATE jobs SET status = 'dead', {_FREED}, error = ?, updated_at = ?, "  # noqa: S608 - constants
                f"failed_at = ? WHERE {_HELD}",
                (error, at, at, job.id, job.lease),
            )
            if given_up:
                _publish(tx, job.id)
            return bool(given_up)


def release(tx: WriteTx, job: Job, not_before: str | None, error: str | None = None) -> bool:
    """Return a job to the queue without counting the attempt: the failure wasn't its own."""
    return bool(
        tx.execute(
            f"UPDATE jobs SET status = 'pending', {_FREED}, attempts = attempts - 1, "  # noqa: S608 - constants
            f"not_before = ?, error = ifnull(?, error) WHERE {_HELD}",
            (not_before, error, job.id, job.lease),
        )
    )


def _publish(tx: WriteTx, *ids: int) -> None:
    tx.publish(Changed("jobs", "updated", tuple(map(str, ids))))


def reap(
    tx: WriteTx,
    now: datetime,
    *,
    all_leases: bool = False,
    timeout: timedelta = LEASE_TIMEOUT,
    leases: Mapping[str, timedelta] | None = None,
) -> int:
    """Free jobs whose worker has been silent too long (all of them after a restart); count them.

    ``leases`` gives the limit for types that declare it, ``timeout`` for the others. A job that
    used its last attempt fails permanently: it may be what killed its worker.
    """
    at = iso(now)
    silent = _cutoffs(now, timeout, {} if all_leases or leases is None else leases)
    if all_leases:
        silent = (silent[0], at)
    given_up = tx.execute(
        f"UPDATE jobs SET status = 'dead', {_FREED}, error = 'its worker stopped', failed_at = ?, "  # noqa: S608 - a constant
        f"updated_at = ? WHERE {_SILENT} AND attempts >= max_attempts",
        (at, at, *silent),
    )
    freed = tx.execute(
        f"UPDATE jobs SET status = 'pending', {_FREED}, updated_at = ? WHERE {_SILENT}",  # noqa: S608 - constants
        (at, *silent),
    )
    if given_up:
        _publish(tx)
    return given_up + freed


def count_silent(
    tx: ReadTx, now: datetime, *, timeout: timedelta, leases: Mapping[str, timedelta]
) -> int:
    """Count the jobs that `reap` would free."""
    return tx.count(
        f"SELECT count(*) FROM jobs WHERE {_SILENT}",  # noqa: S608 - a constant
        _cutoffs(now, timeout, leases),
    )


def _cutoffs(now: datetime, timeout: timedelta, leases: Mapping[str, timedelta]) -> tuple[str, str]:
    by_type = json.dumps({name: iso(now - held) for name, held in leases.items()})
    return by_type, iso(now - timeout)


def entry(tx: ReadTx, number: int) -> QueueEntry | None:
    """Return a job by its number."""
    found = tx.map(QueueEntry, f"SELECT {_ENTRY} FROM jobs WHERE id = ?", (number,))  # noqa: S608 - a constant
    return found[0] if found else None


def page(
    tx: ReadTx, status: JobState | None, type_: str | None, before: int | None, limit: int
) -> list[QueueEntry]:
    """List jobs with a lower number, newest first."""
    parts, params = ["1"], list[Sql]()
    if status in ("dead", "completed"):
        parts.append(_ENDED)
    for condition, value in (("status = ?", status), ("type = ?", type_), ("id < ?", before)):
        if value is not None:
            parts.append(condition)
            params.append(value)
    return tx.map(
        QueueEntry,
        f"SELECT {_ENTRY} FROM jobs WHERE {' AND '.join(parts)} ORDER BY id DESC LIMIT ?",  # noqa: S608 - constants
        [*params, limit],
    )


def count_states(tx: ReadTx) -> list[StateCount]:
    """Count all jobs by type and state."""
    return tx.map(
        StateCount, "SELECT type, status, count(*) FROM jobs GROUP BY type, status ORDER BY 1, 2"
    )


def oldest(tx: ReadTx) -> str | None:
    """Return the creation time of the oldest pending or running job."""
    return tx.scalar(str, "SELECT min(created_at) FROM jobs WHERE status IN ('pending', 'leased')")


def retry(tx: WriteTx, number: int, at: str) -> RetryOutcome:
    """Retry a failed job with all its attempts."""
    found = entry(tx, number)
    if found is None:
        return NoJob()
    if found.status != "dead":
        return NotFailed(found.status)
    waiting = tx.scalar(
        int,
        "SELECT id FROM jobs WHERE subject = ? AND type = ? AND status IN ('pending', 'leased')",
        (found.subject, found.type),
    )
    _publish(tx, number)
    if waiting is not None:
        tx.execute("DELETE FROM jobs WHERE id = ?", (number,))
        return Superseded(waiting)
    tx.execute(
        "UPDATE jobs SET status = 'pending', attempts = 0, not_before = NULL, failed_at = NULL, "
        "updated_at = ? WHERE id = ?",
        (at, number),
    )
    return Retried(found.type)


def discard(tx: WriteTx, number: int, at: str) -> DiscardOutcome:
    """Discard a failed job; its row stays for a while, so that its work isn't queued again.

    Unlike a done job, it has both end times: failed and completed.
    """
    found = entry(tx, number)
    if found is None:
        return NoJob()
    if found.status != "dead":
        return NotFailed(found.status)
    tx.execute(
        "UPDATE jobs SET status = 'completed', updated_at = ?, completed_at = ? WHERE id = ?",
        (at, at, number),
    )
    _publish(tx, number)
    return Discarded()


def retry_all(tx: WriteTx, type_: str | None, at: str, most: int = _AT_ONCE) -> int:
    """Retry failed jobs, of one type or all, oldest first; count them.

    A job whose subject is already pending is deleted, and counts too. A result below ``most`` means
    that none are left.
    """
    found = tx.column(
        int,
        f"SELECT id FROM jobs WHERE {_ENDED} AND status = 'dead' AND type = ifnull(?, type) "  # noqa: S608 - a constant
        "ORDER BY id LIMIT ?",
        (type_, most),
    )
    for number in found:
        retry(tx, number, at)
    return len(found)


def delete_discarded(tx: WriteTx, type_: str, most: int = _AT_ONCE) -> int:
    """Delete the rows that keep discarded work of a type from being queued again; count them."""
    return tx.execute(
        f"DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE {_ENDED} "  # noqa: S608 - a constant
        "AND status = 'completed' AND failed_at IS NOT NULL AND type = ? LIMIT ?)",
        (type_, most),
    )


def make_ready(tx: WriteTx, type_: str) -> int:
    """Make jobs of a type that wait for a retry ready immediately; count them."""
    return tx.execute(
        "UPDATE jobs SET not_before = NULL "
        "WHERE type = ? AND status = 'pending' AND not_before IS NOT NULL",
        (type_,),
    )


def next_ready(tx: ReadTx, types: Sequence[str]) -> str | None:
    """Return when the next pending job of these types is ready; empty if one is ready now."""
    return tx.scalar(
        str,
        "SELECT min(ifnull(not_before, '')) FROM jobs "
        "WHERE status = 'pending' AND type IN (SELECT value FROM json_each(?))",
        (json.dumps(list(types)),),
    )


def counts(tx: ReadTx, types: Sequence[str] | None = None) -> QueueCounts:
    """Count the jobs of these types, or all, by state."""
    rows = tx.rows(
        tuple[str, int],
        "SELECT status, count(*) FROM jobs "
        "WHERE ?1 IS NULL OR type IN (SELECT value FROM json_each(?1)) GROUP BY status",
        (None if types is None else json.dumps(list(types)),),
    )
    found = dict(rows)
    return QueueCounts(found.get("pending", 0), found.get("leased", 0), found.get("dead", 0))


def count_open(tx: ReadTx, type_: str) -> int:
    """Count the pending and running jobs of a type."""
    # One statement for both would scan the whole queue; each of these uses its own index.
    waiting = "SELECT count(*) FROM jobs WHERE status = 'pending' AND type = ?"
    taken = "SELECT count(*) FROM jobs WHERE status = 'leased' AND type = ?"
    return tx.count(waiting, (type_,)) + tx.count(taken, (type_,))


def count_ready(tx: ReadTx, type_: str, at: str) -> int:
    """Count the running jobs of a type, and the pending ones that may run now."""
    waiting = f"SELECT count(*) FROM jobs WHERE {_READY}"  # noqa: S608 - a constant
    taken = "SELECT count(*) FROM jobs WHERE status = 'leased' AND type = ?"
    return tx.count(waiting, (type_, at)) + tx.count(taken, (type_,))


def ready(tx: ReadTx, at: str) -> tuple[int, str | None]:
    """Count the pending jobs that may run now, and return since when the oldest of them may."""
    found = tx.row(
        tuple[int, str | None],
        "SELECT count(*), min(ifnull(not_before, created_at)) FROM jobs "
        "WHERE status = 'pending' AND (not_before IS NULL OR not_before <= ?)",
        (at,),
    )
    return found or (0, None)


def has_failed(tx: ReadTx, type_: JobType, subject: str) -> bool:
    """Tell whether a type's job for a subject has failed for good and wasn't discarded."""
    return bool(
        tx.count(
            "SELECT count(*) FROM jobs WHERE subject = ? AND type = ? "
            "AND status IN ('dead', 'completed') AND status = 'dead'",
            (subject, type_.name),
        )
    )


def drop_pending(tx: WriteTx, type_: JobType, subject: str) -> None:
    """Delete a type's pending job for a subject; a running one continues."""
    tx.execute(
        "DELETE FROM jobs WHERE subject = ? AND type = ? AND status = 'pending'",
        (subject, type_.name),
    )


def drop(tx: WriteTx, subject: str) -> None:
    """Delete every job of a deleted subject; running ones lose their lease."""
    # Two statements for two indexes: open jobs and finished jobs.
    tx.execute("DELETE FROM jobs WHERE subject = ? AND status IN ('pending', 'leased')", (subject,))
    tx.execute(f"DELETE FROM jobs WHERE subject = ? AND {_ENDED}", (subject,))  # noqa: S608 - a constant

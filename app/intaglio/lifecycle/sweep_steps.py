"""What a sweep purges, in this order: the ordered list, and the window of each kind of rows.

What refers to a row goes before it. A package with a table that grows adds its step here.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Final

from intaglio.base.settings.schema import Settings
from intaglio.embedding import rows as vectors
from intaglio.jobs import retention_rows as jobs
from intaglio.lifecycle.sweep_values import PurgeExpired, SweepStep
from intaglio.memory import retention_rows as memory
from intaglio.sessions import retention_rows as sessions
from intaglio.store.tx import ReadTx, Row, WriteTx


def _singly(purge: Callable[[WriteTx, Row, str, str], int]) -> PurgeExpired:
    """Delete one row after the other: of these there are few."""

    def some(tx: WriteTx, keys: Sequence[Row], before: str, now: str) -> int:
        return sum(purge(tx, key, before, now) for key in keys)

    return some


def _no_retentions() -> Mapping[str, timedelta]:
    return {}


def steps(
    job_retentions: Callable[[], Mapping[str, timedelta]] = _no_retentions,
) -> tuple[SweepStep, ...]:
    """List what a sweep does; ``job_retentions`` says how long job types keep what is done."""

    def completed(tx: ReadTx, before: str, now: str, limit: int) -> Sequence[Row]:
        return jobs.completed(tx, before, now, limit, job_retentions())

    def purge_completed(tx: WriteTx, key: Row, before: str, now: str) -> int:
        return jobs.purge_completed(tx, key, before, now, job_retentions())

    # What refers to a row goes before it.
    return (
        SweepStep(
            "vectors",
            lambda s: s.memory.tombstone_days,
            vectors.left_by_tombstones,
            _singly(vectors.purge_unused),
        ),
        SweepStep(
            "tombstones",
            lambda s: s.memory.tombstone_days,
            memory.expired,
            memory.purge_tombstones,
        ),
        SweepStep(
            "history",
            lambda s: s.retention.history_days,
            memory.expired_history,
            memory.purge_changes,
        ),
        SweepStep(
            "completed_jobs",
            lambda s: s.retention.completed_job_days,
            completed,
            _singly(purge_completed),
        ),
        SweepStep(
            "dead_jobs", lambda s: s.retention.dead_job_days, jobs.dead, _singly(jobs.purge_dead)
        ),
        SweepStep(
            "ledger", lambda s: s.retention.ledger_days, sessions.old_ledger, sessions.purge_calls
        ),
        SweepStep(
            "feedback",
            lambda s: s.retention.feedback_days,
            sessions.old_ratings,
            _singly(sessions.purge_rating),
        ),
        SweepStep(
            "sessions",
            lambda s: s.retention.session_days,
            sessions.silent,
            _singly(sessions.purge_session),
        ),
        SweepStep(
            "forgotten",
            lambda s: s.retention.forgotten_days,
            memory.expired_hashes,
            _singly(memory.purge_hash),
        ),
    )


STEPS: Final = steps()


def windows(settings: Settings) -> dict[str, int]:
    """Return for each kind of what is purged how many days it is kept; 0 is for ever."""
    days = {step.name: step.days(settings) for step in STEPS if step.name != "vectors"}
    return days | {"set_aside": settings.retention.set_aside_days}

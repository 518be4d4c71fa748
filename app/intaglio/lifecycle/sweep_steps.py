"""What a sweep purges, in this order: the ordered list, and the window of each kind of rows.

What refers to a row goes before it. A room that gets a table that grows adds its step here.
"""

from collections.abc import Callable, Sequence
from typing import Final

from intaglio.base.settings.values import Settings
from intaglio.jobs.retention import rows as jobs
from intaglio.lifecycle.sweep_values import Purge, Step
from intaglio.memory import retention_rows as memory
from intaglio.sessions import retention_rows as sessions
from intaglio.store.tx import Row, WriteTx


def _singly(purge: Callable[[WriteTx, Row, str, str], int]) -> Purge:
    """Delete one row after the other: of these there are few."""

    def some(tx: WriteTx, keys: Sequence[Row], before: str, now: str) -> int:
        return sum(purge(tx, key, before, now) for key in keys)

    return some


# Seed 002's order begins with the graph's links of expired tombstones; they come with the graph.
STEPS: Final[tuple[Step, ...]] = (
    Step(
        "vectors",
        lambda s: s.memory.tombstone_days,
        memory.unused_vectors,
        _singly(memory.purge_vector),
    ),
    Step("tombstones", lambda s: s.memory.tombstone_days, memory.expired, memory.purge_tombstones),
    Step("history", lambda s: s.retention.history_days, memory.old_history, memory.purge_changes),
    Step(
        "completed_jobs",
        lambda s: s.retention.completed_job_days,
        jobs.completed,
        _singly(jobs.purge_completed),
    ),
    Step("dead_jobs", lambda s: s.retention.dead_job_days, jobs.dead, _singly(jobs.purge_dead)),
    Step("ledger", lambda s: s.retention.ledger_days, sessions.old_ledger, sessions.purge_calls),
    Step(
        "feedback",
        lambda s: s.retention.feedback_days,
        sessions.old_ratings,
        _singly(sessions.purge_rating),
    ),
    Step(
        "sessions",
        lambda s: s.retention.session_days,
        sessions.silent,
        _singly(sessions.purge_session),
    ),
    Step(
        "forgotten",
        lambda s: s.retention.forgotten_days,
        memory.old_digests,
        _singly(memory.purge_digest),
    ),
)


def windows(settings: Settings) -> dict[str, int]:
    """Return for each kind of what is purged how many days it is kept; 0 is for ever."""
    days = {step.name: step.days(settings) for step in STEPS if step.name != "vectors"}
    return days | {"set_aside": settings.retention.set_aside_days}

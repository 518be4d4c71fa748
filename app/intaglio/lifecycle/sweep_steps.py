"""The ordered steps of a sweep, with the retention period of each kind of rows.

Rows that refer to others are purged first. A package with a growing table adds its step here.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Final

from intaglio.base.settings.schema import Settings
from intaglio.embedding import rows as vectors
from intaglio.graph.edits import retention_rows as graph
from intaglio.inbox import retention_rows as inbox
from intaglio.jobs import retention_rows as jobs
from intaglio.lifecycle.sweep_values import PurgeExpired, SweepStep
from intaglio.memory import retention_rows as memory
from intaglio.projects import rows as projects
from intaglio.sessions import retention_rows as sessions
from intaglio.sessions.statements import rows as statements
from intaglio.store.tx import ReadTx, Row, WriteTx


def _singly(purge: Callable[[WriteTx, Row, str, str], int]) -> PurgeExpired:
    """Delete rows one by one; for kinds of which there are few."""

    def purge_all(tx: WriteTx, keys: Sequence[Row], before: str, now: str) -> int:
        return sum(purge(tx, key, before, now) for key in keys)

    return purge_all


_OF_STATEMENTS: Final = (
    SweepStep(
        "suggestions",
        lambda s: s.capture.suggestion_days,
        inbox.waiting,
        _singly(inbox.expire),
    ),
    SweepStep(
        "inbox",
        lambda s: s.retention.inbox_days,
        inbox.decided,
        _singly(inbox.purge_decided),
    ),
    SweepStep(
        "inbox_of_tombstones",
        lambda s: s.memory.tombstone_days,
        inbox.about_nothing,
        _singly(inbox.purge_about_nothing),
    ),
    SweepStep(
        "statements",
        lambda s: s.memory.tombstone_days,
        statements.left_over,
        statements.purge_texts,
    ),
    SweepStep(
        "places",
        lambda s: s.retention.session_days,
        statements.old_places,
        statements.purge_places,
    ),
)
_OF_SESSIONS: Final = (
    SweepStep(
        "ledger", lambda s: s.retention.ledger_days, sessions.old_ledger, sessions.purge_calls
    ),
    SweepStep(
        "sent_texts",
        lambda s: s.retention.sent_text_days,
        sessions.old_texts,
        sessions.purge_texts,
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
        sessions.inactive_sessions,
        _singly(sessions.purge_session),
    ),
)


def _no_retentions() -> Mapping[str, timedelta]:
    return {}


def steps(
    job_retentions: Callable[[], Mapping[str, timedelta]] = _no_retentions,
) -> tuple[SweepStep, ...]:
    """List the steps; ``job_retentions`` is how long job types keep completed jobs."""

    def completed(tx: ReadTx, before: str, now: str, limit: int) -> Sequence[Row]:
        return jobs.completed(tx, before, now, limit, job_retentions())

    def purge_completed(tx: WriteTx, key: Row, before: str, now: str) -> int:
        return jobs.purge_completed(tx, key, before, now, job_retentions())

    # Rows that refer to others are purged first.
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
            "entity_changes",
            lambda s: s.retention.entity_change_days,
            graph.expired_changes,
            graph.purge_changes,
        ),
        SweepStep("entities", lambda s: s.memory.tombstone_days, graph.stale, graph.clean),
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
        *_OF_STATEMENTS,
        *_OF_SESSIONS,
        SweepStep(
            "project_changes",
            lambda s: s.retention.history_days,
            projects.expired_changes,
            projects.purge_changes,
        ),
        SweepStep(
            "forgotten",
            lambda s: s.retention.forgotten_days,
            memory.expired_hashes,
            _singly(memory.purge_hash),
        ),
    )


STEPS: Final = steps()
# What goes together with tombstones.
_FOLLOWING: Final = frozenset(
    {"vectors", "entities", "inbox_of_tombstones", "statements", "places"}
)


def windows(settings: Settings) -> dict[str, int]:
    """Return the retention period of each kind of rows in days; 0 keeps them forever."""
    days = {step.name: step.days(settings) for step in STEPS if step.name not in _FOLLOWING}
    return days | {"set_aside": settings.retention.set_aside_days}

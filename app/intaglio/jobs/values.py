"""The state of queued jobs, and the outcomes of failures and of actions on failed jobs."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

JobState: TypeAlias = Literal["pending", "leased", "completed", "dead"]


@dataclass(frozen=True, slots=True)
class Retry:
    """The job is retried, not before this time (ISO-8601 UTC)."""

    not_before: str


@dataclass(frozen=True, slots=True)
class Exhausted:
    """The job has used all attempts and stays failed until someone retries or discards it."""


Failure: TypeAlias = Retry | Exhausted


@dataclass(frozen=True, slots=True)
class QueueCounts:
    """How many jobs are pending, running and failed."""

    pending: int
    leased: int
    dead: int


@dataclass(frozen=True, slots=True)
class QueueEntry:
    """A job as stored in the queue, whoever holds it."""

    id: int
    type: str
    subject: str
    status: JobState
    attempts: int
    max_attempts: int
    not_before: str | None
    error: str | None
    leased_at: str | None
    created_at: str
    updated_at: str | None
    completed_at: str | None
    failed_at: str | None


@dataclass(frozen=True, slots=True)
class StateCount:
    """How many jobs of a type are in a state."""

    type: str
    status: JobState
    count: int


@dataclass(frozen=True, slots=True)
class Retried:
    """A failed job is pending again."""

    type: str


@dataclass(frozen=True, slots=True)
class Superseded:
    """A failed job was deleted, because its subject is already pending in this newer job."""

    by: int


@dataclass(frozen=True, slots=True)
class Discarded:
    """A failed job was discarded."""


@dataclass(frozen=True, slots=True)
class NotFailed:
    """Only failed jobs can be retried or discarded, and this one hasn't failed."""

    state: JobState


@dataclass(frozen=True, slots=True)
class NoJob:
    """There is no such job."""


RetryOutcome: TypeAlias = Retried | Superseded | NotFailed | NoJob
DiscardOutcome: TypeAlias = Discarded | NotFailed | NoJob

"""The state of jobs in the queue, and what becomes of one that failed or is changed by a person."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

JobState: TypeAlias = Literal["pending", "leased", "completed", "dead"]


@dataclass(frozen=True, slots=True)
class Retry:
    """The job is tried again, not before this moment (ISO-8601 UTC)."""

    not_before: str


@dataclass(frozen=True, slots=True)
class Exhausted:
    """The job was tried often enough; it rests until someone looks at it."""


Failure: TypeAlias = Retry | Exhausted


@dataclass(frozen=True, slots=True)
class QueueCounts:
    """How many jobs wait, are being done, and were given up."""

    pending: int
    leased: int
    dead: int


@dataclass(frozen=True, slots=True)
class QueueEntry:
    """A job as it stands in the queue, whoever holds it."""

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
    """A given-up job waits again."""

    type: str


@dataclass(frozen=True, slots=True)
class Superseded:
    """A given-up job is gone: its subject waits already, in this newer job."""

    by: int


@dataclass(frozen=True, slots=True)
class Discarded:
    """A given-up job is ended for good."""


@dataclass(frozen=True, slots=True)
class NotFailed:
    """Only what was given up can be tried anew or discarded; this job was not."""

    state: JobState


@dataclass(frozen=True, slots=True)
class NoJob:
    """There is no such job."""


RetryOutcome: TypeAlias = Retried | Superseded | NotFailed | NoJob
DiscardOutcome: TypeAlias = Discarded | NotFailed | NoJob

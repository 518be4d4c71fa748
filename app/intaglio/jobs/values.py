"""What a job is, and what becomes of one that failed."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

JobType: TypeAlias = Literal["embed"]

JOB_TYPES: Final[tuple[JobType, ...]] = ("embed",)


@dataclass(frozen=True, slots=True)
class Job:
    """A leased job: who holds ``lease`` may end it. ``attempts`` counts this one too.

    ``error`` is what an earlier try ended with, whoever was to blame.
    """

    id: int
    type: JobType
    subject: str
    payload: str | None
    attempts: int
    max_attempts: int
    lease: str
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Retry:
    """The job is tried again, not before this moment (ISO-8601 UTC)."""

    not_before: str


@dataclass(frozen=True, slots=True)
class Dead:
    """The job was tried often enough; it rests until someone looks at it."""


Failure: TypeAlias = Retry | Dead


@dataclass(frozen=True, slots=True)
class Counts:
    """How many jobs wait, are being done, and were given up."""

    pending: int
    leased: int
    dead: int

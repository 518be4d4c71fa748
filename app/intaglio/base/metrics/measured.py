"""What is measured besides requests; it has names, ids and counts, but no text of anybody."""

from dataclasses import dataclass
from typing import TypeAlias

from intaglio.base.metrics.errors import ErrorCode, ErrorEntry, ErrorStage


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredFailure:
    """Which error of the taxonomy something is, with a message without private text."""

    stage: ErrorStage
    code: ErrorCode
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """A call of a language model; ``usd`` is None where no price is known.

    ``memory_id`` is the memory that it was about; None for a session.
    """

    provider: str
    model: str
    stage: str
    outcome: str
    ms: float
    tokens_read: int
    tokens_written: int
    usd: float | None
    memory_id: str | None
    failure: MeasuredFailure | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingCall:
    """A call of an embedding model with some texts."""

    provider: str
    model: str
    texts: int
    ms: float
    failure: MeasuredFailure | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JobsRun:
    """A run of the job worker: jobs of one type that were leased together."""

    type: str
    jobs: int
    ms: float
    failure: MeasuredFailure | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRead:
    """A memory that a language model read for facts.

    ``actions`` has what was decided about each fact: add, update, delete, none or undecided.
    ``applied`` is written, shadow, or why nothing was.
    """

    memory_id: str
    actions: tuple[str, ...]
    applied: str
    ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionStarted:
    """A session started; ``source`` is startup, resume, clear, compact, fork or lost."""

    harness: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEnded:
    """A session ended, for a reason that its harness names."""

    harness: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCaptured:
    """What was said in a turn was read: how many lines were kept and suggested."""

    harness: str
    kept: int
    suggested: int
    ms: float


Measured: TypeAlias = (
    ModelCall
    | EmbeddingCall
    | JobsRun
    | MemoryRead
    | SessionStarted
    | SessionEnded
    | TurnCaptured
    | ErrorEntry
)

"""What is judged again, and what comes of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from intaglio.inbox.values import Evidence

DoubtReason: TypeAlias = Literal["question", "musing", "hedge", "bug_report", "order", "incomplete"]
"""Why the judge would not keep a sentence; without one, it only isn't sure enough of it."""

REASON_TEXTS: Final[Mapping[DoubtReason, str]] = {
    "question": "A question",
    "musing": "Thinking aloud",
    "hedge": "Undecided, or for now",
    "bug_report": "A report of a problem",
    "order": "An order for once",
    "incomplete": "Says little without its conversation",
}


@dataclass(frozen=True, slots=True)
class SaidText:
    """A sentence of the user and what was said around it, as far as that was recorded."""

    sentence: str
    context: str


@dataclass(frozen=True, slots=True)
class ReviewCandidate:
    """A memory that capture saved without asking; ``seq`` is the row of its first statement."""

    seq: int
    memory_id: str
    said: tuple[SaidText, ...]


@dataclass(frozen=True, slots=True)
class Doubt:
    """How sure the judge is of a sentence that it would not keep."""

    confidence: float
    reason: DoubtReason | None


@dataclass(frozen=True, slots=True)
class JudgeProgress:
    """How far a judge has come; it reviews what was recorded before ``since``.

    ``position`` is the last statement's row that was reviewed.
    """

    judge: str
    since: str
    position: int
    finished_at: str | None
    dismissed_at: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubtfulMemory:
    """A memory that the judge would not keep, with the sentence that it came from."""

    seq: int
    id: str
    content: str
    type: str
    project: str | None
    agent_id: str
    created_at: str
    version: int
    confidence: float
    reason: DoubtReason | None
    evidence: Evidence
    context: str


@dataclass(frozen=True, slots=True)
class ReviewPosition:
    """Where a page ends: the confidence and the row of its last memory."""

    confidence: float
    seq: int


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """A page of doubtful memories, least sure first; ``progress`` is None before the first run."""

    items: tuple[DoubtfulMemory, ...]
    end: ReviewPosition | None
    total: int
    progress: JudgeProgress | None

"""What is asked of recall, and what it answers, with the reasons."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from intaglio.memory.filters import Filter
from intaglio.memory.values import Memory

RecallMethod: TypeAlias = Literal["hybrid", "keyword"]
HitSource: TypeAlias = Literal["hybrid", "vector", "keyword"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question in plain words; ``keywords`` replaces the text for the keyword leg.

    ``min_score`` drops results of which neither coverage nor cosine reaches it. Embedding may take
    ``embed_within_s``; after that keywords answer alone. What the user looks up in the dashboard
    does not count as use.
    """

    text: str
    keywords: str | None = None
    limit: int = 10
    filters: Filter = field(default_factory=Filter)
    min_score: float | None = None
    embed_within_s: float = 3.0
    counts_as_use: bool = True


@dataclass(frozen=True, slots=True)
class Signals:
    """The raw signals of one result.

    ``bm25`` is higher for better and unbounded; ``coverage`` is the share (0 to 1) of the
    question's weight, by rarity, that the memory's words cover; ``matched`` are the words;
    ``cosine`` is -1 to 1, None where the memory or the question has no vector.
    """

    bm25: float
    coverage: float
    matched: tuple[str, ...]
    cosine: float | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that answers; ``score`` is 0 to 1, relative to the best of this answer.

    ``source`` tells which leg had it among its candidates.
    """

    memory: Memory
    score: float
    signals: Signals
    source: HitSource = "keyword"


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """How the question was read.

    ``terms`` were searched; ``dropped`` were not (stop words, or past the postings budget).
    """

    terms: tuple[str, ...]
    dropped: tuple[str, ...]
    postings: int
    candidates: int
    timed_out: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """The memories, best first, and how they were found."""

    hits: tuple[Hit, ...]
    plan: QueryPlan
    method: RecallMethod = "keyword"

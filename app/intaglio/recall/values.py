"""Questions and answers of recall."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from intaglio.memory.filters import Filter
from intaglio.memory.values import Memory

RecallMethod: TypeAlias = Literal["hybrid", "keyword"]
HitSource: TypeAlias = Literal["hybrid", "vector", "keyword"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question in plain words; ``keywords`` replaces the text for the keyword retriever.

    ``min_score`` drops results whose coverage and cosine are both below it. Embedding may take
    ``embed_within_s``; after that, keywords answer alone. Searches by the user in the dashboard
    don't count as use.
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
    ``cosine`` is -1 to 1, None if the memory or the question has no vector.
    """

    bm25: float
    coverage: float
    matched: tuple[str, ...]
    cosine: float | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory in an answer; ``score`` is 0 to 1, relative to the best of this answer.

    ``source`` says which retriever had it among its candidates.
    """

    memory: Memory
    score: float
    signals: Signals
    source: HitSource = "keyword"


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """How the question was searched.

    ``terms`` were searched; ``dropped`` weren't (stop words, or over the postings budget).
    ``words`` are the question's own words for the terms, in the same order.
    """

    terms: tuple[str, ...]
    words: tuple[str, ...]
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

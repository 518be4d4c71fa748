"""Questions and answers of recall."""

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from intaglio.memory.filters import Filter
from intaglio.memory.values import Memory

RecallMethod: TypeAlias = Literal["hybrid", "keyword"]
HitSource: TypeAlias = Literal["hybrid", "vector", "keyword"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question in plain words; ``keywords`` replaces the text for the keyword retriever.

    Without a ``min_score``, results that don't answer the question are left out. With one, results
    are dropped only if their coverage and cosine are both below it; 0 drops none. Embedding may
    take ``embed_within_s``; after that, keywords answer alone. Searches by the user in the
    dashboard don't count as use.
    """

    text: str
    keywords: str | None = None
    limit: int = 10
    filters: Filter = field(default_factory=Filter)
    min_score: float | None = None
    embed_within_s: float = 3.0
    counts_as_use: bool = True


_OWN_COVERAGE: Final = 0.2
_OWN_VECTOR: Final = 0.2


def own_match(meaning: float, coverage: float, cosine: float) -> float:
    """Return how well a memory matches by itself, without its conversation: 0 to about 1.2."""
    return meaning + _OWN_COVERAGE * coverage + _OWN_VECTOR * cosine


@dataclass(frozen=True, slots=True)
class Signals:
    """The raw signals of one result.

    ``bm25`` is higher for better and unbounded; ``coverage`` is the share (0 to 1) of the
    question's weight, by rarity, that the memory's words cover; ``matched`` are the words;
    ``cosine`` is -1 to 1, None if the memory or the question has no vector. ``meaning`` is how well
    the question's words match by late interaction, about 0 to 0.8, None without token states.
    ``shares`` are what each signal adds to the score; ``reasons`` say in plain words what speaks
    for it besides the matched words.
    """

    bm25: float
    coverage: float
    matched: tuple[str, ...]
    cosine: float | None = None
    meaning: float | None = None
    shares: tuple[tuple[str, float], ...] = ()
    reasons: tuple[str, ...] = ()

    @property
    def own_match(self) -> float | None:
        """How well the memory matches by itself (`own_match`), None without token states."""
        if self.meaning is None:
            return None
        return own_match(self.meaning, self.coverage, self.cosine or 0.0)


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory in an answer; ``score`` is 0 to 1.

    ``source`` says which retriever had it among its candidates. ``answers`` is false for what is
    likely noise, and is only listed because the caller set a limit of its own.
    """

    memory: Memory
    score: float
    signals: Signals
    source: HitSource = "keyword"
    answers: bool = True


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
class NotReady:
    """A retriever that can't search now, and why, in sentences for people.

    Without a reason, nothing has been prepared for it to search yet.
    """

    why: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The memories, best first, and how they were found.

    ``near_misses`` are the next best ones, which don't answer the question well enough; together
    with ``hits`` at most the question's limit. ``keywords_only`` says why memories weren't found
    by meaning, too; empty if they were, or if no model is configured.
    """

    hits: tuple[Hit, ...]
    plan: QueryPlan
    method: RecallMethod = "keyword"
    near_misses: tuple[Hit, ...] = ()
    keywords_only: str = ""

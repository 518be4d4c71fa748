"""The keyword retriever's search: which memories contain the question's words, and how well."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, TypeAlias

from intaglio.base.clock import monotonic_s
from intaglio.memory import rows
from intaglio.memory.filters import Filter, scope_filter, vector_filter
from intaglio.memory.values import Memory
from intaglio.recall.query_terms import (
    MAX_TERMS,
    TermPlan,
    bm25,
    bm25_weights,
    content_terms,
    coverage,
    plan_terms,
)
from intaglio.recall.values import Question
from intaglio.store import fts
from intaglio.store.tx import ReadTx

MAX_QUERY_CHARS: Final = 10_000
_DEADLINE_S: Final = 1.0
_STALE_S: Final = 60.0
_GROWTH: Final = 1.2
_SLACK_ROWS: Final = 100
_MAX_COUNTED_POSTINGS: Final = 4_000
_MAX_COUNTS: Final = 20_000


# A filter and a term; an empty term counts memories.
_CountKey: TypeAlias = tuple[Filter, str]


@dataclass(slots=True)
class VocabularyCache:
    """Caches the index's vocabulary until the store has grown by a fifth or a minute has passed.

    Frequencies only decide which words are searched and how they are weighted, so they may be
    stale.
    """

    monotonic_s: Callable[[], float] = monotonic_s
    _vocabulary: fts.Vocabulary | None = None
    _read_at: float = 0.0
    _counts: dict[_CountKey, int] = field(default_factory=dict[_CountKey, int])

    def get(self, tx: ReadTx) -> fts.Vocabulary:
        """Return the vocabulary to use with this snapshot."""
        cached, now = self._vocabulary, self.monotonic_s()
        if cached is not None:
            newest = fts.newest_row(tx)
            grown = newest > cached.newest * _GROWTH + _SLACK_ROWS
            if not grown and (newest == cached.newest or now - self._read_at < _STALE_S):
                return cached
        self._vocabulary, self._read_at = fts.read_vocabulary(tx), now
        # Replaced, not cleared: another thread may be reading it.
        self._counts = {}
        return self._vocabulary

    def get_count(self, asked: _CountKey, count: Callable[[], int]) -> int:
        """Return a count made since the vocabulary was read, or make it."""
        counts = self._counts
        known = counts.get(asked)
        if known is None:
            known = counts[asked] = count()
            if len(counts) > _MAX_COUNTS:
                self._counts = {}
        return known


@dataclass(frozen=True, slots=True)
class KeywordScorer:
    """Scores how well a memory's words answer the question, whichever retriever found it."""

    terms: tuple[str, ...]
    vocabulary: fts.Vocabulary
    _tokens: dict[int, list[str]] = field(default_factory=dict[int, list[str]])
    _idf: dict[str, float] = field(default_factory=dict[str, float])

    def tokens(self, tx: ReadTx, memory: Memory) -> list[str]:
        """Return the index terms of the memory's content and tags; computed once per question."""
        known = self._tokens.get(memory.seq)
        if known is None:
            known = tx.index_terms(f"{memory.content} {' '.join(memory.tags)}")
            self._tokens[memory.seq] = known
        return known

    def bm25(self, tx: ReadTx, memory: Memory) -> float:
        """Return the BM25 score that the index would give, higher for better, 0 without a match."""
        if not self._idf:
            self._idf.update(bm25_weights(self.terms, self.vocabulary))
        return bm25(self._idf, self.tokens(tx, memory), self.vocabulary.mean_length)

    def coverage(self, tx: ReadTx, memory: Memory) -> float:
        """Return the share (0 to 1) of the question's weight that the memory's words cover."""
        return coverage(self.terms, frozenset(self.tokens(tx, memory)), self.vocabulary)

    def matched_terms(self, tx: ReadTx, memory: Memory) -> tuple[str, ...]:
        """Return the question's terms that the memory contains."""
        held = frozenset(self.tokens(tx, memory))
        return tuple(term for term in self.terms if term in held)


@dataclass(frozen=True, slots=True)
class KeywordHits:
    """What the keyword search found: scores by row number, higher for better, best first."""

    plan: TermPlan
    words: tuple[str, ...]
    scorer: KeywordScorer
    scores: dict[int, float]
    timed_out: bool


def find(
    tx: ReadTx, question: Question, cache: VocabularyCache, *, budget: int, limit: int
) -> KeywordHits:
    """Search the index for the question's rarest words within the postings budget."""
    vocabulary = cache.get(tx)
    text = (question.keywords or question.text)[:MAX_QUERY_CHARS]
    tokens, spelled = tx.index_terms(text), tx.spellings(text)
    plan = plan_terms(tokens, vocabulary, budget)
    words = tuple(spelled[term] for term in plan.terms)
    asked = content_terms(tokens) or plan.terms
    scope = _scope(tx, question.filters, cache)
    weigh = KeywordScorer(
        asked, _scoped_vocabulary(tx, scope, {term: spelled[term] for term in asked}, cache)
    )
    if not plan.terms:
        return KeywordHits(plan, words, weigh, {}, timed_out=False)
    matches = fts.search(
        tx,
        fts.KeywordQuery(
            words=words,
            among=vector_filter(question.filters),
            limit=limit,
            deadline_s=_DEADLINE_S,
            ranked=plan.postings <= budget,
            share=_match_share(question.filters, scope, vocabulary),
        ),
    )
    match matches:
        case fts.Ranked(scores):
            return KeywordHits(plan, words, weigh, scores, timed_out=False)
        case fts.Newest(numbers):
            return KeywordHits(
                plan, words, weigh, _by_coverage(tx, numbers, weigh), timed_out=False
            )
        case fts.TooSlow():
            return KeywordHits(plan, words, weigh, {}, timed_out=True)


def _match_share(filters: Filter, scope: "_Scope | None", vocabulary: fts.Vocabulary) -> float:
    """Return the approximate share of rows that match the filter, 0 if it isn't known."""
    if filters != scope_filter(filters):
        return 0.0
    return 1.0 if scope is None else min(1.0, scope.rows / max(vocabulary.rows, 1))


@dataclass(frozen=True, slots=True)
class _Scope:
    """The project of the question, and its number of memories."""

    filters: Filter
    rows: int


def _scope(tx: ReadTx, filters: Filter, cache: VocabularyCache) -> _Scope | None:
    if filters.project is None and not filters.global_only:
        return None
    place = scope_filter(filters)
    return _Scope(place, cache.get_count((place, ""), partial(rows.count, tx, place)))


def _scoped_vocabulary(
    tx: ReadTx, scope: _Scope | None, asked: Mapping[str, str], cache: VocabularyCache
) -> fts.Vocabulary:
    """Return how frequent the terms (with a spelling each) are in the question's project.

    A name that occurs in half of a project's memories says little there, however rare it is in the
    whole store. If the words are too frequent to count, the store's frequencies are used.
    """
    vocabulary = cache.get(tx)
    if scope is None:
        return vocabulary
    among = vector_filter(scope.filters)
    left, counted = _MAX_COUNTED_POSTINGS, dict[str, int]()
    for term in sorted(list(asked)[:MAX_TERMS], key=vocabulary.frequency):
        left -= vocabulary.frequency(term)
        if left < 0:
            return vocabulary
        count = partial(fts.count_containing, tx, asked[term], among)
        # As in the store's vocabulary, an unknown word weighs as much as one that occurs once.
        found = cache.get_count((scope.filters, term), count)
        counted[term] = max(1, found)
    return replace(vocabulary, rows=scope.rows, frequencies=counted)


def _by_coverage(tx: ReadTx, numbers: tuple[int, ...], weigh: KeywordScorer) -> dict[int, float]:
    """Score unranked rows by coverage; ties stay newest first."""
    memories = rows.by_seq(tx, numbers)
    covered = {seq: weigh.coverage(tx, memories[seq]) for seq in numbers if seq in memories}
    return dict(sorted(covered.items(), key=lambda pair: -pair[1]))

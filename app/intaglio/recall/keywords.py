"""The keyword retriever's search: which memories contain the question's words, and how well."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from intaglio.domain.reader import USER
from intaglio.memory import rows
from intaglio.memory.filters import Filter, scope_filter, vector_filter
from intaglio.memory.values import MemoryText
from intaglio.recall.values import Question
from intaglio.recall.vocabulary import VocabularyCache
from intaglio.store import fts
from intaglio.store.tx import ReadTx
from intaglio.terms.articles import forms_with_article
from intaglio.terms.query_terms import (
    MAX_WEIGHED,
    TermPlan,
    bm25,
    bm25_weights,
    content_terms,
    covered,
    plan_terms,
    weight,
)

MAX_QUERY_CHARS: Final = 10_000
_DEADLINE_S: Final = 1.0
_MAX_COUNTED_POSTINGS: Final = 2_000


@dataclass(frozen=True, slots=True)
class KeywordScorer:
    """Scores how well a memory's words answer the question, whichever retriever found it.

    ``vocabulary`` holds the frequencies of all the question's terms where it is asked, and
    ``terms`` those that aren't stop words.
    """

    terms: tuple[str, ...]
    vocabulary: fts.Vocabulary
    cache: VocabularyCache
    _tokens: dict[int, list[str]] = field(default_factory=dict[int, list[str]])
    _idf: dict[str, float] = field(default_factory=dict[str, float])
    _weights: dict[str, float] = field(default_factory=dict[str, float])

    def tokens(self, tx: ReadTx, memory: MemoryText) -> list[str]:
        """Return the index terms of the memory's content and tags; computed once per question."""
        known = self._tokens.get(memory.seq)
        if known is None:
            known = self.cache.terms(tx, f"{memory.content} {memory.tags}")
            self._tokens[memory.seq] = known
        return known

    def bm25(self, tx: ReadTx, memory: MemoryText) -> float:
        """Return the BM25 score that the index would give, higher for better, 0 without a match."""
        if not self._idf:
            self._idf.update(bm25_weights(self.terms, self.vocabulary))
        return bm25(self._idf, self.tokens(tx, memory), self.vocabulary.mean_length)

    def matched_terms(self, tx: ReadTx, memory: MemoryText) -> tuple[str, ...]:
        """Return the question's terms that the memory contains."""
        held = frozenset(self.tokens(tx, memory))
        return tuple(term for term in self.terms if term in held)

    def coverage(self, tx: ReadTx, memory: MemoryText) -> float:
        """Return the share (0 to 1) of the question's weight that the memory's words cover."""
        if not self._weights:
            self._weights.update((each, weight(each, self.vocabulary)) for each in self.terms)
        return covered(self._weights, frozenset(self.tokens(tx, memory)))

    def word_weight(self, tx: ReadTx, word: str) -> float:
        """Return how rare a word of the question is, stop words included; 0 if it is no word."""
        terms = self.cache.terms(tx, word)
        return max((weight(term, self.vocabulary) for term in terms), default=0.0)


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
    costs = plan_terms(tokens, vocabulary, budget)
    scope = _scope(tx, question.filters, cache)
    scoped = _scoped_vocabulary(tx, scope, spelled, cache)
    plan = _readable(costs, scoped)
    words = tuple(spelled[term] for term in plan.terms)
    asked = content_terms(cache.terms(tx, text))[:MAX_WEIGHED] or plan.terms
    scorer = KeywordScorer(asked, scoped, cache)
    if not plan.terms:
        return KeywordHits(plan, words, scorer, {}, timed_out=False)
    matches = fts.search(
        tx,
        fts.KeywordQuery(
            words=[form for word in words for form in forms_with_article(word)],
            among=vector_filter(question.filters),
            limit=limit,
            deadline_s=_DEADLINE_S,
            ranked=costs.postings <= budget,
            share=_match_share(question.filters, scope, vocabulary),
        ),
    )
    match matches:
        case fts.Ranked(scores):
            return KeywordHits(plan, words, scorer, scores, timed_out=False)
        case fts.Newest(numbers):
            return KeywordHits(
                plan, words, scorer, _by_coverage(tx, numbers, scorer), timed_out=False
            )
        case fts.TooSlow():
            return KeywordHits(plan, words, scorer, {}, timed_out=True)


def _readable(plan: TermPlan, scoped: fts.Vocabulary) -> TermPlan:
    """Return the plan as the reader may see it: ordered and counted by the part that is asked."""
    terms = sorted(plan.terms, key=lambda term: (scoped.frequency(term), term))
    return replace(plan, terms=tuple(terms), postings=sum(map(scoped.frequency, terms)))


def _match_share(filters: Filter, scope: "_Scope | None", vocabulary: fts.Vocabulary) -> float:
    """Return the approximate share of rows that match the filter, 0 if it isn't known."""
    # Nearly all memories hold.
    if replace(filters, memory_status=None) != scope_filter(filters):
        return 0.0
    return 1.0 if scope is None else min(1.0, scope.rows / max(vocabulary.rows, 1))


@dataclass(frozen=True, slots=True)
class _Scope:
    """The part of the store that a question is about, and its number of memories."""

    filters: Filter
    rows: int


def _scope(tx: ReadTx, filters: Filter, cache: VocabularyCache) -> _Scope | None:
    """Return the part of the store that is asked and may be read; None if it is all of it."""
    place = scope_filter(filters)
    if place == Filter(reader=USER):
        return None
    counted = cache.get_count((place, ""), partial(rows.count, tx, place))
    return None if counted >= cache.get(tx).rows else _Scope(place, counted)


def _scoped_vocabulary(
    tx: ReadTx, scope: _Scope | None, asked: Mapping[str, str], cache: VocabularyCache
) -> fts.Vocabulary:
    """Return how frequent the terms (with a spelling each) are in the part that is asked.

    A name that occurs in half of a project's memories says little there, however rare it is in the
    whole store; and what a reader may not see must not change its answers. Terms that are too
    frequent to count are taken to be as frequent everywhere.
    """
    vocabulary = cache.get(tx)
    if scope is None:
        return vocabulary
    among = vector_filter(scope.filters)
    share = min(1.0, scope.rows / max(vocabulary.rows, 1))
    left, counted = _MAX_COUNTED_POSTINGS, dict[str, int]()
    for term in sorted(list(asked)[:MAX_WEIGHED], key=vocabulary.frequency):
        frequency = vocabulary.frequency(term)
        left -= frequency
        if left < 0:
            # As in the store's vocabulary, an unknown word weighs as much as one that occurs once.
            counted[term] = max(1, round(frequency * share))
            continue
        count = partial(fts.count_containing, tx, asked[term], among)
        counted[term] = max(1, cache.get_count((scope.filters, term), count))
    return replace(vocabulary, rows=scope.rows, frequencies=counted)


def _by_coverage(tx: ReadTx, numbers: tuple[int, ...], scorer: KeywordScorer) -> dict[int, float]:
    """Score unranked rows by coverage; ties stay newest first."""
    texts = rows.texts_by_seq(tx, numbers)
    covered = {seq: scorer.coverage(tx, texts[seq]) for seq in numbers if seq in texts}
    return dict(sorted(covered.items(), key=lambda pair: -pair[1]))

"""The recall use case: prepares all retrievers, then searches and ranks in one snapshot.

If a retriever isn't available, the others answer alone.
"""

import asyncio
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeGuard

from intaglio.embedding.job_types import EMBEDDING_TYPE_NAMES
from intaglio.jobs import rows as jobs
from intaglio.language.tokens import is_mostly_cjk
from intaglio.memory import rows
from intaglio.recall import keywords
from intaglio.recall.hints import BY_HINTS
from intaglio.recall.keywords import KeywordHits
from intaglio.recall.ranking.blend import Searched, rank_by_blend
from intaglio.recall.ranking.values import RankedMemory, Ranking
from intaglio.recall.retrievers import Retriever, RetrieverSearch, SemanticSearchOfQuestion
from intaglio.recall.settings import SearchSettings
from intaglio.recall.values import (
    Answer,
    Hit,
    HitSource,
    NotReady,
    QueryPlan,
    Question,
    RecallMethod,
)
from intaglio.recall.vocabulary import VocabularyCache
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx

_MIN_CANDIDATES: Final = 50
# Late interaction finds by itself what common words would; the index only adds rare words.
_LATE_BUDGET: Final = 2_000

Prepared = tuple[Retriever, RetrieverSearch]
"""A retriever that is available, and its search for a question."""


@dataclass(frozen=True, slots=True)
class PreparedRecall:
    """A question, the searches that are ready for it, and why others aren't."""

    question: Question
    settings: SearchSettings
    searches: Sequence[Prepared]
    not_ready: Sequence[NotReady]


@dataclass(frozen=True, slots=True)
class _Candidates:
    """What the retrievers found, by name, and their ranking."""

    found: Mapping[str, Mapping[int, float]]
    ranking: Ranking


@dataclass(frozen=True, slots=True)
class Recall:
    """The recall use case; keywords answer with or without ``other_retrievers``.

    ``on_answer`` receives the ids of each answer, so that their use is counted later.
    """

    db: Database
    settings: Callable[[], SearchSettings]
    other_retrievers: tuple[Retriever, ...] = ()
    on_answer: Callable[[Sequence[str]], None] = lambda _: None
    vocabulary: VocabularyCache = field(default_factory=VocabularyCache)

    async def recall(self, question: Question) -> Answer:
        """Answer a question; an answer without hits is empty, not an error."""
        prepared = await self.prepare(question)
        answer = await self.db.read(lambda tx: self.answer(tx, prepared))
        if question.counts_as_use:
            self.on_answer([each.memory.id for each in answer.hits])
        return answer

    async def prepare(self, question: Question) -> PreparedRecall:
        """Do what can't be done in a transaction, such as embedding the question."""
        settings = self.settings()
        limit = max(question.limit, _MIN_CANDIDATES)
        searches = await asyncio.gather(
            *(each.prepare(question, settings, limit) for each in self.other_retrievers)
        )
        prepared = [
            (retriever, search)
            for retriever, search in zip(self.other_retrievers, searches, strict=True)
            if search is not None and not isinstance(search, NotReady)
        ]
        not_ready = [each for each in searches if isinstance(each, NotReady)]
        return PreparedRecall(question, settings, prepared, not_ready)

    def answer(self, tx: ReadTx, prepared: PreparedRecall) -> Answer:
        """Answer a prepared question from a snapshot; doesn't count as use."""
        answer = self._answer(tx, prepared.question, prepared.settings, prepared.searches)
        not_ready = prepared.not_ready
        why = " ".join(each.why for each in not_ready if each.why)
        if not why and (not_ready or (prepared.searches and not answer.hits)):
            why = _unembedded(tx)
        return replace(answer, keywords_only=why)

    def _answer(
        self, tx: ReadTx, question: Question, settings: SearchSettings, prepared: Sequence[Prepared]
    ) -> Answer:
        late = any(_has_tokens(search) for _, search in prepared)
        words = keywords.find(
            tx,
            question,
            self.vocabulary,
            budget=min(settings.postings_budget, _LATE_BUDGET if late else sys.maxsize),
            limit=max(question.limit, _MIN_CANDIDATES),
        )
        candidates = _by_late_interaction(tx, words, prepared, settings)
        if candidates is None:
            candidates = _by_blend(tx, words, prepared, settings)
        return _compose(tx, question, words, candidates)


def _unembedded(tx: ReadTx) -> str:
    """Say how many memories can't be found by meaning yet; nothing if all can."""
    waiting = sum(jobs.count_open(tx, name) for name in EMBEDDING_TYPE_NAMES)
    if not waiting:
        return ""
    count = "One memory isn't" if waiting == 1 else f"{waiting:,} memories aren't"
    return f"{count} embedded yet. Try again in a few seconds."


def _has_tokens(search: RetrieverSearch) -> TypeGuard[SemanticSearchOfQuestion]:
    return isinstance(search, SemanticSearchOfQuestion) and search.asked.tokens is not None


def _by_late_interaction(
    tx: ReadTx, words: KeywordHits, prepared: Sequence[Prepared], settings: SearchSettings
) -> _Candidates | None:
    """Rank by token states; None if the question has none that say anything."""
    semantic = next((each for _, each in prepared if _has_tokens(each)), None)
    if semantic is None:
        return None
    if is_mostly_cjk(semantic.question.text):
        return _by_characters(tx, words, prepared, settings)
    # It loads numpy, which is loaded with the model.
    from intaglio.recall.ranking.late_ranking import LateRanking, weigh  # noqa: PLC0415 - see above

    asked = weigh(tx, semantic.question.text, semantic.asked, words.scorer)
    if not asked.tokens.weights.any():
        # Nothing but punctuation, stop words of every memory, or signs unknown to the model.
        return None
    found: dict[str, Mapping[int, float]] = {}
    for retriever, search in prepared:
        if search is semantic:
            found[retriever.name] = semantic.nearest(tx, asked.tokens.probe.tolist(), rough=True)
        else:
            found[retriever.name] = search.candidates(tx, words.scorer)
    every = [*words.scores, *(seq for own in found.values() for seq in own)]
    without = frozenset(name.strip() for name in settings.without.split(","))
    late = LateRanking(tx, asked, words.scorer, semantic.model, without, found.get(BY_HINTS, {}))
    return _Candidates(found, late.rank(every))


def _by_characters(
    tx: ReadTx, words: KeywordHits, prepared: Sequence[Prepared], settings: SearchSettings
) -> _Candidates:
    """Rank what the retrievers find by the question's pairs of characters.

    The included model knows single Chinese characters, which say little of a word's meaning.
    """
    found = {retriever.name: search.candidates(tx, words.scorer) for retriever, search in prepared}
    every = [*words.scores, *(seq for own in found.values() for seq in own)]
    return _Candidates(found, rank_by_blend(tx, words.scorer, (), every, settings))


def _by_blend(
    tx: ReadTx, words: KeywordHits, prepared: Sequence[Prepared], settings: SearchSettings
) -> _Candidates:
    searched = [
        Searched(retriever, search, search.candidates(tx, words.scorer))
        for retriever, search in prepared
    ]
    every = [*words.scores, *(seq for each in searched for seq in each.own)]
    ranking = rank_by_blend(tx, words.scorer, searched, every, settings)
    return _Candidates({each.retriever.name: each.own for each in searched}, ranking)


def _compose(tx: ReadTx, question: Question, words: KeywordHits, candidates: _Candidates) -> Answer:
    """Read the memories of the best candidates, and separate what doesn't answer the question."""
    best = [
        (each, _answers(each, question.min_score))
        for each in candidates.ranking.memories
        if question.min_score is None or _answers(each, question.min_score)
    ][: question.limit]
    memories = rows.by_seq(tx, [each.seq for each, _ in best])
    # Hints are found by words.
    by_others = [own for name, own in candidates.found.items() if name != BY_HINTS]
    hits, near_misses = list[Hit](), list[Hit]()
    for each, answers in best:
        source = _source(
            by_words=each.seq in words.scores, by_others=any(each.seq in own for own in by_others)
        )
        signals = candidates.ranking.signals(each.seq)
        hit = Hit(memories[each.seq], each.score, signals, source, each.answers)
        (hits if answers else near_misses).append(hit)
    plan = words.plan
    reading = QueryPlan(
        plan.terms,
        words.words,
        plan.dropped,
        plan.postings,
        len(candidates.ranking.memories),
        words.timed_out,
    )
    method: RecallMethod = "hybrid" if any(by_others) else "keyword"
    return Answer(tuple(hits), reading, method, tuple(near_misses))


def _answers(ranked: RankedMemory, min_score: float | None) -> bool:
    if min_score is None:
        return ranked.answers
    return ranked.merit >= min_score


def _source(*, by_words: bool, by_others: bool) -> HitSource:
    if by_words:
        return "hybrid" if by_others else "keyword"
    return "vector" if by_others else "keyword"

"""recall: one snapshot in a reader thread, from the question to ranked memories."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from intaglio.base.clock import monotonic_s
from intaglio.base.settings import SearchSettings
from intaglio.memory import rows
from intaglio.memory.values import Memory
from intaglio.recall.terms import Plan, content_terms, coverage, plan_terms
from intaglio.recall.values import Answer, Found, Question, Reading, Signals
from intaglio.store import fts
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx

MAX_QUERY_CHARS: Final = 10_000
_MIN_CANDIDATES: Final = 50
_DEADLINE_S: Final = 1.0
_STALE_S: Final = 60.0
_GROWTH: Final = 1.2
_SLACK_ROWS: Final = 100


@dataclass(slots=True)
class VocabularyCache:
    """The index's vocabulary, read anew when the store grew by a fifth or a minute passed.

    Frequencies only steer which words are searched and what they weigh, so they may lag behind.
    """

    monotonic_s: Callable[[], float] = monotonic_s
    _kept: fts.Vocabulary | None = None
    _read_at: float = 0.0

    def get(self, tx: ReadTx) -> fts.Vocabulary:
        """Return the vocabulary to use with this snapshot."""
        kept, now = self._kept, self.monotonic_s()
        if kept is not None:
            newest = fts.newest_row(tx)
            grown = newest > kept.newest * _GROWTH + _SLACK_ROWS
            if not grown and (newest == kept.newest or now - self._read_at < _STALE_S):
                return kept
        self._kept, self._read_at = fts.read_vocabulary(tx), now
        return self._kept


@dataclass(frozen=True, slots=True)
class _Candidates:
    scores: dict[int, float]
    timed_out: bool


@dataclass(frozen=True, slots=True)
class Recall:
    """The recall use case with what it depends on."""

    db: Database
    settings: Callable[[], SearchSettings]
    vocabulary: VocabularyCache = field(default_factory=VocabularyCache)

    async def recall(self, question: Question) -> Answer:
        """Answer a question; nothing found is an empty answer, never an error."""
        return await self.db.read(lambda tx: self._answer(tx, question))

    def _answer(self, tx: ReadTx, question: Question) -> Answer:
        settings = self.settings()
        vocabulary = self.vocabulary.get(tx)
        tokens = tx.index_terms((question.keywords or question.text)[:MAX_QUERY_CHARS])
        plan = plan_terms(tokens, vocabulary, settings.postings_budget)
        weigh = _Weigher(tx, content_terms(tokens) or plan.terms, vocabulary)
        candidates = _candidates(tx, plan, question, weigh, settings.postings_budget)
        minimum = settings.min_score if question.min_score is None else question.min_score
        best = max(candidates.scores.values(), default=0.0)
        chosen = [
            (seq, bm25)
            for seq, bm25 in candidates.scores.items()
            if best <= 0 or bm25 / best >= minimum
        ][: question.limit]
        memories = rows.by_seq(tx, [seq for seq, _ in chosen])
        found = tuple(
            Found(
                memories[seq],
                round(bm25 / best, 4) if best > 0 else 0.0,
                weigh.signals(memories[seq], bm25),
            )
            for seq, bm25 in chosen
            if seq in memories
        )
        reading = Reading(
            plan.terms,
            plan.dropped,
            plan.postings,
            len(candidates.scores),
            candidates.timed_out,
        )
        return Answer(found, reading)


@dataclass(frozen=True, slots=True)
class _Weigher:
    """Says how much of the asked words' weight a memory covers."""

    tx: ReadTx
    asked: tuple[str, ...]
    vocabulary: fts.Vocabulary

    def signals(self, memory: Memory, bm25: float) -> Signals:
        held = frozenset(self.tx.index_terms(f"{memory.content} {' '.join(memory.tags)}"))
        matched = tuple(term for term in self.asked if term in held)
        return Signals(bm25, coverage(self.asked, held, self.vocabulary), matched)


def _candidates(
    tx: ReadTx, plan: Plan, question: Question, weigh: _Weigher, budget: int
) -> _Candidates:
    if not plan.terms:
        return _Candidates({}, timed_out=False)
    condition, params = rows.where(question.wanted)
    matches = fts.search(
        tx,
        fts.Search(
            terms=plan.terms,
            condition=condition,
            params=params,
            limit=max(question.limit, _MIN_CANDIDATES),
            deadline_s=_DEADLINE_S,
            ranked=plan.postings <= budget,
        ),
    )
    match matches:
        case fts.Ranked(scores):
            return _Candidates(scores, timed_out=False)
        case fts.Newest(numbers):
            return _Candidates(_by_coverage(tx, numbers, weigh), timed_out=False)
        case fts.TooSlow():
            return _Candidates({}, timed_out=True)


def _by_coverage(tx: ReadTx, numbers: tuple[int, ...], weigh: _Weigher) -> dict[int, float]:
    """Score rows that came unranked; equal ones stay newest first."""
    memories = rows.by_seq(tx, numbers)
    covered = {
        seq: weigh.signals(memories[seq], 0.0).coverage for seq in numbers if seq in memories
    }
    return dict(sorted(covered.items(), key=lambda pair: -pair[1]))

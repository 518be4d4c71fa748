"""Retrieves memories by the questions that they answer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from intaglio.hints import rows
from intaglio.memory.filters import vector_filter
from intaglio.memory.values import MemoryText
from intaglio.recall.keywords import KeywordScorer
from intaglio.recall.settings import SearchSettings
from intaglio.recall.values import Question
from intaglio.store import fts
from intaglio.store.tx import QueryTimeout, ReadTx
from intaglio.terms.query_terms import coverage

BY_HINTS: Final = "hints"
_MOST_CHARS: Final = 2_000
_MOST_WORDS: Final = 12
_MOST_FOUND: Final = 60
_DEADLINE_S: Final = 0.1
_LEAST_SHARE: Final = 0.5


def hint_match(share: float) -> float:
    """Return how much (0 to 1) a question is the one asked, by the share of its words in it.

    Half of the words in common say little: most questions about one subject have them.
    """
    return max(0.0, (share - _LEAST_SHARE) / (1 - _LEAST_SHARE))


@dataclass(frozen=True, slots=True)
class HintSearch:
    """A search among the questions that memories answer."""

    question: Question

    def candidates(self, tx: ReadTx, words: KeywordScorer) -> Mapping[int, float]:
        """Return memories with how much (0 to 1) their nearest question is the one asked."""
        text = self.question.keywords or self.question.text
        spelled = tx.spellings(text[:_MOST_CHARS])
        rarest = sorted(words.terms, key=words.vocabulary.frequency)
        asked = [spelled[term] for term in rarest if term in spelled][:_MOST_WORDS]
        if not asked:
            return {}
        among = vector_filter(self.question.filters)
        try:
            with tx.deadline(_DEADLINE_S):
                found = rows.search(tx, fts.match_any(asked), among, _MOST_FOUND)
        except QueryTimeout:
            return {}
        shares: dict[int, float] = {}
        for each in found:
            held = frozenset(words.cache.terms(tx, each.question))
            share = coverage(words.terms, held, words.vocabulary)
            shares[each.memory] = max(hint_match(share), shares.get(each.memory, 0.0))
        return shares

    def signals(
        self, _: ReadTx, own: Mapping[int, float], memories: Mapping[int, MemoryText]
    ) -> Mapping[int, float]:
        """Return no signal for memories without a matching question."""
        return {seq: signal for seq, signal in own.items() if seq in memories}

    def merit(self, _: ReadTx, __: MemoryText, signal: float | None) -> float:
        """Return how much of the question is one that the memory answers."""
        return signal or 0.0


@dataclass(frozen=True, slots=True)
class HintRetriever:
    """Finds memories by the questions that a model, or templates, made of them."""

    is_on: Callable[[], bool]
    name: str = BY_HINTS
    relative: bool = False

    def weight(self, _: SearchSettings) -> float:
        """Return the weight beside keywords and cosine."""
        return 0.15

    async def prepare(self, question: Question, _: SearchSettings, __: int) -> HintSearch | None:
        """Prepare the search; None if hints are switched off."""
        return HintSearch(question) if self.is_on() else None

"""How many rows of a full-text index contain a term, remembered between searches."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from intaglio.store.tx import ReadTx
from intaglio.terms.query_terms import MAX_TERMS, stop_terms

_GROWTH: Final = 1.2
_SLACK_ROWS: Final = 1_000
_MAX_COUNTS: Final = 20_000
_STOP_WORD: Final = 0.05


def rarity(total: int, holding: int) -> float:
    """Return the inverse document frequency as in BM25, never below zero."""
    return math.log(1 + (max(total - holding, 0) + 0.5) / (max(holding, 1) + 0.5))


@dataclass(slots=True)
class TermCounts:
    """Counts the rows that contain a term; any thread may use it.

    A count is remembered until the index has grown by a fifth: it only decides which terms are
    looked up. ``count_all`` returns the number of rows, ``count_rows`` how many contain a term.
    """

    count_all: Callable[[ReadTx], int]
    count_rows: Callable[[ReadTx, str], int]
    _counts: dict[str, int] = field(default_factory=dict[str, int])
    _newest: int = 0

    def refresh(self, tx: ReadTx) -> int:
        """Forget the counts of an index that has grown, or shrunk; returns its number of rows."""
        count = self.count_all(tx)
        if not self._newest <= count <= self._newest * _GROWTH + _SLACK_ROWS:
            # Replaced, not cleared: another thread may be reading it.
            self._counts, self._newest = {}, count
        return count

    def of(self, tx: ReadTx, term: str) -> int:
        """Return in how many rows a term is."""
        counts = self._counts
        known = counts.get(term)
        if known is None:
            known = self.count_rows(tx, term)
            if known and len(counts) < _MAX_COUNTS:
                counts[term] = known
        return known

    def weights(self, tx: ReadTx, words: Sequence[str]) -> list[float]:
        """Return how rare the rarest term of each word is; stop words weigh next to nothing."""
        total, stopped = self.refresh(tx), stop_terms()
        terms = {word: tx.index_terms(word) for word in dict.fromkeys(words)}
        known = {
            term: _STOP_WORD if term in stopped else rarity(total, self.of(tx, term))
            for own in terms.values()
            for term in own
        }
        return [max((known[term] for term in terms[word]), default=0.0) for word in words]

    def affordable(self, tx: ReadTx, terms: Iterable[str], budget: int) -> list[str]:
        """Return the terms that are looked up, rarest first, until a budget of rows is spent.

        At least one, if any is in the index.
        """
        self.refresh(tx)
        costs = sorted((self.of(tx, term), term) for term in terms)
        chosen, spent = list[str](), 0
        for cost, term in costs[:MAX_TERMS]:
            spent += cost
            if chosen and spent > budget:
                break
            if cost:
                chosen.append(term)
        return chosen

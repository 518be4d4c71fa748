"""Caches what recall knows about words: their frequencies, and the index terms of texts."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from intaglio.base.clock import monotonic_s
from intaglio.memory.filters import Filter
from intaglio.store import fts
from intaglio.store.tx import ReadTx
from intaglio.terms.articles import with_bare_form
from intaglio.terms.unspaced import split_term

_STALE_S: Final = 60.0
_GROWTH: Final = 1.2
_SLACK_ROWS: Final = 100
_MAX_COUNTS: Final = 20_000
_MAX_KNOWN_WORDS: Final = 50_000
_ASCII_WORD: Final = re.compile("[a-z0-9]+")
_OTHER_LETTER: Final = re.compile(r"[^\W_a-zA-Z0-9]")

# A filter and a term; an empty term counts memories.
CountKey: TypeAlias = tuple[Filter, str]


@dataclass(slots=True)
class VocabularyCache:
    """Caches the index's vocabulary until the store has grown by a fifth or a minute has passed.

    Frequencies only decide which words are searched and how they are weighted, so they may be
    stale. Any thread may use it.
    """

    monotonic_s: Callable[[], float] = monotonic_s
    _vocabulary: fts.Vocabulary | None = None
    _read_at: float = 0.0
    _counts: dict[CountKey, int] = field(default_factory=dict[CountKey, int])
    _known_words: dict[str, str] = field(default_factory=dict[str, str])

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

    def get_count(self, asked: CountKey, count: Callable[[], int]) -> int:
        """Return a count made since the vocabulary was read, or make it."""
        counts = self._counts
        known = counts.get(asked)
        if known is None:
            known = counts[asked] = count()
            if len(counts) > _MAX_COUNTS:
                self._counts = {}
        return known

    def terms(self, tx: ReadTx, text: str) -> list[str]:
        """Return the index terms of a text, as the index would split and stem it.

        Without letters beyond ASCII, words are split here and each one is stemmed once, which takes
        a fifth of the time. Script without spaces is split into pairs of characters, since a
        question and its answer rarely share a whole run. A word with an attached article is
        two terms.
        """
        if not text.isascii() and _OTHER_LETTER.search(text):
            return [
                form
                for term in tx.index_terms(text)
                for part in split_term(term)
                for form in with_bare_form(part)
            ]
        words = _ASCII_WORD.findall(text.lower())
        try:
            return [*map(self._known_words.__getitem__, words)]
        except KeyError:
            return [*map(self._learn(tx, set(words)).__getitem__, words)]

    def _learn(self, tx: ReadTx, words: set[str]) -> Mapping[str, str]:
        """Stem the unknown ones of these words, and return the terms of all."""
        known = self._known_words
        if len(known) + len(words) > _MAX_KNOWN_WORDS:
            # Replaced, not cleared: another thread may be reading it.
            known = self._known_words = {}
        listed = sorted(words.difference(known))
        terms = dict(zip(listed, tx.index_terms(" ".join(listed)), strict=True))
        known |= terms
        return known

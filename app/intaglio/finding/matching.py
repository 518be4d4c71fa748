"""Measures how much of a question a text contains, and picks the passage that shows it.

A title that contains the question scores higher than a longer text that does, and all the higher
the less else it says.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from intaglio.base.text import storage_form
from intaglio.fence.characters import visible
from intaglio.finding.question import AskedQuestion
from intaglio.finding.values import PASSAGE_CHARS
from intaglio.language.tokens import fold
from intaglio.recall.vocabulary import VocabularyCache
from intaglio.store.fts import Vocabulary
from intaglio.store.tx import ReadTx
from intaglio.terms.query_terms import weight
from intaglio.terms.unspaced import split_term

_MEASURED_CHARS: Final = 2_000
_WORD: Final = re.compile(r"[^\W_]+")
# A word that only begins as the last one does may not be what is meant.
_OF_START: Final = 0.9
_IN_TITLE: Final = 0.75
_IN_TEXT: Final = 0.7
_LOOKED_AHEAD: Final = 12


@dataclass(frozen=True, slots=True)
class TextMatch:
    """How much of a question's weight a text contains (0 to 1), and how much of it that is.

    ``words`` are the matching ones as they are written there.
    """

    share: float
    density: float
    words: tuple[str, ...]

    @property
    def as_title(self) -> float:
        """The score (0 to 1) of something with this title or name."""
        return self.share * (_IN_TITLE + (1 - _IN_TITLE) * self.density)

    @property
    def as_text(self) -> float:
        """The score (0 to 1) of something that contains this text."""
        return self.share * _IN_TEXT


@dataclass(frozen=True, slots=True)
class _WordHit:
    """Which words of the question a word is, with their weights, and what of it to mark."""

    weights: tuple[tuple[str, float], ...] = ()
    shown: tuple[str, ...] = ()


_NO_HIT: Final = _WordHit()
NO_MATCH: Final = TextMatch(0.0, 0.0, ())


@dataclass(frozen=True, slots=True)
class QuestionMatcher:
    """Measures texts against a question in one snapshot; rare words weigh more."""

    tx: ReadTx
    question: AskedQuestion
    cache: VocabularyCache
    weights: Mapping[str, float] = field(default_factory=dict[str, float])
    start: str = ""
    start_terms: frozenset[str] = frozenset()
    # Texts that are found for one question share most of their words.
    _known: dict[str, _WordHit] = field(default_factory=dict[str, _WordHit])

    @staticmethod
    def of(tx: ReadTx, question: AskedQuestion, cache: VocabularyCache) -> "QuestionMatcher":
        """Weigh the question's words by how rare they are among the memories."""
        vocabulary = cache.get(tx)
        weights = {
            term: weight(term, vocabulary)
            for word in question.whole_words
            for term in cache.terms(tx, word)
        }
        start = question.start
        if start:
            weights[f"{start}*"] = _weight_of_start(tx, start, cache, vocabulary)
        terms = frozenset(cache.terms(tx, start))
        return QuestionMatcher(tx, question, cache, weights, start, terms)

    def measure(self, text: str) -> TextMatch:
        """Measure a text; of a long one, its beginning."""
        total = sum(self.weights.values())
        if not total or not text:
            return NO_MATCH
        read = text[:_MEASURED_CHARS]
        found: dict[str, float] = {}
        words: dict[str, None] = {}
        listed: list[str] = _WORD.findall(read)
        for word in listed:
            hit = self._hit(word)
            if hit is _NO_HIT:
                continue
            for key, value in hit.weights:
                found[key] = max(value, found.get(key, 0.0))
            words |= dict.fromkeys(hit.shown)
        if not found:
            return NO_MATCH
        return TextMatch(
            min(1.0, sum(found.values()) / total),
            min(1.0, len(words) / len(listed)),
            tuple(words),
        )

    def weight_of(self, word: str) -> float:
        """Return what a word of the question weighs; 0 for any other."""
        return sum(weight for _, weight in self._hit(word).weights)

    def _hit(self, word: str) -> _WordHit:
        """Return which of the question's words a word is, what they weigh, and what to mark."""
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = self._look_up(word)
        return known

    def _look_up(self, word: str) -> _WordHit:
        folded, start = fold(word), self.start
        terms = self.cache.terms(self.tx, word)
        if start and (folded.startswith(start) or not self.start_terms.isdisjoint(terms)):
            certainty = _OF_START if self.start_terms.isdisjoint(terms) else 1.0
            return _WordHit(((f"{start}*", self.weights[f"{start}*"] * certainty),), (word,))
        held = tuple((term, self.weights[term]) for term in terms if term in self.weights)
        if held:
            # Of a run of script without spaces, the pairs of characters that match.
            return _WordHit(held, (word,) if len(terms) == 1 else tuple(term for term, _ in held))
        if start and self._starts_within(folded):
            return _WordHit(((f"{start}*", self.weights[f"{start}*"] * _OF_START),), (start,))
        return _NO_HIT

    def _starts_within(self, folded: str) -> bool:
        return not folded.isascii() and self.start in folded

    def passage(self, text: str) -> str:
        """Return the part of a text around its first matching words, in one line."""
        line = storage_form(visible(text[: 4 * _MEASURED_CHARS]))
        if len(line) <= PASSAGE_CHARS:
            return line
        at = self._densest(line)
        begin = max(0, at - PASSAGE_CHARS // 4)
        if begin:
            blank = line.find(" ", begin, begin + 30)
            begin = blank + 1 if blank >= 0 else begin
        end = begin + PASSAGE_CHARS
        if end < len(line):
            blank = line.rfind(" ", end - 30, end)
            end = blank if blank >= 0 else end
        cut = line[begin:end]
        return f"{'…' if begin else ''}{cut}{'…' if end < len(line) else ''}"

    def _densest(self, line: str) -> int:
        """Return where the passage with most of the question begins."""
        places = [
            (found.start(), hit.weights)
            for found in _WORD.finditer(line)
            if (hit := self._hit(found.group())).weights
        ]
        best, best_value = 0, 0.0
        for number, (start, _) in enumerate(places):
            near: dict[str, float] = {}
            for place, weights in places[number : number + _LOOKED_AHEAD]:
                if place - start > PASSAGE_CHARS * 3 // 4:
                    break
                near |= {key: max(value, near.get(key, 0.0)) for key, value in weights}
            value = sum(near.values())
            if value > best_value:
                best, best_value = start, value
        return best


def _weight_of_start(
    tx: ReadTx, start: str, cache: VocabularyCache, vocabulary: Vocabulary
) -> float:
    terms = [part for term in cache.terms(tx, start) for part in split_term(term)]
    return max((weight(term, vocabulary) for term in terms), default=1.0)

"""Finds the phrase or the name that ends or begins at a place of the text."""

import re
from collections.abc import Sequence
from typing import Final

from intaglio.domain.entity_kinds import EntityType
from intaglio.graph.linking.detection.drafts import BY_ALIAS, Draft, Scanned
from intaglio.graph.linking.lexicon.heads import HEADS
from intaglio.graph.linking.lexicon.ordinary_words import (
    FUNCTION_WORDS,
    IMPERATIVES,
    is_ordinary,
)
from intaglio.graph.linking.lexicon.word_lists import words

_CJK_NAME: Final = re.compile(r"[\u3005\u30a0-\u30ff\u3400-\u9fff]{2,10}(?=[）)」』”、，。\s])")
_LONGEST_INSIDE: Final = 5
_DESCRIBED: Final = (HEADS.keys() - words("phrase_finder", "not_described")) | words(
    "phrase_finder", "described"
)
_MOST_PHRASE: Final = 4
QUOTES: Final = frozenset("\"“”„'‘’`«»「」()（）,")
_SKIPPED: Final = words("phrase_finder", "skipped")
_PARTS: Final = words("phrase_finder", "parts")
PROJECT_WORDS: Final = words("phrase_finder", "project_words")
_CLOSING: Final = frozenset("\"”“'’`»」")
ARTICLES: Final = words("phrase_finder", "articles")


class PhraseFinder:
    """Finds the phrase that ends or begins at a place of the text."""

    def __init__(self, scanned: Scanned, drafts: Sequence[Draft]) -> None:
        self.scanned = scanned
        self.text = scanned.text[: scanned.tokens[-1].end] if scanned.tokens else ""
        self.ending: dict[int, Draft] = {}
        self.beginning: dict[int, Draft] = {}
        for draft in drafts:
            for table, place in ((self.ending, draft.last), (self.beginning, draft.first)):
                longer = table.get(place)
                if longer is None or draft.last - draft.first > longer.last - longer.first:
                    table[place] = draft
        self.first = min(drafts, key=lambda each: each.start, default=None)
        self.starts = [token.start for token in scanned.tokens]

    def token_from(self, offset: int) -> int:
        """Return the index of the first token at or after an offset."""
        low, high = 0, len(self.starts)
        while low < high:
            middle = (low + high) // 2
            if self.starts[middle] < offset:
                low = middle + 1
            else:
                high = middle
        return low

    def before(self, offset: int, *, name: bool = False) -> Draft | None:
        """Return the phrase that ends before an offset; any word may be a name."""
        last = self.token_from(offset) - 1
        while last >= 0 and self.scanned.low(last) in QUOTES:
            last -= 1
        if last < 0:
            return None
        if last in self.ending:
            return self.ending[last]
        if self.scanned.low(last) in PROJECT_WORDS and last - 1 in self.ending:
            return self.ending[last - 1]
        return self.phrase_until(last, name=name)

    def phrase_until(self, last: int, *, name: bool) -> Draft | None:
        """Return the words that belong together up to this one."""
        scanned = self.scanned
        shouted = scanned.is_word(last) and scanned.tokens[last].text.isupper()
        if not scanned.is_word(last) or (scanned.low(last) in FUNCTION_WORDS and not shouted):
            return None
        first = last
        while first > 0 and last - first + 1 < _MOST_PHRASE and scanned.is_word(first - 1):
            low = scanned.low(first - 1)
            if not scanned.adjacent(first - 1) or low in FUNCTION_WORDS or low in ARTICLES:
                break
            if low in IMPERATIVES and scanned.tokens[first - 1].initial:
                break
            first -= 1
        if name:
            return scanned.draft(first, last, "unknown", 0.8, BY_ALIAS)
        return self.described(first, last)

    def goes_on(self, last: int) -> bool:
        """Tell whether a noun follows that says what the name before it is a part of."""
        low = self.scanned.low(last + 1)
        if low in PROJECT_WORDS and self.scanned.low(last + 2) in {"to", "into", "as"}:
            return False
        return self.scanned.adjacent(last) and (low in HEADS or low in _PARTS)

    def described(self, first: int, last: int) -> Draft | None:
        """Return a draft of a description; a single word must be one of the field."""
        low = self.scanned.low(last)
        if first == last and not (low in _DESCRIBED or self.scanned.capital(last)):
            return None
        return self.scanned.draft(first, last, type_of(self.scanned, last), 0.7, BY_ALIAS)

    def after(self, offset: int) -> Draft | None:
        """Return the phrase that begins at or after an offset."""
        scanned, first = self.scanned, self.token_from(offset)
        while scanned.low(first) in QUOTES or scanned.low(first) in ARTICLES:
            first += 1
        known = self.beginning.get(first)
        if known is not None and not self.goes_on(known.last):
            return known
        last = first
        while (
            last - first < _MOST_PHRASE
            and scanned.is_word(last)
            and scanned.low(last) not in FUNCTION_WORDS
            and (last == first or scanned.adjacent(last - 1))
        ):
            last += 1
        last -= 1
        return None if last < first else self.described(first, last)

    def cjk_name_at(self, offset: int) -> Draft | None:
        """Return the new name in Japanese or Chinese that begins at an offset within a token."""
        found = _CJK_NAME.match(self.text, offset)
        if found is None:
            return None
        index = self.token_from(offset + 1) - 1
        token = self.scanned.tokens[index]
        draft = self.scanned.draft(index, index, "unknown", 0.8, BY_ALIAS, name=found.group())
        if token.kind != "cjk" or found.end() > token.end:
            return None
        draft.start, draft.end, draft.keys = found.start(), found.end(), (draft.canonical,)
        return draft

    def name_at(self, offset: int) -> Draft | None:
        """Return the new name that stands at or after an offset."""
        scanned, first = self.scanned, self.token_from(offset)
        quoted = False
        while scanned.low(first) in QUOTES or scanned.low(first) in _SKIPPED:
            quoted = quoted or scanned.low(first) in QUOTES
            first += 1
        token = scanned.tokens[first] if first < len(scanned.tokens) else None
        if token is None or token.kind not in {"word", "package", "repository", "cjk"}:
            return None
        last = first
        closing = first + 1
        while quoted and closing - first < _LONGEST_INSIDE and scanned.is_word(closing):
            closing += 1
        if quoted and scanned.low(closing) in _CLOSING:
            return scanned.draft(first, closing - 1, "unknown", 0.8, BY_ALIAS)
        while (
            last - first < _MOST_PHRASE - 1 and scanned.adjacent(last) and scanned.capital(last + 1)
        ):
            last += 1
        if (
            last == first
            and (token.low in FUNCTION_WORDS or (is_ordinary(token.low) and not token.capital))
            and not quoted
        ):
            return None
        return scanned.draft(first, last, "unknown", 0.8, BY_ALIAS)


def type_of(scanned: Scanned, last: int) -> EntityType:
    """Return what a phrase names by its last word."""
    return HEADS.get(scanned.low(last), "unknown")

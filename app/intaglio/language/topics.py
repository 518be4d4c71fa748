"""The words of a statement that carry its topic, lightly stemmed, in six languages."""

import re
from functools import cache, lru_cache
from typing import Final

from intaglio.language.stems import stem
from intaglio.language.tokens import fold, is_cjk, pairs, words
from intaglio.language.word_lists import word_list

_HAN: Final = re.compile(r"[\u3005\u3400-\u9fff]")
_KATAKANA: Final = re.compile(r"[\u30a1-\u30ff]{2}")
_LEADING: Final = ".-*~"


@lru_cache(maxsize=2_048)
def topic_words(text: str) -> frozenset[str]:
    """Return the distinct words of the topic; numbers and names of files count as words.

    Chinese is split into pairs of characters, as its words aren't separated.
    """
    stopped, stop_characters = unspecific_words(), unspecific_characters()
    found: set[str] = set()
    for written in words(fold(text)):
        if not is_cjk(written):
            word = written.lstrip(_LEADING)
            if word not in stopped:
                found.add(stem(word))
        elif _HAN.match(written):
            found |= {
                pair
                for pair in pairs(written)
                if len(pair) > 1 and stop_characters.isdisjoint(pair)
            }
        elif _KATAKANA.match(written):
            found.add(written)
    return frozenset(found)


@lru_cache(maxsize=2_048)
def all_words(text: str) -> tuple[str, ...]:
    """Return every word in order, lower-case and without accents, to compare wordings."""
    return tuple(
        part
        for word in words(fold(text))
        for part in (word if is_cjk(word) else (word.lstrip(_LEADING),))
    )


@cache
def unspecific_words() -> frozenset[str]:
    """Return the folded words that tell nothing of a topic."""
    listed = word_list("stop_words") | word_list("statement_words")
    return frozenset(map(fold, listed))


@cache
def unspecific_characters() -> frozenset[str]:
    """Return Chinese characters; a pair with one joins two words, or tells nothing of a topic."""
    return word_list("stop_words", "zh")

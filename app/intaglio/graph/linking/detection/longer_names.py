"""Tells whether a known word is a part of a longer name that is no tool's."""

from typing import Final

from intaglio.graph.linking.detection.drafts import Scanned
from intaglio.graph.linking.lexicon.given_names import GIVEN_NAMES
from intaglio.graph.linking.lexicon.heads import HEADS
from intaglio.graph.linking.lexicon.known_names import SPELLINGS
from intaglio.graph.linking.lexicon.ordinary_words import FUNCTION_WORDS, TIMES, is_ordinary
from intaglio.graph.linking.lexicon.word_lists import words

NOUNS_AFTER: Final = words("longer_names", "nouns_after")
"""Nouns that a tool describes without being a part of its name: "the Kafka cluster"."""


def goes_on(scanned: Scanned, last: int) -> bool:
    """Tell whether a capitalised word continues a tool's name, as in "Redis Sentinel"."""
    after = last + 1
    if not (scanned.capital(last) and scanned.capital(after) and scanned.adjacent(last)):
        return False
    token, low = scanned.tokens[after], scanned.low(after)
    if scanned.heading or scanned.language == "de" or not token.plain or token.initial:
        return False
    return not (
        low in FUNCTION_WORDS
        or low in TIMES
        or low in HEADS
        or low in NOUNS_AFTER
        or low in GIVEN_NAMES
        or low in SPELLINGS
    )


def within_capitals(scanned: Scanned, first: int, last: int) -> bool:
    """Tell whether a word is a part of a longer name, like "Swift" in "Taylor Swift"."""
    return (
        scanned.capital(first - 1)
        and scanned.adjacent(first - 1)
        and not scanned.tokens[first - 1].initial
        and not is_ordinary(scanned.low(first - 1))
        and scanned.low(first - 1) not in SPELLINGS
    ) or (
        scanned.capital(last + 1)
        and scanned.adjacent(last)
        and not is_ordinary(scanned.low(last + 1))
        and scanned.low(last + 1) not in SPELLINGS
    )

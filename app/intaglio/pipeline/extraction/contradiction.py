"""Whether a fact and a memory may contradict each other (seed 002, as corrected by decision 17)."""

from typing import Final

from intaglio.language.negation import is_negated
from intaglio.language.overlap import Overlap, overlap, topic_overlap
from intaglio.language.relations import are_exclusive
from intaglio.language.tokens import fold, words

_MIN_SHARED: Final = 2
_MIN_CHARS: Final = 2
_ANTONYMS: Final = (
    ("enabled", "disabled"),
    ("allow", "deny"),
    ("accept", "reject"),
    ("always", "never"),
    ("on", "off"),
    ("true", "false"),
)


def may_contradict(fact: str, memory: str) -> bool:
    """Whether both share two words, and one denies or says the opposite of a word of the other."""
    both = overlap(_words(fact), _words(memory))
    if len(both.shared) < _MIN_SHARED:
        return False
    if is_negated(fact) != is_negated(memory) or _has_antonyms(both):
        return True
    return are_exclusive(topic_overlap(fact, memory))


def _has_antonyms(both: Overlap) -> bool:
    own, other = both.only_left, both.only_right
    return any(
        (one in own and two in other) or (two in own and one in other) for one, two in _ANTONYMS
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in words(fold(text)) if len(word) >= _MIN_CHARS)

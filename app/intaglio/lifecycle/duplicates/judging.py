"""Whether two memories say the same, and which of them is kept; pure.

A wrong yes forgets something, a wrong no costs a line, so it is strict: nothing that one says may
be denied, counted or named otherwise by the other, and words must say the same both ways.
"""

import re
from typing import Final

from intaglio.domain.reader import GLOBAL
from intaglio.graph.link_memory import is_by_user
from intaglio.language.negation import count_denials
from intaglio.language.overlap import topic_overlap
from intaglio.language.relations import Wording, gives_another_value, relate
from intaglio.language.restatements import phrasing, say_the_same
from intaglio.language.tokens import fold
from intaglio.memory.values import Memory

_LONGEST: Final = 2_000
_MIN_SHARE: Final = 0.5
_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_MARKS: Final = ".,;:!?()[]{}<>\"'`*_\u201c\u201d\u2018\u2019\u00ab\u00bb"
_ENDS: Final = frozenset(".!?:;")


def say_alike(one: str, other: str) -> bool:
    """Tell whether two texts whose vectors are alike say the same, as far as words tell."""
    if max(len(one), len(other)) > _LONGEST:
        return False
    if say_the_same(phrasing(one), phrasing(other)):
        return True
    if _numbers(one) != _numbers(other) or _names(one) != _names(other):
        return False
    if count_denials(one) != count_denials(other) or gives_another_value(one, other):
        return False
    if topic_overlap(one, other).share_of_all < _MIN_SHARE:
        return False
    left, right = Wording(one), Wording(other)
    return relate(left, right) == relate(right, left) == "duplicate"


def _numbers(text: str) -> frozenset[str]:
    return frozenset(_NUMBER.findall(text))


def _names(text: str) -> frozenset[str]:
    """Return the words that are names by their form: identifiers, and capitals within a sentence.

    A word that begins a sentence is written with a capital, whatever it is.
    """
    names: set[str] = set()
    for line in text.splitlines():
        begins = True
        for written in line.split():
            word = written.strip(_MARKS)
            if word and _is_name(word, begins=begins):
                names.add(fold(word))
            begins = written[-1] in _ENDS
    return frozenset(names)


def _is_name(word: str, *, begins: bool) -> bool:
    if not word.isalpha() or any(letter.isupper() for letter in word[1:]):
        return True
    return word[0].isupper() and not begins


def choose_kept(one: Memory, other: Memory) -> tuple[Memory, Memory] | None:
    """Return which memory is kept and which is forgotten; None if neither may be.

    Pinned ones go first, then what the user said, what all may read, what is surer or more
    important, and what is older. What the user
    said or pinned is never forgotten for an agent's, and nobody loses sight of what they could
    read.
    """
    kept, gone = sorted((one, other), key=_worth)
    if gone.pinned or (is_by_user(gone) and not is_by_user(kept)):
        return None
    if kept.scope.visibility not in (GLOBAL, gone.scope.visibility):
        return None
    return kept, gone


def _worth(memory: Memory) -> tuple[bool, bool, bool, float, float, str, int]:
    return (
        not memory.pinned,
        not is_by_user(memory),
        memory.scope.visibility != GLOBAL,
        -memory.confidence,
        -memory.importance,
        memory.created_at,
        memory.seq,
    )

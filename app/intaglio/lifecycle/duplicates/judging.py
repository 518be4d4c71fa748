"""Whether two memories say the same, and which of them is kept; pure.

A wrong yes forgets something, a wrong no costs a line, so the words decide, and strictly.
"""

import re
from typing import Final

from intaglio.domain.reader import GLOBAL
from intaglio.graph.link_memory import is_by_user
from intaglio.language.relations import Relation, Wording, relate
from intaglio.language.restatements import phrasing, say_the_same
from intaglio.language.tokens import fold, words
from intaglio.language.word_lists import word_list
from intaglio.memory.values import Memory

_LONGEST: Final = 2_000
_CONTRADICT: Final[frozenset[Relation]] = frozenset({"replaces", "uncertain"})
# What is no word but has a meaning, and what tells that something is past: stems have neither.
_SIGN: Final = re.compile(r"[<>=≤≥≠±%~^|&]|!(?==)")
_PAST: Final = "ed"


def say_alike(one: str, other: str) -> bool:
    """Tell whether two texts whose vectors are alike say the same.

    Order and small words matter: "composition over inheritance" has the words of its opposite. So
    do signs and the past: "x < 5" isn't "x > 5", and what was deployed may be no longer.
    """
    if max(len(one), len(other)) > _LONGEST or _marks(one) != _marks(other):
        return False
    if not say_the_same(phrasing(one), phrasing(other)):
        return False
    left, right = Wording(one), Wording(other)
    return _CONTRADICT.isdisjoint((relate(left, right), relate(right, left)))


def _marks(text: str) -> tuple[list[str], list[str]]:
    # "We decided to" says nothing of when.
    fillers = word_list("restatement", "fillers")
    folded = map(fold, words(text))
    past = [word for word in folded if word.endswith(_PAST) and word not in fillers]
    return _SIGN.findall(text), past


def choose_kept(one: Memory, other: Memory) -> tuple[Memory, Memory] | None:
    """Return which memory is kept and which is forgotten; None if neither may be.

    Pinned ones go first, then what the user said, what all may read, what is surer or more
    important, and what is older. What the user said or pinned is never forgotten for an agent's,
    and nobody loses sight of what they could read.
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

"""Whether two texts say the same in nearly the same words; pure, and without a model.

A wrong yes hides what the user said, a wrong no costs a line, so it is strict: the words that carry
meaning must be the same, in the same order. Negations count where they stand ("cache users, don't
log them"), and so do numbers, names and words like "only" or "before". A question isn't the same
as a statement.
"""

import re
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Final

from intaglio.base.text import normal_form
from intaglio.language.negation import denies
from intaglio.language.stems import stem
from intaglio.language.tokens import fold, words
from intaglio.language.word_lists import word_list

# One side may have one more word for each of these that both share.
_SHARED_PER_EXTRA: Final = 6
_MIN_EXTRA_CHARS: Final = 5
_MIN_REORDERED: Final = 3
_EMPTY: Final = re.compile(
    r"\b(?:decided?|agreed?|wants?|prefers?|remember|sure|needs?|ha(?:ve|s)) to\b|"
    r"\b(?:in|for|of) (?:this|the|our) (?:project|repo(?:sitory)?|codebase)\b",
    re.IGNORECASE,
)
_QUESTION: Final = re.compile(r"[?\uff1f\u061f][\s!.\"'\u2019\u201d\u00bb)\]*_]*\Z")
_DIGIT_OR_SIGN: Final = re.compile(r"[^a-z]")

_DENIED: Final = "\u00ac"
_CACHED: Final = 1_000


@dataclass(frozen=True, slots=True)
class Phrasing:
    """A text as it is compared: its words in order, those that none may lack, and its text.

    ``ordered`` is whether its first two words can't be exchanged; ``keys`` are shared by all that
    say the same.
    """

    tokens: tuple[str, ...]
    words: frozenset[str]
    decisive: frozenset[str]
    plain: str
    ordered: bool
    question: bool
    keys: tuple[str, ...]


@lru_cache(_CACHED)
def phrasing(text: str) -> Phrasing:
    """Prepare a text for comparison; about 40 µs for a sentence.

    The latest are kept: each session of a project compares the same ones.
    """
    found: list[str] = []
    decisive: set[str] = set()
    fixed: set[str] = set()
    ordered = denied = False
    fillers, order = word_list("restatement", "fillers"), word_list("restatement", "order")
    for position, written in enumerate(words(_EMPTY.sub("", text))):
        word = fold(written)
        if word in fillers:
            continue
        if denies(word):
            denied = True
            continue
        ordered = ordered or word in order
        token = (_DENIED if denied else "") + stem(word)
        if denied or _changes_meaning(word) or (position and written[0].isupper()):
            fixed.add(token)
        if len(word) < _MIN_EXTRA_CHARS:
            decisive.add(token)
        denied = False
        found.append(token)
    if denied:
        found.append(_DENIED)
        fixed.add(_DENIED)
    decisive |= fixed
    first = set(found[:2])
    # The normal form of a question is that of the statement.
    plain, question = normal_form(text), _QUESTION.search(text) is not None
    plain = plain + "?" if plain and question else plain
    distinct = frozenset(found)
    return Phrasing(
        tuple(found),
        distinct,
        frozenset(decisive),
        plain,
        ordered=ordered or bool(first & fixed) or first <= decisive,
        question=question,
        keys=_keys(distinct, plain),
    )


def say_the_same(one: Phrasing, other: Phrasing) -> bool:
    """Whether both say the same; a text without any words says nothing."""
    if one.plain == other.plain:
        return bool(one.plain)
    if one.question != other.question or not one.words or not other.words:
        return False
    longer, shorter, most, least = one, other, len(one.words), len(other.words)
    if most <= least:
        longer, shorter, most, least = other, one, least, most
    more = most - least
    if more > least // _SHARED_PER_EXTRA or not shorter.words <= longer.words:
        return False
    if not more:
        return _same_order(one, other)
    extra = longer.words - shorter.words
    if extra & longer.decisive:
        return False
    return tuple(token for token in longer.tokens if token not in extra) == shorter.tokens


@dataclass(slots=True)
class PhrasingIndex:
    """Finds the phrasing that says the same as another without comparing all of them."""

    _phrasings: list[Phrasing] = field(default_factory=list[Phrasing])
    _places: dict[str, list[int]] = field(default_factory=dict[str, list[int]])

    def add(self, new: Phrasing) -> None:
        """Append a phrasing; the first has the number 0."""
        self._phrasings.append(new)
        self._enter(new, len(self._phrasings) - 1)

    def replace(self, number: int, new: Phrasing) -> None:
        """Put another phrasing in the place of one."""
        self._phrasings[number] = new
        self._enter(new, number)

    def find(self, wanted: Phrasing) -> int | None:
        """Return the number of the first phrasing that says the same, or None."""
        near = {number for key in wanted.keys for number in self._places.get(key, ())}
        return next(
            (number for number in sorted(near) if say_the_same(wanted, self._phrasings[number])),
            None,
        )

    def _enter(self, new: Phrasing, number: int) -> None:
        for key in new.keys:
            self._places.setdefault(key, []).append(number)


def _keys(words: frozenset[str], plain: str) -> tuple[str, ...]:
    """Return some of the words; of two texts that say the same, these overlap.

    One has all the words of the other and at most ``most`` more, so the first of the other's in any
    order is among the first ``most + 1`` of its own.
    """
    most = len(words) // _SHARED_PER_EXTRA
    # Long words are rare, so few texts are compared.
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return tuple(ordered[: most + 1]) or (plain,)


def _changes_meaning(word: str) -> bool:
    return (
        word in word_list("restatement", "decisive")
        or word.startswith(_refusing())
        or bool(_DIGIT_OR_SIGN.search(word))
    )


@cache
def _refusing() -> tuple[str, ...]:
    return tuple(word_list("restatement", "refusing"))


def _same_order(one: Phrasing, other: Phrasing) -> bool:
    """Whether the same words stand in the same order; the first two may be exchanged.

    "Tests run with pytest" says the same as "run tests with pytest".
    """
    if one.tokens == other.tokens:
        return True
    if one.ordered or other.ordered or len(one.tokens) < _MIN_REORDERED:
        return False
    first, second, *rest = one.tokens
    return (second, first, *rest) == other.tokens

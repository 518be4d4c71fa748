"""What a newer statement does to an older one of its scope.

Words decide, so that it works without vectors; vectors add what is said in other words. What
contradicts is read from frames (`frames/`, decision record 0079), and, where the cross-encoder
has read both statements, from what it finds (0126).
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from intaglio.language.frames.comparison import Comparison, compare
from intaglio.language.frames.decision import decide, denies_alone
from intaglio.language.frames.frame import frame
from intaglio.language.frames.weighing import weigh
from intaglio.language.negation import is_negated
from intaglio.language.overlap import Overlap, overlap, topic_overlap
from intaglio.language.tokens import is_cjk
from intaglio.language.topics import all_words, topic_words
from intaglio.language.word_lists import DATA, sections, word_list

if TYPE_CHECKING:
    import numpy as np

ClauseVector: TypeAlias = "np.ndarray[tuple[int], np.dtype[np.float32]]"
"""A clause vector: the sentence vector, 384 float32 numbers, then four layer means of 384."""

Relation: TypeAlias = Literal[
    "duplicate", "refines", "replaces", "uncertain", "both_true", "unrelated"
]
"""What a newer statement does to an older one of its scope.

``uncertain`` ones contradict each other, but not so surely that the newer holds instead.
"""

# Calibrated on the labelled sessions for training; decision record 0046.
SAME_COSINE: Final = 0.8
_SENTENCE_NUMBERS: Final = 384
_SAME_COSINE_WITH_WORDS: Final = 0.65
_SAME_SHARE: Final = 0.6
_MIN_SHARED: Final = 2
_SUBSTITUTED_SHARE: Final = 0.5
# A template that is pasted again differs in a word or two.
_OTHER_WORDING: Final = 0.85
_QUANTITY_SHARE: Final = 0.3
_EXCLUSIVE_SHARE: Final = 0.5
# What contradicts with such a probability is no repetition.
_NOT_THE_SAME: Final = 0.3
_SAYS_THE_SAME: Final = frozenset({"duplicate", "refines"})

_PURPOSE: Final = re.compile(
    r"\b(?:for|in|on|under|für|beim?|im|in den|in der|para|en|pour|dans)\s+"
    r"(?P<what>[^,.;:!?，。；()]+)",
    re.IGNORECASE,
)
_FROM_NOW_ON: Final = re.compile(r"\bfrom (?:now|here) on\b", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\d")
_NAME_PARTS: Final = re.compile(r"[-_./]")
_NUMBER_WORDS: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
)
_QUANTITY: Final = re.compile(
    rf"(?<![\w.-])(\d+(?:\.\d+)?|an?|{'|'.join(_NUMBER_WORDS)})\s?(%|[^\W\d_]+)"
)


@dataclass(frozen=True, slots=True)
class Wording:
    """A statement to compare: its text, and its sentence vector if there is one."""

    text: str
    vector: "ClauseVector | None" = None


def relate(
    newer: Wording,
    older: Wording,
    *,
    older_is_constraint: bool = False,
    contradiction: float | None = None,
) -> Relation:
    """Return what a newer statement does to an older one; a constraint is never replaced.

    ``contradiction`` is how likely (0 to 1) both contradict each other by the cross-encoder, None
    if that hasn't read them.
    """
    found = compare(frame(newer.text), frame(older.text))
    verdict = decide(found, older_is_constraint=older_is_constraint)
    if contradiction is not None:
        is_constraint = older_is_constraint or "constraint" in found.older.marks
        verdict = weigh(found, verdict, contradiction, older_is_constraint=is_constraint)
    if verdict is not None:
        return verdict
    likeness = _likeness(newer, older, found)
    is_doubtful = contradiction is not None and contradiction >= _NOT_THE_SAME
    return "both_true" if is_doubtful and likeness in _SAYS_THE_SAME else likeness


def _likeness(newer: Wording, older: Wording, found: Comparison) -> Relation:
    """Return how alike two statements are that don't contradict each other by their frames."""
    is_denied = is_negated(newer.text) != is_negated(older.text) or denies_alone(found)
    both = topic_overlap(newer.text, older.text)
    if both.shared and are_exclusive(both):
        return "uncertain" if both.share >= _EXCLUSIVE_SHARE else "both_true"
    if _names_longer(both.only_left, both.only_right):
        return "both_true"
    is_same = _mean_the_same(both, cosine(newer, older), is_denied=is_denied)
    left_newer = found.left_newer | found.incidental_newer
    left_older = found.left_older | found.incidental_older
    if is_same and not (left_newer and left_older) and not found.do_otherwise:
        return "refines" if found.adds_value else "duplicate"
    if not found.anchor:
        return "unrelated"
    differs = is_denied or found.do_otherwise or found.chooses or bool(left_older)
    if differs or "change" in found.newer.marks:
        return "both_true"
    return "refines" if left_newer else "duplicate"


def speaks_of_change(text: str) -> bool:
    """Whether it says outright that something is no longer as it was: "we dropped Celery"."""
    return "change" in frame(text).marks


def cosine(one: Wording, other: Wording) -> float | None:
    """Return the cosine of both vectors (-1 to 1); None without them."""
    if one.vector is None or other.vector is None:
        return None
    # What follows in a clause's vector are the means of inner layers, for the classifier alone.
    return float(one.vector[:_SENTENCE_NUMBERS] @ other.vector[:_SENTENCE_NUMBERS])


def in_other_words(one: str, other: str) -> bool:
    """Whether both were worded separately.

    The same text, or nearly, is a template or a copy: it doesn't prove that it was said twice.
    """
    both = overlap(frozenset(all_words(one)), frozenset(all_words(other)))
    return both.share_of_all < _OTHER_WORDING


def gives_another_value(one: str, other: str) -> bool:
    """Whether one says another thing in the place of the other's: a number, a day, one word."""
    both = topic_overlap(one, other)
    return bool(both.shared) and (
        are_exclusive(both)
        or _differ_in_quantity(one, other)
        or (len(both.shared) >= _MIN_SHARED and _is_substitution(one, other, both))
    )


def _mean_the_same(both: Overlap, near: float | None, *, is_denied: bool) -> bool:
    if is_denied:
        return False
    if not both.left or not both.right or _differ_in_names(both):
        return both.left == both.right and bool(both.left)
    enough = len(both.shared) >= _MIN_SHARED
    alike = enough and both.share_of_all >= _SAME_SHARE
    if near is None:
        return alike
    if near >= SAME_COSINE:
        return bool(both.shared)
    return alike or (enough and near >= _SAME_COSINE_WITH_WORDS and both.share >= _SAME_SHARE)


def _names_longer(words: frozenset[str], others: frozenset[str]) -> bool:
    """Whether one side has a name in the place of the other's that only begins or ends alike.

    "minimal" and "minimal-agent" are two things.
    """
    return any(_is_part(one, other) or _is_part(other, one) for one in words for other in others)


def _is_part(word: str, name: str) -> bool:
    # Words are stems, the parts of a name aren't.
    parts = _NAME_PARTS.split(name)
    return len(parts) > 1 and any(part.startswith(word) for part in parts)


def _differ_in_names(both: Overlap) -> bool:
    """Whether each side has a number, a time or an identifier that the other hasn't."""
    return any(map(_is_name, both.only_left)) and any(map(_is_name, both.only_right))


def _is_name(word: str) -> bool:
    return bool(_NUMBER.search(word)) or not word.isalpha() or word in _times()


def are_exclusive(both: Overlap) -> bool:
    """Whether each text has one of two words of which one holds at a time."""
    own, others = both.only_left, both.only_right
    return any(group & own and group & others for group in _exclusive())


@cache
def _exclusive() -> tuple[frozenset[str], ...]:
    """Return groups of words; of each, one thing holds at a time."""
    return tuple(map(topic_words, sections(DATA / "exclusive.txt")[""]))


@cache
def _times() -> frozenset[str]:
    """Return the topic words that are values, as numbers are: another is another statement."""
    return topic_words(" ".join(word_list("calendar", "days", "times")))


def _purpose(text: str) -> frozenset[str]:
    found: set[str] = set()
    for match in _PURPOSE.finditer(_FROM_NOW_ON.sub("", text)):
        found |= topic_words(match["what"])
    return frozenset(found - _times())


def _differ_in_quantity(one: str, other: str) -> bool:
    """Whether both give another number of the same unit: "3 seconds", "5 seconds"."""
    left, right = _quantities(one), _quantities(other)
    units = left.keys() & right.keys()
    if not units or any(left[unit] == right[unit] for unit in units):
        return False
    measured = topic_words(" ".join(units)) | {f"{unit}s" for unit in units}
    rest, others = (
        frozenset(word for word in topic_words(text) - measured if not _NUMBER.search(word))
        for text in (one, other)
    )
    return overlap(rest, others).share >= _QUANTITY_SHARE


def _quantities(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for number, unit in _QUANTITY.findall(text.casefold()):
        # Chinese doesn't separate the unit from what follows.
        key = unit[0] if is_cjk(unit) else unit.removesuffix("s")
        found.setdefault(key, _digits(number))
    return found


def _digits(number: str) -> str:
    if number in {"a", "an"}:
        return "1"
    return str(_NUMBER_WORDS.index(number)) if number in _NUMBER_WORDS else number


def _is_substitution(one: str, other: str, both: Overlap) -> bool:
    """Whether one word stands in the place of another, in otherwise the same statement."""
    if len(both.only_left) != 1 or len(both.only_right) != 1:
        return False
    return both.share_of_all >= _SUBSTITUTED_SHARE and _purpose(one) == _purpose(other)

"""Whether two statements say the same, contradict each other, or are unrelated.

Words decide, so that it works without vectors; vectors add what is said in other words.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from intaglio.capture.values import ClauseVector
from intaglio.language.topics import all_words, topic_words

Relation: TypeAlias = Literal["same", "contradicts", "unrelated"]

# Calibrated on the labelled sessions for training; decision record 0046.
SAME_COSINE: Final = 0.8
_SENTENCE_NUMBERS: Final = 384
_SAME_COSINE_WITH_WORDS: Final = 0.65
_SAME_SHARE: Final = 0.6
_MIN_SHARED: Final = 2
_MIN_COSINE: Final = 0.3
_SUBSTITUTED_SHARE: Final = 0.5
_DENIED_SHARE: Final = 0.75
# A template that is pasted again differs in a word or two.
_OTHER_WORDING: Final = 0.85
_REJECTED_WORDS: Final = 4
_QUANTITY_SHARE: Final = 0.3

_NEGATED: Final = re.compile(
    r"\b(?:not|no|never|none|without|avoid|stop|cannot|nicht|kein\w*|nie|niemals|ohne|nunca|"
    r"jam[aá]s|sin|ne|pas|aucune?|sans|jamais)\b|n['\u2019]t\b|\bn['\u2019](?=[aeiouyéè])|"
    r"\bdont\b|不|别|勿|禁止|禁[止じ]|没有|无需|ない|ません|なし|せず|やめ",
    re.IGNORECASE,
)
_ANSWER_NO: Final = re.compile(
    r"^\s*(?:no|nope|nah|nein|nee|non|不|いや)(?:[,.;:!，。、]+\s*|\s+(?=(?:keep|use|we|let|stick|stay|"
    r"i|the|wir|nimm|lass|bleib|mejor|usa|vamos|on|garde|utilise)\b))",
    re.IGNORECASE,
)
# What is rejected in favour of something else: "X, not Y", "X instead of Y".
_REJECTED: Final = re.compile(
    r"(?:\b(?:instead of|rather than|and not|but not|not|don['\u2019]?t use|do not use|"
    r"anstelle von|anstatt|statt|und nicht|nicht|en lugar de|en vez de|y no|"
    r"au lieu d[eu']|plut[oô]t que|et pas|pas de|pas)\b|而不是|不要用|不要|不用|别用|"
    r"(?<=[,，、]) ?不)\s*(?P<what>[^,.;:!?，。；、()]+)",
    re.IGNORECASE,
)
_PURPOSE: Final = re.compile(
    r"\b(?:for|in|on|under|für|beim?|im|in den|in der|para|en|pour|dans)\s+"
    r"(?P<what>[^,.;:!?，。；()]+)",
    re.IGNORECASE,
)
# Of each group, one thing holds at a time.
_EXCLUSIVE: Final = tuple(
    topic_words(group)
    for group in (
        "tabs spaces tabulators leerzeichen espacios espaces",
        "squash rebase merge",
        "allow forbid deny",
        "enable disable",
        "sync async synchronous asynchronous",
        "light dark",
        "optional required",
        "public private",
        "singular plural",
        "camelcase snake_case kebab-case pascalcase camel-case snake-case",
        "single double einfache doppelte simples dobles",
        "include exclude",
        "mutable immutable",
        "eager lazy",
        "ascending descending",
        "uppercase lowercase",
        "manual automatic",
        "english german french spanish chinese japanese",
        "englisch deutsch französisch spanisch chinesisch japanisch",
        "inglés alemán francés español",
        "anglais allemand français espagnol",
        "大写 小写",
        "空格 制表",
        "同步 异步",
        "单引 双引",
        "中文 英文",
        "英語 日本",
    )
)
# One of these is a value, as a number is: another one is another statement.
_TIMES: Final = topic_words(
    "monday tuesday wednesday thursday friday saturday sunday weekday weekend morning afternoon "
    "evening night hourly daily weekly monthly yearly "
    "montag dienstag mittwoch donnerstag freitag samstag sonntag montags dienstags mittwochs "
    "donnerstags freitags samstags sonntags morgens mittags abends nachts täglich wöchentlich "
    "monatlich lunes martes miércoles jueves viernes sábado domingo "
    "lundi mardi mercredi jeudi vendredi samedi dimanche "
    "周一 周二 周三 周四 周五 周六 周日 期一 期二 期三 期四 期五 期六 期日"
)
_FROM_NOW_ON: Final = re.compile(r"\bfrom (?:now|here) on\b", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\d")
_NUMBER_WORDS: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
)
_QUANTITY: Final = re.compile(
    rf"(?<![\w.-])(\d+(?:\.\d+)?|an?|{'|'.join(_NUMBER_WORDS)})\s?(%|[^\W\d_]+)"
)
_PREPOSITION: Final = re.compile(
    r"\b(?:for|in|on|at|with|from|to|by|as|für|im|bei|mit|als|zum|zur|para|en|con|por|pour|dans|avec|"
    r"comme)\b.*",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Wording:
    """A statement to compare: its text, and its sentence vector if there is one."""

    text: str
    vector: "ClauseVector | None" = None


def relation(new: Wording, old: Wording) -> Relation:
    """Compare two statements about the same scope, whatever order they are given in."""
    near = cosine(new, old)
    if _contradict(new.text, old.text) and (near is None or near >= _MIN_COSINE):
        return "contradicts"
    return "same" if _mean_the_same(new.text, old.text, near) else "unrelated"


def cosine(one: Wording, other: Wording) -> float | None:
    """Return the cosine of both vectors (-1 to 1); None without them."""
    if one.vector is None or other.vector is None:
        return None
    # What follows in a clause's vector are the means of inner layers, for the classifier alone.
    return float(one.vector[:_SENTENCE_NUMBERS] @ other.vector[:_SENTENCE_NUMBERS])


def shared_share(one: str, other: str) -> float:
    """Return which share (0 to 1) of the shorter statement's topic words the other has."""
    left, right = topic_words(one), topic_words(other)
    if not left or not right:
        return 0.0
    return len(left & right) / min(len(left), len(right))


def in_other_words(one: str, other: str) -> bool:
    """Whether both were worded separately.

    The same text, or nearly, is a template or a copy: it doesn't prove that it was said twice.
    """
    left, right = set(all_words(one)), set(all_words(other))
    return len(left & right) < _OTHER_WORDING * len(left | right)


@lru_cache(maxsize=2_048)
def is_negated(text: str) -> bool:
    """Whether a statement forbids or denies; a "no" that begins it answers what was said before."""
    return bool(_NEGATED.search(_ANSWER_NO.sub("", text)))


def _mean_the_same(one: str, other: str, near: float | None) -> bool:
    left, right = topic_words(one), topic_words(other)
    if (
        not left
        or not right
        or _differ_in_names(left, right)
        or is_negated(one) != is_negated(other)
    ):
        return left == right and bool(left) and is_negated(one) == is_negated(other)
    shared = len(left & right)
    share = shared / min(len(left), len(right))
    alike = shared >= _MIN_SHARED and shared / len(left | right) >= _SAME_SHARE
    if near is None:
        return alike
    if near >= SAME_COSINE:
        return shared >= 1
    return alike or (
        near >= _SAME_COSINE_WITH_WORDS and share >= _SAME_SHARE and shared >= _MIN_SHARED
    )


def _differ_in_names(left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether each side has a number, a time or an identifier that the other hasn't."""
    own, others = left - right, right - left
    return any(map(_is_name, own)) and any(map(_is_name, others))


def _is_name(word: str) -> bool:
    return bool(_NUMBER.search(word)) or not word.isalpha() or word in _TIMES


def _contradict(one: str, other: str) -> bool:
    left, right = topic_words(one), topic_words(other)
    shared = left & right
    own, others = left - right, right - left
    is_denied = is_negated(one) != is_negated(other)
    if shared and (_are_exclusive(own, others) or (not is_denied and _differ_in_time(own, others))):
        return True
    if _rejects_choice(one, other) or _rejects_choice(other, one):
        return not _have_other_purposes(one, other)
    if shared and _differ_in_quantity(one, other):
        return not _have_other_purposes(one, other)
    if len(shared) < _MIN_SHARED:
        return False
    if is_denied:
        share = len(shared) / min(len(left), len(right))
        return share >= _DENIED_SHARE and not _have_other_purposes(one, other)
    return _is_substitution(one, other, left, right)


def _are_exclusive(own: frozenset[str], others: frozenset[str]) -> bool:
    return any(group & own and group & others for group in _EXCLUSIVE)


def _differ_in_time(own: frozenset[str], others: frozenset[str]) -> bool:
    """Whether nothing but days or times of the day tell two statements apart."""
    return bool(own) and bool(others) and own <= _TIMES and others <= _TIMES


def _rejects_choice(one: str, other: str) -> bool:
    """Whether one statement rejects what the other chooses: "date-fns, not Luxon"."""
    rejected = _rejected(one)
    if not rejected:
        return False
    chosen, wanted = _chosen(one), topic_words(other) - frozenset[str]().union(*_rejected(other))
    return any(words and words <= wanted and not words & chosen for words in rejected)


@lru_cache(maxsize=2_048)
def _rejected(text: str) -> tuple[frozenset[str], ...]:
    """Return the topic words of each thing that a statement rejects."""
    return tuple(
        topic_words(" ".join(_PREPOSITION.sub("", match["what"]).split()[:_REJECTED_WORDS]))
        for match in _REJECTED.finditer(_ANSWER_NO.sub("", text))
    )


@lru_cache(maxsize=2_048)
def _chosen(text: str) -> frozenset[str]:
    return topic_words(_REJECTED.sub(" ", _ANSWER_NO.sub("", text)))


def _purpose(text: str) -> frozenset[str]:
    found: set[str] = set()
    for match in _PURPOSE.finditer(_FROM_NOW_ON.sub("", text)):
        found |= topic_words(match["what"])
    return frozenset(found - _TIMES)


def _have_other_purposes(one: str, other: str) -> bool:
    left, right = _purpose(one), _purpose(other)
    return bool(left) and bool(right) and not left & right


def _differ_in_quantity(one: str, other: str) -> bool:
    """Whether both give another number of the same unit: "3 seconds", "5 seconds"."""
    left, right = _quantities(one), _quantities(other)
    units = left.keys() & right.keys()
    if not units or any(left[unit] == right[unit] for unit in units):
        return False
    rest, others = (
        frozenset(word for word in topic_words(text) if not _NUMBER.search(word))
        - topic_words(unit)
        for text, unit in ((one, " ".join(units)), (other, " ".join(units)))
    )
    shared = len(rest & others)
    return shared > 0 and shared / min(len(rest), len(others)) >= _QUANTITY_SHARE


def _quantities(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for number, unit in _QUANTITY.findall(text.casefold()):
        # Chinese doesn't separate the unit from what follows.
        key = unit[0] if unit > "\u3000" else unit.removesuffix("s")
        found.setdefault(key, _digits(number))
    return found


def _digits(number: str) -> str:
    if number in {"a", "an"}:
        return "1"
    return str(_NUMBER_WORDS.index(number)) if number in _NUMBER_WORDS else number


def _is_substitution(one: str, other: str, left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether one word stands in the place of another, in otherwise the same statement."""
    own, others = left - right, right - left
    if len(own) != 1 or len(others) != 1:
        return False
    if len(left & right) / len(left | right) < _SUBSTITUTED_SHARE:
        return False
    return _purpose(one) == _purpose(other)

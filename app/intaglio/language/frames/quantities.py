"""Reads numbers and what they count or measure; all in the smallest unit of their kind.

"30 min" and "half an hour" are the same; "3 attempts" and "3 workers" aren't.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from intaglio.language.frames.lexicon import is_word, number_words, periods, units

_TIME: Final = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::[0-9]{2})?")
_THOUSANDS: Final = re.compile(r"[0-9]{1,3}(?:[.,][0-9]{3})+")
_VERSION: Final = re.compile(r"v?[0-9]+(?:\.[0-9]+)+")
_WRITTEN: Final = re.compile(r"[0-9]+(?:[.,:][0-9]+)*")
_HAN_DIGITS: Final = dict(zip("零一二三四五六七八九两", (*range(10), 2), strict=True))
_HAN_TENS: Final = {"十": 10, "百": 100, "千": 1_000, "万": 10_000}
_HAN_HALF: Final = "半"
_CLOCK_WORDS: Final = {"midnight": 0, "mitternacht": 0, "noon": 720, "medianoche": 0, "minuit": 0}
_AND_A_HALF: Final = frozenset(
    {("and", "a", "half"), ("et", "demi", "e"), ("und", "eine", "halbe"), ("y", "media", "")}
)
_GERMAN_DAY: Final = frozenset({"den", "am"})
_MINUTES: Final = 60
_NOON: Final = 720
_HOURS: Final = 24
_TEN: Final = 10
_TWO: Final = 2
_DIGITS: Final = "0123456789"
_CENTS: Final = 100.0
_LONGEST_UNIT: Final = 3
_NEAR: Final = 2


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number from token ``start`` to ``end``: what it is of, and how many.

    ``measure`` is a kind of unit, "clock" (minutes of the day), "period" (seconds), "version",
    "times", "day_of_the_month", or "" for a number without a unit. ``factor`` is how many of the
    smallest unit its own unit is; ``text`` are digits as written.
    """

    start: int
    end: int
    measure: str
    number: float
    text: str = ""
    factor: float = 1.0

    @property
    def written(self) -> float:
        """The number as written, without its unit."""
        return self.number / self.factor


def quantities(words: Sequence[str]) -> list[Quantity]:
    """Return the quantities of a statement's folded tokens, in order."""
    found: list[Quantity] = []
    at = 0
    while at < len(words):
        quantity = _read(words, at)
        if quantity is not None:
            found.append(quantity)
        at = quantity.end if quantity is not None else at + 1
    with_units = [_with_unit(found, index, words) for index in range(len(found))]
    return _joined(_without_once(with_units), words)


def _without_once(found: Sequence[Quantity]) -> list[Quantity]:
    """Leave out the "once" of "once every five minutes"."""
    periodic = any(each.measure == "period" for each in found)
    return [
        each for each in found if not (periodic and each.measure == "times" and each.number == 1)
    ]


def _joined(found: Sequence[Quantity], words: Sequence[str]) -> list[Quantity]:
    """Make one quantity of two times of the day that are a range: "06:00 to 22:00"."""
    joined: list[Quantity] = []
    for each in found:
        last = joined[-1] if joined else None
        between = words[last.end : each.start] if last is not None else ()
        if (
            last is not None
            and last.measure == each.measure == "clock"
            and all(is_word("range_joins", word) for word in between)
            and len(between) <= 1
        ):
            key = last.number * _MINUTES * _HOURS + each.number
            joined[-1] = Quantity(last.start, each.end, "hours", key)
        else:
            joined.append(each)
    return joined


def _read(words: Sequence[str], at: int) -> Quantity | None:
    period = periods().longest(words, at)
    if period is not None:
        return Quantity(at, at + period[0], "period", period[1])
    if words[at] in _CLOCK_WORDS:
        return Quantity(at, at + 1, "clock", _CLOCK_WORDS[words[at]])
    if is_word("half", words[at]):
        return _half(words, at)
    return _clock(words, at) or _counted(words, at)


def _counted(words: Sequence[str], at: int) -> Quantity | None:
    number, end, text = _number(words, at)
    if number is None:
        return None
    following = _at(words, end)
    if following == _HAN_HALF and _at(words, end + 1) in units():
        number, end = number + 0.5, end + 1
    if "." in text and _VERSION.fullmatch(text) and _unit(words, end) is None:
        return Quantity(at, end, "version", number, text.removeprefix("v"))
    if text and following == "." and end + 1 < len(words) and at and words[at - 1] in _GERMAN_DAY:
        return Quantity(at, end, "day_of_the_month", number)
    if text.isdigit() and is_word("ordinal_endings", following):
        return Quantity(at, end + 1, "day_of_the_month", number)
    return _measured(words, at, end, number) or _without_unit(words, at, end, number, text)


def _measured(words: Sequence[str], at: int, end: int, number: float) -> Quantity | None:
    unit = _unit(words, end)
    if unit is None:
        return None
    length, measure, factor = unit
    if measure != "time" and words[at] in number_words("articles"):
        return None
    if tuple(words[end + length : end + length + 3]) in _AND_A_HALF:
        number, length = number + 0.5, length + 3
    elif _at(words, end + length) == _HAN_HALF:
        number, length = number + 0.5, length + 1
    start = at
    before = words[at - 1] if at else ""
    is_each = is_word("each", before) or (number != 1 and is_word("per", before))
    if measure == "time" and is_each:
        start, measure = at - 1, "period"
    elif measure == "time" and at > 1 and is_word("each", words[at - 2]) and words[at - 1] == "les":
        start, measure = at - 2, "period"
    return Quantity(start, end + length, measure, number * factor, factor=factor)


def _without_unit(
    words: Sequence[str], at: int, end: int, number: float, text: str
) -> Quantity | None:
    if words[at] in number_words("times"):
        return Quantity(at, end, "times", number)
    if is_word("times", _at(words, end)):
        return Quantity(at, end + 1, "times", number)
    if words[at] in number_words("articles") and words[at] not in number_words("numbers"):
        return None
    if at and is_word("currencies", words[at - 1]):
        return Quantity(at - 1, end, "money", number * _CENTS, factor=_CENTS)
    return Quantity(at, end, "", number, text)


def _unit(words: Sequence[str], at: int) -> tuple[int, str, float] | None:
    known = units()
    for length in range(min(_LONGEST_UNIT, len(words) - at), 0, -1):
        # Chinese doesn't separate its characters.
        unit = "".join(words[at : at + length])
        if unit in known and (length == 1 or not unit.isascii()):
            return (length, *known[unit])
        # "m/s" is split like every name with a slash.
        per = "/".join(words[at : at + length])
        if length > 1 and per in known:
            return (length, *known[per])
    return None


def _at(words: Sequence[str], at: int) -> str:
    return words[at] if at < len(words) else ""


def _half(words: Sequence[str], at: int) -> Quantity | None:
    """Read "half an hour" and "half past five"."""
    following = _at(words, at + 1)
    if following == "past":
        hour, end = _small_number(words, at + 2)
        return None if hour is None else Quantity(at, end, "clock", hour * _MINUTES + 30)
    skipped = 1 if following in number_words("articles") else 0
    unit = _unit(words, at + 1 + skipped)
    if unit is None or unit[1] != "time":
        return None
    is_period = at > 0 and is_word("each", words[at - 1])
    start, measure = (at - 1, "period") if is_period else (at, "time")
    return Quantity(start, at + 1 + skipped + unit[0], measure, unit[2] / 2)


def _clock(words: Sequence[str], at: int) -> Quantity | None:
    """Read "9:30", "9 am", "9 Uhr", "早上八点" and "at nine"."""
    match = _TIME.fullmatch(words[at])
    if match:
        return _part_of_day(words, at, at + 1, int(match[1]) * _MINUTES + int(match[2]))
    hour, end = _small_number(words, at)
    if hour is None:
        return None
    following, minutes = _at(words, end), int(hour * _MINUTES)
    if following.startswith("h") and is_word("french_hours", following.rstrip(_DIGITS)):
        return _french_clock(words, at, end, minutes)
    if is_word("hours", following):
        if not following.isascii() and _at(words, end + 1) == _HAN_HALF:
            return _part_of_day(words, at, end + 2, minutes + 30)
        return _part_of_day(words, at, end, minutes)
    is_at = at > 0 and is_word("clock_prepositions", words[at - 1])
    ends = not following or not following[0].isalnum() or is_word("after_clock", following)
    is_clock = is_at and ends and _unit(words, end) is None
    return Quantity(at, end, "clock", minutes) if is_clock else None


def _french_clock(words: Sequence[str], at: int, end: int, minutes: int) -> Quantity | None:
    """Read "3 h 30", "3h30" and "à 3 h"; "3 h" alone is a time."""
    following = _at(words, end)
    rest = following.lstrip("heurs") or _at(words, end + 1)
    if len(rest) == _TWO and rest.isdigit():
        return Quantity(at, end + (1 if rest in following else 2), "clock", minutes + int(rest))
    behind = _at(words, end + 1)
    is_at = at > 0 and is_word("french_at", words[at - 1])
    ends = not behind.isalnum() or is_word("after_clock", behind)
    return Quantity(at, end + 1, "clock", minutes) if is_at and ends else None


def _part_of_day(words: Sequence[str], at: int, end: int, minutes: int) -> Quantity:
    following = _at(words, end)
    late = following == "pm" or is_word("late", "".join(words[max(0, at - 2) : at]))
    if is_word("hours", following):
        end += 1
    return Quantity(at, end, "clock", minutes + (_NOON if late and minutes < _NOON else 0))


def _small_number(words: Sequence[str], at: int) -> tuple[float | None, int]:
    """Return an hour of the day and where it ends."""
    number, end, text = _number(words, at) if at < len(words) else (None, at, "")
    is_hour = number is not None and number <= _HOURS and (not text or text.isdigit())
    is_article = is_hour and words[at] in number_words("articles")
    return (number, end) if is_hour and not is_article else (None, at)


def _number(words: Sequence[str], at: int) -> tuple[float | None, int, str]:
    """Return the number that begins here, where it ends, and its digits if it is written so."""
    word = words[at]
    if _WRITTEN.fullmatch(word):
        return _digits(word), at + 1, word
    if _VERSION.fullmatch(word):
        return 0.0, at + 1, word
    if word in _HAN_DIGITS or word in _HAN_TENS:
        number, end = _han(words, at)
        return number, end, ""
    for section in ("numbers", "times", "articles"):
        found = number_words(section).get(word)
        if found is not None:
            return (*_compound(words, at, found), "")
    return None, at, ""


def _compound(words: Sequence[str], at: int, number: float) -> tuple[float, int]:
    """Read "twenty four", "two hundred", "a dozen" and "one and a half"."""
    following = _at(words, at + 1)
    if is_word("hundreds", following):
        return number * number_words("numbers")[following], at + 2
    digit = number_words("numbers").get(following, 0.0)
    if is_word("tens", words[at]) and 0 < digit < _TEN:
        return number + digit, at + 2
    if tuple(words[at + 1 : at + 4]) in _AND_A_HALF:
        return number + 0.5, at + 4
    return number, at + 1


def _digits(word: str) -> float:
    if _THOUSANDS.fullmatch(word):
        return float(word.replace(",", "").replace(".", ""))
    whole, _, rest = word.replace(",", ".").replace(":", ".").partition(".")
    return float(f"{whole}.{rest.replace('.', '')}")


def _han(words: Sequence[str], at: int) -> tuple[float, int]:
    total, digit, end = 0, 0, at
    while end < len(words) and (words[end] in _HAN_DIGITS or words[end] in _HAN_TENS):
        if words[end] in _HAN_TENS:
            total += max(1, digit) * _HAN_TENS[words[end]]
            digit = 0
        else:
            digit = _HAN_DIGITS[words[end]]
        end += 1
    return float(total + digit), end


def _with_unit(found: Sequence[Quantity], index: int, words: Sequence[str]) -> Quantity:
    """Give a bare number the unit of the one it is compared with: "from 40 to 25 euros"."""
    one = found[index]
    if one.measure:
        return one
    following = found[index + 1] if index + 1 < len(found) else None
    before = found[index - 1] if index else None
    if following and following.start == one.end + 1 and is_word("unit_joins", words[one.end]):
        return _in_unit_of(one, following)
    if before and one.start - before.end <= _NEAR and (_at(words, one.end) or ".") in ".,;":
        between = words[before.end : one.start]
        if any(is_word("unit_joins", word) for word in between):
            return _in_unit_of(one, before)
    return one


def _in_unit_of(one: Quantity, other: Quantity) -> Quantity:
    if not other.measure:
        return one
    return replace(
        one, measure=other.measure, number=one.number * other.factor, factor=other.factor
    )

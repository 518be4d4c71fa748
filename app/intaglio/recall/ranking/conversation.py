"""What a question says about a conversation: who spoke, and when; pure functions."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from intaglio.language.word_lists import DATA, sections

# In lower case, these are usually other words: "may I", "march on".
_ALSO_WORDS: Final = frozenset({"may", "march", "mar", "mars", "jan", "sept"})
_WORD: Final = re.compile(r"[^\W\d_]+|(?<!\d)20\d\d(?!\d)|(?<!\d)1?\d(?=月)")
_QUESTION_MARKS: Final = ("?", "\uff1f")
_YEAR_ALONE: Final = 0.4


@cache
def _months() -> dict[str, int]:
    """Return the numbers (1 to 12) of the months' names and abbreviations."""
    lines = sections(DATA / "calendar.txt")["months"]
    return {name: number for number, names in enumerate(lines, 1) for name in names.split()}


@dataclass(frozen=True, slots=True)
class NamedDates:
    """The months (1 to 12) and years that a question names."""

    months: frozenset[int] = frozenset()
    years: frozenset[int] = frozenset()

    def fit(self, created_at: str) -> float:
        """Return how well (0 to 1) an ISO time fits what is named; 0 if nothing is."""
        if not self.months and not self.years:
            return 0.0
        if self.years and int(created_at[:4]) not in self.years:
            return 0.0
        if not self.months:
            return _YEAR_ALONE
        return float(int(created_at[5:7]) in self.months)


def named_dates(text: str) -> NamedDates:
    """Find the months and years in a question, in English, German, Spanish, French or Chinese."""
    known, months, years = _months(), set[int](), set[int]()
    for word in _WORD.findall(text):
        if word.isdecimal():
            number = int(word)
            (years if number > max(known.values()) else months).add(number)
        elif word.lower() in known and (word[0].isupper() or word not in _ALSO_WORDS):
            months.add(known[word.lower()])
    return NamedDates(frozenset(months), frozenset(years))


def named_speaker(text: str, speakers: Iterable[str]) -> str | None:
    """Return the only one of the speakers whom the text names, as written; None for several."""
    found = [name for name in set(speakers) if name and _names(text, name)]
    return found[0] if len(found) == 1 else None


def _names(text: str, name: str) -> bool:
    return name in text and bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text))


def is_question(content: str) -> bool:
    """Tell whether a text ends with a question mark."""
    return content.rstrip().endswith(_QUESTION_MARKS)

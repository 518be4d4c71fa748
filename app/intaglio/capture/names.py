"""Mends misspelt names by those that the project is known to use; pure."""

import re
from collections.abc import Collection
from typing import Final

from intaglio.graph.linking.canonical import canonical_name
from intaglio.graph.linking.lexicon.known_names import SPELLINGS
from intaglio.graph.linking.lexicon.ordinary_words import is_ordinary

_WORD: Final = re.compile(r"(?<![\w`@./-])[A-Za-z][A-Za-z-]{4,39}(?![\w`/-]|\.\w)")
# "userStore", or a capital letter that begins no sentence.
_NAME: Final = re.compile(
    r"(?<![\w.])[A-Za-z][a-z]{1,30}[A-Z][A-Za-z]{1,30}(?!\w)|(?<=[a-z,]\s)[A-Z][A-Za-z-]{5,39}(?!\w)"
)
_MIN_CHARS: Final = 6
# From so many letters on, two may differ.
_LONG: Final = 9
_MAX_DISTANCE: Final = 2
_MAX_NAMES: Final = 400
_READ_CHARS: Final = 6_000


def names_in(text: str) -> frozenset[str]:
    """Return the names of a text, which a user may misspell."""
    found = _NAME.findall(text[-_READ_CHARS:])
    return frozenset(word for word in found if len(word) >= _MIN_CHARS and not _is_word(word))


def mend_names(text: str, names: Collection[str], heard: Collection[str] = ()) -> str:
    """Replace each word that is one or two letters off exactly one of the names by that name.

    Ordinary words, known tools, inflected forms of a name, and what is written like code stay. A
    capitalised word that differs by its letters is another name ("Bramski", "Bramsky"), and names
    that were only ``heard`` don't correct such words at all.
    """
    mended = _mended(text, names, is_heard=False)
    return _mended(mended, heard, is_heard=True) if heard else mended


def _mended(text: str, names: Collection[str], *, is_heard: bool) -> str:
    known = [name for name in names if len(name) >= _MIN_CHARS and name.isascii()][:_MAX_NAMES]
    known = [name for name in known if _WORD.fullmatch(name) and not _is_word(name)]
    if not known:
        return text
    lower = {name.lower() for name in known}

    def mended(found: re.Match[str]) -> str:
        word = found.group()
        if is_heard and word[0].isupper():
            return word
        if len(word) < _MIN_CHARS - 1 or word.lower() in lower or _is_word(word):
            return word
        if canonical_name(word) in SPELLINGS:
            return word
        near = {name.lower(): name for name in known if _is_near(word.lower(), name.lower())}
        if word[0].isupper():
            near = {low: name for low, name in near.items() if not _is_other(word.lower(), low)}
        return next(iter(near.values())) if len(near) == 1 else word

    return _WORD.sub(mended, text)


def _is_word(word: str) -> bool:
    return is_ordinary(word.lower())


def _is_near(word: str, name: str) -> bool:
    if word[0] != name[0] or abs(len(word) - len(name)) > _MAX_DISTANCE:
        return False
    # An inflected form, or a longer name: "PostgREST" is not "Postgres", nor "Martina" "Martin".
    if word.startswith(name) or any(name == word + ending for ending in ("s", "es")):
        return False
    return _distance(word, name) <= (_MAX_DISTANCE if len(name) >= _LONG else 1)


def _is_other(word: str, name: str) -> bool:
    """Whether letters are replaced, and not only left out, doubled or swapped."""
    return len(word) == len(name) and sorted(word) != sorted(name)


def _distance(one: str, other: str) -> int:
    """Return how many letters to insert, delete, replace or swap with their neighbour."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, left in enumerate(one, 1):
        twice_before, before = before, row
        row = [at]
        for to, right in enumerate(other, 1):
            cost = min(before[to] + 1, row[to - 1] + 1, before[to - 1] + (left != right))
            if at > 1 and to > 1 and left == other[to - 2] and one[at - 2] == right:
                cost = min(cost, twice_before[to - 2] + 1)
            row.append(cost)
    return row[-1]

"""The words of a text that may name its topic, as they are written; pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from intaglio.language.stems import stem
from intaglio.language.tokens import fold, is_cjk, words
from intaglio.language.topics import unspecific_characters, unspecific_words
from intaglio.language.word_lists import word_list
from intaglio.redaction.entropy import looks_random
from intaglio.redaction.spans import MARK

READ_CHARS: Final = 600
_MAX_CHARS: Final = 30
_MAX_HAN: Final = 4
_HAN_RUN: Final = re.compile(r"[\u3005\u3400-\u9fff]+")
_KATAKANA: Final = re.compile(r"[\u30a1-\u30ff]{2,}")
_ELIDED: Final = re.compile(r"(?:[cdjlmnst]|qu)'", re.IGNORECASE)
_POSSESSIVE: Final = re.compile(r"'s?\Z")
# Ids, and what is an abbreviation of words without a topic: "e.g", "z.B".
_NO_NAME: Final = re.compile(r"(?=.*\d)[0-9a-f-]{6,}|0x[0-9a-f]+|\w(?:\.\w)+")
_SHORT_NAME: Final = re.compile(r"[a-z](?:\+\+|#)")
_ADDRESS: Final = re.compile(r"://|\bwww\.|[^@/]@[^@]*\.")


@dataclass(frozen=True, slots=True)
class LabelTerm:
    """A word: ``key`` is the same for its forms, ``written`` is as in the text."""

    key: str
    written: str


@dataclass(slots=True)
class LabelTermReader:
    """Reads the terms of texts, and remembers those of each word until it is dropped."""

    _known: dict[str, tuple[LabelTerm, ...]] = field(
        default_factory=dict[str, tuple[LabelTerm, ...]]
    )

    def read(self, text: str) -> dict[str, str]:
        """Return the terms of a text's beginning: each key with a form that is in the text.

        Names in code are one term. Numbers, ids, addresses and what could be a secret aren't any.
        Chinese, whose words aren't separated, has those of two to four characters.
        """
        found: dict[str, str] = {}
        for word in words(MARK.sub(" ", text[:READ_CHARS])):
            terms = self._known.get(word)
            if terms is None:
                terms = self._known[word] = tuple(_terms(word))
            for term in terms:
                found.setdefault(term.key, term.written)
        return found


def _terms(word: str) -> Iterator[LabelTerm]:
    if is_cjk(word):
        for run in _cjk_words(word):
            yield LabelTerm(run, run)
        return
    written = word.replace("\u2019", "'").lstrip("*~.").rstrip("/@")
    written = _POSSESSIVE.sub("", _ELIDED.sub("", written))
    if written.startswith("-") and not written.startswith("--"):
        written = written.lstrip("-")
    folded = fold(written)
    if not _is_named(folded) or folded in unspecific_words() or folded in _calendar():
        return
    if not looks_random(written):
        yield LabelTerm(stem(folded), written)


@cache
def _calendar() -> frozenset[str]:
    return frozenset(map(fold, word_list("calendar")))


def _is_named(folded: str) -> bool:
    if _SHORT_NAME.fullmatch(folded):
        return True
    letters = sum(map(str.isalpha, folded))
    return (
        1 < letters <= len(folded) <= _MAX_CHARS
        and letters * 2 >= len(folded)
        and "'" not in folded
        and not _NO_NAME.fullmatch(folded)
        and not _ADDRESS.search(folded)
    )


def _cjk_words(run: str) -> Iterator[str]:
    if _KATAKANA.fullmatch(run):
        yield run
    if not _HAN_RUN.fullmatch(run):
        return
    stopped = unspecific_characters()
    for part in "".join(" " if sign in stopped else sign for sign in run).split():
        for size in range(2, _MAX_HAN + 1):
            yield from (part[at : at + size] for at in range(len(part) - size + 1))

"""Which words deny, and whether a statement forbids or denies something."""

import re
from functools import cache, lru_cache
from typing import Final

from intaglio.language.tokens import fold, words
from intaglio.language.word_lists import word_list

_ANSWER_NO: Final = re.compile(
    r"^\s*(?:no|nope|nah|nein|nee|non|不|いや)(?:[,.;:!，。、]+\s*|\s+(?=(?:keep|use|we|let|stick|stay|"
    r"i|the|wir|nimm|lass|bleib|mejor|usa|vamos|on|garde|utilise)\b))",
    re.IGNORECASE,
)
_ELIDED: Final = re.compile(r"n'[aeiouy]")


def without_answer(text: str) -> str:
    """Cut a "no" that begins a statement: it answers what was said before."""
    return _ANSWER_NO.sub("", text)


def denies(word: str) -> bool:
    """Whether a folded word denies the one that follows it."""
    return word in _listed("denying") or word.endswith("n't")


@lru_cache(maxsize=2_048)
def is_negated(text: str) -> bool:
    """Whether a statement forbids or denies; a "no" that begins it doesn't count."""
    rest = without_answer(text)
    forbidding, signs = _listed("forbidding"), _listed("within_words")
    return any(
        denies(word) or word in forbidding or _ELIDED.match(word) is not None
        for word in words(fold(rest))
    ) or (not rest.isascii() and any(sign in rest for sign in signs))


def count_denials(text: str) -> int:
    """Count the words that forbid or deny: a rule without its "never" has one less."""
    rest = without_answer(text)
    forbidding, signs = _listed("forbidding"), _listed("within_words")
    counted = sum(denies(word) or word in forbidding for word in words(fold(rest)))
    return counted if rest.isascii() else counted + sum(map(rest.count, signs))


@cache
def _listed(section: str) -> frozenset[str]:
    return word_list("negations", section)

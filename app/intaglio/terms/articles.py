"""Hebrew and Arabic words with an attached article, which the index takes for other words."""

import re
from typing import Final

_MIN_BARE: Final = 3
# The article, with a conjunction or preposition before it.
_HEBREW: Final = re.compile("(?:[\u05d5\u05e9\u05de\u05db]?\u05e9?\u05d4)(?=[\u05d0-\u05ea]{3})")
_ARABIC: Final = re.compile(
    "(?:[\u0648\u0641]?[\u0628\u0643]?\u0627\u0644|[\u0648\u0641]?\u0644\u0644)"
    "(?=[\u0621-\u064a]{3})"
)
_HEBREW_LETTER: Final = re.compile("[\u05d0-\u05ea]")
_ARABIC_LETTER: Final = re.compile("[\u0621-\u064a]")
_HEBREW_ARTICLES: Final = ("\u05d4", "\u05d5\u05d4", "\u05e9\u05d4", "\u05de\u05d4")
_ARABIC_ARTICLES: Final = (
    *("\u0627\u0644", "\u0648\u0627\u0644", "\u0628\u0627\u0644", "\u0643\u0627\u0644"),
    *("\u0641\u0627\u0644", "\u0644\u0644", "\u0648\u0644\u0644"),
)


def without_article(word: str) -> str:
    """Return a Hebrew or Arabic word without its article; any other word as it is.

    Its first letters may be its own, too: only the reader knows.
    """
    if word.isascii():
        return word
    for pattern in (_HEBREW, _ARABIC):
        found = pattern.match(word)
        if found is not None:
            return word[found.end() :]
    return word


def with_bare_form(word: str) -> list[str]:
    """Return a word and what it is without an article, if it may have one."""
    bare = without_article(word)
    return [word] if bare == word else [word, bare]


def forms_with_article(word: str) -> tuple[str, ...]:
    """Return a word and, if it is Hebrew or Arabic, it with and without articles."""
    if word.isascii() or len(word) < _MIN_BARE:
        return (word,)
    articles: tuple[str, ...]
    if _HEBREW_LETTER.match(word):
        articles = _HEBREW_ARTICLES
    elif _ARABIC_LETTER.match(word):
        articles = _ARABIC_ARTICLES
    else:
        return (word,)
    stems = with_bare_form(word)
    forms = (form for stem in stems for form in (stem, *(article + stem for article in articles)))
    return tuple(dict.fromkeys(forms))

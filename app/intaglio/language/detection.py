"""Tells in which language a text is written, by its scripts and stop words."""

import re
from collections import Counter
from functools import cache
from typing import Final, Literal, TypeAlias

from intaglio.language.word_lists import word_list

Language: TypeAlias = Literal["en", "de", "es", "fr", "zh", "ja", "other"]

_SPACED: Final[tuple[Language, ...]] = ("en", "de", "es", "fr")
_KANA: Final = re.compile(r"[\u3040-\u30ff]")
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_OTHER_SCRIPT: Final = re.compile(r"[\u0370-\u1fff\uac00-\ud7af]")
_LATIN: Final = re.compile(r"[A-Za-z\u00c0-\u024f]+(?:['\u2019][a-z]+)?")
_ELIDED: Final = re.compile(r"^(?:[cdjlmnst]|qu)['\u2019]", re.IGNORECASE)
_READ_CHARS: Final = 4_000
_MIN_HAN_SHARE: Final = 0.08


def language_of(text: str, otherwise: Language = "en") -> Language:
    """Return the language of a text, or ``otherwise`` if its words don't tell."""
    text = text[:_READ_CHARS]
    han = len(_HAN.findall(text))
    kana = len(_KANA.findall(text))
    if han + kana > _MIN_HAN_SHARE * len(text):
        return "ja" if kana * 8 > han + kana else "zh"
    if len(_OTHER_SCRIPT.findall(text)) * 3 > len(text):
        return "other"
    languages = _languages_of_words()
    counts: Counter[Language] = Counter()
    for word in _LATIN.findall(text.lower()):
        if _ELIDED.match(word):
            counts["fr"] += word not in languages
        for name in languages.get(word.replace("\u2019", "'"), ()):
            counts[name] += 1
    if not counts:
        return otherwise
    (best, most), *rest = counts.most_common(2)
    if rest and rest[0][1] == most:
        return otherwise if counts[otherwise] == most else best
    return best


@cache
def _languages_of_words() -> dict[str, list[Language]]:
    """Return the languages that each stop word, and each word of statements, is of."""
    found: dict[str, list[Language]] = {}
    for language in _SPACED:
        for word in word_list("stop_words", language) | word_list("statement_words", language):
            found.setdefault(word, []).append(language)
    return found

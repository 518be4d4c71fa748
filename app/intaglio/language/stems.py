"""Takes the endings of inflected forms from words, lightly, in six languages.

The full-text index stems by itself, in English only: `ReadTx.index_terms`.
"""

from typing import Final

_MIN_STEM: Final = 4
_SUFFIXES: Final = (
    *("ements", "ement", "ments", "ment", "ings", "ungen", "ing", "ung", "ern", "ies"),
    *("ed", "es", "en", "er", "s", "e", "n"),
)


def stem(word: str) -> str:
    """Return a folded word without the endings of its forms; the same word for those of one."""
    if not word.isalpha():
        return word
    for suffix in _SUFFIXES if word.endswith(_SUFFIXES) else ():
        if word.endswith(suffix) and len(word) - len(suffix) >= _MIN_STEM:
            word = word.removesuffix(suffix)
            break
    if len(word) > _MIN_STEM and word[-1] == word[-2]:
        word = word[:-1]
    return word

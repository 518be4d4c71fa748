"""Index terms of scripts that don't separate words: pairs of characters instead of whole runs."""

import re
from typing import Final

from intaglio.language.tokens import pairs

# Chinese and Japanese script and Hangul: the index takes a run of it as one term.
_UNSPACED: Final = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+")


def split_term(term: str) -> list[str]:
    """Return an index term, or its pairs of characters and what else is in it.

    A question and its answer rarely share a whole run of such script.
    """
    if term.isascii() or not _UNSPACED.search(term):
        return [term]
    return [*unspaced_pairs(term), *_UNSPACED.sub(" ", term).split()]


def unspaced_pairs(text: str) -> list[str]:
    """Return the pairs of characters of all runs of such script in a text."""
    if text.isascii():
        return []
    return [pair for run in _UNSPACED.findall(text) for pair in pairs(run)]

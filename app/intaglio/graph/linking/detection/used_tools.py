"""Finds unlisted tools in lower case by how a text uses them: "format with tidyfmt"."""

from collections.abc import Collection, Iterator
from typing import Final

from intaglio.graph.linking.detection.drafts import BY_CAPITALS, Draft, Scanned
from intaglio.graph.linking.lexicon.given_names import GIVEN_NAMES
from intaglio.graph.linking.lexicon.heads import HEADS
from intaglio.graph.linking.lexicon.ordinary_words import (
    COMMON_ACRONYMS,
    FUNCTION_WORDS,
    is_ordinary,
)
from intaglio.graph.linking.lexicon.word_lists import words

_USING: Final = words("used_tools", "using")
_WORKING: Final = words("used_tools", "working")
# English words are rarely spelt so; the names of tools often are.
_ENDINGS: Final = (
    "ql", "db", "fmt", "lint", "kit", "ctl", "js", "py", "rs", "md", "io", "ux", "ex",
    "fluff", "gen", "sh", "mq", "cd", "vm", "stack", "flow", "craft", "ua", "oxy", "eno", "xy",
)  # fmt: skip
_SHORTEST: Final = 3
_LONGEST: Final = 14
_BACK: Final = 4


def used_tools(scanned: Scanned, listed: Collection[int]) -> Iterator[Draft]:
    """Yield words that are used like tools; ``listed`` tokens are known tools of the text."""
    for index, token in enumerate(scanned.tokens):
        if token.low not in _USING or not _is_odd(scanned, index + 1):
            continue
        if index + 1 in listed or not scanned.adjacent(index):
            continue
        before = {scanned.low(place) for place in range(max(0, index - _BACK), index + 1)}
        if listed or not before.isdisjoint(_WORKING):
            yield scanned.draft(index + 1, index + 1, "tool", 0.5, BY_CAPITALS)


def _is_odd(scanned: Scanned, index: int) -> bool:
    """Tell whether a word that is no ordinary one stands alone as an object."""
    if not scanned.is_word(index):
        return False
    token, after = scanned.tokens[index], scanned.low(index + 1)
    if token.code or not token.text.isalnum() or not token.text.islower():
        return False
    if not (_SHORTEST <= len(token.text) <= _LONGEST) or token.low in HEADS:
        return False
    if scanned.is_word(index + 1) and scanned.adjacent(index) and after not in FUNCTION_WORDS:
        return False
    if token.low in GIVEN_NAMES or token.low in COMMON_ACRONYMS or is_ordinary(token.low):
        return False
    return token.low.endswith(_ENDINGS) or not token.text.isalpha()

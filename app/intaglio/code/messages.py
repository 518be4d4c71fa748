"""Finds the error messages of a source file, as shingles: runs of three or four of their words."""

import re
from collections.abc import Iterator
from typing import Final

from intaglio.code.terms import SHINGLE_WORDS, SHORT_SHINGLE_WORDS, words_of

MOST_MESSAGES: Final = 150
_RAISED: Final = re.compile(
    r"(?i:error|exception|raise|throw|panic|bail|fatal|abort|die|fail|warn|assert|reject)"
    r"[^\"'`]{0,80}+(?:\"([^\"\n]{8,300}+)|'([^'\n]{8,300}+)|`([^`\n]{8,300}+))"
)
_PUT_IN: Final = re.compile(
    r"[$#]?\{[^}]{0,80}+\}|%[-+ #0-9.*]{0,8}+[a-zA-Z]|\$\w{1,40}+|\\[a-z]|\\\([^)]{0,80}+\)"
)


def shingles(text: str) -> set[str]:
    """Return the shingles of a file's messages: at most three of each, from its fixed words."""
    found: set[str] = set()
    for message in _messages(text):
        found.update(_shingles_of(message))
    return found


def _messages(text: str) -> Iterator[str]:
    for number, match in enumerate(_RAISED.finditer(text)):
        if number >= MOST_MESSAGES:
            return
        yield next(group for group in match.groups() if group)


def _shingles_of(message: str) -> list[str]:
    """Return the first, the middle and the last shingle of the longest parts of a message."""
    parts = sorted((words_of(each) for each in _PUT_IN.split(message)), key=len, reverse=True)
    found: list[str] = []
    for words in parts:
        if len(words) < SHORT_SHINGLE_WORDS or len(found) >= 3:  # noqa: PLR2004 - the most of one message
            break
        length = min(SHINGLE_WORDS, len(words))
        last = len(words) - length
        starts = dict.fromkeys((0, last // 2, last))
        found += [" ".join(words[start : start + length]) for start in starts]
    return found[:3]

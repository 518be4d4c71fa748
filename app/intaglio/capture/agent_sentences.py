"""Splits the end of an agent's message into sentences, without its markup; pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

# What an agent proposes, or has done, stands at the end of what it says.
READ_CHARS: Final = 3_000
_LAST_SENTENCES: Final = 6

_WRAPPED: Final = re.compile(r"(?<=[\w,)])[ \t]*\n[ \t]*(?=[a-z])")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])(?<!\s\d\.)(?<!^\d\.)\s+|(?<=[。！？])\s*")
_MARKUP: Final = re.compile(r"\*\*|__(?=\w)|(?<=\w)__|^#{1,6}\s+|^>\s?", re.MULTILINE)
_ASKS: Final = ("?", "？")
_QUESTION_TAIL: Final = " \t*_`\"')]}”»🚀🎉😊👍"


@dataclass(frozen=True, slots=True)
class AgentSentence:
    """A sentence of an agent's message, and whether it asks."""

    text: str
    is_question: bool


def unformatted(before: str) -> str:
    """Return the end of the agent's message without its markup, with wrapped lines joined."""
    return _WRAPPED.sub(" ", _MARKUP.sub("", before[-READ_CHARS:]))


def last_sentences(said: str, count: int = _LAST_SENTENCES) -> list[AgentSentence]:
    """Return the last sentences of an `unformatted` message, in order."""
    found: list[AgentSentence] = []
    for sentence in islice(_backwards(said), count):
        asks = sentence.rstrip(_QUESTION_TAIL).endswith(_ASKS)
        found.append(AgentSentence(sentence, asks))
    return found[::-1]


def _backwards(said: str) -> Iterator[str]:
    for line in reversed(said.split("\n")):
        for sentence in reversed(_SENTENCE_END.split(line)):
            if sentence.strip(" \t-*•"):
                yield sentence.strip()

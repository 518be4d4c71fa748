"""Decides which of a user's sentences to capture: decisions, preferences and rules.

Precision comes first: a missed sentence can be repeated, junk has to be found and forgotten. The
phrases of each language are in `english.py` and `german.py`.
"""

from dataclasses import dataclass
from typing import Final

from intaglio.capture import english, german
from intaglio.capture.cue import Cue
from intaglio.capture.sentence_splitter import Sentence, sentences

MIN_WORDS: Final = 4
MAX_CHARS: Final = 400
MAX_MESSAGE: Final = 50_000
# More than this in one message is a pasted document, not the user's own words.
MAX_PER_MESSAGE: Final = 12
_MIN_OWN_WORDS: Final = 3


@dataclass(frozen=True, slots=True)
class CuedSentence:
    """A sentence to capture, as the user wrote it, and its cue."""

    sentence: Sentence
    cue: Cue


def find_statements(message: str) -> list[CuedSentence]:
    """Return the sentences of a message to capture, in order; usually none."""
    found = [
        CuedSentence(sentence, cue)
        for sentence in sentences(message[:MAX_MESSAGE])
        if (cue := cue_of(sentence)) is not None
    ]
    return found if len(found) <= MAX_PER_MESSAGE else []


def cue_of(sentence: Sentence) -> Cue | None:
    """Return the sentence's cue, or None for small talk, questions and one-time requests."""
    words = sentence.text.split()
    if len(words) < MIN_WORDS or len(sentence.text) > MAX_CHARS:
        return None
    bare = sentence.bare.lower().replace("\u2019", "'")
    if len(bare.split()) < _MIN_OWN_WORDS or "?" in bare:
        return None
    return english.cue_of(bare) or german.cue_of(bare)

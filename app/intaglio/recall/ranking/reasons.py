"""Says in plain words why a memory was found; pure functions."""

from collections.abc import Sequence
from typing import Final

from intaglio.memory.values import MemoryText
from intaglio.recall.ranking.signals import MatchEvidence, TalkEvidence

# A word of the question counts as matched by meaning from this value of its best match on, of at
# most about 0.8 for the same word.
_CLOSE: Final = 0.4
_MOST_WORDS: Final = 4
# From here on, an indexed question is nearly the one asked.
_MUCH_ASKED: Final = 0.5
_SEVERAL: Final = 3


def close_words(words: Sequence[str], values: Sequence[float], literal: frozenset[str]) -> str:
    """Return the words of the question that match by meaning but not literally, as written.

    ``values`` are the best match of each word piece, 0 to about 0.8; pieces of one word follow one
    another.
    """
    best: dict[str, float] = {}
    for word, value in zip(words, values, strict=True):
        if word and word not in literal:
            best[word] = min(best.get(word, 1.0), value)
    close = [word for word, value in best.items() if value >= _CLOSE]
    return " ".join(close[:_MOST_WORDS])


def reasons(memory: MemoryText, evidence: MatchEvidence, close: str) -> tuple[str, ...]:
    """Say why a memory was found, besides the question's words that it contains.

    ``close`` are the words of the question that it matches by meaning.
    """
    found: list[str] = []
    if evidence.phrase:
        found.append("contains the exact phrase")
    if close:
        found.append(f"matches '{close}' by meaning")
    if evidence.hint >= _MUCH_ASKED:
        found.append("answers nearly the same question")
    if evidence.talk is not None:
        found += _of_talk(memory, evidence.talk, evidence.meaning)
    return tuple(found)


def _of_talk(memory: MemoryText, talk: TalkEvidence, own: float) -> list[str]:
    found: list[str] = []
    if talk.by_named_speaker:
        found.append(f"said by {memory.who}")
    if talk.date:
        found.append(f"said in {memory.created_at[:7]}")
    if talk.after_question and (talk.previous or 0.0) >= own:
        found.append("said in answer to a matching question")
    elif (talk.previous or 0.0) >= own or (talk.next or 0.0) >= own:
        found.append("said right beside something that matches")
    if talk.session_matches >= _SEVERAL:
        found.append("said in the same conversation as other matches")
    return found

"""Finds the memories that the user means when taking back what another session said; pure."""

from collections.abc import Sequence
from typing import Final

from intaglio.language.relations import Wording, cosine, relate
from intaglio.language.topics import topic_words
from intaglio.sessions.statements.values import KnownMemory, NamedMemories

_MOST_ASKED: Final = 3


def named_memories(
    named: Wording, said_at: str, known: Sequence[tuple[KnownMemory, Wording]]
) -> NamedMemories:
    """Return the older memories that are meant by words that take something back.

    ``certain`` say the same as these words; of the others that have all their topic words, at most
    three, the most alike first.
    """
    words = topic_words(named.text)
    older = [
        (memory, wording)
        for memory, wording in known
        if memory.said_at <= said_at and not memory.is_replaced and not memory.said_here
    ]
    certain = [memory.id for memory, wording in older if relate(named, wording) == "duplicate"]
    if certain or not words:
        return NamedMemories(certain=tuple(certain))
    likely = [
        (cosine(named, wording) or 0.0, memory.said_at, memory.id)
        for memory, wording in older
        if words <= topic_words(memory.text)
    ]
    return NamedMemories(likely=tuple(each for *_, each in sorted(likely)[::-1][:_MOST_ASKED]))

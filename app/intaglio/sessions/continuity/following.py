"""Has checkpoints follow memories: what is forgotten or erased isn't in them either."""

import math
from typing import Final

from intaglio.language.topics import topic_words
from intaglio.memory.operations import ChangeContext, MemoryChange
from intaglio.sessions.continuity import rows
from intaglio.sessions.continuity.standing import intact_lines
from intaglio.store.tx import WriteTx

_FEWEST: Final = 2


def follow_gone_memory(tx: WriteTx, change: MemoryChange, _: ChangeContext) -> None:
    """Remove what checkpoints say of a memory that is gone.

    Lines go with the messages that they are taken from, whose words were taken out before; and
    those that have half of its words. So does a harness's summary, which tells it in other words.
    """
    if not change.gone_text:
        return
    gone = topic_words(change.gone_text)
    for seq, harness, stored, summary in rows.texts(tx):
        lines = rows.read_lines(tx, stored)
        left = tuple(
            each for each in intact_lines(tx, harness, lines) if not _tells(each.text, gone)
        )
        kept = "" if _tells(summary, gone) else summary
        if (left, kept) != (lines, summary):
            rows.rewrite(tx, seq, left, kept)


def _tells(text: str, gone: frozenset[str]) -> bool:
    """Whether a text has at least half of a memory's topic words, and two of them."""
    shared = len(gone & topic_words(text))
    return shared >= max(_FEWEST, math.ceil(len(gone) / 2))

"""SQL that finds the message of a session that shows why it matches."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from intaglio.store.fts import expression_of
from intaglio.store.tx import QueryTimeout, ReadTx
from intaglio.transcripts.rows import containing, text_of

_NUMBER_BITS: Final = 20
_VOCABULARY: Final = "transcripts_vocabulary"
_DEADLINE_S: Final = 0.03
_MOST_BEGUN: Final = 400


def best_message(
    tx: ReadTx, transcript: int, words: Sequence[str], start: str, meanings: Mapping[int, float]
) -> str:
    """Return the text of the message with most of the words, or that is nearest by meaning.

    ``start`` is how another word begins, ``meanings`` how well messages match, by row.
    """
    first = transcript << _NUMBER_BITS
    last = first | ((1 << _NUMBER_BITS) - 1)
    counts = Counter[int]()
    for word in words:
        counts.update(containing(tx, word, first, last))
    if start:
        counts.update(beginning(tx, start, first, last))
    if not counts and not meanings:
        return ""
    best = max(
        {*counts, *(() if counts else meanings)},
        key=lambda number: (counts[number], meanings.get(number, 0.0), -number),
    )
    return text_of(tx, best)


def beginning(tx: ReadTx, start: str, first: int, last: int) -> list[int]:
    """Return the rows from one to another of messages with a word that begins so, newest first."""
    wanted = expression_of(tx, (), start, _VOCABULARY)
    if wanted is None:
        return []
    return tx.column(
        int,
        "SELECT rowid FROM transcripts_fts WHERE transcripts_fts MATCH ? "
        "AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?",
        (wanted, first, last, _MOST_BEGUN),
    )


def transcripts_with_all(tx: ReadTx, words: Sequence[str], start: str, limit: int) -> list[int]:
    """Return transcripts with a message that has all words and one that begins so, newest first.

    Empty if that takes too long.
    """
    wanted = expression_of(tx, words, start, _VOCABULARY)
    if wanted is None:
        return []
    try:
        with tx.deadline(_DEADLINE_S):
            found = tx.column(
                int,
                "SELECT rowid >> ? FROM transcripts_fts WHERE transcripts_fts MATCH ? "
                "ORDER BY rowid DESC LIMIT ?",
                (_NUMBER_BITS, wanted, _MOST_BEGUN),
            )
    except QueryTimeout:
        return []
    return [*dict.fromkeys(found)][:limit]

"""SQL that finds messages by their words: the one of a session that shows why it matches."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from intaglio.store.fts import expression_of
from intaglio.store.tx import QueryTimeout, ReadTx
from intaglio.transcripts.rows import containing, rows_of, text_of, transcript_of

_VOCABULARY: Final = "transcripts_vocabulary"
_DEADLINE_S: Final = 0.03
_MOST_BEGUN: Final = 400


def best_message(
    tx: ReadTx, transcript: int, words: Sequence[str], meanings: Mapping[int, float]
) -> str:
    """Return the text of the message with most of the words, or that is nearest by meaning.

    ``meanings`` is how well messages match, by row.
    """
    first, last = rows_of(transcript)
    counts = Counter[int]()
    for word in words:
        counts.update(containing(tx, word, first, last))
    if not counts and not meanings:
        return ""
    best = max(
        counts or meanings,
        key=lambda number: (counts[number], meanings.get(number, 0.0), -number),
    )
    return text_of(tx, best)


def messages_with_all(
    tx: ReadTx, words: Sequence[str], start: str, limit: int
) -> Mapping[int, int]:
    """Return the newest message of each transcript with all words and one that begins so.

    By transcript, newest first. Empty if that takes too long.
    """
    wanted = expression_of(tx, words, start, _VOCABULARY)
    if wanted is None:
        return {}
    try:
        with tx.deadline(_DEADLINE_S):
            numbers = tx.column(
                int,
                "SELECT rowid FROM transcripts_fts WHERE transcripts_fts MATCH ? "
                "ORDER BY rowid DESC LIMIT ?",
                (wanted, _MOST_BEGUN),
            )
    except QueryTimeout:
        return {}
    found: dict[int, int] = {}
    for number in numbers:
        found.setdefault(transcript_of(number), number)
    return dict([*found.items()][:limit])

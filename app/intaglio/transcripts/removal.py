"""Takes words out of stored messages again: of forgotten memories, and of forgotten sessions."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from intaglio.language.tokens import count_words
from intaglio.store.batches import in_batches
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx
from intaglio.transcripts import rows
from intaglio.transcripts.past_sessions import words_of
from intaglio.transcripts.preparation import pairs_of
from intaglio.transcripts.values import StoredMessage

_REMOVED: Final = "[…]"
# A shorter phrase says too little to be taken out wherever it occurs.
_FEWEST_TERMS: Final = 2
_SHORTEST: Final = 12
_MOST_TERMS: Final = 12
_MOST_MESSAGES: Final = 500
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class SaidSentence:
    """A sentence, and the message that it was said in."""

    harness: str
    message_id: str
    sentence: str


def remove_texts(tx: WriteTx, said: Sequence[SaidSentence], texts: Iterable[str]) -> None:
    """Take sentences out of the messages that they were said in, and all texts out of any message.

    A message in which its own sentence isn't found as it was recorded goes as a whole.
    """
    for each in said:
        for message in rows.with_id(tx, each.harness, each.message_id):
            rest = without(message.text, each.sentence)
            _rewrite(tx, message, rest if rest != message.text else "")
    for text in {*texts, *(each.sentence for each in said)}:
        for message in _containing(tx, text):
            _rewrite(tx, message, without(message.text, text))


def _containing(tx: WriteTx, text: str) -> list[StoredMessage]:
    words = sorted(words_of(tx, text).values(), key=len, reverse=True)[:_MOST_TERMS]
    if len(words) < _FEWEST_TERMS or len(text) < _SHORTEST:
        return []
    return rows.containing_all(tx, words, _MOST_MESSAGES)


def without(text: str, phrase: str) -> str:
    """Return a text without a phrase, however its words are separated and whatever their case."""
    words = _WORD.findall(phrase)
    if not words:
        return text
    pattern = r"[\W_]{1,40}".join(map(re.escape, words))
    return re.sub(pattern, _REMOVED, text, flags=re.IGNORECASE)


def _rewrite(tx: WriteTx, message: StoredMessage, text: str) -> None:
    if text == message.text:
        return
    text = "" if text.strip(f"{_REMOVED} \n.,;:!?-*") == "" else text
    rows.rewrite(tx, message.number, text, pairs_of(text), count_words(text))


async def forget_session(db: Database, harness: str, session_id: str, at: str) -> int:
    """Remove all that was said in a session until now, for good; return how many messages."""
    await db.write(partial(rows.mark_forgotten, harness=harness, session_id=session_id, at=at))
    numbers = await db.read(lambda tx: rows.message_rows(tx, harness, session_id))
    await in_batches(db, numbers, lambda tx, number: rows.rewrite(tx, number, "", None, 0))
    # The log holds earlier versions of the pages.
    await db.write(WriteTx.empty_log_after_commit)
    return len(numbers)

"""SQL on what forgotten memories took out of messages, so that it can come back with them."""

import json
from dataclasses import dataclass

from intaglio.store.tx import ReadTx, Row, WriteTx


@dataclass(frozen=True, slots=True)
class Cut:
    """What a forgotten memory took out of a message: phrases, or all of it if there are none.

    ``original`` is the message's text before any cut.
    """

    message: int
    memory_id: str
    original: str
    phrases: tuple[str, ...]


def _cut(message: int, memory_id: str, original: str, phrases: str) -> Cut:
    return Cut(message, memory_id, original, tuple(json.loads(phrases)))


def insert(tx: WriteTx, cut: Cut) -> None:
    """Record a cut, unless the memory has made one in this message."""
    tx.execute(
        "INSERT OR IGNORE INTO transcript_cuts(message, memory_id, original, phrases) "
        "VALUES (?, ?, ?, ?)",
        (
            cut.message,
            cut.memory_id,
            cut.original,
            json.dumps(cut.phrases, ensure_ascii=False),
        ),
    )


def of_memory(tx: ReadTx, memory_id: str) -> list[Cut]:
    """Return what a memory took out."""
    return tx.map(
        _cut,
        "SELECT message, memory_id, original, phrases FROM transcript_cuts WHERE memory_id = ?",
        (memory_id,),
    )


def of_message(tx: ReadTx, message: int) -> list[Cut]:
    """Return what was taken out of a message."""
    return tx.map(
        _cut,
        "SELECT message, memory_id, original, phrases FROM transcript_cuts WHERE message = ?",
        (message,),
    )


def messages(tx: ReadTx) -> set[int]:
    """Return the rows of all messages of which something was taken out."""
    return set(tx.column(int, "SELECT DISTINCT message FROM transcript_cuts"))


def set_original(tx: WriteTx, message: int, text: str) -> None:
    """Replace what the other cuts of a message would put back."""
    tx.execute("UPDATE transcript_cuts SET original = ? WHERE message = ?", (text, message))


def delete(tx: WriteTx, cut: Cut) -> None:
    """Delete a cut."""
    tx.execute(
        "DELETE FROM transcript_cuts WHERE message = ? AND memory_id = ?",
        (cut.message, cut.memory_id),
    )


def without_memory(tx: ReadTx, limit: int) -> list[Row]:
    """List the ids of memories that are gone and have cuts."""
    return tx.all(
        "SELECT DISTINCT memory_id FROM transcript_cuts c WHERE NOT EXISTS "
        "(SELECT 1 FROM memories m WHERE m.id = c.memory_id) LIMIT ?",
        (limit,),
    )

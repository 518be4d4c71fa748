"""SQL on which messages were read for the graph; no other module writes this table."""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from intaglio.session_notes.values import MadeBy
from intaglio.store.tx import ReadTx, Row, WriteTx

TurnResult: TypeAlias = Literal["read", "unsurprising", "injected", "empty"]
"""What became of a message: read by the model, or skipped, and why."""

# Rows of transcripts' messages; see `transcripts.rows`.
_MESSAGES: Final = (
    "transcripts t JOIN transcript_messages m ON m.seq BETWEEN t.seq << 20 "
    "AND (t.seq << 20) + 1048575 WHERE t.ended_at >= ?1 AND t.agent_id <> '' "
    "AND m.said_at >= ?1 AND m.role = 'user' AND m.text <> ''"
)


def unread(tx: ReadTx, job_type: str, since: str, limit: int) -> list[int]:
    """Return the rows of the user's messages since a time that were neither read nor queued.

    One whose job failed isn't tried again by itself.
    """
    return tx.column(
        int,
        f"SELECT m.seq FROM {_MESSAGES} "  # noqa: S608 - a constant
        "AND NOT EXISTS (SELECT 1 FROM read_turns r WHERE r.message = m.seq) "
        "AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.subject = CAST(m.seq AS TEXT) "
        "AND j.type = ?2) ORDER BY m.said_at, m.seq LIMIT ?3",
        (since, job_type, limit),
    )


def mark(
    tx: WriteTx, message: int, result: TurnResult, relations: int, made_by: MadeBy | None, at: str
) -> None:
    """Record that a message was read, or why it was skipped."""
    tx.execute(
        "INSERT OR REPLACE INTO read_turns(message, result, relations, prompt, version, provider, "
        "model, read_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            message,
            result,
            relations,
            made_by.prompt if made_by else "",
            made_by.version if made_by else 0,
            made_by.model.provider if made_by else "",
            made_by.model.model if made_by else "",
            at,
        ),
    )


def result_of(tx: ReadTx, message: int) -> TurnResult | None:
    """Return what became of a message; None if it wasn't read."""
    found = tx.rows(
        tuple[TurnResult], "SELECT result FROM read_turns WHERE message = ?", (message,)
    )
    return found[0][0] if found else None


def count_skipped_before(tx: ReadTx, messages: Sequence[int]) -> int:
    """Count how many of the latest of these messages, oldest first, were skipped in a row."""
    count = 0
    for message in reversed(messages):
        if result_of(tx, message) != "unsurprising":
            break
        count += 1
    return count


def skipped(tx: ReadTx, limit: int) -> list[int]:
    """Return the messages that were skipped because they said nothing new, newest first."""
    return tx.column(
        int,
        "SELECT message FROM read_turns WHERE result = 'unsurprising' "
        "ORDER BY message DESC LIMIT ?",
        (limit,),
    )


def count_skipped(tx: ReadTx) -> int:
    """Count the messages that were skipped because they said nothing new."""
    return tx.count("SELECT count(*) FROM read_turns WHERE result = 'unsurprising'")


def unmark(tx: WriteTx, message: int) -> int:
    """Let a message that was skipped count as unread; return how many rows that changed."""
    return tx.execute(
        "DELETE FROM read_turns WHERE message = ? AND result = 'unsurprising'", (message,)
    )


def counts(tx: ReadTx, since: str) -> dict[TurnResult, int]:
    """Count messages by what became of them since a time."""
    found = tx.rows(
        tuple[TurnResult, int],
        "SELECT result, count(*) FROM read_turns WHERE read_at >= ? GROUP BY result",
        (since,),
    )
    return dict(found)


def count_said(tx: ReadTx, since: str) -> int:
    """Count the user's stored messages since a time."""
    return tx.count(f"SELECT count(*) FROM {_MESSAGES}", (since,))  # noqa: S608 - a constant


def said_since(tx: ReadTx, since: str) -> list[int]:
    """Return the rows of the user's stored messages since a time."""
    return tx.column(int, f"SELECT m.seq FROM {_MESSAGES} ORDER BY m.said_at, m.seq", (since,))  # noqa: S608 - a constant


def old(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List marks of messages that were read before a time."""
    return tx.all(
        "SELECT message FROM read_turns WHERE read_at < ? ORDER BY read_at LIMIT ?", (before, limit)
    )


def purge(tx: WriteTx, key: Row, before: str, _now: str) -> int:
    """Delete such a mark."""
    return tx.execute("DELETE FROM read_turns WHERE message = ? AND read_at < ?", (*key, before))

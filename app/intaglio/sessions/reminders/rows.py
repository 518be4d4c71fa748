"""SQL on save reminders; no other module writes these tables."""

import json
from collections.abc import Sequence
from typing import Final

from intaglio.memory.retention import expired_prefix
from intaglio.sessions.reminders.values import (
    NewReminder,
    NoteResult,
    RecordedReminder,
    ResultKind,
)
from intaglio.store.tx import ReadTx, Row, WriteTx

MAX_OF_SESSION: Final = 200
_LISTED: Final = "IN (SELECT value FROM json_each(?))"


def insert(tx: WriteTx, new: NewReminder) -> None:
    """Record a reminder; the session's earlier ones are closed: their turn is over."""
    close(tx, new.harness, new.session_id, new.at)
    tx.execute(
        "INSERT INTO reminders(harness, session_id, prompt_id, created_at, wording, tokens, "
        "confidence) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            new.harness,
            new.session_id,
            new.prompt_id,
            new.at,
            new.wording,
            new.tokens,
            new.confidence,
        ),
    )


def close(tx: WriteTx, harness: str, session_id: str, at: str) -> int:
    """Record that the turn of a session's reminders has ended; return how many were open."""
    return tx.execute(
        "UPDATE reminders SET closed_at = ? "
        "WHERE session_id = ? AND harness = ? AND closed_at IS NULL",
        (at, tx.as_stored(session_id), harness),
    )


def open_one(tx: ReadTx, harness: str, session_id: str) -> int | None:
    """Return the number of a session's reminder whose turn goes on."""
    return tx.scalar(
        int,
        "SELECT max(seq) FROM reminders WHERE session_id = ? AND harness = ? AND closed_at IS NULL",
        (tx.as_stored(session_id), harness),
    )


def add_result(tx: WriteTx, seq: int, result: NoteResult) -> None:
    """Record what an agent did after a reminder."""
    tx.execute(
        "INSERT INTO reminder_results(reminder, kind, memory_id, inbox_id) VALUES (?, ?, ?, ?)",
        (seq, result.kind, result.memory_id, result.inbox_id),
    )


def count(tx: ReadTx, harness: str, session_id: str) -> int:
    """Count the reminders of a session."""
    return tx.count(
        "SELECT count(*) FROM reminders WHERE session_id = ? AND harness = ?",
        (tx.as_stored(session_id), harness),
    )


def of_session(tx: ReadTx, harness: str, session_id: str) -> list[RecordedReminder]:
    """Return the first reminders of a session, oldest first."""
    found = tx.rows(
        tuple[int, str | None, str, str | None, int, int, float],
        "SELECT seq, prompt_id, created_at, closed_at, wording, tokens, confidence "
        "FROM reminders WHERE session_id = ? AND harness = ? ORDER BY seq LIMIT ?",
        (tx.as_stored(session_id), harness, MAX_OF_SESSION),
    )
    results: dict[int, list[NoteResult]] = {seq: [] for seq, *_ in found}
    kinds: dict[str, ResultKind] = {"saved": "saved", "known": "known", "suggested": "suggested"}
    for seq, kind, memory_id, inbox_id in tx.rows(
        tuple[int, str, str | None, str | None],
        "SELECT reminder, kind, memory_id, inbox_id FROM reminder_results "  # noqa: S608 - a constant
        f"WHERE reminder {_LISTED} ORDER BY rowid",
        (json.dumps(list(results)),),
    ):
        results[seq].append(NoteResult(kinds[kind], memory_id, inbox_id))
    return [
        RecordedReminder(
            seq=seq,
            prompt_id=prompt_id,
            at=at,
            closed_at=closed_at,
            wording=wording,
            tokens=tokens,
            confidence=confidence,
            results=tuple(results[seq]),
        )
        for seq, prompt_id, at, closed_at, wording, tokens, confidence in found
    ]


def old(tx: ReadTx, before: str, now: str, limit: int) -> list[Row]:
    """List reminders given before a time, oldest first."""
    rows = tx.rows(
        tuple[int, str], "SELECT seq, created_at FROM reminders ORDER BY seq LIMIT ?", (limit,)
    )
    return [(number,) for number in expired_prefix(rows, before, now)]


def purge(tx: WriteTx, keys: Sequence[Row], _before: str, _now: str) -> int:
    """Delete reminders with their results."""
    listed = (json.dumps([number for (number,) in keys]),)
    tx.execute(f"DELETE FROM reminder_results WHERE reminder {_LISTED}", listed)  # noqa: S608 - a constant
    return tx.execute(f"DELETE FROM reminders WHERE seq {_LISTED}", listed)  # noqa: S608 - a constant

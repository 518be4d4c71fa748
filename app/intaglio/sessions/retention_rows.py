"""SQL that purges old ledger entries, ratings and inactive sessions."""

import json
from collections.abc import Sequence
from typing import Final

from intaglio.memory.retention import expired_prefix
from intaglio.sessions.commits import rows as commits
from intaglio.sessions.past_sessions import rows as past_sessions
from intaglio.store.tx import ReadTx, Row, WriteTx

_INACTIVE: Final = (
    "last_seen_at < ?1 AND (ended_at IS NULL OR ended_at < ?1) "
    "AND (imported_at IS NULL OR imported_at < ?1)"
)


def old_ledger(tx: ReadTx, before: str, now: str, limit: int) -> list[Row]:
    """List hook calls recorded before a time, oldest first."""
    rows = tx.rows(
        tuple[int, str], "SELECT seq, created_at FROM injections ORDER BY seq LIMIT ?", (limit,)
    )
    return [(number,) for number in expired_prefix(rows, before, now)]


def purge_calls(tx: WriteTx, keys: Sequence[Row], _before: str, _now: str) -> int:
    """Delete hook calls and their memory entries."""
    listed = (json.dumps([number for (number,) in keys]),)
    tx.execute(
        "DELETE FROM session_memories WHERE injection IN (SELECT value FROM json_each(?))", listed
    )
    numbers = [int(str(number)) for (number,) in keys]
    past_sessions.purge(tx, numbers)
    commits.purge(tx, numbers)
    return tx.execute(
        "DELETE FROM injections WHERE seq IN (SELECT value FROM json_each(?))", listed
    )


def old_texts(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List hook calls of before a time that still have the text as it was sent."""
    return tx.all(
        "SELECT seq FROM injections WHERE text IS NOT NULL AND created_at < ? LIMIT ?",
        (before, limit),
    )


def purge_texts(tx: WriteTx, keys: Sequence[Row], _before: str, _now: str) -> int:
    """Remove these texts; what was sent stays listed memory by memory."""
    return tx.execute(
        "UPDATE injections SET text = NULL WHERE seq IN (SELECT value FROM json_each(?))",
        (json.dumps([number for (number,) in keys]),),
    )


def old_ratings(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List ratings given before a time."""
    return tx.all(
        "SELECT session_id, memory_id FROM feedback WHERE created_at < ? LIMIT ?", (before, limit)
    )


def purge_rating(tx: WriteTx, key: Row, before: str, _now: str) -> int:
    """Delete a rating unless it has been given again since."""
    return tx.execute(
        "DELETE FROM feedback WHERE session_id = ? AND memory_id = ? AND created_at < ?",
        (*key, before),
    )


def inactive_sessions(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List sessions without activity since a time, whether or not they ended."""
    return tx.all(
        f"SELECT harness, id FROM sessions WHERE {_INACTIVE} LIMIT ?2",  # noqa: S608 - a constant
        (before, limit),
    )


def purge_session(tx: WriteTx, key: Row, before: str, _now: str) -> int:
    """Delete a session that is still inactive.

    If it becomes active again, its transcript is read from the start; sources prevent duplicate
    memories, and forgotten ones stay forgotten.
    """
    return tx.execute(
        f"DELETE FROM sessions WHERE {_INACTIVE} AND harness = ?2 AND id = ?3",  # noqa: S608 - a constant
        (before, *key),
    )

"""SQL that purges the ledger, ratings, and sessions that were silent for long."""

import json
from collections.abc import Sequence
from typing import Final

from intaglio.memory.retention import expired_prefix
from intaglio.store.tx import ReadTx, Row, WriteTx

_SILENT: Final = "last_seen_at < ?1 AND (ended_at IS NULL OR ended_at < ?1)"


def old_ledger(tx: ReadTx, before: str, now: str, limit: int) -> list[Row]:
    """List hook calls that were recorded before a moment, from the beginning on."""
    rows = tx.rows(
        tuple[int, str], "SELECT seq, created_at FROM injections ORDER BY seq LIMIT ?", (limit,)
    )
    return [(number,) for number in expired_prefix(rows, before, now)]


def purge_calls(tx: WriteTx, keys: Sequence[Row], _before: str, _now: str) -> int:
    """Delete hook calls and what they say of memories."""
    listed = (json.dumps([number for (number,) in keys]),)
    tx.execute(
        "DELETE FROM session_memories WHERE injection IN (SELECT value FROM json_each(?))", listed
    )
    return tx.execute(
        "DELETE FROM injections WHERE seq IN (SELECT value FROM json_each(?))", listed
    )


def old_ratings(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List ratings that were given before a moment."""
    return tx.all(
        "SELECT session_id, memory_id FROM feedback WHERE created_at < ? LIMIT ?", (before, limit)
    )


def purge_rating(tx: WriteTx, key: Row, before: str, _now: str) -> int:
    """Delete a rating, unless it was given anew."""
    return tx.execute(
        "DELETE FROM feedback WHERE session_id = ? AND memory_id = ? AND created_at < ?",
        (*key, before),
    )


def silent(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List sessions of which nothing was heard since a moment, whether they ended or not."""
    return tx.all(
        f"SELECT harness, id FROM sessions WHERE {_SILENT} LIMIT ?2",  # noqa: S608 - a constant
        (before, limit),
    )


def purge_session(tx: WriteTx, key: Row, before: str, _now: str) -> int:
    """Delete a session that is silent still.

    Should it ever speak again its transcript is read anew; sources keep memories from doubling,
    and what was forgotten stays so.
    """
    return tx.execute(
        f"DELETE FROM sessions WHERE {_SILENT} AND harness = ?2 AND id = ?3",  # noqa: S608 - a constant
        (before, *key),
    )

"""SQL on ratings; a session's latest rating of a memory replaces earlier ones."""

from collections.abc import Mapping

from intaglio.store.tx import WriteTx


def record(
    tx: WriteTx, session_id: str, agent_id: str, ratings: Mapping[str, float], at: str
) -> int:
    """Write a session's ratings (-1 to 1) by memory; return how many."""
    for memory_id, rating in ratings.items():
        tx.execute(
            "INSERT INTO feedback(session_id, memory_id, agent_id, rating, created_at) "
            "VALUES (?, ?, ?, ?, ?) ON CONFLICT(session_id, memory_id) DO UPDATE SET "
            "agent_id = excluded.agent_id, rating = excluded.rating, "
            "created_at = excluded.created_at",
            (session_id, memory_id, agent_id, rating, at),
        )
    return len(ratings)


def drop(tx: WriteTx, memory_id: str) -> None:
    """Delete the ratings of an erased memory."""
    tx.execute("DELETE FROM feedback WHERE memory_id = ?", (memory_id,))

"""SQL on the harness's own database."""

from collections.abc import Iterator
from sqlite3 import Connection
from typing import Literal, TypeAlias

MessageRow: TypeAlias = tuple[int, Literal["user", "assistant"], str, str | None]
"""A message's id, role, text and time."""


def messages_after(db: Connection, session: str, number: int) -> Iterator[MessageRow]:
    """Iterate a session's messages after one, oldest first."""
    return db.execute(
        "SELECT id, role, text, created_at FROM messages WHERE session = ? AND id > ? ORDER BY id",
        (session, number),
    )


def past_sessions(db: Connection) -> list[tuple[str, str, str, int]]:
    """List the sessions with the times of their first and last message, and their size."""
    return list(
        db.execute(
            "SELECT session, min(created_at), max(created_at), sum(length(text)) FROM messages "
            "WHERE created_at IS NOT NULL GROUP BY session"
        )
    )


def messages_until(db: Connection, session: str, number: int) -> Iterator[MessageRow]:
    """Iterate a session's messages up to one, latest first."""
    return db.execute(
        "SELECT id, role, text, created_at FROM messages WHERE session = ? AND id <= ? "
        "ORDER BY id DESC",
        (session, number),
    )

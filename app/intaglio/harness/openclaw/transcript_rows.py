"""SQL on OpenClaw's database of an agent (schema 23)."""

from collections.abc import Iterator
from sqlite3 import Connection
from typing import TypeAlias

EventRow: TypeAlias = tuple[int, str | None, bytes | None]
"""An event's number in its session, and its JSON: as text, or compressed."""

_EVENTS = (
    "SELECT seq, event_json, event_zstd FROM transcript_events WHERE session_id = ? AND seq {} ? "
    "ORDER BY seq {}"
)


def session_key(db: Connection, session: str) -> str:
    """Return the key of a session's conversation; empty if there is no such session."""
    row = db.execute(
        "SELECT session_key FROM session_windows WHERE session_id = ?", (session,)
    ).fetchone()
    return str(row[0]) if row else ""


def events_after(db: Connection, session: str, number: int) -> Iterator[EventRow]:
    """Iterate a session's events after one, oldest first."""
    return db.execute(_EVENTS.format(">", "ASC"), (session, number))


def events_until(db: Connection, session: str, number: int) -> Iterator[EventRow]:
    """Iterate a session's events up to one, latest first."""
    return db.execute(_EVENTS.format("<=", "DESC"), (session, number))

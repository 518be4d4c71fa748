"""SQL on OpenClaw's database of an agent (schema 23)."""

from collections.abc import Iterator
from sqlite3 import Connection
from typing import Final, TypeAlias

from intaglio.harness.transcript import MAX_ROW_BYTES

EventRow: TypeAlias = tuple[int, str | None, bytes | None]
"""An event's number in its session, and its JSON: as text, or compressed.

Both are None if it is longer than is read.
"""

_EVENTS: Final = (
    "SELECT seq, CASE WHEN length(event_json) <= :longest THEN event_json END, "
    "CASE WHEN length(event_zstd) <= :longest THEN event_zstd END FROM transcript_events "
    "WHERE session_id = :session AND seq {} :number ORDER BY seq {}"
)


def session_key(db: Connection, session: str) -> str:
    """Return the key of a session's conversation; empty if there is no such session."""
    row = db.execute(
        "SELECT session_key FROM session_windows WHERE session_id = ?", (session,)
    ).fetchone()
    return str(row[0]) if row else ""


def past_sessions(db: Connection) -> list[tuple[str, str, int]]:
    """List the sessions with their keys and about how many bytes their events have."""
    return list(
        db.execute(
            "SELECT w.session_id, w.session_key, "
            "sum(ifnull(length(e.event_json), length(e.event_zstd))) FROM session_windows w "
            "JOIN transcript_events e ON e.session_id = w.session_id GROUP BY w.session_id"
        )
    )


def events_after(db: Connection, session: str, number: int) -> Iterator[EventRow]:
    """Iterate a session's events after one, oldest first."""
    return db.execute(_EVENTS.format(">", "ASC"), _values(session, number))


def events_until(db: Connection, session: str, number: int) -> Iterator[EventRow]:
    """Iterate a session's events up to one, latest first."""
    return db.execute(_EVENTS.format("<=", "DESC"), _values(session, number))


def _values(session: str, number: int) -> dict[str, str | int]:
    return {"session": session, "number": number, "longest": MAX_ROW_BYTES}

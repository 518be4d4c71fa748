"""SQL on OpenCode's own database, whose tables hold JSON in a column ``data``.

Version 1 has a row for each message and for each part of one. Version 2 has one for each message,
in ``session_message``; databases of late versions 1 have that table, too, but nothing in it.
"""

from collections.abc import Iterator
from sqlite3 import Connection
from typing import Final, TypeAlias

from intaglio.harness.transcript import MAX_ROW_BYTES

SessionColumns: TypeAlias = tuple[str, str | None, str | None]
"""A session's directory, parent and title."""

MessagePlace: TypeAlias = tuple[int, str]
"""When a message was created, in ms, and its id; in version 2, its number in the session first."""

MessageColumns: TypeAlias = tuple[int, str, int, str]
"""A message's place, time in ms, and JSON; the JSON is empty if it is longer than is read."""

_MESSAGES: Final = (
    "SELECT time_created, id, time_created, "
    "CASE WHEN length(data) <= :longest THEN data ELSE '' END FROM message "
    "WHERE session_id = :session AND (time_created, id) {0} (:place, :id) "
    "ORDER BY time_created {1}, id {1}"
)
_NUMBERED: Final = (
    "SELECT seq, id, time_created, CASE WHEN length(data) <= :longest AND json_valid(data) "
    "THEN json_set(data, '$.type', type) ELSE '' END FROM session_message "
    "WHERE session_id = :session AND seq {0} :place AND type IN ('user', 'assistant') "
    "ORDER BY seq {1}"
)
_PARTS: Final = (
    "SELECT CASE WHEN length(data) <= :longest THEN data ELSE '' END FROM part "
    "WHERE message_id = :message AND CASE WHEN json_valid(data) THEN "
    "json_extract(data, '$.type') = 'text' OR json_extract(data, '$.tool') = 'question' "
    "ELSE true END ORDER BY id"
)


def session(db: Connection, of: str) -> SessionColumns | None:
    """Return a session, None if there is none."""
    found: SessionColumns | None = db.execute(
        "SELECT directory, parent_id, title FROM session WHERE id = ?", (of,)
    ).fetchone()
    return found


PastColumns: TypeAlias = tuple[str, str, int, int, int]
"""A session's id and directory, the times of its first and last message in ms, and their number."""

_NUMBERED_TABLE: Final = "session_message"
_PAST: Final = (
    "SELECT s.id, s.directory, min(m.time_created), max(m.time_created), count(*) "
    "FROM session s JOIN {} m ON m.session_id = s.id WHERE s.parent_id IS NULL GROUP BY s.id"
)


def past_sessions(db: Connection) -> list[PastColumns]:
    """List the sessions that have messages, without those of subagents."""
    tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master")]
    found = list(db.execute(_PAST.format("message")))
    if _NUMBERED_TABLE in tables:
        # Of a session that was migrated, only these are read.
        found += db.execute(_PAST.format(_NUMBERED_TABLE))
    return list({row[0]: row for row in found}.values())


def has_numbered_messages(db: Connection, of: str) -> bool:
    """Whether a session's messages are stored as version 2 does."""
    table = "SELECT 1 FROM sqlite_master WHERE name = 'session_message'"
    if db.execute(table).fetchone() is None:
        return False
    rows = db.execute("SELECT 1 FROM session_message WHERE session_id = ? LIMIT 1", (of,))
    return rows.fetchone() is not None


def messages_after(db: Connection, of: str, place: MessagePlace) -> Iterator[MessageColumns]:
    """Iterate a session's messages after a place, oldest first."""
    return db.execute(_MESSAGES.format(">", "ASC"), _values(of, place))


def messages_until(db: Connection, of: str, place: MessagePlace) -> Iterator[MessageColumns]:
    """Iterate a session's messages up to a place, latest first."""
    return db.execute(_MESSAGES.format("<=", "DESC"), _values(of, place))


def has_parts(db: Connection, message: str) -> bool:
    """Whether any part of a message is stored."""
    rows = db.execute("SELECT 1 FROM part WHERE message_id = ? LIMIT 1", (message,))
    return rows.fetchone() is not None


def text_parts(db: Connection, message: str) -> list[str]:
    """List the JSON of a message's texts and answered questions, in order; empty if too long."""
    rows = db.execute(_PARTS, {"message": message, "longest": MAX_ROW_BYTES})
    return [data for (data,) in rows]


def numbered_messages_after(
    db: Connection, of: str, place: MessagePlace
) -> Iterator[MessageColumns]:
    """Iterate the messages of version 2 like `messages_after`; their JSON gets their type."""
    return db.execute(_NUMBERED.format(">", "ASC"), _values(of, place))


def numbered_messages_until(
    db: Connection, of: str, place: MessagePlace
) -> Iterator[MessageColumns]:
    """Iterate the messages of version 2 like `messages_until`; their JSON gets their type."""
    return db.execute(_NUMBERED.format("<=", "DESC"), _values(of, place))


def _values(of: str, place: MessagePlace) -> dict[str, str | int]:
    return {"session": of, "place": place[0], "id": place[1], "longest": MAX_ROW_BYTES}

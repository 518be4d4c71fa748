"""SQL on OpenCode's own database, whose tables hold JSON in a column ``data``.

Version 1 has a row for each message and for each part of one. Version 2 has one for each message,
in ``session_message``; databases of late versions 1 have that table, too, but nothing in it.
"""

from collections.abc import Iterator
from sqlite3 import Connection
from typing import TypeAlias

SessionColumns: TypeAlias = tuple[str, str | None, str | None]
"""A session's directory, parent and title."""

MessagePlace: TypeAlias = tuple[int, str]
"""When a message was created, in ms, and its id; in version 2, its number in the session first."""

MessageColumns: TypeAlias = tuple[int, str, int, str]
"""A message's place, time in ms, and JSON."""


def session(db: Connection, of: str) -> SessionColumns | None:
    """Return a session, None if there is none."""
    found: SessionColumns | None = db.execute(
        "SELECT directory, parent_id, title FROM session WHERE id = ?", (of,)
    ).fetchone()
    return found


def has_numbered_messages(db: Connection, of: str) -> bool:
    """Whether a session's messages are stored as version 2 does."""
    table = "SELECT 1 FROM sqlite_master WHERE name = 'session_message'"
    if db.execute(table).fetchone() is None:
        return False
    rows = db.execute("SELECT 1 FROM session_message WHERE session_id = ? LIMIT 1", (of,))
    return rows.fetchone() is not None


def messages_after(db: Connection, of: str, place: MessagePlace) -> Iterator[MessageColumns]:
    """Iterate a session's messages after a place, oldest first."""
    return db.execute(
        "SELECT time_created, id, time_created, data FROM message "
        "WHERE session_id = ? AND (time_created, id) > (?, ?) ORDER BY time_created, id",
        (of, *place),
    )


def messages_until(db: Connection, of: str, place: MessagePlace) -> Iterator[MessageColumns]:
    """Iterate a session's messages up to a place, latest first."""
    return db.execute(
        "SELECT time_created, id, time_created, data FROM message "
        "WHERE session_id = ? AND (time_created, id) <= (?, ?) "
        "ORDER BY time_created DESC, id DESC",
        (of, *place),
    )


def has_parts(db: Connection, message: str) -> bool:
    """Whether any part of a message is stored."""
    rows = db.execute("SELECT 1 FROM part WHERE message_id = ? LIMIT 1", (message,))
    return rows.fetchone() is not None


def text_parts(db: Connection, message: str) -> list[str]:
    """List the JSON of a message's texts and answered questions, in order."""
    rows = db.execute(
        "SELECT data FROM part WHERE message_id = ? AND (json_extract(data, '$.type') = 'text' "
        "OR json_extract(data, '$.tool') = 'question') ORDER BY id",
        (message,),
    )
    return [data for (data,) in rows]


def numbered_messages_after(
    db: Connection, of: str, place: MessagePlace
) -> Iterator[MessageColumns]:
    """Iterate the messages of version 2 like `messages_after`; their JSON gets their type."""
    return db.execute(
        "SELECT seq, id, time_created, json_set(data, '$.type', type) FROM session_message "
        "WHERE session_id = ? AND seq > ? AND type IN ('user', 'assistant') ORDER BY seq",
        (of, place[0]),
    )


def numbered_messages_until(
    db: Connection, of: str, place: MessagePlace
) -> Iterator[MessageColumns]:
    """Iterate the messages of version 2 like `messages_until`; their JSON gets their type."""
    return db.execute(
        "SELECT seq, id, time_created, json_set(data, '$.type', type) FROM session_message "
        "WHERE session_id = ? AND seq <= ? AND type IN ('user', 'assistant') ORDER BY seq DESC",
        (of, place[0]),
    )

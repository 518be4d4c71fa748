"""SQL on the history of memories; it outlives the memories themselves."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from intaglio.base.agents.names import DEFAULT_AGENT
from intaglio.base.agents.reader import Reader, may_read
from intaglio.memory.values import HistoryEvent, Scope
from intaglio.store.tx import ReadTx, Row, WriteTx


def record(tx: WriteTx, memory_id: str, scope: Scope, event: HistoryEvent) -> None:
    """Append a change; ``created`` events carry no content (see history).

    The scope says who may read of it, which must be known when the memory is gone.
    """
    tx.execute(
        "INSERT INTO memory_history(id, memory_id, event, old_content, new_content, changed_by, "
        "actor_type, reason, metadata, session_id, request_id, created_at, agent_id, visibility) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, ?), nullif(?, 'global'))",
        (
            event.id,
            memory_id,
            event.event,
            event.old_content,
            event.new_content,
            event.changed_by,
            event.actor_type,
            event.reason,
            event.metadata,
            event.session_id,
            event.request_id,
            event.created_at,
            scope.agent_id,
            DEFAULT_AGENT,
            scope.visibility,
        ),
    )


def _event(row: Row) -> HistoryEvent:
    return HistoryEvent(*cast("tuple[str, ...]", row))


def history(
    tx: ReadTx, memory_id: str, reader: Reader, limit: int, events: Sequence[str] = ()
) -> list[HistoryEvent] | None:
    """Return a memory's changes, oldest first; None for a memory that is not for the reader.

    What was private when it happened is told to those who could read it then. A ``created`` row
    stores no content, which would double each memory on disk: it is what the first change
    replaced, or what the memory says still. ``events`` picks kinds of changes.
    """
    rows = tx.all(
        "SELECT ifnull(agent_id, 'default'), ifnull(visibility, 'global'), id, event, old_content, "
        "new_content, changed_by, actor_type, reason, metadata, created_at, session_id, "
        "request_id FROM memory_history WHERE memory_id = ? ORDER BY seq",
        (memory_id,),
    )
    now: Row | None = tx.one(
        "SELECT agent_id, visibility, content FROM memories WHERE id = ?", (memory_id,)
    )
    # Of a memory that was not changed for long, the history is over its time and purged.
    told = now or next(reversed(rows), None)
    if told is None or not _may_read(reader, told):
        return None
    readable = [_event(row[2:]) for row in rows if _may_read(reader, row)]
    if readable and readable[0].event == "created" and readable[0].new_content is None:
        replaced = (row[4] for row in rows if row[4] is not None)
        first = next(replaced, now[2] if now else None)
        readable[0] = replace(readable[0], new_content=None if first is None else str(first))
    return [event for event in readable if not events or event.event in events][:limit]


def _may_read(reader: Reader, row: Row) -> bool:
    agent, visibility = row[:2]
    return may_read(reader, str(agent), str(visibility))


def erase(tx: WriteTx, memory_id: str) -> None:
    """Take every text out of a memory's history; that, when and by whom it changed stays."""
    tx.execute(
        "UPDATE memory_history SET old_content = NULL, new_content = NULL, reason = NULL, "
        "metadata = NULL WHERE memory_id = ?",
        (memory_id,),
    )

"""SQL for the history of memories, which outlives the memories themselves."""

from collections.abc import Sequence
from dataclasses import astuple, fields, replace
from typing import Final

from intaglio.base.agents.agent_id import DEFAULT_AGENT
from intaglio.base.agents.reader import GLOBAL, Reader, may_read
from intaglio.memory.values import HistoryEntry, Scope
from intaglio.store.tx import ReadTx, WriteTx


class _ScopedEntry:
    """A change with the memory's agent and visibility at that time."""

    def __init__(self, agent_id: str, visibility: str, *event: str) -> None:
        self.agent_id = agent_id
        self.visibility = visibility
        self.event = HistoryEntry(*event)


_COLUMNS: Final = tuple(field.name for field in fields(HistoryEntry))


def record(tx: WriteTx, memory_id: str, scope: Scope, event: HistoryEntry) -> None:
    """Append a change; ``created`` events carry no content (see `history`).

    The scope records who may read the entry, which must be known after the memory is deleted.
    """
    tx.execute(
        f"INSERT INTO memory_history({', '.join(_COLUMNS)}, memory_id, agent_id, visibility) "  # noqa: S608 - names of columns
        f"VALUES ({'?, ' * len(_COLUMNS)}?, nullif(?, ?), nullif(?, ?))",
        (
            *astuple(event),
            memory_id,
            scope.agent_id,
            DEFAULT_AGENT,
            scope.visibility,
            GLOBAL,
        ),
    )


def history(
    tx: ReadTx, memory_id: str, reader: Reader, limit: int, events: Sequence[str] = ()
) -> list[HistoryEntry] | None:
    """Return a memory's changes, oldest first; None if the reader may not read the memory.

    Changes made while the memory was private are visible only to those who could read it then. A
    ``created`` row stores no content, which would double each memory on disk: its content is what
    the first change replaced, or the current content. ``events`` selects kinds of changes.
    """
    rows = tx.map(
        _ScopedEntry,
        f"SELECT ifnull(agent_id, ?), ifnull(visibility, ?), {', '.join(_COLUMNS)} "  # noqa: S608 - names of columns
        "FROM memory_history WHERE memory_id = ? ORDER BY seq",
        (DEFAULT_AGENT, GLOBAL, memory_id),
    )
    now = tx.row(
        tuple[str, str, str],
        "SELECT agent_id, visibility, content FROM memories WHERE id = ?",
        (memory_id,),
    )
    # The history of a memory that hasn't changed for long is purged.
    if now is None and not rows:
        return None
    owner, visibility = now[:2] if now else (rows[-1].agent_id, rows[-1].visibility)
    if not may_read(reader, owner, visibility):
        return None
    readable = [row.event for row in rows if may_read(reader, row.agent_id, row.visibility)]
    if readable and readable[0].event == "created" and readable[0].new_content is None:
        replaced = (row.event.old_content for row in rows if row.event.old_content is not None)
        first = next(replaced, now[2] if now else None)
        readable[0] = replace(readable[0], new_content=first)
    return [event for event in readable if not events or event.event in events][:limit]


def erase(tx: WriteTx, memory_id: str) -> None:
    """Delete all texts from a memory's history; what happened, when and by whom stays."""
    tx.execute(
        "UPDATE memory_history SET old_content = NULL, new_content = NULL, reason = NULL, "
        "metadata = NULL WHERE memory_id = ?",
        (memory_id,),
    )

"""SQL for the history of memories, which outlives the memories themselves."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from intaglio.base.agent_id import DEFAULT_AGENT
from intaglio.base.clock import epoch_ms, iso_of_ms
from intaglio.domain.reader import GLOBAL, Reader, may_read
from intaglio.memory.values import HistoryEntry, Scope
from intaglio.store.tx import ReadTx, Sql, WriteTx


class _ScopedEntry:
    """A change with the memory's agent and visibility at that time."""

    def __init__(self, agent_id: str, visibility: str, created_at: int, *event: str) -> None:
        self.agent_id = agent_id
        self.visibility = visibility
        self.event = replace(HistoryEntry(*event), created_at=iso_of_ms(created_at))


_COLUMNS: Final = tuple(field.name for field in fields(HistoryEntry))
# A `created` entry, the only one of its memory, has the memory's id.
_OPERATOR: Final = "operator"
_STORED_OTHERWISE: Final = {
    "id": "ifnull(id, ?)",
    "actor_type": f"ifnull(actor_type, '{_OPERATOR}')",
    "created_at": "''",
}
_READ: Final = ", ".join(_STORED_OTHERWISE.get(name, name) for name in _COLUMNS)
_CREATED: Final = "created"
_OF_MEMORY: Final = "(memory = (SELECT seq FROM memories WHERE id = ?) OR memory_id = ?)"
"""The changes of a memory by its id: its row number stands for it as long as its row exists."""


def record(tx: WriteTx, memory_id: str, scope: Scope, event: HistoryEntry) -> None:
    """Append a change; ``created`` events carry no content (see `history`).

    The scope records who may read the entry, which must be known after the memory is deleted.
    """
    seq = tx.value("SELECT seq FROM memories WHERE id = ?", (memory_id,))
    values: dict[str, Sql] = {name: getattr(event, name) for name in _COLUMNS}
    values |= {
        "id": None if event.event == _CREATED else event.id,
        "actor_type": None if event.actor_type == _OPERATOR else event.actor_type,
        "created_at": epoch_ms(event.created_at),
        "memory": seq,
        "memory_id": memory_id if seq is None else None,
        "agent_id": None if scope.agent_id == DEFAULT_AGENT else scope.agent_id,
        "visibility": None if scope.visibility == GLOBAL else scope.visibility,
    }
    tx.execute(
        f"INSERT INTO memory_history({', '.join(values)}) VALUES ({', '.join('?' * len(values))})",  # noqa: S608 - names of columns
        tuple(values.values()),
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
        f"SELECT ifnull(agent_id, ?), ifnull(visibility, ?), created_at, {_READ} "  # noqa: S608 - names of columns
        f"FROM memory_history WHERE {_OF_MEMORY} ORDER BY seq",
        (DEFAULT_AGENT, GLOBAL, memory_id, memory_id, memory_id),
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
    if readable and readable[0].event == _CREATED and readable[0].new_content is None:
        replaced = (row.event.old_content for row in rows if row.event.old_content is not None)
        first = next(replaced, now[2] if now else None)
        readable[0] = replace(readable[0], new_content=first)
    return [event for event in readable if not events or event.event in events][:limit]


@dataclass(frozen=True, slots=True)
class RecordedChange:
    """A change that an agent made of a memory."""

    memory_id: str
    entry: HistoryEntry


_BY_AGENTS: Final = (
    "actor_type IN ('agent', 'harness') AND event NOT IN ('created', 'replaced', 'reinstated')"
)


def count_by_agents(tx: ReadTx, session_id: str, limit: int) -> int:
    """Count the changes that agents made in a session, up to a limit."""
    return tx.count(
        f"SELECT count(*) FROM (SELECT 1 FROM memory_history WHERE session_id = ? AND {_BY_AGENTS} "  # noqa: S608 - a constant
        "LIMIT ?)",
        (tx.as_stored(session_id), limit),
    )


def by_agents(tx: ReadTx, session_id: str, limit: int) -> list[RecordedChange]:
    """Return the changes that agents made in a session, oldest first; not those of erased ones."""
    return tx.map(
        _recorded_change,
        "SELECT (SELECT m.id FROM memories m WHERE m.seq = memory), ifnull(agent_id, ?), "  # noqa: S608 - names of columns
        f"ifnull(visibility, ?), created_at, {_READ} FROM memory_history "
        f"WHERE session_id = ? AND {_BY_AGENTS} AND memory IS NOT NULL ORDER BY seq LIMIT ?",
        (DEFAULT_AGENT, GLOBAL, "", tx.as_stored(session_id), limit),
    )


def _recorded_change(memory_id: str, *scoped: Any) -> RecordedChange:  # noqa: ANN401 - the table's columns
    return RecordedChange(memory_id, _ScopedEntry(*scoped).event)


_BY_USER: Final = (
    "actor_type IS NULL AND event IN ('updated', 'recovered', 'reinstated') "
    "AND json_type(metadata, '$.project') IS NULL"
)


def is_confirmed(tx: ReadTx, memory_id: str) -> bool:
    """Tell whether the user changed, restored or reinstated a memory.

    Moving its project says nothing of it.
    """
    return bool(
        tx.count(
            "SELECT count(*) FROM (SELECT 1 FROM memory_history "  # noqa: S608 - a constant
            f"WHERE {_OF_MEMORY} AND {_BY_USER} LIMIT 1)",
            (memory_id, memory_id),
        )
    )


def maker(tx: ReadTx, memory: int) -> str | None:
    """Return the type of the actor that made a memory, by its row; None if that is purged."""
    made = (
        f"SELECT ifnull(actor_type, '{_OPERATOR}') FROM memory_history "  # noqa: S608 - constants
        f"WHERE memory = ? AND event = '{_CREATED}'"
    )
    return tx.scalar(str, made, (memory,))


def was_changed(tx: ReadTx, memory_id: str, besides: Collection[str]) -> bool:
    """Tell whether a memory was changed for another reason than the ones given."""
    return bool(
        tx.count(
            "SELECT count(*) FROM (SELECT 1 FROM memory_history "  # noqa: S608 - a constant
            f"WHERE {_OF_MEMORY} AND event NOT IN ('created', 'replaced', 'reinstated', 'none') "
            "AND ifnull(reason, '') NOT IN (SELECT value FROM json_each(?)) LIMIT 1)",
            (memory_id, memory_id, json.dumps([*besides])),
        )
    )


def was_changed_by_others(tx: ReadTx, memory_id: str, actor: str) -> bool:
    """Tell whether anybody but one actor changed, forgot or restored a memory.

    Moving its project says nothing of it.
    """
    return bool(
        tx.count(
            "SELECT count(*) FROM (SELECT 1 FROM memory_history "  # noqa: S608 - a constant
            f"WHERE {_OF_MEMORY} AND event NOT IN ('created', 'replaced', 'none') "
            "AND changed_by <> ? AND json_type(metadata, '$.project') IS NULL LIMIT 1)",
            (memory_id, memory_id, actor),
        )
    )


def was_reinstated(tx: ReadTx, memory_id: str, replaced_by: str) -> bool:
    """Tell whether the user took it back that a memory is replaced by another one."""
    return bool(
        tx.count(
            f"SELECT count(*) FROM memory_history WHERE {_OF_MEMORY} AND event = 'reinstated' "  # noqa: S608 - a constant
            "AND actor_type IS NULL AND metadata ->> '$.superseded_by' = ?",
            (memory_id, memory_id, replaced_by),
        )
    )


def replaced_in(tx: ReadTx, session_id: str, limit: int) -> list[tuple[str, str, str]]:
    """Return the memories that were replaced in a session and still are, oldest change first.

    Each with the id of the memory that replaced it, and when that was recorded.
    """
    found = tx.rows(
        tuple[str, str, int],
        "SELECT m.id, m.superseded_by, max(h.created_at) FROM memory_history h "
        "JOIN memories m ON m.seq = h.memory WHERE h.session_id = ? AND h.event = 'replaced' "
        "AND m.valid_until IS NOT NULL AND h.metadata ->> '$.superseded_by' = m.superseded_by "
        "GROUP BY m.id ORDER BY max(h.seq) LIMIT ?",
        (tx.as_stored(session_id), limit),
    )
    return [(older, newer, iso_of_ms(at)) for older, newer, at in found]


def confirmed_among(tx: ReadTx, memories: Collection[int]) -> set[int]:
    """Return which of these memories, by row number, the user confirmed; see `is_confirmed`."""
    found = tx.column(
        int,
        "SELECT DISTINCT h.memory FROM json_each(?) j CROSS JOIN memory_history h "  # noqa: S608 - a constant
        f"ON h.memory = j.value WHERE {_BY_USER}",
        (json.dumps(list(memories)),),
    )
    return set(found)


def erase(tx: WriteTx, memory_id: str) -> None:
    """Delete all texts from a memory's history; what happened, when and by whom stays."""
    tx.execute(
        "UPDATE memory_history SET old_content = NULL, new_content = NULL, reason = NULL, "  # noqa: S608 - a constant
        f"metadata = NULL WHERE {_OF_MEMORY}",
        (memory_id, memory_id),
    )


@dataclass(frozen=True, slots=True)
class NoteEntry:
    """An event `none`: it changed nothing, and its metadata, a JSON object, says what was noted.

    ``agent_id`` and ``visibility`` are those of the memory at that time.
    """

    seq: int
    id: str
    memory_id: str
    created_at: str
    reason: str
    metadata: str
    agent_id: str
    visibility: str


_NOTES: Final = (
    "FROM memory_history h WHERE h.event = 'none' AND h.metadata IS NOT NULL "
    "AND h.changed_by IN (SELECT value FROM json_each(?)) "
)


def notes(
    tx: ReadTx, by: Sequence[str], outcome: str | None, before: int | None, limit: int
) -> list[NoteEntry]:
    """Return what some actors noted, newest first, older than a row; of one outcome, or all."""
    found = tx.rows(
        tuple[int, str, str | None, str | None, int, str | None, str, str, str],
        "SELECT h.seq, h.id, (SELECT m.id FROM memories m WHERE m.seq = h.memory), h.memory_id, "  # noqa: S608 - a constant
        "h.created_at, h.reason, h.metadata, ifnull(h.agent_id, ?), ifnull(h.visibility, ?) "
        f"{_NOTES}"
        "AND (? IS NULL OR h.metadata ->> '$.outcome' = ?) AND (? IS NULL OR h.seq < ?) "
        "ORDER BY h.seq DESC LIMIT ?",
        (DEFAULT_AGENT, GLOBAL, json.dumps(list(by)), outcome, outcome, before, before, limit),
    )
    return [
        NoteEntry(seq, id_, memory or gone or "", iso_of_ms(at), reason or "", *rest)
        for seq, id_, memory, gone, at, reason, *rest in found
    ]


def count_notes(tx: ReadTx, by: Sequence[str], since: str) -> dict[str, int]:
    """Count what some actors noted since a time, by outcome."""
    found = tx.rows(
        tuple[str, int],
        f"SELECT ifnull(h.metadata ->> '$.outcome', ''), count(*) {_NOTES}"
        "AND h.created_at >= ? GROUP BY 1",
        (json.dumps(list(by)), epoch_ms(since)),
    )
    return dict(found)

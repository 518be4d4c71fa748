"""SQL on the places of memories."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from intaglio.code.values import FoundState, MemoryPlace, NewPlace
from intaglio.store.tx import ReadTx, WriteTx

_COLUMNS: Final = (
    "p.seq, p.memory_id, p.path, p.symbol, p.by_path, p.blob, p.commit_hash, p.lines, p.found_at, "
    "p.state, p.now_path, p.size, p.changed_ns, p.checked_at, p.asked"
)


def _place(*row: Any) -> MemoryPlace:  # noqa: ANN401 - the columns of a STRICT table
    place = MemoryPlace(*row)
    return replace(place, by_path=bool(place.by_path))


def of_memories(tx: ReadTx, memory_ids: Sequence[str]) -> list[MemoryPlace]:
    """Return the places of these memories, each memory's in the order in which they were found."""
    sql = (
        f"SELECT {_COLUMNS} FROM memory_places p "  # noqa: S608 - a constant
        "WHERE p.memory_id IN (SELECT value FROM json_each(?)) ORDER BY p.seq"
    )
    return tx.map(_place, sql, (json.dumps(list(memory_ids)),))


def put(tx: WriteTx, memory_id: str, project: str, places: Sequence[NewPlace], at: str) -> None:
    """Replace the places of a memory."""
    drop(tx, memory_id)
    for each in places:
        tx.execute(
            "INSERT OR IGNORE INTO memory_places(memory_id, project, path, symbol, by_path, blob, "
            "commit_hash, lines, size, changed_ns, found_at, checked_at) "
            "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?11)",
            (
                memory_id,
                project,
                each.path,
                each.symbol,
                int(each.by_path),
                each.blob,
                each.commit,
                each.lines,
                each.size,
                each.changed_ns,
                at,
            ),
        )


def set_state(tx: WriteTx, place: MemoryPlace, found: FoundState, at: str) -> None:
    """Record what became of a place, unless the memory has other places by now."""
    tx.execute(
        "UPDATE memory_places SET state = ?, now_path = ?, size = ?, changed_ns = ?, "
        "checked_at = ? WHERE seq = ? AND memory_id = ? AND found_at = ?",
        (
            found.state,
            found.now_path,
            found.size,
            found.changed_ns,
            at,
            place.seq,
            place.memory_id,
            place.found_at,
        ),
    )


def set_asked(tx: WriteTx, memory_id: str) -> None:
    """Record that the inbox asks about the present state of a memory's places."""
    tx.execute("UPDATE memory_places SET asked = state WHERE memory_id = ?", (memory_id,))


def of_project(tx: ReadTx, project: str, after: int, limit: int) -> list[MemoryPlace]:
    """Return the places of a project's live memories, after a row."""
    sql = (
        f"SELECT {_COLUMNS} FROM memory_places p JOIN memories m ON m.id = p.memory_id "  # noqa: S608 - a constant
        "WHERE p.project = ? AND m.is_deleted = 0 AND p.seq > ? ORDER BY p.seq LIMIT ?"
    )
    return tx.map(_place, sql, (project, after, limit))


def with_places(tx: ReadTx, project: str) -> list[str]:
    """Return the live memories of a project that have a place of which something is said."""
    sql = (
        "SELECT DISTINCT m.id FROM memories m JOIN memory_places p ON p.memory_id = m.id "
        "WHERE p.project = ? AND m.is_deleted = 0 AND p.state <> 'there' ORDER BY m.seq DESC"
    )
    return tx.column(str, sql, (project,))


def located(tx: ReadTx, project: str) -> list[str]:
    """Return the live memories of a project that have a place."""
    sql = (
        "SELECT DISTINCT p.memory_id FROM memory_places p JOIN memories m ON m.id = p.memory_id "
        "WHERE p.project = ? AND m.is_deleted = 0"
    )
    return tx.column(str, sql, (project,))


def unplaced(tx: ReadTx, project: str, after: int, limit: int) -> list[tuple[int, str]]:
    """Return the live memories of a project after a row that have no places: row number, id."""
    sql = (
        "SELECT seq, id FROM memories m WHERE project = ? AND is_deleted = 0 AND seq > ? "
        "AND NOT EXISTS (SELECT 1 FROM memory_places p WHERE p.memory_id = m.id) "
        "ORDER BY seq LIMIT ?"
    )
    return tx.rows(tuple[int, str], sql, (project, after, limit))


def drop(tx: WriteTx, memory_id: str) -> None:
    """Delete the places of a memory."""
    tx.execute("DELETE FROM memory_places WHERE memory_id = ?", (memory_id,))


def told_with_mark(tx: ReadTx, project: str, marks: Sequence[str]) -> list[str]:
    """Return the memories of a project that a session was told with one of these marks."""
    sql = (
        "SELECT DISTINCT p.memory_id FROM memory_places p WHERE p.project = ? "
        "AND p.state <> 'there' "
        "AND EXISTS (SELECT 1 FROM session_memories s, json_each(?) k "
        "WHERE s.memory_id = p.memory_id AND s.injected = 1 AND instr(s.reason, k.value))"
    )
    return tx.column(str, sql, (project, json.dumps(list(marks))))


def items_since(tx: ReadTx, kind: str, since: str) -> int:
    """Count the inbox items of a kind that were added since a time."""
    sql = "SELECT count(*) FROM inbox_items WHERE kind = ? AND created_at >= ?"
    return tx.count(sql, (kind, since))


def open_items(tx: ReadTx, kind: str, project: str) -> list[str]:
    """Return the memories of a project that an open inbox item of a kind asks about."""
    sql = (
        "SELECT memory_id FROM inbox_items WHERE status = 'open' AND kind = ? AND project = ? "
        "AND memory_id IS NOT NULL"
    )
    return tx.column(str, sql, (kind, project))

"""SQL on the places of memories."""

import json
from collections.abc import Sequence
from typing import Final, cast

from intaglio.code.values import MemoryPlace, NewPlace, PlaceState
from intaglio.store.tx import ReadTx, WriteTx

_COLUMNS: Final = (
    "p.seq, p.memory_id, p.path, p.symbol, p.by_path, p.blob, p.commit_hash, p.lines, p.found_at, "
    "p.state, p.now_path, p.size, p.changed_ns, p.checked_at, p.asked"
)


def _place(*row: object) -> MemoryPlace:
    values = list(row)
    values[4] = bool(values[4])
    values[9] = cast("PlaceState", values[9])
    return MemoryPlace(*values)  # type: ignore[arg-type] # the columns of a STRICT table


def of_memories(tx: ReadTx, memory_ids: Sequence[str]) -> list[MemoryPlace]:
    """Return the places of these memories, each memory's in the order in which they were found."""
    sql = (
        f"SELECT {_COLUMNS} FROM memory_places p "  # noqa: S608 - a constant
        "WHERE p.memory_id IN (SELECT value FROM json_each(?)) ORDER BY p.seq"
    )
    return tx.map(_place, sql, (json.dumps(list(memory_ids)),))


def put(tx: WriteTx, memory_id: str, places: Sequence[NewPlace], at: str) -> None:
    """Replace the places of a memory."""
    drop(tx, memory_id)
    for each in places:
        tx.execute(
            "INSERT OR IGNORE INTO memory_places(memory_id, path, symbol, by_path, blob, "
            "commit_hash, lines, found_at, checked_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                memory_id,
                each.path,
                each.symbol,
                int(each.by_path),
                each.blob,
                each.commit,
                each.lines,
                at,
                at,
            ),
        )


def drop(tx: WriteTx, memory_id: str) -> None:
    """Delete the places of a memory."""
    tx.execute("DELETE FROM memory_places WHERE memory_id = ?", (memory_id,))

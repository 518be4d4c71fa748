"""SQL that finds the facts which stand below one aspect of an entity, and how far these are read.

The progress has one row: the number of the memory up to which all were compared.
"""

from collections.abc import Sequence
from typing import Final

from intaglio.store.tx import ReadTx, WriteTx

# Of an aspect with very many facts, the newest are compared.
_MOST: Final = 40
_PLACED: Final = "t.is_primary = 1 AND t.status = 'active' AND t.aspect IS NOT NULL"


def position(tx: ReadTx) -> int:
    """Return the row number up to which memories were compared with their siblings."""
    return tx.count("SELECT ifnull(max(position), 0) FROM fact_comparison")


def set_position(tx: WriteTx, seq: int) -> None:
    """Write up to which row number memories were compared."""
    tx.execute("DELETE FROM fact_comparison")
    tx.execute("INSERT INTO fact_comparison(position) VALUES (?)", (seq,))


def placed_after(tx: ReadTx, seq: int, limit: int) -> list[tuple[int, str]]:
    """Return live memories whose fact stands below an aspect: row number and id, oldest first."""
    return tx.rows(
        tuple[int, str],
        "SELECT m.seq, m.id FROM memories m WHERE m.seq > ? AND m.is_deleted = 0 AND EXISTS ("  # noqa: S608 - a constant
        f"SELECT 1 FROM entity_attributes t WHERE t.memory = m.seq AND {_PLACED}) "
        "ORDER BY m.seq LIMIT ?",
        (seq, limit),
    )


def last_placed(tx: ReadTx, back: int) -> int:
    """Return the row number before the newest memories, as many as ``back``."""
    return tx.count("SELECT max(0, ifnull(max(seq), 0) - ?) FROM memories", (back,))


def siblings(tx: ReadTx, memory_id: str) -> Sequence[str]:
    """Return the other live memories below the same aspect of an entity, newest first."""
    return tx.column(
        str,
        "SELECT DISTINCT o.id FROM memories m JOIN entity_attributes t ON t.memory = m.seq "  # noqa: S608 - constants
        f"AND {_PLACED} JOIN entity_attributes x ON x.aspect = t.aspect AND x.entity = t.entity "
        f"AND {_PLACED.replace('t.', 'x.')} AND x.memory <> t.memory "
        "JOIN memories o ON o.seq = x.memory AND o.is_deleted = 0 AND o.valid_until IS NULL "
        "WHERE m.id = ? ORDER BY x.seq DESC LIMIT ?",
        (memory_id, _MOST),
    )

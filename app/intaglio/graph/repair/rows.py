"""SQL that finds entities to prune or to reclassify, and prunes them."""

from collections.abc import Sequence
from typing import Final

from intaglio.graph.entity_rows import COLUMNS, entity_of
from intaglio.graph.values import Entity
from intaglio.store.tx import ReadTx, WriteTx

_CHUNK: Final = "document_chunk"
# Nothing is known of it, and the user has left it alone.
_IDLE: Final = (
    "e.entity_type = 'unknown' AND e.origin = 'linker' AND e.pinned = 0 AND e.suppressed = 0 "
    "AND e.merged_into IS NULL AND e.description IS NULL AND e.weight_override IS NULL "
    "AND NOT EXISTS (SELECT 1 FROM entities x WHERE x.merged_into = e.seq) "
    "AND NOT EXISTS (SELECT 1 FROM entity_attributes t WHERE t.entity = e.seq) "
    "AND NOT EXISTS (SELECT 1 FROM entity_dependencies d WHERE d.source = e.seq) "
    "AND NOT EXISTS (SELECT 1 FROM entity_dependencies d WHERE d.target = e.seq) "
    "AND NOT EXISTS (SELECT 1 FROM relations r WHERE r.source = e.seq) "
    "AND NOT EXISTS (SELECT 1 FROM relations r WHERE r.target = e.seq) "
    "AND NOT EXISTS (SELECT 1 FROM entity_changes c WHERE c.entity = e.seq) "
    "AND NOT EXISTS (SELECT 1 FROM entity_aliases a WHERE a.entity = e.seq AND a.origin = 'user')"
)
_NAMED_IN: Final = (
    "SELECT 1 FROM entity_aliases a JOIN memory_entity_mentions n ON n.alias = a.seq "
    "JOIN memories m ON m.seq = n.memory WHERE a.entity = e.seq AND m.is_deleted = 0 AND m.type"
)


def singletons(tx: ReadTx, most_mentions: int, limit: int) -> list[str]:
    """Return the ids of entities that few memories name, and of which nothing else is known."""
    return tx.column(
        str,
        f"SELECT e.id FROM entities e WHERE e.mentions BETWEEN 1 AND ? AND {_IDLE} "  # noqa: S608 - a constant
        "ORDER BY e.seq LIMIT ?",
        (most_mentions, limit),
    )


def named_in_chunks_only(tx: ReadTx, limit: int) -> list[str]:
    """Return the ids of entities that only chunks of documents name, and nothing else is known."""
    return tx.column(
        str,
        f"SELECT e.id FROM entities e WHERE e.mentions > 0 AND {_IDLE} "  # noqa: S608 - constants
        f"AND EXISTS ({_NAMED_IN} = '{_CHUNK}') AND NOT EXISTS ({_NAMED_IN} <> '{_CHUNK}') "
        "ORDER BY e.seq LIMIT ?",
        (limit,),
    )


def prune(tx: WriteTx, entity_id: str, at: str) -> int:
    """Suppress an entity until another memory names it; return how many rows changed."""
    return tx.execute(
        f"UPDATE entities AS e SET suppressed = 1, pruned_at = ? WHERE e.id = ? AND {_IDLE}",  # noqa: S608 - a constant
        (at, entity_id),
    )


def unprune(tx: WriteTx, entity_id: str) -> int:
    """Show a pruned entity again, unless the user has suppressed it since."""
    return tx.execute(
        "UPDATE entities SET suppressed = 0, pruned_at = NULL "
        "WHERE id = ? AND pruned_at IS NOT NULL",
        (entity_id,),
    )


def untyped(tx: ReadTx, limit: int) -> list[Entity]:
    """Return the entities of which the type isn't known, the most mentioned first."""
    return tx.map(
        entity_of,
        f"SELECT {COLUMNS} FROM entities e WHERE e.entity_type = 'unknown' "  # noqa: S608 - a constant
        "AND e.merged_into IS NULL AND e.suppressed = 0 AND e.mentions > 0 "
        "ORDER BY e.mentions DESC, e.seq LIMIT ?",
        (limit,),
    )


def memories_naming(tx: ReadTx, entity: int, limit: int) -> Sequence[int]:
    """Return the newest live memories that name an entity, by row number."""
    return tx.column(
        int,
        "SELECT DISTINCT n.memory FROM entity_aliases a "
        "JOIN memory_entity_mentions n ON n.alias = a.seq "
        "JOIN memories m ON m.seq = n.memory AND m.is_deleted = 0 WHERE a.entity = ? "
        "ORDER BY n.memory DESC LIMIT ?",
        (entity, limit),
    )

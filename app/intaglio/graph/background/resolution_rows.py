"""SQL that finds the entities which a new entity may be the same as."""

from collections.abc import Sequence
from typing import Final

from intaglio.graph.entity_rows import COLUMNS, GROUP, entity_of
from intaglio.graph.values import Entity
from intaglio.store.tx import ReadTx, SearchExpression

_SAME_KEY: Final = (
    "e.agent_id = ?1 AND ifnull(e.project, '') = ifnull(?2, '') AND e.entity_type = ?3 "
    "AND e.merged_into IS NULL AND e.suppressed = 0 AND e.seq <> ?4"
)


def most_mentioned(tx: ReadTx, entity: Entity, limit: int) -> list[Entity]:
    """Return the most mentioned entities of the same agent, scope and type."""
    return tx.map(
        entity_of,
        f"SELECT {COLUMNS} FROM entities e WHERE {_SAME_KEY} "  # noqa: S608 - constants
        "ORDER BY e.mentions DESC, e.seq LIMIT ?5",
        (entity.agent_id, entity.project, entity.type, entity.seq, limit),
    )


def with_word(tx: ReadTx, entity: Entity, words: Sequence[str], limit: int) -> list[Entity]:
    """Return entities of the same agent, scope and type with a word that begins like one of these.

    The rarely mentioned ones that `most_mentioned` may leave out.
    """
    if not words:
        return []
    expression = " OR ".join(f'name : "{word}"*' for word in words)
    return tx.map(
        entity_of,
        f"SELECT {COLUMNS} FROM entities_fts f JOIN entities e ON e.seq = f.rowid "  # noqa: S608 - constants
        f"WHERE entities_fts MATCH ?6 AND {_SAME_KEY} LIMIT ?5",
        (
            entity.agent_id,
            entity.project,
            entity.type,
            entity.seq,
            limit,
            SearchExpression(expression),
        ),
    )


def kept_apart(tx: ReadTx, entity: Entity) -> frozenset[str]:
    """Return the ids of entities that the user took apart from this one: by undo or by a split."""
    return frozenset(
        tx.column(
            str,
            "SELECT json_extract(c.detail, '$.into') FROM entity_changes c "  # noqa: S608 - constants
            f"WHERE c.entity IN ({GROUP.format('?1')}) AND c.kind = 'merge' "
            "AND c.undone_at IS NOT NULL UNION "
            "SELECT json_extract(c.detail, '$.made') FROM entity_changes c "
            f"WHERE c.entity IN ({GROUP.format('?1')}) AND c.kind = 'split' "
            "AND c.undone_at IS NULL UNION "
            "SELECT x.id FROM entity_changes c JOIN entities x ON x.seq = c.entity "
            "WHERE (c.kind = 'merge' AND c.undone_at IS NOT NULL "
            "AND json_extract(c.detail, '$.into') = ?2) "
            "OR (c.kind = 'split' AND c.undone_at IS NULL "
            "AND json_extract(c.detail, '$.made') = ?2)",
            (entity.seq, entity.id),
        )
    )

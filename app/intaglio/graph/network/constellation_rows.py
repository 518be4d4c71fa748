"""SQL that reads the most important entities with their aspects, facts and dependencies."""

import json
from collections.abc import Collection
from typing import Final, NamedTuple

from intaglio.domain.entity_kinds import AttributeKind
from intaglio.domain.reader import Reader
from intaglio.graph.entity_rows import COLUMNS, entity_of
from intaglio.graph.query_rows import LIVE, numbered, visible
from intaglio.graph.values import Entity
from intaglio.memory.filters import reader_condition
from intaglio.store.tx import ReadTx

_MOST_ASPECTS: Final = 10
_MOST_FACTS: Final = 20


class ConstellationFact(NamedTuple):
    """An attribute with its aspect and the row number of the entity that it counts for."""

    entity: int
    aspect_id: str
    aspect: str
    weight: float
    id: str
    content: str
    kind: AttributeKind
    importance: float
    memory_id: str


def entities(tx: ReadTx, reader: Reader, limit: int) -> list[Entity]:
    """Return the entities that are pinned, named by memories or have an aspect; pinned ones first.

    Without suppressed ones.
    """
    condition, params = visible(reader)
    return tx.map(
        entity_of,
        f"SELECT {COLUMNS} FROM entities e WHERE e.merged_into IS NULL AND e.suppressed = 0 "  # noqa: S608 - built above
        f"AND {condition} AND (e.mentions > 0 OR e.pinned = 1 "
        "OR EXISTS (SELECT 1 FROM entity_aspects s WHERE s.entity = e.seq)) "
        "ORDER BY e.pinned DESC, e.mentions DESC, e.seq LIMIT ?",
        [*params, limit],
    )


def facts(tx: ReadTx, seqs: Collection[int], reader: Reader) -> list[ConstellationFact]:
    """Return the most important facts below the weightiest aspects of these entities."""
    condition, params = reader_condition(reader)
    return tx.map(
        ConstellationFact,
        "WITH parts(root, part) AS MATERIALIZED (SELECT ifnull(merged_into, seq), seq "  # noqa: S608 - built by reader_condition
        "FROM entities WHERE ifnull(merged_into, seq) IN (SELECT value FROM json_each(?1))), "
        "placed AS (SELECT p.root, s.canonical_name AS aspect, "
        "first_value(s.id) OVER of_aspect AS aspect_id, "
        "first_value(s.name) OVER of_aspect AS name, max(s.weight) OVER of_aspect AS weight, "
        "row_number() OVER (PARTITION BY p.root, s.canonical_name "
        "ORDER BY t.kind = 'constraint' DESC, t.importance DESC, t.seq DESC) AS place, "
        "t.seq, t.id, ifnull(t.content, m.content) AS content, t.kind, t.importance, "
        "m.id AS memory FROM parts p JOIN entity_attributes t ON t.entity = p.part "
        "JOIN entity_aspects s ON s.seq = t.aspect JOIN memories m ON m.seq = t.memory "
        f"WHERE t.status = 'active' AND {LIVE} AND {numbered(condition, 4)} "
        "WINDOW of_aspect AS (PARTITION BY p.root, s.canonical_name ORDER BY s.seq "
        "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)), "
        "ranked AS (SELECT *, dense_rank() OVER (PARTITION BY root ORDER BY weight DESC, aspect) "
        "AS rank FROM placed WHERE place <= ?3) "
        "SELECT root, aspect_id, name, weight, id, content, kind, importance, memory FROM ranked "
        "WHERE rank <= ?2 ORDER BY root, rank, place",
        [json.dumps(list(seqs)), _MOST_ASPECTS, _MOST_FACTS, *params],
    )

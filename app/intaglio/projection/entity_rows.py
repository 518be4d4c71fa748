"""SQL that reads which entities the memories of a layout name, and where these stand in it."""

import json
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from intaglio.domain.reader import Reader
from intaglio.graph.entity_rows import by_seq
from intaglio.graph.query_rows import numbered, visible
from intaglio.graph.values import Entity
from intaglio.graph.visibility_rows import as_seen
from intaglio.projection.reading_rows import PointSelection
from intaglio.store.tx import ReadTx

# A memory that is about an entity, and doesn't just name it, counts so much more for its place.
_ABOUT: Final = 3.0
_LEAST_WEIGHT: Final = 0.05


class MainEntities(NamedTuple):
    """The most mentioned entities, and the main one of each memory by the memory's row number.

    That is an index in ``entities``; None for an entity that isn't among them.
    """

    entities: list[Entity]
    places: Mapping[int, int | None]


def main_entities(
    tx: ReadTx, layout: int, wanted: PointSelection, reader: Reader, most: int
) -> MainEntities:
    """Return the most mentioned of the entities that each memory of a layout names.

    Only entities that the reader sees, and only the ``most`` mentioned ones of the layout.
    """
    condition, params = wanted.condition(tx)
    seen, values = visible(reader)
    linked = (
        "SELECT p.memory AS memory, ifnull(x.merged_into, x.seq) AS root "  # noqa: S608 - built by where()
        "FROM projection_points p CROSS JOIN memories m ON m.seq = p.memory "
        "CROSS JOIN {links} CROSS JOIN entities x ON x.seq = {entity} "
        f"WHERE p.projection = ?1 AND {numbered(condition, 3)}"
    )
    named = linked.format(
        links="memory_entity_mentions n ON n.memory = p.memory "
        "CROSS JOIN entity_aliases a ON a.seq = n.alias",
        entity="a.entity",
    )
    about = linked.format(links="entity_attributes t ON t.memory = p.memory", entity="t.entity")
    found = tx.rows(
        tuple[int | None, int | None, int | None],
        f"WITH linked AS MATERIALIZED ({named} UNION {about}), "  # noqa: S608 - built above
        "counted AS (SELECT root, count(*) AS memories FROM linked GROUP BY root), "
        "shown AS MATERIALIZED (SELECT c.root, c.memories FROM counted c "
        f"JOIN entities e ON e.seq = c.root WHERE {numbered(seen, 3 + len(params))}), "
        "ranked AS MATERIALIZED (SELECT root, row_number() OVER (ORDER BY memories DESC, root) "
        "AS place FROM shown ORDER BY memories DESC, root LIMIT ?2) "
        "SELECT NULL, place - 1, root FROM ranked UNION ALL "
        "SELECT l.memory, min(r.place) - 1, NULL FROM linked l JOIN shown s ON s.root = l.root "
        "LEFT JOIN ranked r ON r.root = l.root GROUP BY l.memory",
        (layout, most, *params, *values),
    )
    ranked = sorted((place or 0, root) for _, place, root in found if root is not None)
    roots = [root for _, root in ranked]
    known = by_seq(tx, roots)
    return MainEntities(
        as_seen(tx, [known[root] for root in roots], reader),
        {memory: place for memory, place, _ in found if memory is not None},
    )


def positions(
    tx: ReadTx, layout: int, wanted: PointSelection, entities: Sequence[int]
) -> dict[int, tuple[float, float, float | None]]:
    """Return the weighted centroids of the memories that name these entities, by row number.

    Important memories weigh more, and so do those that are about the entity. An entity of which
    no memory is in the layout has none.
    """
    condition, params = wanted.condition(tx)
    found = tx.rows(
        tuple[int, float, float, float | None],
        "WITH parts(root, part) AS MATERIALIZED (SELECT ifnull(merged_into, seq), seq "  # noqa: S608 - built by where()
        "FROM entities WHERE ifnull(merged_into, seq) IN (SELECT value FROM json_each(?2))), "
        "linked(root, memory, weight) AS (SELECT s.root, n.memory, 1.0 FROM parts s "
        "JOIN entity_aliases a ON a.entity = s.part "
        "JOIN memory_entity_mentions n ON n.alias = a.seq UNION "
        f"SELECT s.root, t.memory, {_ABOUT} FROM parts s "
        "JOIN entity_attributes t ON t.entity = s.part WHERE t.is_primary = 1), "
        "weighted AS (SELECT l.root, p.x, p.y, p.z, "
        f"max(l.weight) * max(m.importance, {_LEAST_WEIGHT}) AS weight FROM linked l "
        "JOIN memories m ON m.seq = l.memory "
        "JOIN projection_points p ON p.projection = ?1 AND p.memory = l.memory "
        f"WHERE {numbered(condition, 3)} GROUP BY l.root, l.memory) "
        "SELECT root, sum(x * weight) / sum(weight), sum(y * weight) / sum(weight), "
        "sum(z * weight) / sum(weight) FROM weighted GROUP BY root",
        (layout, json.dumps(list(entities)), *params),
    )
    return {root: (x, y, z) for root, x, y, z in found}

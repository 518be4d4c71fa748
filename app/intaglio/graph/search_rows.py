"""SQL that finds the entities that some memories name, as far as a reader sees them."""

import json
from collections.abc import Collection

from intaglio.domain.reader import Reader
from intaglio.graph.entity_rows import COLUMNS, entity_of
from intaglio.graph.query_rows import visible
from intaglio.graph.values import Entity
from intaglio.store.tx import ReadTx


def _with_memory(memory: int, *columns: object) -> tuple[int, Entity]:
    return memory, entity_of(*columns)


def entities_of_memories(
    tx: ReadTx, memories: Collection[int], reader: Reader
) -> list[tuple[int, Entity]]:
    """Return the entities that these memories (row numbers) name or are about, with the memory.

    The memories are ones that the reader may read.
    """
    if not memories:
        return []
    condition, params = visible(reader)
    listed = json.dumps([*memories])
    return tx.map(
        _with_memory,
        "WITH wanted AS (SELECT value AS memory FROM json_each(?)), "  # noqa: S608 - built by query_rows
        "named AS (SELECT w.memory, ifnull(x.merged_into, x.seq) AS entity FROM wanted w "
        "CROSS JOIN memory_entity_mentions n ON n.memory = w.memory "
        "CROSS JOIN entity_aliases a ON a.seq = n.alias CROSS JOIN entities x ON x.seq = a.entity "
        # Each condition is that of a partial index.
        "UNION SELECT w.memory, ifnull(x.merged_into, x.seq) FROM wanted w "
        "CROSS JOIN entity_attributes t ON t.memory = w.memory AND t.is_primary = 1 "
        "CROSS JOIN entities x ON x.seq = t.entity "
        "UNION SELECT w.memory, ifnull(x.merged_into, x.seq) FROM wanted w "
        "CROSS JOIN entity_attributes t ON t.memory = w.memory AND t.is_primary = 0 "
        "CROSS JOIN entities x ON x.seq = t.entity) "
        f"SELECT named.memory, {COLUMNS} FROM named CROSS JOIN entities e ON e.seq = named.entity "
        f"WHERE {condition}",
        [listed, *params],
    )

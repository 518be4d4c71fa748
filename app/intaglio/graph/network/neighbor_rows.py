"""SQL that reads which entities stand next to each other, as far as a reader sees it."""

import json
from collections.abc import Collection
from typing import Final, NamedTuple

from intaglio.domain.entity_kinds import DependencyType
from intaglio.domain.reader import Reader
from intaglio.graph.entity_rows import COLUMNS, GROUP, entity_of
from intaglio.graph.query_rows import LIVE, dependency_is_visible, numbered, visible
from intaglio.graph.values import Entity
from intaglio.memory.filters import reader_condition
from intaglio.store.tx import ReadTx

_ENDS: Final = (
    "FROM entity_dependencies d JOIN entities fe ON fe.seq = d.source "
    "JOIN entities f ON f.seq = ifnull(fe.merged_into, fe.seq) "
    "JOIN entities oe ON oe.seq = d.target "
    "JOIN entities o ON o.seq = ifnull(oe.merged_into, oe.seq) "
)


class DependencyEdge(NamedTuple):
    """A dependency between two entities, by row number."""

    source: int
    target: int
    type: DependencyType
    strength: float


def dependencies_of(tx: ReadTx, seq: int, reader: Reader, limit: int) -> list[DependencyEdge]:
    """Return the strongest dependencies of an entity, in either direction."""
    condition, params = reader_condition(reader)
    group = GROUP.format("?1")
    return tx.map(
        DependencyEdge,
        f"SELECT f.seq, o.seq, d.dependency_type, max(d.strength) {_ENDS} "
        f"WHERE (d.source IN ({group}) OR d.target IN ({group})) AND f.seq <> o.seq "
        f"AND {dependency_is_visible(numbered(condition, 3))} "
        "GROUP BY 1, 2, 3 ORDER BY 4 DESC, 1, 2, 3 LIMIT ?2",
        [seq, limit, *params],
    )


def dependencies_between(tx: ReadTx, seqs: Collection[int], reader: Reader) -> list[DependencyEdge]:
    """Return the dependencies between these entities, strongest first."""
    condition, params = reader_condition(reader)
    parts = (
        "SELECT seq FROM entities WHERE ifnull(merged_into, seq) IN "
        "(SELECT value FROM json_each(?1))"
    )
    return tx.map(
        DependencyEdge,
        f"SELECT f.seq, o.seq, d.dependency_type, max(d.strength) {_ENDS} "  # noqa: S608 - built by reader_condition
        f"WHERE d.source IN ({parts}) AND o.seq IN (SELECT value FROM json_each(?1)) "
        f"AND f.seq <> o.seq AND {dependency_is_visible(numbered(condition, 2))} "
        "GROUP BY 1, 2, 3 ORDER BY 4 DESC, 1, 2, 3",
        [json.dumps(list(seqs)), *params],
    )


def newest_memories(tx: ReadTx, seq: int, reader: Reader, limit: int) -> list[int]:
    """Return the newest visible memories that name an entity or are about it."""
    condition, params = reader_condition(reader)
    group = GROUP.format("?1")
    return tx.column(
        int,
        "SELECT m.seq FROM memories m WHERE m.seq IN ("  # noqa: S608 - built by reader_condition
        "SELECT n.memory FROM entity_aliases a JOIN memory_entity_mentions n ON n.alias = a.seq "
        f"WHERE a.entity IN ({group}) "
        f"UNION SELECT memory FROM entity_attributes WHERE entity IN ({group})) "
        f"AND {LIVE} AND {numbered(condition, 3)} ORDER BY m.seq DESC LIMIT ?2",
        [seq, limit, *params],
    )


def named_in(tx: ReadTx, memories: Collection[int]) -> list[tuple[int, int]]:
    """Return which entities these memories name, as pairs of a memory and an entity."""
    return tx.rows(
        tuple[int, int],
        "SELECT DISTINCT n.memory, ifnull(e.merged_into, e.seq) FROM memory_entity_mentions n "
        "JOIN entity_aliases a ON a.seq = n.alias JOIN entities e ON e.seq = a.entity "
        "WHERE n.memory IN (SELECT value FROM json_each(?)) ORDER BY 1, 2",
        (json.dumps(list(memories)),),
    )


def shown(tx: ReadTx, seqs: Collection[int], reader: Reader) -> dict[int, Entity]:
    """Return those of these entities that the reader sees and that aren't suppressed."""
    condition, params = visible(reader)
    found = tx.map(
        entity_of,
        f"SELECT {COLUMNS} FROM entities e WHERE e.seq IN (SELECT value FROM json_each(?)) "  # noqa: S608 - built above
        f"AND e.merged_into IS NULL AND e.suppressed = 0 AND {condition}",
        [json.dumps(list(seqs)), *params],
    )
    return {each.seq: each for each in found}

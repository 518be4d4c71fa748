"""SQL of the walk: constraints, dependencies, aspects and facts that a filter allows."""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from intaglio.domain.entity_kinds import DependencyType
from intaglio.graph.query_rows import dependency_is_visible, numbered
from intaglio.memory.filters import Filter, where
from intaglio.memory.rows import WORDED_AT
from intaglio.store.tx import ReadTx

# Of an entity with very many dependencies or facts, only the first are looked at.
_MAX_EDGES: Final = 80
_MAX_FACTS: Final = 120

_BINDING: Final = "t.kind = 'constraint' AND t.status = 'active'"


class ConstraintRow(NamedTuple):
    """An active constraint; ``bearer`` is the row number of its entity, before any merge."""

    seq: int
    bearer: int
    memory: int
    importance: float
    by_user: int
    worded_at: str


class DependencyConstraintRow(NamedTuple):
    """A constraint of an entity that ``source`` depends on.

    ``source`` is as it was before any merge; ``root`` is what the bearer counts as, called
    ``name``.
    """

    seq: int
    memory: int
    importance: float
    root: int
    name: str
    agent_id: str
    source: int
    dependency: DependencyType
    by_user: int
    worded_at: str


class HopRow(NamedTuple):
    """A dependency of ``source``, as it was before any merge, on what counts as ``root``."""

    source: int
    root: int
    dependency: DependencyType
    strength: float


class VisitedAspectRow(NamedTuple):
    """An aspect of an entity, as it was before any merge; ``canonical`` tells equal ones."""

    seq: int
    entity: int
    canonical: str
    name: str
    weight: float


class FactRow(NamedTuple):
    """A fact below an aspect of an entity, as it was before any merge; -1: unclassified."""

    entity: int
    aspect: int
    seq: int
    memory: int
    importance: float
    confidence: float


def constraints(tx: ReadTx, members: Sequence[int], filters: Filter) -> list[ConstraintRow]:
    """Return all active constraints of these entities that the filter allows."""
    condition, params = where(filters)
    return tx.map(
        ConstraintRow,
        "SELECT t.seq, t.entity, t.memory, t.importance, t.origin = 'user', "  # noqa: S608 - built by where()
        f"{WORDED_AT} FROM json_each(?1) j "
        "CROSS JOIN entity_attributes t ON t.entity = j.value "
        f"CROSS JOIN memories m ON m.seq = t.memory WHERE {_BINDING} AND {numbered(condition, 2)}",
        [json.dumps(list(members)), *params],
    )


def constraints_of_dependencies(
    tx: ReadTx, members: Sequence[int], min_strength: float, filters: Filter
) -> list[DependencyConstraintRow]:
    """Return all constraints of the entities that these depend on, by the strongest first.

    A dependency counts if a memory that it was read from passes the filter too.
    """
    condition, params = where(filters)
    found = (
        "SELECT t.seq, {root} AS root, t.memory, t.importance, t.origin, d.seq AS edge, d.strength "  # noqa: S608 - constants
        "FROM json_each(?1) j CROSS JOIN entity_dependencies d "
        "ON d.source = j.value AND d.strength >= ?2 "
        f"CROSS JOIN {{to}} WHERE {_BINDING}"
    )
    itself = found.format(root="d.target", to="entity_attributes t ON t.entity = d.target")
    merged = found.format(
        root="d.target",
        to="entities x ON x.merged_into = d.target "
        "CROSS JOIN entity_attributes t ON t.entity = x.seq",
    )
    # The dependency is on a merged entity: what that counts as, and what else counts as it.
    of_root = found.format(
        root="y.merged_into",
        to="entities y INDEXED BY entities_are_merged "
        "ON y.seq = d.target AND y.merged_into IS NOT NULL "
        "CROSS JOIN entity_attributes t ON t.entity IN (SELECT y.merged_into "
        "UNION ALL SELECT z.seq FROM entities z WHERE z.merged_into = y.merged_into)",
    )
    # The limit keeps SQLite from asking for each of many dependencies whether it is visible: few
    # are on an entity that has constraints.
    return tx.map(
        DependencyConstraintRow,
        "SELECT c.seq, c.memory, c.importance, c.root, e.name, e.agent_id, d.source, "  # noqa: S608 - built above
        f"d.dependency_type, c.origin = 'user', {WORDED_AT} "
        f"FROM ({itself} UNION ALL {merged} UNION ALL {of_root} LIMIT -1) c "
        "CROSS JOIN memories m ON m.seq = c.memory "
        "CROSS JOIN entity_dependencies d ON d.seq = c.edge "
        "CROSS JOIN entities e ON e.seq = c.root "
        f"WHERE {numbered(condition, 3)} AND {dependency_is_visible(numbered(condition, 3))} "
        "ORDER BY c.strength DESC, c.edge, c.seq",
        [json.dumps(list(members)), min_strength, *params],
    )


def hops(
    tx: ReadTx, members: Sequence[int], min_strength: float, limit: int, filters: Filter
) -> list[HopRow]:
    """Return the strongest visible dependencies of these entities on others.

    Of equal strength, pinned ones come first, then those that weigh the most; suppressed ones are
    left out.
    """
    condition, params = where(filters)
    strongest = (
        "SELECT d.seq, d.source, d.target, d.strength FROM json_each(?1) j "  # noqa: S608 - constants
        "CROSS JOIN entity_dependencies d ON d.seq IN (SELECT i.seq FROM entity_dependencies i "
        "WHERE i.source = j.value AND i.strength >= ?2 "
        f"ORDER BY i.strength DESC, i.target DESC LIMIT {_MAX_EDGES})"
    )
    ordered = (
        "SELECT s.seq, s.source, e.seq AS root, s.strength FROM "  # noqa: S608 - built above
        f"({strongest}) s CROSS JOIN entities x ON x.seq = s.target "
        "CROSS JOIN entities e ON e.seq = ifnull(x.merged_into, x.seq) WHERE e.suppressed = 0 "
        "AND e.seq NOT IN (SELECT value FROM json_each(?1)) "
        "ORDER BY s.strength DESC, e.pinned DESC, "
        "ifnull(e.weight_override, e.mentions / (e.mentions + 10.0)) DESC, e.seq, s.seq LIMIT -1"
    )
    return tx.map(
        HopRow,
        f"SELECT o.source, o.root, d.dependency_type, o.strength FROM ({ordered}) o "  # noqa: S608 - built above
        "CROSS JOIN entity_dependencies d ON d.seq = o.seq "
        f"WHERE {dependency_is_visible(numbered(condition, 4))} LIMIT ?3",
        [json.dumps(list(members)), min_strength, limit, *params],
    )


def aspects(tx: ReadTx, members: Sequence[int]) -> list[VisitedAspectRow]:
    """Return the aspects of these entities, weightiest first."""
    return tx.map(
        VisitedAspectRow,
        "SELECT s.seq, s.entity, s.canonical_name, s.name, s.weight FROM json_each(?) j "
        "CROSS JOIN entity_aspects s ON s.entity = j.value "
        "ORDER BY s.weight DESC, s.canonical_name, s.seq",
        (json.dumps(list(members)),),
    )


def facts(
    tx: ReadTx, places: Mapping[int, Collection[int | None]], each: int, filters: Filter
) -> list[FactRow]:
    """Return the most important visible facts of aspects, at most so many of each.

    ``places`` are aspects by entity, as they were before any merge; None has unclassified facts.
    """
    condition, params = where(filters)
    wanted = [[entity, aspect] for entity, found in places.items() for aspect in found]
    most = (
        "SELECT a.seq, a.memory FROM entity_attributes a WHERE a.entity = j.value ->> 0 "  # noqa: S608 - constants
        "AND a.aspect IS (j.value ->> 1) AND a.kind = 'attribute' AND a.status = 'active' "
        f"ORDER BY a.importance DESC, a.seq DESC LIMIT {_MAX_FACTS}"
    )
    allowed = (
        f"SELECT i.seq FROM ({most}) i CROSS JOIN memories m ON m.seq = i.memory "  # noqa: S608 - built by where()
        f"WHERE {numbered(condition, 3)} LIMIT ?2"
    )
    return tx.map(
        FactRow,
        "SELECT t.entity, ifnull(t.aspect, -1), t.seq, t.memory, t.importance, t.confidence "  # noqa: S608 - built above
        f"FROM json_each(?1) j CROSS JOIN entity_attributes t ON t.seq IN ({allowed}) "
        "ORDER BY t.importance DESC, t.seq DESC",
        [json.dumps(wanted), each, *params],
    )


def naming(tx: ReadTx, members: Sequence[int], limit: int, filters: Filter) -> list[int]:
    """Return the row numbers of the latest memories that name these entities, newest first."""
    condition, params = where(filters)
    return tx.column(
        int,
        "SELECT DISTINCT m.seq FROM json_each(?1) j "  # noqa: S608 - built by where()
        "CROSS JOIN entity_aliases a ON a.entity = j.value CROSS JOIN "
        "memory_entity_mentions n ON n.alias = a.seq AND n.memory IN (SELECT memory FROM "
        "memory_entity_mentions WHERE alias = a.seq ORDER BY memory DESC "
        f"LIMIT {_MAX_FACTS}) CROSS JOIN memories m ON m.seq = n.memory "
        f"WHERE {numbered(condition, 3)} ORDER BY m.seq DESC LIMIT ?2",
        [json.dumps(list(members)), limit, *params],
    )

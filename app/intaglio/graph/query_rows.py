"""SQL that reads the graph for people and agents; each sees what its memories allow.

A row is visible when a memory that it comes from is (decision 12 on the seeds). The user sees
everything, also entities whose memories are all forgotten, if they are pinned or made by the user.
"""

import json
from collections.abc import Sequence
from typing import Final, NamedTuple

from intaglio.domain.entity_kinds import (
    AliasOrigin,
    AttributeKind,
    AttributeStatus,
    Direction,
    EntityType,
)
from intaglio.domain.reader import USER, Reader, UserReader
from intaglio.graph.entity_rows import COLUMNS, GROUP, entity_of
from intaglio.graph.linking.canonical import canonical_name
from intaglio.graph.values import (
    Aspect,
    Attribute,
    Dependency,
    Entity,
    EntityCounts,
    EntityQuery,
)
from intaglio.memory.filters import Filter, reader_condition, where
from intaglio.store.tx import ReadTx, SearchExpression, Sql

_OF: Final = GROUP.format("e.seq")
LIVE: Final = "m.is_deleted = 0"
_ATTRIBUTE: Final = (
    "t.seq, t.id, r.id, s.id, t.agent_id, m.id, t.kind, ifnull(t.content, ifnull(m.content, '')), "
    "t.confidence, t.importance, t.status, t.superseded_by, t.origin, t.created_at, "
    "ifnull(t.updated_at, t.created_at), m.type"
)


def _has_memory(condition: str, params: Sequence[Sql]) -> tuple[str, list[Sql]]:
    """Return the condition that a memory ``m`` that fits names an entity ``e`` or is about it."""
    # The joins are in this order, so that the first memory that fits ends each search.
    named = (
        "SELECT 1 FROM entity_aliases a CROSS JOIN memory_entity_mentions n ON n.alias = a.seq "  # noqa: S608 - built by the caller
        f"CROSS JOIN memories m ON m.seq = n.memory WHERE a.entity IN ({_OF}) AND {condition}"
    )
    about = (
        "SELECT 1 FROM entity_attributes t CROSS JOIN memories m ON m.seq = t.memory "  # noqa: S608 - built by the caller
        f"WHERE t.entity IN ({_OF}) AND {condition}"
    )
    return f"(EXISTS ({named}) OR EXISTS ({about}))", [*params, *params]


def visible(reader: Reader) -> tuple[str, list[Sql]]:
    """Return the condition on entities ``e`` under which a reader sees them.

    All memories of an agent's own entity are its own, so that counts tell whether one is live.
    What one memory alone names in code doesn't count (`SURE_FROM`).
    """
    live = "(e.mentions > 0 OR e.pinned = 1 OR e.origin = 'user')"
    if isinstance(reader, UserReader):
        return live, []
    condition, params = reader_condition(reader)
    foreign, values = _has_memory(f"{LIVE} AND {condition}", params)
    own = reader.agent_id
    return (
        f"((e.agent_id = ? AND {live}) OR (e.agent_id <> ? AND e.mentions > 0 AND {foreign}))",
        [own, own, *values],
    )


def _where(tx: ReadTx, query: EntityQuery, *, typed: bool) -> tuple[str, list[Sql]]:
    parts, params = ["e.merged_into IS NULL"], list[Sql]()
    if query.type is not None and typed:
        parts.append("e.entity_type = ?")
        params.append(query.type)
    if query.pinned is not None:
        parts.append(f"e.pinned = {int(query.pinned)}")
    if query.projects:
        own, *others = query.projects
        of_project, keys = where(
            Filter(reader=USER, project=own, project_aliases=tuple(others), exact_project=True)
        )
        shared, values = _has_memory(of_project, keys)
        parts.append(
            f"(e.project IN (SELECT value FROM json_each(?)) OR (e.project IS NULL AND {shared}))"  # noqa: S608 - built above
        )
        params += [json.dumps(list(query.projects)), *values]
    if query.memory_id is not None:
        condition, readable = reader_condition(query.reader)
        named_by = f"WHERE m.id = ? AND {condition}"
        parts.append(
            "e.seq IN (SELECT ifnull(x.merged_into, x.seq) FROM memories m "  # noqa: S608 - built by reader_condition
            "JOIN memory_entity_mentions n ON n.memory = m.seq "
            "JOIN entity_aliases a ON a.seq = n.alias JOIN entities x ON x.seq = a.entity "
            f"{named_by} UNION SELECT ifnull(x.merged_into, x.seq) FROM memories m "
            f"JOIN entity_attributes t ON t.memory = m.seq JOIN entities x ON x.seq = t.entity "
            f"{named_by})"
        )
        params += [query.memory_id, *readable, query.memory_id, *readable]
    if query.text.strip():
        condition, values = _matching(tx, query.text, query.reader)
        parts.append(condition)
        params += values
    condition, values = visible(query.reader)
    return " AND ".join([*parts, condition]), [*params, *values]


def _matching(tx: ReadTx, text: str, reader: Reader) -> tuple[str, list[Sql]]:
    """Return the condition that a name, summary or alias of an entity begins with these words.

    Of another agent's entity, only names that a visible memory uses count.
    """
    prefix = " ".join(text.lower().split())
    begins = "a.canonical >= ? AND a.canonical < ? || char(0x10FFFF)"
    by_alias = (
        "e.seq IN (SELECT ifnull(x.merged_into, x.seq) FROM entity_aliases a "  # noqa: S608 - constants
        f"JOIN entities x ON x.seq = a.entity WHERE {begins})"
    )
    matching, params = by_alias, list[Sql]([prefix, prefix])
    words = [word.replace('"', "") for word in text.split()]
    if tx.index_terms(text):
        by_name = (
            "e.seq IN (SELECT ifnull(x.merged_into, x.seq) FROM entities_fts "
            "JOIN entities x ON x.seq = entities_fts.rowid WHERE entities_fts MATCH ?)"
        )
        matching = f"({by_name} OR {by_alias})"
        quoted = " ".join(f'"{word}"*' for word in words if tx.index_terms(word))
        params = [SearchExpression(quoted), *params]
    if isinstance(reader, UserReader):
        return matching, params
    condition, readable = reader_condition(reader)
    seen = (
        "SELECT 1 FROM entity_aliases a JOIN memory_entity_mentions n ON n.alias = a.seq "  # noqa: S608 - built by reader_condition
        f"JOIN memories m ON m.seq = n.memory WHERE a.entity IN ({_OF}) AND {begins} "
        f"AND {LIVE} AND {condition}"
    )
    return (
        f"({matching} AND (e.agent_id = ? OR EXISTS ({seen})))",
        [*params, reader.agent_id, prefix, prefix, *readable],
    )


def page(tx: ReadTx, query: EntityQuery) -> list[Entity]:
    """Return a page of entities: pinned ones, one of exactly this name, then the most mentioned."""
    condition, params = _where(tx, query, typed=True)
    select = f"SELECT {COLUMNS} FROM entities e"  # noqa: S608 - a constant
    pinned = tx.map(
        entity_of,
        f"{select} WHERE e.pinned = 1 AND {condition} ORDER BY e.pinned_at DESC, e.seq DESC",
        params,
    )
    page_ = pinned[query.offset : query.offset + query.limit]
    left = query.limit - len(page_)
    if not left or query.pinned:
        return page_
    # Along an index, so that a page of many entities costs no sort.
    order, name = "e.mentions DESC, e.seq DESC", list[Sql]()
    if query.text.strip():
        order, name = f"e.canonical_name = ? DESC, {order}", [canonical_name(query.text)]
    return page_ + tx.map(
        entity_of,
        f"{select} WHERE e.pinned = 0 AND {condition} ORDER BY {order} LIMIT ? OFFSET ?",
        [*params, *name, left, max(0, query.offset - len(pinned))],
    )


def count_types(tx: ReadTx, query: EntityQuery) -> dict[EntityType, int]:
    """Count the matching entities by type, whatever type the query asks for."""
    condition, params = _where(tx, query, typed=False)
    found = tx.rows(
        tuple[EntityType, int],
        f"SELECT e.entity_type, count(*) FROM entities e WHERE {condition} "  # noqa: S608 - built above
        "GROUP BY 1 ORDER BY 2 DESC, 1",
        params,
    )
    return dict(found)


def find(tx: ReadTx, entity_id: str, reader: Reader) -> Entity | None:
    """Return the entity with this id, or the one that it counts as, if the reader sees it."""
    condition, params = visible(reader)
    found = tx.map(
        entity_of,
        f"SELECT {COLUMNS} FROM entities e WHERE e.seq = ("  # noqa: S608 - built above
        f"SELECT ifnull(merged_into, seq) FROM entities WHERE id = ?) AND {condition}",
        [entity_id, *params],
    )
    return found[0] if found else None


def named(
    tx: ReadTx, name: str, canonical: str, reader: Reader, projects: Sequence[str]
) -> list[Entity]:
    """Return the visible entities with this name or alias, those of the projects first."""
    condition, params = visible(reader)
    return tx.map(
        entity_of,
        f"SELECT {COLUMNS} FROM entities e WHERE e.seq IN ("  # noqa: S608 - built above
        "SELECT ifnull(x.merged_into, x.seq) FROM entity_aliases a "
        "JOIN entities x ON x.seq = a.entity WHERE a.canonical IN (?, ?)) "
        f"AND {condition} ORDER BY e.project IN (SELECT value FROM json_each(?)) DESC, "
        "e.project IS NULL DESC, e.pinned DESC, e.mentions DESC, e.seq",
        [canonical, name, *params, json.dumps(list(projects))],
    )


# The row numbers that count as each of some entities.
_PARTS: Final = (
    "WITH parts(root, part) AS (SELECT value, value FROM json_each(?1) UNION ALL "
    "SELECT merged_into, seq FROM entities WHERE merged_into IN (SELECT value FROM json_each(?1)))"
)


def counts(tx: ReadTx, seqs: Sequence[int], reader: Reader) -> dict[int, EntityCounts]:
    """Count the aspects, facts and dependencies of these entities that the reader sees."""
    condition, params = reader_condition(reader)
    seen = numbered(condition, 2)
    values = [json.dumps(list(seqs)), *params]
    below = tx.rows(
        tuple[int, int, int, int],
        f"{_PARTS} SELECT p.root, count(DISTINCT t.aspect), sum(t.kind = 'attribute'), "  # noqa: S608 - built by reader_condition
        "sum(t.kind = 'constraint') FROM parts p JOIN entity_attributes t ON t.entity = p.part "
        f"JOIN memories m ON m.seq = t.memory WHERE t.status = 'active' AND {LIVE} AND {seen} "
        "GROUP BY p.root",
        values,
    )
    edges = {
        end: dict(
            tx.rows(
                tuple[int, int],
                f"{_PARTS} SELECT p.root, count(*) FROM parts p "  # noqa: S608 - built by reader_condition
                f"JOIN entity_dependencies d ON d.{end} = p.part "
                f"WHERE {dependency_is_visible(seen)} GROUP BY p.root",
                values,
            )
        )
        for end in ("target", "source")
    }
    under = {root: (aspects_, facts, rules) for root, aspects_, facts, rules in below}
    return {
        seq: EntityCounts(
            *under.get(seq, (0, 0, 0)), edges["target"].get(seq, 0), edges["source"].get(seq, 0)
        )
        for seq in seqs
    }


def dependency_is_visible(condition: str) -> str:
    """Return the condition on dependencies ``d``; ``condition`` is that on memories ``m``."""
    found = (
        "SELECT 1 FROM dependency_sources o JOIN memories m ON m.seq = o.memory "  # noqa: S608 - built by reader_condition
        f"WHERE o.dependency = d.seq AND {LIVE} AND {condition}"
    )
    return f"(d.origin = 'user' OR EXISTS ({found}))"


class VisibleAlias(NamedTuple):
    """An alias, and how many live memories use it."""

    seq: int
    alias: str
    origin: AliasOrigin
    memories: int


def aliases(tx: ReadTx, seq: int, reader: Reader) -> list[VisibleAlias]:
    """Return the names of an entity: those that a visible memory uses, or that no memory did.

    Names that the user gave another agent's entity count as if memories had.
    """
    condition, params = reader_condition(reader)
    own = None if isinstance(reader, UserReader) else reader.agent_id
    return tx.map(
        VisibleAlias,
        "SELECT seq, alias, origin, memories FROM (SELECT a.seq, a.alias, a.origin, e.agent_id, "  # noqa: S608 - built by reader_condition
        "(SELECT count(DISTINCT m.seq) FROM memory_entity_mentions n "
        f"JOIN memories m ON m.seq = n.memory WHERE n.alias = a.seq AND {LIVE} AND {condition}) "
        "AS memories FROM entity_aliases a JOIN entities e ON e.seq = a.entity "
        f"WHERE a.entity IN ({GROUP.format('?')})) "
        "WHERE memories > 0 OR origin = 'lexicon' "
        "OR (origin = 'user' AND agent_id = ifnull(?, agent_id)) ORDER BY seq",
        [*params, seq, seq, own],
    )


def numbered(condition: str, first: int) -> str:
    """Number the parameters of a condition, for statements that name theirs."""
    parts = condition.split("?")
    return "".join(
        part if not number else f"?{first + number - 1}{part}" for number, part in enumerate(parts)
    )


def aspects(tx: ReadTx, entity: Entity, reader: Reader) -> list[Aspect]:
    """Return the visible aspects of an entity, weightiest first; equal names are one aspect."""
    condition, params = reader_condition(reader)
    return tx.map(
        Aspect,
        "SELECT min(s.seq), s.id, ?1, s.agent_id, s.name, s.canonical_name, max(s.weight), "  # noqa: S608 - built by reader_condition
        "s.created_at, max(s.updated_at), sum(t.kind = 'attribute'), sum(t.kind = 'constraint') "
        "FROM entity_aspects s JOIN entity_attributes t ON t.aspect = s.seq "
        "AND t.status = 'active' JOIN memories m ON m.seq = t.memory "
        f"WHERE s.entity IN ({GROUP.format('?2')}) AND {LIVE} AND {numbered(condition, 3)} "
        "GROUP BY s.canonical_name ORDER BY max(s.weight) DESC, count(*) DESC, s.canonical_name",
        [entity.id, entity.seq, *params],
    )


def unclassified(tx: ReadTx, seq: int, reader: Reader) -> int:
    """Count the visible facts of an entity that await classification."""
    condition, params = reader_condition(reader)
    return tx.count(
        "SELECT count(*) FROM entity_attributes t JOIN memories m ON m.seq = t.memory "  # noqa: S608 - built by reader_condition
        f"WHERE t.entity IN ({GROUP.format('?1')}) AND t.aspect IS NULL AND t.status = 'active' "
        f"AND {LIVE} AND {numbered(condition, 2)}",
        [seq, *params],
    )


class AttributeQuery(NamedTuple):
    """Which attributes of an entity are wanted; ``aspect_id`` None selects unclassified ones."""

    entity: int
    aspect_id: str | None
    kind: AttributeKind | None = None
    status: AttributeStatus | None = "active"
    limit: int = 50
    offset: int = 0


def attributes(tx: ReadTx, query: AttributeQuery, reader: Reader) -> list[Attribute]:
    """Return attributes below an aspect of an entity, most important first."""
    condition, params = reader_condition(reader)
    group = GROUP.format("?1")
    of_aspect = (
        "t.aspect IN (SELECT x.seq FROM entity_aspects x JOIN entity_aspects y "  # noqa: S608 - constants
        f"ON y.canonical_name = x.canonical_name WHERE y.id = ?2 AND x.entity IN ({group}))"
    )
    return tx.map(
        Attribute,
        f"SELECT {_ATTRIBUTE} FROM entity_attributes t JOIN memories m ON m.seq = t.memory "  # noqa: S608 - built by reader_condition
        "JOIN entities r ON r.seq = ?1 LEFT JOIN entity_aspects s ON s.seq = t.aspect "
        f"WHERE t.entity IN ({group}) AND "
        f"iif(?2 IS NULL, t.aspect IS NULL, {of_aspect}) "
        "AND (?3 IS NULL OR t.kind = ?3) AND (?4 IS NULL OR t.status = ?4) "
        f"AND {LIVE} AND {numbered(condition, 7)} "
        "ORDER BY t.kind = 'constraint' DESC, t.importance DESC, t.seq DESC LIMIT ?5 OFFSET ?6",
        [*query, *params],
    )


def attribute(tx: ReadTx, attribute_id: str, reader: Reader) -> Attribute | None:
    """Return the attribute with this id if the reader sees it."""
    condition, params = reader_condition(reader)
    found = tx.map(
        Attribute,
        f"SELECT {_ATTRIBUTE} FROM entity_attributes t JOIN memories m ON m.seq = t.memory "  # noqa: S608 - built by reader_condition
        "JOIN entities e ON e.seq = t.entity "
        "JOIN entities r ON r.seq = ifnull(e.merged_into, e.seq) "
        f"LEFT JOIN entity_aspects s ON s.seq = t.aspect WHERE t.id = ? AND {LIVE} "
        f"AND {condition}",
        [attribute_id, *params],
    )
    return found[0] if found else None


def dependencies(
    tx: ReadTx, seq: int, direction: Direction, reader: Reader
) -> list[tuple[str, Dependency]]:
    """Return the visible dependencies of an entity with their direction, strongest first."""
    ends = {"incoming": ("target",), "outgoing": ("source",), "both": ("source", "target")}
    found: list[tuple[str, Dependency]] = []
    for end in ends[direction]:
        found += [
            ("outgoing" if end == "source" else "incoming", each)
            for each in _dependencies(tx, seq, end, reader)
        ]
    return sorted(found, key=lambda each: (-each[1].strength, each[1].seq))


def _dependencies(tx: ReadTx, seq: int, end: str, reader: Reader) -> list[Dependency]:
    condition, params = reader_condition(reader)
    group = GROUP.format("?1")
    return tx.map(
        Dependency,
        "SELECT min(d.seq), d.id, d.dependency_type, max(d.strength), a.id, f.id, f.name, o.id, "  # noqa: S608 - built by reader_condition
        "o.name, d.created_at, max(d.updated_at) FROM entity_dependencies d "
        "JOIN entities fe ON fe.seq = d.source "
        "JOIN entities f ON f.seq = ifnull(fe.merged_into, fe.seq) "
        "JOIN entities oe ON oe.seq = d.target "
        "JOIN entities o ON o.seq = ifnull(oe.merged_into, oe.seq) "
        "LEFT JOIN entity_aspects a ON a.seq = d.aspect "
        f"WHERE d.{end} IN ({group}) AND f.seq <> o.seq "
        f"AND {dependency_is_visible(numbered(condition, 2))} "
        "GROUP BY f.seq, o.seq, d.dependency_type",
        [seq, *params],
    )

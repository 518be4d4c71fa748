"""SQL that moves what memories say from one entity to another."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, NamedTuple

from intaglio.domain.entity_kinds import EntityOrigin
from intaglio.graph.entity_rows import GROUP
from intaglio.store.tx import ReadTx, WriteTx


class MentionPlace(NamedTuple):
    """Where a memory names an entity, by which alias."""

    memory: int
    start: int
    alias: int


@dataclass(frozen=True, slots=True)
class PlacedFact:
    """An attribute with its place: the entity and the aspect that it belongs to."""

    seq: int
    entity: int
    aspect: int | None
    origin: EntityOrigin
    updated_at: str | None
    aspect_name: str | None
    aspect_canonical: str | None


_FACT = (
    "SELECT t.seq, t.entity, t.aspect, t.origin, t.updated_at, s.name, s.canonical_name "
    "FROM entity_attributes t LEFT JOIN entity_aspects s ON s.seq = t.aspect "
)


def mentions(tx: ReadTx, entity: int, of: Collection[int]) -> list[MentionPlace]:
    """Return where these memories name the entity."""
    return tx.map(
        MentionPlace,
        "SELECT n.memory, n.start, n.alias FROM memory_entity_mentions n "  # noqa: S608 - constants
        "JOIN entity_aliases a ON a.seq = n.alias "
        "WHERE n.memory IN (SELECT value FROM json_each(?2)) "
        f"AND a.entity IN ({GROUP.format('?1')}) ORDER BY n.memory, n.start, n.alias",
        (entity, json.dumps(list(of))),
    )


def mentions_below(tx: ReadTx, entity: int) -> list[MentionPlace]:
    """Return all mentions by the entity's own aliases."""
    return tx.map(
        MentionPlace,
        "SELECT n.memory, n.start, n.alias FROM entity_aliases a "
        "JOIN memory_entity_mentions n ON n.alias = a.seq WHERE a.entity = ? "
        "ORDER BY n.memory, n.start, n.alias",
        (entity,),
    )


def move_mention(tx: WriteTx, place: MentionPlace, alias: int) -> bool:
    """Let a mention name another entity's alias; return whether it did, or was there already."""
    return bool(
        tx.execute(
            "UPDATE OR IGNORE memory_entity_mentions SET alias = ? "
            "WHERE memory = ? AND start = ? AND alias = ?",
            (alias, *place),
        )
    )


def facts(tx: ReadTx, entity: int, of: Collection[int]) -> list[PlacedFact]:
    """Return the attributes of these memories below the entity."""
    return tx.map(
        PlacedFact,
        f"{_FACT} WHERE t.memory IN (SELECT value FROM json_each(?2)) "  # noqa: S608 - constants
        f"AND t.entity IN ({GROUP.format('?1')}) ORDER BY t.seq",
        (entity, json.dumps(list(of))),
    )


def facts_below(tx: ReadTx, entity: int) -> list[PlacedFact]:
    """Return all attributes of the entity itself."""
    return tx.map(PlacedFact, f"{_FACT} WHERE t.entity = ? ORDER BY t.seq", (entity,))


def place_fact(
    tx: WriteTx,
    seq: int,
    entity: int,
    aspect: int | None,
    origin: EntityOrigin,
    updated_at: str | None,
) -> None:
    """Put an attribute below another entity."""
    tx.execute(
        "UPDATE entity_attributes SET entity = ?, aspect = ?, origin = ?, updated_at = ? "
        "WHERE seq = ?",
        (entity, aspect, origin, updated_at, seq),
    )


def aspect_canonical(tx: ReadTx, seq: int, entity: int) -> str | None:
    """Return the canonical name of an aspect, if it is one of this entity."""
    sql = "SELECT canonical_name FROM entity_aspects WHERE seq = ? AND entity = ?"
    return tx.scalar(str, sql, (seq, entity))


def aspect_named(tx: ReadTx, entity: int, canonical: str) -> int | None:
    """Return the row number of an entity's aspect of this canonical name."""
    sql = "SELECT seq FROM entity_aspects WHERE entity = ? AND canonical_name = ?"
    return tx.scalar(int, sql, (entity, canonical))


def copy_weight(tx: WriteTx, source: int, target: int) -> None:
    """Give an aspect the weight of another one."""
    tx.execute(
        "UPDATE entity_aspects SET weight = (SELECT weight FROM entity_aspects WHERE seq = ?) "
        "WHERE seq = ?",
        (source, target),
    )


def move_edges(tx: WriteTx, source: int, target: int) -> None:
    """Give an entity's dependencies and relations to another one, which keeps its own."""
    ends = (source, target)
    tx.execute("UPDATE OR IGNORE entity_dependencies SET source = ?2 WHERE source = ?1", ends)
    tx.execute("UPDATE OR IGNORE entity_dependencies SET target = ?2 WHERE target = ?1", ends)
    tx.execute("UPDATE OR IGNORE relations SET source = ?2 WHERE source = ?1", ends)
    tx.execute("UPDATE OR IGNORE relations SET target = ?2 WHERE target = ?1", ends)
    # What the other one has already gets the memories that it was read from.
    tx.execute(
        "INSERT OR IGNORE INTO dependency_sources(memory, dependency) "
        "SELECT o.memory, k.seq FROM entity_dependencies d "
        "JOIN dependency_sources o ON o.dependency = d.seq "
        "JOIN entity_dependencies k ON k.dependency_type = d.dependency_type "
        "AND k.source = iif(d.source = ?1, ?2, d.source) "
        "AND k.target = iif(d.target = ?1, ?2, d.target) "
        "WHERE d.source = ?1 OR d.target = ?1",
        ends,
    )
    _share_sources(tx, source, target)
    tx.execute("DELETE FROM entity_dependencies WHERE source = ?1 AND target = ?1", (target,))
    tx.execute("DELETE FROM relations WHERE source = ?1 AND target = ?1", (target,))


_KEPT_RELATION: Final = (
    "JOIN relations k ON k.relation = r.relation AND k.valid_until IS NULL "
    "AND k.expired_at IS NULL AND k.source = iif(r.source = ?1, ?2, r.source) "
    "AND k.target = iif(r.target = ?1, ?2, r.target) "
    "WHERE (r.source = ?1 OR r.target = ?1) AND r.valid_until IS NULL AND r.expired_at IS NULL"
)


def _share_sources(tx: WriteTx, source: int, target: int) -> None:
    """Give an entity's own relations the sources of the same ones of another entity."""
    ends = (source, target)
    tx.execute(
        "INSERT OR IGNORE INTO relation_sources(memory, relation) SELECT o.memory, k.seq "  # noqa: S608 - a constant
        f"FROM relations r JOIN relation_sources o ON o.relation = r.seq {_KEPT_RELATION}",
        ends,
    )
    tx.execute(
        "INSERT OR IGNORE INTO relation_messages(message, relation) SELECT o.message, k.seq "  # noqa: S608 - a constant
        f"FROM relations r JOIN relation_messages o ON o.relation = r.seq {_KEPT_RELATION}",
        ends,
    )


def aliases_in_use(tx: ReadTx, entity: int) -> list[int]:
    """Return an entity's aliases that memories use."""
    return tx.column(
        int,
        "SELECT seq FROM entity_aliases a WHERE entity = ? "
        "AND EXISTS (SELECT 1 FROM memory_entity_mentions WHERE alias = a.seq) ORDER BY seq",
        (entity,),
    )


def give_alias(tx: WriteTx, alias: int, entity: int) -> None:
    """Give an alias with its mentions to an entity, or the mentions to its alias of that name."""
    same = (
        "SELECT b.seq FROM entity_aliases a JOIN entity_aliases b ON b.canonical = a.canonical "
        "WHERE a.seq = ? AND b.entity = ?"
    )
    known = tx.scalar(int, same, (alias, entity))
    if known is None:
        tx.execute("UPDATE entity_aliases SET entity = ? WHERE seq = ?", (entity, alias))
    else:
        tx.execute(
            "UPDATE OR IGNORE memory_entity_mentions SET alias = ? WHERE alias = ?", (known, alias)
        )


def give_facts(tx: WriteTx, source: int, target: int, at: str) -> None:
    """Give an entity's attributes to another one, below aspects of the same names."""
    tx.execute(
        "UPDATE OR IGNORE entity_aspects SET entity = ?2 WHERE entity = ?1 "
        "AND EXISTS (SELECT 1 FROM entity_attributes WHERE aspect = entity_aspects.seq)",
        (source, target),
    )
    tx.execute(
        "UPDATE entity_attributes SET entity = ?2, updated_at = ?3, aspect = ("
        "SELECT k.seq FROM entity_aspects s JOIN entity_aspects k "
        "ON k.canonical_name = s.canonical_name AND k.entity = ?2 "
        "WHERE s.seq = entity_attributes.aspect) WHERE entity = ?1",
        (source, target, at),
    )

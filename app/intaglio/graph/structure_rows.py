"""SQL on the structure of entities: aspects, attributes, dependencies."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from intaglio.domain.entity_kinds import AttributeKind, DependencyType, EntityOrigin
from intaglio.store.tx import ReadTx, WriteTx


@dataclass(frozen=True, slots=True, kw_only=True)
class PrimaryAttribute:
    """Where the fact of a memory belongs; ``aspect`` is a row number."""

    entity: int
    aspect: int | None
    kind: AttributeKind
    confidence: float
    importance: float
    origin: EntityOrigin


@dataclass(frozen=True, slots=True)
class AspectKey:
    """What identifies an aspect, and the agent of its entity."""

    entity: int
    agent_id: str
    canonical: str


@dataclass(frozen=True, slots=True)
class DependencyKey:
    """What identifies a dependency, by its ends' row numbers, and the agent of its source."""

    source: int
    target: int
    type: DependencyType
    agent_id: str


class _BindingMemory(NamedTuple):
    memory: int
    by_user: int


def aspect(tx: WriteTx, new_id: str, key: AspectKey, name: str, at: str) -> int:
    """Return the row number of an entity's aspect, which is made if there is none."""
    same = "SELECT seq FROM entity_aspects WHERE entity = ? AND canonical_name = ?"
    known = tx.scalar(int, same, (key.entity, key.canonical))
    if known is not None:
        return known
    tx.execute(
        "INSERT INTO entity_aspects(id, entity, agent_id, name, canonical_name, created_at, "
        "updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)",
        (new_id, key.entity, key.agent_id, name, key.canonical, at),
    )
    return tx.last_row()


def primary_of(tx: ReadTx, memory: int) -> int | None:
    """Return the row number of a memory's primary attribute."""
    same = "SELECT seq FROM entity_attributes WHERE memory = ? AND is_primary = 1"
    return tx.scalar(int, same, (memory,))


def constraints_among(tx: ReadTx, memories: Sequence[int]) -> dict[int, bool]:
    """Return which of these memories are constraints of an entity, and whether by the user."""
    found = tx.map(
        _BindingMemory,
        "SELECT t.memory, t.origin = 'user' FROM json_each(?) j "
        "CROSS JOIN entity_attributes t ON t.memory = j.value AND t.is_primary = 1 "
        "WHERE t.kind = 'constraint' AND t.status = 'active'",
        (json.dumps(memories),),
    )
    return {each.memory: bool(each.by_user) for each in found}


def awaiting_entity(tx: ReadTx, attribute: int) -> int | None:
    """Return the entity of an attribute that awaits classification, None if it doesn't."""
    same = "SELECT entity FROM entity_attributes WHERE seq = ? AND aspect IS NULL"
    return tx.scalar(int, same, (attribute,))


def users_place(tx: ReadTx, memory: int, agent_id: str) -> int | None:
    """Return the agent's entity below which the user put a memory's fact, if they did."""
    return tx.scalar(
        int,
        "SELECT e.seq FROM entity_attributes t JOIN entities e ON e.seq = t.entity "
        "WHERE t.memory = ? AND t.is_primary = 1 AND t.origin = 'user' AND e.agent_id = ?",
        (memory, agent_id),
    )


def insert_primary(
    tx: WriteTx, new_id: str, of: tuple[int, str], new: PrimaryAttribute, at: str
) -> None:
    """Write the primary attribute of a memory that has none; ``of``: its row, and its agent."""
    memory, agent_id = of
    tx.execute(
        "INSERT INTO entity_attributes(id, entity, aspect, agent_id, memory, kind, confidence, "
        "importance, origin, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            new_id,
            new.entity,
            new.aspect,
            agent_id,
            memory,
            new.kind,
            new.confidence,
            new.importance,
            new.origin,
            at,
        ),
    )


def move_primary(tx: WriteTx, attribute: int, agent_id: str, to: PrimaryAttribute, at: str) -> None:
    """Replace where a memory's fact belongs."""
    tx.execute(
        "UPDATE entity_attributes SET entity = ?, aspect = ?, agent_id = ?, kind = ?, "
        "confidence = ?, importance = ?, origin = ?, updated_at = ? WHERE seq = ?",
        (
            to.entity,
            to.aspect,
            agent_id,
            to.kind,
            to.confidence,
            to.importance,
            to.origin,
            at,
            attribute,
        ),
    )


def bind(tx: WriteTx, attribute: int, importance: float) -> None:
    """Make a fact a constraint, with at least this importance."""
    tx.execute(
        "UPDATE entity_attributes SET kind = 'constraint', importance = max(importance, ?) "
        "WHERE seq = ?",
        (importance, attribute),
    )


def drop_primary(tx: WriteTx, memory: int) -> None:
    """Delete the primary attribute of a memory that no longer states a fact."""
    tx.execute("DELETE FROM entity_attributes WHERE memory = ? AND is_primary = 1", (memory,))


def add_dependency(
    tx: WriteTx, new_id: str, key: DependencyKey, strength: float, memory: int, at: str
) -> None:
    """Record that a memory states this dependency.

    A further memory halves the distance of the strength to 1.
    """
    edge = (key.source, key.target, key.type)
    same = (
        "SELECT seq FROM entity_dependencies WHERE source = ? AND target = ? "
        "AND dependency_type = ?"
    )
    known = tx.scalar(int, same, edge)
    if known is None:
        tx.execute(
            "INSERT INTO entity_dependencies(id, source, target, dependency_type, agent_id, "
            "strength, origin, created_at, updated_at) "
            "VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'classifier', ?7, ?7)",
            (new_id, *edge, key.agent_id, strength, at),
        )
    dependency = known or tx.last_row()
    fresh = tx.execute(
        "INSERT INTO dependency_sources(memory, dependency) VALUES (?, ?) ON CONFLICT DO NOTHING",
        (memory, dependency),
    )
    if fresh and known is not None:
        tx.execute(
            "UPDATE entity_dependencies SET strength = 1 - (1 - strength) / 2, updated_at = ? "
            "WHERE seq = ?",
            (at, dependency),
        )


def hand_over_facts(tx: WriteTx, entity: int, at: str) -> None:
    """Put the facts of an entity that goes below another one that their memories name.

    They were read while that one was merged into it, and wait for an aspect again.
    """
    other = (
        "SELECT a.entity FROM memory_entity_mentions n JOIN entity_aliases a ON a.seq = n.alias "
        "WHERE n.memory = entity_attributes.memory AND a.entity <> ?1 "
        "ORDER BY n.confidence DESC, n.start LIMIT 1"
    )
    tx.execute(
        f"UPDATE entity_attributes SET entity = ({other}), aspect = NULL, updated_at = ?2 "  # noqa: S608 - constants
        f"WHERE entity = ?1 AND memory IS NOT NULL AND EXISTS ({other})",
        (entity, at),
    )


def forget_dependencies(tx: WriteTx, memory: int) -> None:
    """Remove a memory as a source of dependencies; those without any source go with it."""
    tx.execute("DELETE FROM dependency_sources WHERE memory = ?", (memory,))


def drop_unfounded(tx: WriteTx, entity: int) -> None:
    """Delete an entity's dependencies that no memory states, and its aspects without attributes."""
    tx.execute(
        "DELETE FROM entity_dependencies WHERE source = ? AND origin <> 'user' AND NOT EXISTS ("
        "SELECT 1 FROM dependency_sources WHERE dependency = entity_dependencies.seq)",
        (entity,),
    )
    tx.execute(
        "DELETE FROM entity_aspects WHERE entity = ? AND NOT EXISTS ("
        "SELECT 1 FROM entity_attributes WHERE aspect = entity_aspects.seq)",
        (entity,),
    )

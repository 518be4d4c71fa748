"""SQL on what the user sets of an entity, and on the record of changes that can be undone."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from intaglio.domain.entity_kinds import (
    AliasOrigin,
    AttributeKind,
    AttributeStatus,
    EntityChangeKind,
    EntityType,
)
from intaglio.graph.entity_rows import GROUP
from intaglio.graph.values import Entity, EntityChange
from intaglio.store.tx import ReadTx, WriteTx

_COLUMNS = "c.seq, c.id, c.entity, c.kind, c.detail, c.created_at, c.undone_at, c.changed_by"


@dataclass(frozen=True, slots=True)
class KnownAlias:
    """An alias with when it was added, which tells it from a later row of the same number."""

    seq: int
    entity: int
    alias: str
    canonical: str
    origin: AliasOrigin
    created_at: str


@dataclass(frozen=True, slots=True)
class NewEntityChange:
    """A change to record; ``detail`` becomes JSON, ``by`` is the name of who made it."""

    id: str
    entity: int
    kind: EntityChangeKind
    detail: dict[str, object]
    by: str


def insert(tx: WriteTx, new: NewEntityChange, at: str) -> None:
    """Record a change."""
    tx.execute(
        "INSERT INTO entity_changes(id, entity, kind, detail, changed_by, created_at) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        (new.id, new.entity, new.kind, json.dumps(new.detail), new.by, at),
    )


def get(tx: ReadTx, change_id: str) -> EntityChange | None:
    """Return the change with this id."""
    sql = f"SELECT {_COLUMNS} FROM entity_changes c WHERE c.id = ?"  # noqa: S608 - a constant
    found = tx.map(EntityChange, sql, (change_id,))
    return found[0] if found else None


def set_undone(tx: WriteTx, seq: int, at: str) -> None:
    """Record that a change was undone."""
    tx.execute("UPDATE entity_changes SET undone_at = ? WHERE seq = ?", (at, seq))


def of_entity(tx: ReadTx, entity: Entity, limit: int) -> list[EntityChange]:
    """Return the changes of an entity and what counts as it, newest first.

    The split that made an entity is one of its changes too.
    """
    return tx.map(
        EntityChange,
        f"SELECT {_COLUMNS} FROM entity_changes c "  # noqa: S608 - constants
        f"WHERE c.entity IN ({GROUP.format('?1')}) "
        "OR (c.kind = 'split' AND json_extract(c.detail, '$.made') = ?2) "
        "ORDER BY c.seq DESC LIMIT ?3",
        (entity.seq, entity.id, limit),
    )


def active_merges(tx: ReadTx, entities: Collection[int]) -> list[EntityChange]:
    """Return the merges of these entities that weren't undone, oldest first."""
    return tx.map(
        EntityChange,
        f"SELECT {_COLUMNS} FROM entity_changes c "  # noqa: S608 - a constant
        "WHERE c.entity IN (SELECT value FROM json_each(?)) AND c.kind = 'merge' "
        "AND c.undone_at IS NULL ORDER BY c.seq",
        (json.dumps(list(entities)),),
    )


def set_pinned(tx: WriteTx, seq: int, reason: str | None, at: str) -> None:
    """Pin an entity, which is no longer suppressed; it keeps when it was pinned first."""
    tx.execute(
        "UPDATE entities SET pinned = 1, pinned_at = ifnull(pinned_at, ?1), "
        "pin_reason = ifnull(?2, pin_reason), suppressed = 0, pruned_at = NULL, updated_at = ?1 "
        "WHERE seq = ?3",
        (at, reason, seq),
    )


def set_unpinned(tx: WriteTx, seq: int, at: str) -> None:
    """Unpin an entity."""
    tx.execute(
        "UPDATE entities SET pinned = 0, pinned_at = NULL, pin_reason = NULL, updated_at = ? "
        "WHERE seq = ?",
        (at, seq),
    )


def set_suppressed(tx: WriteTx, seq: int, suppressed: bool, at: str) -> None:  # noqa: FBT001 - the column
    """Suppress an entity, or no longer; the caller has unpinned it."""
    tx.execute(
        "UPDATE entities SET suppressed = ?, pruned_at = NULL, updated_at = ? WHERE seq = ?",
        (int(suppressed), at, seq),
    )


def set_description(tx: WriteTx, seq: int, description: str | None, at: str) -> None:
    """Replace the description."""
    tx.execute(
        "UPDATE entities SET description = ?, updated_at = ? WHERE seq = ?", (description, at, seq)
    )


def set_weight(tx: WriteTx, seq: int, weight: float | None, at: str) -> None:
    """Replace the learned salience by a weight, or return to it."""
    tx.execute(
        "UPDATE entities SET weight_override = ?, updated_at = ? WHERE seq = ?", (weight, at, seq)
    )


def set_type(tx: WriteTx, seq: int, type_: EntityType, project: str | None, at: str) -> None:
    """Replace type and scope; the caller has checked that no other entity has the key."""
    tx.execute(
        "UPDATE entities SET entity_type = ?, project = ?, updated_at = ? WHERE seq = ?",
        (type_, project, at, seq),
    )


def alias(tx: ReadTx, seq: int, known_at: str | None = None) -> KnownAlias | None:
    """Return the alias with this row number if it was added by ``known_at``."""
    found = tx.map(
        KnownAlias,
        "SELECT seq, entity, alias, canonical, origin, created_at FROM entity_aliases "
        "WHERE seq = ?1 AND (?2 IS NULL OR created_at <= ?2)",
        (seq, known_at),
    )
    return found[0] if found else None


def alias_named(tx: ReadTx, entity: int, canonical: str) -> KnownAlias | None:
    """Return the alias of an entity that has this canonical form."""
    found = tx.map(
        KnownAlias,
        "SELECT seq, entity, alias, canonical, origin, created_at FROM entity_aliases "
        "WHERE canonical = ? AND entity = ?",
        (canonical, entity),
    )
    return found[0] if found else None


def set_alias_origin(tx: WriteTx, seq: int, origin: AliasOrigin) -> None:
    """Replace where an alias comes from; one of the user's outlives the memories that use it."""
    tx.execute("UPDATE entity_aliases SET origin = ? WHERE seq = ?", (origin, seq))


def move_alias(tx: WriteTx, seq: int, entity: int) -> None:
    """Let an alias, with its mentions, name another entity that has none of that name."""
    tx.execute("UPDATE entity_aliases SET entity = ? WHERE seq = ?", (entity, seq))


def restore_alias(tx: WriteTx, was: KnownAlias) -> None:
    """Write an alias again that was deleted, under its row number if that is still free."""
    sql = (
        "INSERT INTO entity_aliases(seq, entity, alias, canonical, origin, created_at) "
        "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
    )
    row = (was.entity, was.alias, was.canonical, was.origin, was.created_at)
    if not tx.execute(sql, (was.seq, *row)):
        tx.execute(sql, (None, *row))


def delete_alias(tx: WriteTx, seq: int) -> None:
    """Delete an alias with its mentions."""
    tx.execute("DELETE FROM entity_aliases WHERE seq = ?", (seq,))


def is_used(tx: ReadTx, alias_seq: int) -> bool:
    """Tell whether a memory, live or forgotten, uses an alias."""
    used = "SELECT EXISTS (SELECT 1 FROM memory_entity_mentions WHERE alias = ?)"
    return bool(tx.count(used, (alias_seq,)))


class AttributePlace(NamedTuple):
    """The row numbers of an attribute's entity and aspect."""

    entity: int
    aspect: int | None


def attribute_place(tx: ReadTx, seq: int) -> AttributePlace:
    """Return below what an attribute hangs; raises LookupError if there is none."""
    sql = "SELECT entity, aspect FROM entity_attributes WHERE seq = ?"
    found = tx.map(AttributePlace, sql, (seq,))
    if not found:
        raise LookupError(f"no attribute {seq}")
    return found[0]


def set_attribute(
    tx: WriteTx,
    seq: int,
    kind: AttributeKind,
    status: AttributeStatus,
    aspect: int | None,
    at: str,
) -> None:
    """Replace what the user may change of an attribute."""
    tx.execute(
        "UPDATE entity_attributes SET kind = ?, status = ?, aspect = ?, origin = 'user', "
        "updated_at = ? WHERE seq = ?",
        (kind, status, aspect, at, seq),
    )


def drop_empty_aspect(tx: WriteTx, seq: int) -> None:
    """Delete an aspect that has no facts any more."""
    tx.execute(
        "DELETE FROM entity_aspects WHERE seq = ?1 AND NOT EXISTS ("
        "SELECT 1 FROM entity_attributes WHERE aspect = ?1)",
        (seq,),
    )

"""SQL on entities, their aliases and their mentions."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from intaglio.domain.entity_kinds import SHARED_TYPES, AliasOrigin, EntityType
from intaglio.graph.linking.values import SURE_FROM
from intaglio.graph.values import Entity, EntityAlias
from intaglio.store.tx import ReadTx, WriteTx

COLUMNS: Final = (
    "e.seq, e.id, e.agent_id, e.project, e.name, e.canonical_name, e.entity_type, e.description, "
    "e.origin, e.mentions, e.pinned, e.pinned_at, e.pin_reason, e.suppressed, e.weight_override, "
    "e.merged_into, e.created_at, e.updated_at"
)
_PINNED, _SUPPRESSED = 10, 13
GROUP: Final = (
    "SELECT seq FROM entities WHERE seq = {0} "
    "UNION ALL SELECT seq FROM entities WHERE merged_into = {0}"
)
"""The row numbers that count as an entity: its own, and those that were merged into it."""

LINKED: Final = (
    "SELECT a.entity AS entity FROM memory_entity_mentions n "
    "JOIN entity_aliases a ON a.seq = n.alias WHERE n.memory = {0} "
    "UNION SELECT entity FROM entity_attributes WHERE memory = {0} AND is_primary = 1 "
    "UNION SELECT entity FROM entity_attributes WHERE memory = {0} AND is_primary = 0"
)
"""The entities, as they were before any merge, that a memory names or says something about."""


class AliasMatch(NamedTuple):
    """An alias that a text may contain, and the entity that it counts as.

    ``owner`` is the entity that has it, which may have been merged into that one.
    """

    alias: int
    canonical: str
    entity: int
    type: EntityType
    project: str | None
    mentions: int
    origin: AliasOrigin
    name: str
    owner: int


class UnsureMention(NamedTuple):
    """A memory that doesn't surely name an entity, such as in code."""

    entity: int
    memory_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityKey:
    """What identifies an entity; ``project`` is None for one that all projects share."""

    agent_id: str
    project: str | None
    canonical: str
    type: EntityType


def entity_of(*columns: object) -> Entity:
    """Build an entity from the columns of `COLUMNS`."""
    values: list[Any] = list(columns)
    for flag in (_PINNED, _SUPPRESSED):
        values[flag] = bool(values[flag])
    return Entity(*values)


def get(tx: ReadTx, entity_id: str) -> Entity | None:
    """Return the entity with this id, merged or not."""
    row = tx.first_row(f"SELECT {COLUMNS} FROM entities e WHERE e.id = ?", (entity_id,))  # noqa: S608 - a constant
    return entity_of(*row) if row else None


def by_seq(tx: ReadTx, seqs: Collection[int]) -> dict[int, Entity]:
    """Return the entities with these row numbers."""
    found = tx.map(
        entity_of,
        f"SELECT {COLUMNS} FROM entities e WHERE e.seq IN (SELECT value FROM json_each(?))",  # noqa: S608 - a constant
        (json.dumps(list(seqs)),),
    )
    return {entity.seq: entity for entity in found}


def with_key(tx: ReadTx, key: EntityKey) -> int | None:
    """Return the row number of the entity with this key; of a merged one, its own."""
    return tx.scalar(
        int,
        "SELECT seq FROM entities WHERE canonical_name = ? AND agent_id = ? "
        "AND ifnull(project, '') = ifnull(?, '') AND entity_type = ?",
        (key.canonical, key.agent_id, key.project, key.type),
    )


def frequent_names(tx: ReadTx, agent_id: str, project: str, limit: int) -> list[str]:
    """Return the names in a project, and of all, that several memories mention; most first.

    They are looked for among the 5,000 most mentioned entities of the store.
    """
    return tx.column(
        str,
        "SELECT name FROM (SELECT name, agent_id, project, mentions FROM entities "
        "WHERE merged_into IS NULL ORDER BY mentions DESC, seq DESC LIMIT 5000) "
        "WHERE agent_id = ? AND (project = ? OR project IS NULL) AND mentions > 1 LIMIT ?",
        (agent_id, project, limit),
    )


def root_of(tx: ReadTx, seq: int) -> int:
    """Return the row number of the entity that this one counts as."""
    return (
        tx.scalar(int, "SELECT ifnull(merged_into, seq) FROM entities WHERE seq = ?", (seq,)) or seq
    )


def group_of(tx: ReadTx, seq: int) -> list[int]:
    """Return the row numbers that count as this entity, its own first."""
    return tx.column(int, GROUP.format("?1"), (seq,))


def insert(tx: WriteTx, entity_id: str, key: EntityKey, name: str, origin: str, at: str) -> int:
    """Write an entity and return its row number."""
    tx.execute(
        "INSERT INTO entities(id, agent_id, project, name, canonical_name, entity_type, origin, "
        "last_seen_at, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?8)",
        (entity_id, key.agent_id, key.project, name, key.canonical, key.type, origin, at),
    )
    return tx.last_row()


def set_type(tx: WriteTx, seq: int, type_: EntityType, at: str) -> None:
    """Replace the type, unless another entity already has this name with that type.

    An entity of a type that all projects share no longer belongs to one.
    """
    tx.execute(
        "UPDATE entities AS e SET entity_type = ?1, project = iif(?4, NULL, project), "
        "updated_at = ?2 WHERE seq = ?3 AND NOT EXISTS (SELECT 1 FROM entities o "
        "WHERE o.canonical_name = e.canonical_name AND o.agent_id = e.agent_id "
        "AND ifnull(o.project, '') = ifnull(iif(?4, NULL, e.project), '') "
        "AND o.entity_type = ?1)",
        (type_, at, seq, type_ in SHARED_TYPES),
    )


def find_aliases(
    tx: ReadTx, canonicals: Collection[str], agent_id: str, project: str | None
) -> list[AliasMatch]:
    """Return what an agent's text may mean: entities of its project, shared ones, and projects."""
    return tx.map(
        AliasMatch,
        "SELECT a.seq, a.canonical, r.seq, r.entity_type, r.project, "
        "iif(r.mentions > 0, r.mentions, r.pinned = 1 OR r.origin = 'user' OR EXISTS ("
        "SELECT 1 FROM memory_entity_mentions n JOIN memories m ON m.seq = n.memory "
        "WHERE n.alias = a.seq AND m.is_deleted = 0)), a.origin, r.name, a.entity "
        "FROM json_each(?) j CROSS JOIN entity_aliases a ON a.canonical = j.value "
        "JOIN entities e ON e.seq = a.entity "
        "JOIN entities r ON r.seq = ifnull(e.merged_into, e.seq) WHERE r.agent_id = ? "
        "AND (r.project IS NULL OR r.project = ? OR r.entity_type = 'project') "
        "ORDER BY a.seq",
        (json.dumps(list(canonicals)), agent_id, project),
    )


def aliases_of(tx: ReadTx, seqs: Collection[int]) -> list[EntityAlias]:
    """Return the aliases of these entities, in the order in which they were added."""
    return tx.map(
        EntityAlias,
        "SELECT seq, entity, alias, canonical, origin FROM entity_aliases "
        "WHERE entity IN (SELECT value FROM json_each(?)) ORDER BY seq",
        (json.dumps(list(seqs)),),
    )


def add_alias(
    tx: WriteTx, entity: int, alias: str, canonical: str, origin: AliasOrigin, at: str
) -> int:
    """Add an alias unless the entity has it; return its row number."""
    added = tx.execute(
        "INSERT INTO entity_aliases(entity, alias, canonical, origin, created_at) "
        "VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (entity, alias, canonical, origin, at),
    )
    if added:
        return tx.last_row()
    same = "SELECT seq FROM entity_aliases WHERE canonical = ? AND entity = ?"
    return tx.scalar(int, same, (canonical, entity)) or 0


def add_mention(
    tx: WriteTx, memory: int, start: int, end: int, alias: int, confidence: float
) -> None:
    """Record that the characters of a memory name an entity by this alias."""
    tx.execute(
        "INSERT INTO memory_entity_mentions(memory, start, end, alias, confidence) "
        "VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (memory, start, end, alias, confidence),
    )


def linked(tx: ReadTx, memory: int) -> list[int]:
    """Return the entities that a memory names or says something about, before any merge."""
    return tx.column(int, LINKED.format("?1"), (memory,))


# What one memory alone names, and not surely, counts as not mentioned.
_MENTIONS: Final = (
    "(SELECT iif(count(*) = 1 AND NOT max(x.sure), 0, count(*)) FROM ("  # noqa: S608 - constants
    "SELECT memory, max(sure) AS sure FROM ("
    f"SELECT n.memory, n.confidence >= {SURE_FROM} AS sure "
    "FROM entity_aliases a JOIN memory_entity_mentions n ON n.alias = a.seq "
    f"WHERE a.entity IN ({GROUP.format('e.seq')}) UNION ALL "
    f"SELECT memory, 1 FROM entity_attributes WHERE entity IN ({GROUP.format('e.seq')})) "
    "GROUP BY memory) x JOIN memories m ON m.seq = x.memory WHERE m.is_deleted = 0)"
)


def count_memory(tx: WriteTx, memory: int, step: int, at: str | None = None) -> None:
    """Count a memory of its entities: ``step`` is 1 when it became live, -1 when it is not.

    It counts once for an entity and all that was merged into it.
    """
    # Counted anew where it matters how sure the mentions are.
    tx.execute(
        f"WITH linked AS ({LINKED.format('?1')}) "  # noqa: S608 - constants
        "UPDATE entities AS e SET mentions = iif(mentions > (?2 < 0) * 2, mentions + ?2, "
        f"{_MENTIONS}), last_seen_at = ifnull(?3, last_seen_at) WHERE seq IN ("
        "SELECT entity FROM linked UNION "
        "SELECT x.merged_into FROM linked JOIN entities x ON x.seq = linked.entity)",
        (memory, step, at),
    )


def count_new_memory(
    tx: WriteTx, entities: Collection[int], at: str, sure_new: Collection[int] = ()
) -> None:
    """Count a new memory of these entities, of which the caller knows that it names them.

    ``sure_new`` are those that were made for it and that it surely names. Pruned ones are shown
    again.
    """
    tx.execute(
        "UPDATE entities AS e SET last_seen_at = ?2, "  # noqa: S608 - constants
        "suppressed = iif(pruned_at IS NULL, suppressed, 0), pruned_at = NULL, mentions = "
        "iif(mentions > 0 OR seq IN (SELECT value FROM json_each(?3)), mentions + 1, "
        f"{_MENTIONS}) WHERE seq IN (SELECT value FROM json_each(?1))",
        (json.dumps(list(entities)), at, json.dumps(list(sure_new))),
    )


def named_unsurely_before(
    tx: ReadTx, entities: Collection[int], memory: int
) -> list[UnsureMention]:
    """Return, of the entities that count as mentioned since this memory, the other live memory.

    It alone named such an entity before, and not surely.
    """
    return tx.map(
        UnsureMention,
        "SELECT DISTINCT e.seq, m.id FROM json_each(?) j CROSS JOIN entities e ON e.seq = j.value "  # noqa: S608 - a constant
        "CROSS JOIN entity_aliases a ON a.entity = e.seq "
        "CROSS JOIN memory_entity_mentions n ON n.alias = a.seq "
        "JOIN memories m ON m.seq = n.memory "
        f"WHERE e.mentions = 2 AND n.confidence < {SURE_FROM} AND n.memory <> ? "
        "AND m.is_deleted = 0",
        (json.dumps(list(entities)), memory),
    )


def unlink(tx: WriteTx, memory: int) -> None:
    """Remove a memory's mentions, and mark what it named for `collection.collect`."""
    tx.execute(
        f"UPDATE entities SET is_stale = 1 WHERE seq IN ({LINKED.format('?1')})",  # noqa: S608 - a constant
        (memory,),
    )
    tx.execute("DELETE FROM memory_entity_mentions WHERE memory = ?", (memory,))


def stale(tx: ReadTx, limit: int) -> list[int]:
    """Return entities of which a memory is gone."""
    return tx.column(int, "SELECT seq FROM entities WHERE is_stale = 1 LIMIT ?", (limit,))


def recount(tx: WriteTx, seqs: Collection[int]) -> None:
    """Count the live memories of entities anew, with those of what was merged into them."""
    tx.execute(
        f"UPDATE entities AS e SET mentions = {_MENTIONS} "  # noqa: S608 - constants
        "WHERE e.seq IN (SELECT value FROM json_each(?))",
        (json.dumps(list(seqs)),),
    )


def set_fresh(tx: WriteTx, seq: int) -> None:
    """Record that an entity was cleaned."""
    tx.execute("UPDATE entities SET is_stale = 0 WHERE seq = ?", (seq,))


def has_memories(tx: ReadTx, seq: int) -> bool:
    """Tell whether any memory, live or forgotten, names the entity or is about it."""
    return bool(
        tx.count(
            "SELECT EXISTS (SELECT 1 FROM entity_attributes WHERE entity = ?1) OR EXISTS ("
            "SELECT 1 FROM entity_aliases a JOIN memory_entity_mentions n ON n.alias = a.seq "
            "WHERE a.entity = ?1)",
            (seq,),
        )
    )


def drop_unused_aliases(tx: WriteTx, seq: int) -> None:
    """Delete the aliases that only texts used and no text uses any more."""
    tx.execute(
        "DELETE FROM entity_aliases WHERE entity = ? AND origin = 'text' "
        "AND NOT EXISTS (SELECT 1 FROM memory_entity_mentions WHERE alias = entity_aliases.seq)",
        (seq,),
    )


def respell_aliases(tx: WriteTx, seq: int) -> None:
    """Spell an alias that the user made the name, and that no text uses, as the user did."""
    tx.execute(
        "UPDATE entity_aliases SET alias = e.name FROM entities e "
        "WHERE e.seq = ? AND entity = e.seq AND canonical = e.canonical_name "
        "AND entity_aliases.origin = 'user' "
        "AND NOT EXISTS (SELECT 1 FROM memory_entity_mentions WHERE alias = entity_aliases.seq)",
        (seq,),
    )


def set_name(tx: WriteTx, seq: int, name: str, canonical: str, at: str) -> None:
    """Rename an entity; the caller has checked that no other one has the key."""
    tx.execute(
        "UPDATE entities SET name = ?, canonical_name = ?, updated_at = ? WHERE seq = ?",
        (name, canonical, at, seq),
    )


def set_merged(tx: WriteTx, seqs: Sequence[int], into: int | None) -> None:
    """Let entities count as another one, or as themselves again."""
    tx.execute(
        "UPDATE entities SET merged_into = ? WHERE seq IN (SELECT value FROM json_each(?))",
        (into, json.dumps(list(seqs))),
    )


def delete(tx: WriteTx, seq: int) -> None:
    """Delete an entity with its aliases, aspects, facts and dependencies."""
    tx.execute("DELETE FROM entities WHERE seq = ?", (seq,))

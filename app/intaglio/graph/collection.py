"""Removes what no memory supports any more: unused names, empty aspects, orphaned entities.

A trigger marks an entity when a memory of it is deleted. Nothing of an erased memory stays in a
name: an entity that only that memory named goes, even if it was pinned. After an ordinary
deletion, entities that are pinned, made by the user, skills or tasks stay (decision 19 on the
seeds; one that bears a constraint still has a memory).
"""

from collections.abc import Sequence
from typing import Final

from intaglio.base.events import Changed
from intaglio.graph import entity_rows as rows
from intaglio.graph import relation_rows, structure_rows
from intaglio.graph.transfer import absorb
from intaglio.graph.values import Entity, EntityAlias
from intaglio.memory.operations import ChangeContext
from intaglio.store.tx import WriteTx

TOPIC: Final = "entity"
_AT_ONCE: Final = 500
_KEPT_TYPES: Final = frozenset({"skill", "task"})


def collect(tx: WriteTx, at: str, *, erased: bool = False, limit: int = _AT_ONCE) -> int:
    """Clean the marked entities and return how many there were.

    With ``erased``, no name stays that only deleted memories used.
    """
    marked = rows.stale(tx, limit)
    # What an entity counts as may have stayed only for it, so that comes after it.
    counted_as = {rows.root_of(tx, seq) for seq in marked}
    for seq in (*sorted(set(marked) - counted_as), *sorted(counted_as)):
        entity = rows.by_seq(tx, (seq,)).get(seq)
        if entity is not None:
            _clean(tx, entity, at, erased=erased)
    if marked:
        tx.publish(Changed(TOPIC, "updated", ()))
    return len(marked)


def erase_names(tx: WriteTx, _: str, context: ChangeContext) -> None:
    """Clean what an erased memory named: a trigger has marked its entities.

    Others may wait for the retention sweep, more than are cleaned at once.
    """
    while collect(tx, context.now, erased=True):
        pass


def _is_kept(entity: Entity) -> bool:
    return entity.pinned or entity.origin == "user" or entity.type in _KEPT_TYPES


def _clean(tx: WriteTx, entity: Entity, at: str, *, erased: bool) -> None:
    structure_rows.drop_unfounded(tx, entity.seq)
    kept = _is_kept(entity) or relation_rows.is_in_messages(tx, entity.seq)
    if erased or not kept:
        rows.drop_unused_aliases(tx, entity.seq)
    if erased:
        rows.respell_aliases(tx, entity.seq)
    rows.set_fresh(tx, entity.seq)
    rows.recount(tx, (entity.seq,))
    names = rows.aliases_of(tx, (entity.seq,))
    kept = kept or rows.has_memories(tx, entity.seq) or _has_merged(tx, entity)
    if not names or not kept:
        _delete(tx, entity, at)
    elif all(name.canonical != entity.canonical_name for name in names):
        _rename(tx, entity, names, at)


def _has_merged(tx: WriteTx, entity: Entity) -> bool:
    return len(rows.group_of(tx, entity.seq)) > 1


def _delete(tx: WriteTx, entity: Entity, at: str) -> None:
    """Delete an entity; what it was merged into, or was merged into it, has what it still had."""
    heir = entity.merged_into or next(iter(rows.group_of(tx, entity.seq)[1:]), None)
    if heir is None:
        structure_rows.hand_over_facts(tx, entity.seq, at)
        rows.delete(tx, entity.seq)
    else:
        absorb(tx, entity.seq, heir, at)


def _rename(tx: WriteTx, entity: Entity, names: Sequence[EntityAlias], at: str) -> None:
    """Give the entity its oldest free name; if others have them all, it becomes one of those."""
    others: list[int] = []
    for name in names:
        key = rows.EntityKey(
            agent_id=entity.agent_id,
            project=entity.project,
            canonical=name.canonical,
            type=entity.type,
        )
        other = rows.with_key(tx, key)
        if other is None:
            rows.set_name(tx, entity.seq, name.alias, name.canonical, at)
            return
        others.append(other)
    absorb(tx, entity.seq, others[0], at)

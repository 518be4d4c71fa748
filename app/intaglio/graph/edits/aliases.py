"""Removes a name from an entity, and gives it back.

A name that memories use must name something: it becomes an entity of its own, or counts as the
entity that has the name already. So the linker doesn't take it for this entity again.
"""

import json

from intaglio.domain.entity_kinds import ENTITY_TYPES, EntityType
from intaglio.graph import entity_rows as rows
from intaglio.graph import transfer_rows as moves
from intaglio.graph.edits import change_rows as changes
from intaglio.graph.edits.change_rows import KnownAlias
from intaglio.graph.edits.context import EditContext, edited
from intaglio.graph.edits.outcomes import (
    AliasOutcome,
    EditRefused,
    EntityEdited,
    NoSuchAlias,
)
from intaglio.graph.edits.split import former_places, give_back, move_facts, refuse_group
from intaglio.graph.transfer_rows import PlacedFact
from intaglio.graph.values import Entity, EntityChange
from intaglio.store.tx import ReadTx, WriteTx


def remove_alias(tx: WriteTx, entity: Entity, seq: int, context: EditContext) -> AliasOutcome:
    """Let an alias no longer name the entity; its own name stays."""
    known = changes.alias(tx, seq)
    group = rows.by_seq(tx, rows.group_of(tx, entity.seq))
    if known is None or known.entity not in group:
        return NoSuchAlias()
    owner = group[known.entity]
    if known.canonical == owner.canonical_name:
        return _refuse_name(known, owner, entity)
    if known.origin == "text" or changes.is_used(tx, seq):
        return _set_apart(tx, entity, owner, known, context)
    # No memory uses it, and none needs to be asked what it was.
    changes.delete_alias(tx, seq)
    detail: dict[str, object] = {
        "alias": seq,
        "text": known.alias,
        "canonical": known.canonical,
        "origin": known.origin,
        "addedAt": known.created_at,
    }
    return edited(tx, entity.seq, context.record(tx, owner.seq, "remove_alias", detail))


def _refuse_name(known: KnownAlias, owner: Entity, entity: Entity) -> EditRefused:
    if owner.seq == entity.seq:
        return EditRefused(f"“{known.alias}” is the entity's name", hint="Rename it first.")
    return EditRefused(
        f"“{known.alias}” is the name of an entity that was merged into this one",
        hint="Undo that merge instead.",
    )


def _set_apart(
    tx: WriteTx, entity: Entity, owner: Entity, known: KnownAlias, context: EditContext
) -> EntityEdited:
    """Make the name an entity of its own, with its mentions."""
    key = _free_key(tx, owner, known.canonical)
    made_id = context.new_id()
    made = rows.insert(tx, made_id, key, known.alias, "linker", context.at)
    changes.move_alias(tx, known.seq, made)
    facts = _facts_to_move(tx, entity, made)
    move_facts(tx, facts, made, context)
    other = _of_that_name(tx, owner, known.canonical, {made, *rows.group_of(tx, entity.seq)})
    rows.set_merged(tx, (made,), other)
    rows.recount(tx, (made, owner.seq, entity.seq, other or made))
    detail: dict[str, object] = {
        "alias": known.seq,
        "made": made_id,
        "facts": former_places(facts),
    }
    change_id = context.record(tx, owner.seq, "remove_alias", detail)
    return edited(tx, entity.seq, change_id, *rows.by_seq(tx, (made,)).values())


def _facts_to_move(tx: ReadTx, entity: Entity, made: int) -> list[PlacedFact]:
    """Return the facts of memories that name the entity in no other way."""
    memories = {each.memory for each in moves.mentions_below(tx, made)}
    still = {each.memory for each in moves.mentions(tx, entity.seq, memories)}
    return moves.facts(tx, entity.seq, memories - still)


def _free_key(tx: ReadTx, owner: Entity, canonical: str) -> rows.EntityKey:
    types: list[EntityType] = ["unknown", *(each for each in ENTITY_TYPES if each != "unknown")]
    keys = [
        rows.EntityKey(
            agent_id=owner.agent_id, project=owner.project, canonical=canonical, type=each
        )
        for each in types
    ]
    return next(key for key in keys if rows.with_key(tx, key) is None)


def _of_that_name(tx: ReadTx, owner: Entity, canonical: str, without: set[int]) -> int | None:
    """Return the most mentioned other entity that has this name, if there is one."""
    found = {
        match.entity: match.mentions
        for match in rows.find_aliases(tx, (canonical,), owner.agent_id, owner.project)
        if match.entity not in without
    }
    named = [
        each.seq for each in rows.by_seq(tx, found).values() if each.canonical_name == canonical
    ]
    return max(named, key=lambda each: (found[each], -each), default=None)


def undo_remove_alias(
    tx: WriteTx, change: EntityChange, context: EditContext
) -> EntityEdited | EditRefused:
    """Give an alias back, with what names its entity by then."""
    detail = json.loads(change.detail)
    root = rows.root_of(tx, change.entity)
    if "text" in detail:
        changes.restore_alias(
            tx,
            KnownAlias(
                detail["alias"],
                change.entity,
                detail["text"],
                detail["canonical"],
                detail["origin"],
                detail["addedAt"],
            ),
        )
        return edited(tx, root)
    made = rows.get(tx, detail["made"])
    known = changes.alias(tx, detail["alias"], change.created_at)
    if made is None or known is None or known.entity != made.seq:
        return EditRefused("The name is gone", hint="No memory uses it any more.")
    refused = refuse_group(tx, made)
    if refused is not None:
        return refused
    if changes.alias_named(tx, change.entity, known.canonical) is None:
        changes.move_alias(tx, known.seq, change.entity)
    give_back(tx, made, change, context, (), detail["facts"])
    return edited(tx, root, None, made)

"""Renames an entity, changes its type, and adds a name to it; each with its undo.

A record refers to names by the row numbers of aliases, so that nothing of an erased memory stays
in it.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from intaglio.domain.entity_kinds import SHARED_TYPES, EntityType
from intaglio.graph import entity_rows as rows
from intaglio.graph.edits import change_rows as changes
from intaglio.graph.edits.change_rows import KnownAlias
from intaglio.graph.edits.context import EditContext, edited
from intaglio.graph.edits.outcomes import (
    AliasOutcome,
    EditRefused,
    EntityEdited,
    NameTaken,
    RenameOutcome,
    UndoOneOutcome,
)
from intaglio.graph.linking.canonical import canonical_name
from intaglio.graph.values import Entity, EntityChange
from intaglio.store.tx import ReadTx, WriteTx

_RENAMED: Final = EditRefused("It has been renamed since", hint="Undo the later change first.")
_NAME_GONE: Final = EditRefused(
    "The former name is gone", hint="The memory that it came from was erased. Rename it instead."
)


def taken(tx: ReadTx, entity: Entity, key: rows.EntityKey, name: str) -> NameTaken | None:
    """Return the other entity that has this key, or what it counts as."""
    found = rows.with_key(tx, key)
    if found is None or found == entity.seq:
        return None
    [other] = rows.by_seq(tx, (rows.root_of(tx, found),)).values()
    return NameTaken(name, other, in_group=other.seq == entity.seq)


def _named(entity: Entity, canonical: str) -> rows.EntityKey:
    return rows.EntityKey(
        agent_id=entity.agent_id, project=entity.project, canonical=canonical, type=entity.type
    )


def identify(
    tx: WriteTx, entity: Entity, name: str | None, type_: EntityType | None, context: EditContext
) -> RenameOutcome:
    """Change the name, the type, or both: either all that is given, or nothing."""
    if name is None:
        return EntityEdited(entity) if type_ is None else retype(tx, entity, type_, context)
    if type_ is None:
        return rename(tx, entity, name, context)
    conflict = _conflict_of(tx, entity, name, type_)
    if conflict is not None:
        return conflict
    typed = retype(tx, entity, type_, context)
    if not isinstance(typed, EntityEdited):
        return typed
    named = rename(tx, typed.entity, name, context)
    if not isinstance(named, EntityEdited):
        return named
    return EntityEdited(named.entity, named.change_id or typed.change_id)


def _conflict_of(tx: ReadTx, entity: Entity, name: str, type_: EntityType) -> NameTaken | None:
    project = None if type_ in SHARED_TYPES else entity.project
    for each in (entity.name, name):
        key = rows.EntityKey(
            agent_id=entity.agent_id, project=project, canonical=canonical_name(each), type=type_
        )
        found = taken(tx, entity, key, each)
        if found is not None:
            return found
    return None


def rename(tx: WriteTx, entity: Entity, name: str, context: EditContext) -> RenameOutcome:
    """Give an entity another name; the old one stays one of its aliases."""
    canonical = canonical_name(name)
    if name == entity.name:
        return EntityEdited(entity)
    conflict = taken(tx, entity, _named(entity, canonical), name)
    if conflict is not None:
        return conflict
    former = changes.alias_named(tx, entity.seq, entity.canonical_name)
    detail: dict[str, object] = {"updatedAt": entity.updated_at}
    if former is None:
        was = rows.add_alias(tx, entity.seq, entity.name, entity.canonical_name, "text", context.at)
        detail["from"] = was
    else:
        detail["from"] = former.seq
        if former.alias != entity.name:
            # The user spelled the name in another way than memories do.
            detail["fromSpelling"] = entity.name
    detail |= _claim_alias(tx, entity.seq, name, canonical, context.at)
    rows.set_name(tx, entity.seq, name, canonical, context.at)
    return edited(tx, entity.seq, context.record(tx, entity.seq, "rename", detail))


def _claim_alias(tx: WriteTx, entity: int, name: str, canonical: str, at: str) -> dict[str, object]:
    """Make a name one of the user's, and return what undoing it needs."""
    known = changes.alias_named(tx, entity, canonical)
    if known is None:
        return {"alias": rows.add_alias(tx, entity, name, canonical, "user", at), "made": True}
    changes.set_alias_origin(tx, known.seq, "user")
    return {"alias": known.seq, "origin": known.origin}


def _release_alias(tx: WriteTx, known: KnownAlias, detail: Mapping[str, Any]) -> None:
    """Make a name what it was before the user claimed it."""
    if not detail.get("made"):
        if known.origin == "user":
            changes.set_alias_origin(tx, known.seq, detail["origin"])
    elif changes.is_used(tx, known.seq):
        # Memories use it by now.
        changes.set_alias_origin(tx, known.seq, "text")
    else:
        changes.delete_alias(tx, known.seq)


def undo_rename(tx: WriteTx, change: EntityChange, context: EditContext) -> UndoOneOutcome:
    """Give an entity its former name."""
    detail = json.loads(change.detail)
    [entity] = rows.by_seq(tx, (change.entity,)).values()
    to = changes.alias(tx, detail["alias"], change.created_at)
    if to is None or to.entity != entity.seq or to.canonical != entity.canonical_name:
        return _RENAMED
    former = changes.alias(tx, detail["from"], change.created_at)
    if former is None or former.entity != entity.seq:
        return _NAME_GONE
    name = detail.get("fromSpelling", former.alias)
    conflict = taken(tx, entity, _named(entity, former.canonical), name)
    if conflict is not None:
        return conflict
    untouched = entity.updated_at == change.created_at
    at = detail["updatedAt"] if untouched else context.at
    rows.set_name(tx, entity.seq, name, former.canonical, at)
    _release_alias(tx, to, detail)
    return edited(tx, rows.root_of(tx, entity.seq))


def retype(tx: WriteTx, entity: Entity, type_: EntityType, context: EditContext) -> RenameOutcome:
    """Change what an entity is; tools, people and the like are shared by all projects."""
    if type_ == entity.type:
        return EntityEdited(entity)
    project = None if type_ in SHARED_TYPES else entity.project
    conflict = _set_type(tx, entity, type_, project, context.at)
    if conflict is not None:
        return conflict
    detail: dict[str, object] = {
        "type": entity.type,
        "project": entity.project,
        "to": type_,
        "updatedAt": entity.updated_at,
    }
    return edited(tx, entity.seq, context.record(tx, entity.seq, "retype", detail))


def _set_type(
    tx: WriteTx, entity: Entity, type_: EntityType, project: str | None, at: str
) -> NameTaken | None:
    key = rows.EntityKey(
        agent_id=entity.agent_id, project=project, canonical=entity.canonical_name, type=type_
    )
    conflict = taken(tx, entity, key, entity.name)
    if conflict is None:
        changes.set_type(tx, entity.seq, type_, project, at)
    return conflict


def undo_retype(tx: WriteTx, change: EntityChange, context: EditContext) -> UndoOneOutcome:
    """Give an entity its former type and scope."""
    detail = json.loads(change.detail)
    [entity] = rows.by_seq(tx, (change.entity,)).values()
    if entity.type != detail["to"]:
        return EditRefused("Its type has been changed since", hint="Undo the later change first.")
    untouched = entity.updated_at == change.created_at
    at = detail["updatedAt"] if untouched else context.at
    conflict = _set_type(tx, entity, detail["type"], detail["project"], at)
    return conflict or edited(tx, rows.root_of(tx, entity.seq))


def add_alias(tx: WriteTx, entity: Entity, alias: str, context: EditContext) -> AliasOutcome:
    """Add another name to an entity; texts that use it name the entity from now on."""
    canonical = canonical_name(alias)
    names = rows.aliases_of(tx, rows.group_of(tx, entity.seq))
    known = any(each.canonical == canonical and each.origin == "user" for each in names)
    if known or canonical == entity.canonical_name:
        return EntityEdited(entity)
    conflict = taken(tx, entity, _named(entity, canonical), alias)
    if conflict is not None and not conflict.in_group:
        return conflict
    detail = _claim_alias(tx, entity.seq, alias, canonical, context.at)
    return edited(tx, entity.seq, context.record(tx, entity.seq, "add_alias", detail))


def undo_add_alias(tx: WriteTx, change: EntityChange) -> EntityEdited | EditRefused:
    """Remove a name that the user added, unless memories use it by now."""
    detail = json.loads(change.detail)
    [entity] = rows.by_seq(tx, (change.entity,)).values()
    known = changes.alias(tx, detail["alias"], change.created_at)
    if known is None or known.entity != entity.seq:
        return EditRefused("The name is already gone", hint="There is nothing left to undo.")
    if known.canonical == entity.canonical_name:
        return EditRefused("It has become the entity's name since", hint="Rename the entity first.")
    _release_alias(tx, known, detail)
    return edited(tx, rows.root_of(tx, entity.seq))

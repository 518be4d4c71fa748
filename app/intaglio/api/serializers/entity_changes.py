"""From the outcomes of the user's changes of the graph to replies, errors and sentences."""

import json
from typing import Final

from intaglio.api.serializers.convert import convert
from intaglio.api.serializers.knowledge import entity_row
from intaglio.base.errors import ConflictError, IntaglioError, InvalidInputError, NotFoundError
from intaglio.graph import entity_rows
from intaglio.graph.background.resolution import CHANGED_BY
from intaglio.graph.edits import change_rows
from intaglio.graph.edits.outcomes import (
    EditOutcome,
    EditProblem,
    EditRefused,
    EntityEdited,
    NameTaken,
    NoSuchAlias,
    NoSuchChange,
    NoSuchEntity,
    NotItsMemories,
)
from intaglio.graph.values import EntityChange
from intaglio.store.tx import ReadTx
from intaglio.wire import knowledge as wire

_MOST_IDS: Final = 20
_GONE: Final = "an erased entity"


def edited_entity(outcome: EditOutcome) -> EntityEdited:
    """Return what was changed; raises NotFoundError, ConflictError or InvalidInputError."""
    if isinstance(outcome, EntityEdited):
        return outcome
    raise _problem(outcome)


def change_reply(outcome: EditOutcome) -> wire.EntityChangeReply:
    """Return the reply for a change; raises as `edited_entity` does."""
    done = edited_entity(outcome)
    return wire.EntityChangeReply(change_id=done.change_id, entity=entity_row(done.entity))


def _problem(outcome: EditProblem) -> IntaglioError:
    match outcome:
        case NoSuchEntity():
            return NotFoundError(
                "Entity not found", hint="It may be gone with the last memory that named it."
            )
        case NameTaken():
            return _name_taken(outcome)
        case NotItsMemories(entity=entity, memory_ids=ids):
            return InvalidInputError(
                f"“{entity.name}” isn't named in {len(ids)} of these memories",
                hint="Choose from GET /api/knowledge/entities/{id}/memories.",
                memoryIds=list(ids[:_MOST_IDS]),
            )
        case NoSuchAlias():
            return NotFoundError("Name not found", hint="It may already have been removed.")
        case NoSuchChange():
            return NotFoundError("Change not found", hint="It may be gone with its entity.")
        case EditRefused(reason=reason, hint=hint):
            return ConflictError(reason, hint=hint)


def _name_taken(outcome: NameTaken) -> ConflictError:
    if outcome.in_group:
        return ConflictError(
            f"“{outcome.name}” is the name of an entity that was merged into this one",
            hint="Undo that merge, then merge the other way round.",
            entityId=outcome.other.id,
        )
    return ConflictError(
        f"There is another {outcome.other.type} named “{outcome.name}”",
        hint=f"If “{outcome.other.name}” is the same, merge them.",
        entityId=outcome.other.id,
        entityName=outcome.other.name,
    )


def change_row(tx: ReadTx, change: EntityChange) -> wire.EntityChangeRow:
    """Return a change as the API shows it."""
    return convert(change, wire.EntityChangeRow, summary=_summary(tx, change))


def _summary(tx: ReadTx, change: EntityChange) -> str:
    detail = json.loads(change.detail)
    match change.kind:
        case "merge":
            merged = entity_rows.by_seq(tx, (change.entity,)).get(change.entity)
            name = merged.name if merged else _GONE
            how = " because their names are similar" if change.changed_by == CHANGED_BY else ""
            return f"Merged {name} into {_entity(tx, detail['into'])}{how}"
        case "split":
            count = detail["count"]
            memories = "1 memory" if count == 1 else f"{count} memories"
            return f"Split off {memories} as {_alias(tx, detail['alias'], change)}"
        case "rename":
            was = detail.get("fromSpelling") or _alias(tx, detail["from"], change)
            return f"Renamed {was} to {_alias(tx, detail['alias'], change)}"
        case "retype":
            return f"Changed the type from {detail['type']} to {detail['to']}"
        case "add_alias":
            return f"Added the name {_alias(tx, detail['alias'], change)}"
        case "remove_alias":
            return f"Removed the name {detail.get('text') or _alias(tx, detail['alias'], change)}"


def _entity(tx: ReadTx, entity_id: str) -> str:
    found = entity_rows.get(tx, entity_id)
    return found.name if found else _GONE


def _alias(tx: ReadTx, seq: int, change: EntityChange) -> str:
    found = change_rows.alias(tx, seq, change.created_at)
    return found.alias if found else _GONE

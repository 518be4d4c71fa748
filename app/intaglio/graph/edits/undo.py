"""Undoes a change of an entity, as far as what has happened since allows."""

from intaglio.domain.reader import Reader
from intaglio.graph import entity_rows as rows
from intaglio.graph.edits import aliases, merge, names, split
from intaglio.graph.edits import change_rows as changes
from intaglio.graph.edits.context import EditContext
from intaglio.graph.edits.outcomes import (
    EditRefused,
    EntityEdited,
    NoSuchChange,
    UndoChangeOutcome,
)
from intaglio.graph.values import EntityChange
from intaglio.graph.visibility_rows import is_own
from intaglio.store.tx import ReadTx, WriteTx


def undo(tx: WriteTx, change_id: str, reader: Reader, context: EditContext) -> UndoChangeOutcome:
    """Undo a change of an entity of the reader's own."""
    change = changes.get(tx, change_id)
    if change is None or not _is_own_change(tx, change, reader):
        return NoSuchChange()
    if change.undone_at is not None:
        return EditRefused("This change was already undone", hint="There is nothing left to undo.")
    outcome = _undo(tx, change, context)
    if isinstance(outcome, EntityEdited):
        changes.set_undone(tx, change.seq, context.at)
    return outcome


def _is_own_change(tx: ReadTx, change: EntityChange, reader: Reader) -> bool:
    entity = rows.by_seq(tx, (change.entity,)).get(change.entity)
    if entity is None:
        return False
    # Also one of which nothing is left to show.
    return is_own(entity, reader)


def _undo(tx: WriteTx, change: EntityChange, context: EditContext) -> UndoChangeOutcome:
    match change.kind:
        case "merge":
            return merge.undo_merge(tx, change)
        case "split":
            return split.undo_split(tx, change, context)
        case "rename":
            return names.undo_rename(tx, change, context)
        case "retype":
            return names.undo_retype(tx, change, context)
        case "add_alias":
            return names.undo_add_alias(tx, change)
        case "remove_alias":
            return aliases.undo_remove_alias(tx, change, context)

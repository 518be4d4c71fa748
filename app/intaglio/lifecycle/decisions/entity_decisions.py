"""The user's decision that two entities of the inbox are one, and its undoing."""

from typing import Final

from intaglio.graph import entity_rows as rows
from intaglio.graph.edits import change_rows, undo
from intaglio.graph.edits.context import EditContext
from intaglio.graph.edits.merge import merge
from intaglio.graph.edits.outcomes import EditRefused, EntityEdited
from intaglio.graph.values import Entity
from intaglio.inbox.values import InboxItem
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.store.tx import ReadTx, WriteTx

_Why = tuple[str, str]
"""Why a decision isn't possible, and what to do instead."""

_GONE: Final = ("One of the entities no longer exists", "Keep them apart.")


def merge_entities(
    tx: WriteTx, item: InboxItem, audit: Audit, context: ChangeContext
) -> _Why | None:
    """Let the less mentioned entity count as the other one; return why not if that's impossible."""
    pair = _roots(tx, item)
    if pair is None:
        return _GONE
    one, other = pair
    if one.seq == other.seq:
        return None
    less, more = sorted(pair, key=lambda each: (each.pinned, each.mentions, -each.seq))
    outcome = merge(tx, less, more, _edit_context(audit, context))
    match outcome:
        case EntityEdited():
            return None
        case EditRefused(reason=reason, hint=hint):
            return reason, hint
        case _:
            return _GONE


def undo_merge(tx: WriteTx, item: InboxItem, audit: Audit, context: ChangeContext) -> _Why | None:
    """Take back the merge that a decision made; nothing is left to do if it was undone before."""
    if item.action != "merge":
        return None
    pair = _roots(tx, item)
    if pair is None:
        return _GONE
    if pair[0].seq != pair[1].seq:
        return None
    ids = (item.entity_id or "", item.other_entity_id or "")
    merged = [entity.seq for each in ids if (entity := rows.get(tx, each))]
    merges = change_rows.active_merges(tx, merged)
    if not merges:
        return "They were merged in another way", "Undo that on the entity's page."
    outcome = undo.undo(tx, merges[-1].id, audit.reader, _edit_context(audit, context))
    if isinstance(outcome, EditRefused):
        return outcome.reason, outcome.hint
    return None


def _roots(tx: ReadTx, item: InboxItem) -> tuple[Entity, Entity] | None:
    """Return what the two entities count as now."""
    found: list[Entity] = []
    for entity_id in (item.entity_id, item.other_entity_id):
        entity = rows.get(tx, entity_id) if entity_id else None
        if entity is None:
            return None
        root = rows.root_of(tx, entity.seq)
        found += rows.by_seq(tx, (root,)).values()
    return (found[0], found[1]) if len(found) > 1 else None


def _edit_context(audit: Audit, context: ChangeContext) -> EditContext:
    return EditContext(context.now, context.new_id, audit.actor.name)

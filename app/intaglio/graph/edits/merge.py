"""Merges an entity into another one, and takes that back.

A merged entity stays as it is and counts as the other one. Groups are flat: what had been merged
into it counts as the other one too. Which entity was merged into which is read from the changes
that weren't undone, so that merges can be undone in any order.
"""

import json
from collections.abc import Collection

from intaglio.graph import entity_rows as rows
from intaglio.graph.edits import change_rows as changes
from intaglio.graph.edits.context import EditContext, edited
from intaglio.graph.edits.outcomes import EditRefused, EntityEdited, MergeOutcome
from intaglio.graph.values import Entity, EntityChange
from intaglio.store.tx import WriteTx


def merge(tx: WriteTx, entity: Entity, into: Entity, context: EditContext) -> MergeOutcome:
    """Let an entity count as another one; neither is merged itself."""
    if entity.seq == into.seq:
        return EditRefused("They are already one entity", hint="Choose another entity.")
    if entity.agent_id != into.agent_id:
        return EditRefused(
            "These entities belong to different agents",
            hint="Only entities of one agent can be merged.",
        )
    group = rows.group_of(tx, entity.seq)
    moved = rows.by_seq(tx, group[1:])
    rows.set_merged(tx, group, into.seq)
    rows.recount(tx, (entity.seq, into.seq))
    detail: dict[str, object] = {"into": into.id, "moved": [each.id for each in moved.values()]}
    change_id = context.record(tx, entity.seq, "merge", detail)
    return edited(tx, into.seq, change_id, entity)


def undo_merge(tx: WriteTx, change: EntityChange) -> EntityEdited | EditRefused:
    """Let a merged entity, and what had been merged into it, count as itself again."""
    root = rows.root_of(tx, change.entity)
    if root == change.entity:
        return EditRefused("It is no longer merged", hint="There is nothing left to undo.")
    group = rows.by_seq(tx, rows.group_of(tx, root))
    merges = changes.active_merges(tx, group)
    if [each.seq for each in merges if each.entity == change.entity][-1:] != [change.seq]:
        return EditRefused("It has been merged again since", hint="Undo the later merge.")
    below = _below(change.entity, group, merges)
    rows.set_merged(tx, below, change.entity)
    rows.set_merged(tx, (change.entity,), None)
    rows.recount(tx, (change.entity, root))
    return edited(tx, change.entity, None, group[root])


def _below(seq: int, group: dict[int, Entity], merges: Collection[EntityChange]) -> list[int]:
    """Return the members of a group that were merged into this one, directly or not."""
    numbers = {entity.id: each for each, entity in group.items()}
    parents: dict[int, int] = {}
    for each in merges:
        detail = json.loads(each.detail)
        parents[each.entity] = numbers.get(detail["into"], 0)
        for moved in detail["moved"]:
            # Its own merge tells more, but that record may have expired.
            if moved in numbers:
                parents.setdefault(numbers[moved], each.entity)
    return [each for each in group if each != seq and seq in _path(each, parents)]


def _path(seq: int, parents: dict[int, int]) -> list[int]:
    path = [seq]
    while (parent := parents.get(path[-1])) is not None and parent not in path:
        path.append(parent)
    return path

"""Gives the entities of a project to another one, and takes that back."""

from dataclasses import dataclass

from intaglio.base.agents.reader import USER
from intaglio.base.events import Changed
from intaglio.graph import entity_rows as rows
from intaglio.graph.collection import TOPIC
from intaglio.graph.edits import project_rows as projects
from intaglio.graph.edits.context import EditContext
from intaglio.graph.edits.merge import merge
from intaglio.graph.edits.outcomes import EntityEdited
from intaglio.graph.edits.undo import undo
from intaglio.store.tx import WriteTx


@dataclass(frozen=True, slots=True)
class MovedEntities:
    """The entities that were moved, and the changes that merged others into those of the target."""

    ids: tuple[str, ...] = ()
    merges: tuple[str, ...] = ()


def give_entities(tx: WriteTx, project: str, target: str, context: EditContext) -> MovedEntities:
    """Give a project's entities to another one; what both have becomes one entity."""
    ids = projects.give(tx, projects.entities_of(tx, project), project, target)
    merges: list[str] = []
    for seq, other in projects.same_keys(tx, project, target):
        pair = rows.by_seq(tx, (seq, rows.root_of(tx, other)))
        if rows.root_of(tx, seq) == seq and len(pair) == 2:  # noqa: PLR2004 - both
            outcome = merge(tx, pair[seq], pair[rows.root_of(tx, other)], context)
            if isinstance(outcome, EntityEdited) and outcome.change_id is not None:
                merges.append(outcome.change_id)
    if ids:
        tx.publish(Changed(TOPIC, "updated", ()))
    return MovedEntities(tuple(ids), tuple(merges))


def return_entities(
    tx: WriteTx,
    moved: MovedEntities,
    project: str,
    target: str,
    context: EditContext,
) -> None:
    """Give entities back that a project got; merges that changed since stay."""
    for change_id in reversed(moved.merges):
        undo(tx, change_id, USER, context)
    if projects.give(tx, moved.ids, target, project):
        tx.publish(Changed(TOPIC, "updated", ()))

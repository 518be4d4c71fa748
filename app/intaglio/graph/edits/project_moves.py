"""Gives the entities of a project to another one, and takes that back."""

from dataclasses import dataclass

from intaglio.base.events import Changed
from intaglio.domain.reader import USER
from intaglio.graph import entity_rows as rows
from intaglio.graph.collection import TOPIC
from intaglio.graph.edits import project_rows as projects
from intaglio.graph.edits.context import EditContext
from intaglio.graph.edits.merge import merge
from intaglio.graph.edits.outcomes import EntityEdited
from intaglio.graph.edits.undo import undo
from intaglio.graph.linking.canonical import canonical_name
from intaglio.projects.names import display_name
from intaglio.store.tx import WriteTx


@dataclass(frozen=True, slots=True)
class MovedEntities:
    """The entities that were moved, and the changes that merged others into those of the target."""

    ids: tuple[str, ...] = ()
    merges: tuple[str, ...] = ()


def give_entities(tx: WriteTx, project: str, target: str, context: EditContext) -> MovedEntities:
    """Give a project's entities to another one; what both have becomes one entity."""
    ids = projects.give(tx, projects.entities_of(tx, project), project, target)
    pairs = [*projects.same_keys(tx, project, target), *_project_itself(tx, project, target)]
    merges = [made for pair in pairs if (made := _merge(tx, *pair, context)) is not None]
    if ids:
        tx.publish(Changed(TOPIC, "updated", ()))
    return MovedEntities(tuple(ids), tuple(merges))


def _project_itself(tx: WriteTx, project: str, target: str) -> list[tuple[int, int]]:
    """Pair the entities in the target that stand for the former and for the present project."""
    former, present = (canonical_name(display_name(key)) for key in (project, target))
    if former == present:
        return []
    own = {agent: seq for seq, agent in projects.named_after(tx, target, present)}
    given = projects.named_after(tx, target, former)
    return [(seq, own[agent]) for seq, agent in given if agent in own]


def _merge(tx: WriteTx, seq: int, other: int, context: EditContext) -> str | None:
    """Let an entity count as another one; return the change, None if it counts as one already."""
    root = rows.root_of(tx, other)
    pair = rows.by_seq(tx, (seq, root))
    if rows.root_of(tx, seq) != seq or root == seq or len(pair) != len({seq, root}):
        return None
    outcome = merge(tx, pair[seq], pair[root], context)
    return outcome.change_id if isinstance(outcome, EntityEdited) else None


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

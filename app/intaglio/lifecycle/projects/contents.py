"""Gives everything of a project to another one, and takes it back; in transactions.

The memories' part may be long, so it runs in batches; each other package's rows are few.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from intaglio.commits import project_rows as commits
from intaglio.embedding import rows as vectors
from intaglio.graph.edits.context import EditContext
from intaglio.graph.edits.project_moves import MovedEntities, give_entities, return_entities
from intaglio.graph.edits.project_rows import entities_of
from intaglio.inbox import project_rows as inbox
from intaglio.memory import operations
from intaglio.memory import project_rows as memories
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.project_rows import BulkMove, TwinMemories
from intaglio.memory.replacement import hand_over
from intaglio.memory.values import Actor, Change, Done
from intaglio.projects import settings_rows as project_settings
from intaglio.projects.values import ProjectChange
from intaglio.sessions import project_rows as sessions
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.transcripts import rows as transcripts

_EVER: Final = timedelta(days=36_500)
_TWIN: Final = "its project was merged with another one that has the same memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectHoldings:
    """How much a project has; ``twins`` are the memories that the other project has too."""

    memories: int
    forgotten: int
    sessions: int
    open_items: int
    entities: int
    settings: int = 0
    twins: int = 0

    @property
    def has_memories(self) -> bool:
        """Whether it has what a session can be told, or what waits for a decision."""
        return self.memories > 0 or self.open_items > 0

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing at all."""
        others = self.forgotten or self.sessions or self.entities or self.settings
        return not (self.has_memories or others)


def inventory(tx: ReadTx, project: str, target: str | None = None) -> ProjectHoldings:
    """Count what a project has, and what of it another one has too."""
    live, forgotten = memories.count_all(tx, project)
    return ProjectHoldings(
        memories=live,
        forgotten=forgotten,
        sessions=sessions.count(tx, project),
        open_items=inbox.count_open(tx, project),
        entities=len(entities_of(tx, project)),
        settings=project_settings.count(tx, project),
        twins=len(twins_of(tx, project, target)) if target else 0,
    )


def twins_of(tx: ReadTx, project: str, target: str) -> list[TwinMemories]:
    """Return the live memories that both projects have, each with the other project's."""
    # A memory may have two twins, one by its content and one by its source.
    found = memories.twins(tx, project, target) if memories.has_live(tx, target) else []
    return list({each.id: each for each in found}.values())


def give_rest(
    tx: WriteTx, to: BulkMove, actor: Actor, context: ChangeContext
) -> dict[str, list[object]]:
    """Give all but the memories to another project; return what undoing needs."""
    shared = memories.shared_sessions(tx, to.project, to.target)
    numbers = sessions.sessions_of(tx, to.project)
    said = sessions.statements_of(tx, to.project)
    considered = sessions.considered_of(tx, to.project)
    items = inbox.items_of(tx, to.project)
    talks = transcripts.of_project(tx, to.project)
    sessions.give_sessions(tx, numbers, to.project, to.target, to.at)
    sessions.give_statements(tx, said, to.project, to.target, to.at)
    sessions.give_considered(tx, considered, to.project, to.target, to.at)
    inbox.give(tx, items, to.project, to.target)
    transcripts.give(tx, talks, to.project, to.target, to.at)
    commits.give_choices(tx, to.project, to.target)
    settings = project_settings.give(tx, to.project, to.target)
    edit = EditContext(to.at, context.new_id, actor.name)
    moved = give_entities(tx, to.project, to.target, edit)
    return {
        "shared": [*shared],
        "sessions": [*numbers],
        "statements": [*said],
        "considered": [*considered],
        "items": [*items],
        "transcripts": [*talks],
        "entities": [*moved.ids],
        "merges": [*moved.merges],
        "settings": [*settings],
    }


def forget_twins(
    tx: WriteTx, twins: Sequence[TwinMemories], to: BulkMove, context: ChangeContext
) -> list[list[object]]:
    """Forget memories that the other project has too; return what `restore_twins` needs.

    One of both is left, which is pinned if either was. Those that have changed since they were
    listed stay.
    """
    audit = Audit(to.actor, _TWIN)
    return [
        [each.id, each.pinned, each.other_id, each.other_pinned]
        for each in twins
        if memories.are_twins(tx, each, to) and _forget_twin(tx, each, audit, context)
    ]


def restore_twins(
    tx: WriteTx, twins: Sequence[Sequence[Any]], actor: Actor, context: ChangeContext
) -> None:
    """Restore what `forget_twins` forgot, as far as it is still forgotten."""
    audit = Audit(actor, "the merge of its project was undone")
    for id_, pinned, other_id, other_pinned in twins:
        recovered = operations.recover(tx, id_, audit, context, _EVER)
        if pinned and isinstance(recovered, Done):
            operations.modify(tx, id_, Change(pinned=True), audit, context)
            if not other_pinned:
                operations.modify(tx, other_id, Change(pinned=False), audit, context)


def _forget_twin(tx: WriteTx, twin: TwinMemories, audit: Audit, context: ChangeContext) -> bool:
    if twin.pinned:
        operations.modify(tx, twin.id, Change(pinned=False), audit, context)
        if not twin.other_pinned:
            operations.modify(tx, twin.other_id, Change(pinned=True), audit, context)
    hand_over(tx, twin.id, twin.other_id)
    return isinstance(operations.forget(tx, twin.id, audit, context), Done)


def settle_vectors(tx: WriteTx, to: BulkMove, shared: Sequence[str]) -> None:
    """Drop the vectors of conversations of which both projects have, or had, a part."""
    listed = {*shared, *memories.shared_sessions(tx, to.target, to.project)}
    for project in (to.project, to.target):
        vectors.drop_of_sessions(tx, project, sorted(listed))


def returnable(tx: ReadTx, change: ProjectChange) -> list[int]:
    """Return the row numbers of the memories that a change moved and that can go back.

    Those whose former project has the same again stay, as do those that were moved on.
    """
    if change.target is None:
        return []
    stay = {each.id for each in twins_of(tx, change.target, change.project)}
    return [seq for seq, id_ in memories.moved_by(tx, change.id, change.target) if id_ not in stay]


def return_rest(
    tx: WriteTx, change: ProjectChange, to: BulkMove, actor: Actor, context: ChangeContext
) -> None:
    """Take back all but the memories, as far as it still is where a change put it."""
    detail: dict[str, Any] = json.loads(change.detail)
    numbers: Sequence[int] = detail.get("sessions", ())
    sessions.give_sessions(tx, numbers, to.project, to.target, change.created_at)
    said: Sequence[int] = detail.get("statements", ())
    sessions.give_statements(tx, said, to.project, to.target, change.created_at)
    considered: Sequence[int] = detail.get("considered", ())
    sessions.give_considered(tx, considered, to.project, to.target, change.created_at)
    inbox.give(tx, detail.get("items", ()), to.project, to.target)
    talks: Sequence[int] = detail.get("transcripts", ())
    transcripts.give(tx, talks, to.project, to.target, change.created_at)
    given: Sequence[Sequence[object]] = detail.get("settings", ())
    project_settings.take_back(tx, given, to.target, to.project)
    edit = EditContext(to.at, context.new_id, actor.name)
    moved = MovedEntities(tuple(detail.get("entities", ())), tuple(detail.get("merges", ())))
    return_entities(tx, moved, to.target, to.project, edit)

"""The user's changes of whole projects: move, merge, rename, archive, and undoing each."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Final

from intaglio.base.clock import parse_moment
from intaglio.base.errors import ConflictError, InvalidInputError, NotFoundError, UnavailableError
from intaglio.base.events import Changed
from intaglio.lifecycle.projects import contents
from intaglio.lifecycle.projects.contents import ProjectHoldings
from intaglio.memory import project_rows as memories
from intaglio.memory.operations import ChangeContext
from intaglio.memory.project_rows import BulkMove
from intaglio.memory.values import Actor
from intaglio.projects import rows
from intaglio.projects.names import display_name
from intaglio.projects.values import (
    KnownProject,
    NewProjectChange,
    ProjectChange,
    ProjectChangeKind,
)
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx

TOPIC: Final = "projects"
# Memories moved in one transaction: about 40 ms.
_BATCH: Final = 1_000
_REASON: Final = {"move": "its project moved", "merge": "its project was merged"}
_BY_ITSELF: Final = Actor("Intaglio", "daemon")


@dataclass(frozen=True, slots=True)
class ProjectEdits:
    """Changes whole projects; ``history_days`` is how long memories' history is kept, 0 forever."""

    db: Database
    context: ChangeContext
    frozen: Callable[[], bool]
    history_days: Callable[[], int]

    async def preview(self, project: str, target: str | None) -> ProjectHoldings:
        """Count what a project has, and what of it ``target`` has too; nothing is written."""
        return await self.db.read(lambda tx: contents.inventory(tx, project, target))

    async def move(
        self,
        kind: ProjectChangeKind,
        project: str,
        target: str,
        actor: Actor,
        *,
        is_detected: bool = False,
    ) -> ProjectChange:
        """Give everything of a project to another one: its memories, sessions, inbox and entities.

        A thousand memories share a transaction; a move that is interrupted goes on at the next
        start. Raises NotFoundError if there is nothing, and UnavailableError while writes are
        frozen.
        """
        self._check()
        new = NewProjectChange(
            id=self.context.new_id(),
            kind=kind,
            project=project,
            target=target,
            by=actor.name,
            is_detected=is_detected,
        )
        to = BulkMove(new.id, project, target, actor, self.context.now, _REASON[kind])
        numbers = await self.db.read(lambda tx: memories.numbers_of(tx, project))

        def begin(tx: WriteTx) -> int:
            found = contents.inventory(tx, project)
            if found.is_empty:
                raise NotFoundError(
                    f"{display_name(project)} has nothing to move",
                    hint="List the projects to see which have memories.",
                )
            rows.insert(tx, new, to.at, {})
            rows.set_running(tx, new.id, is_running=True)
            detail: dict[str, object] = {**contents.give_rest(tx, to, actor, self.context)}
            detail |= {"memories": found.memories} | self._carry_name(tx, project, target)
            rows.set_detail(tx, new.id, detail)
            return found.memories

        return await self._transfer(new.id, numbers, to, begin)

    def _carry_name(self, tx: WriteTx, project: str, target: str) -> dict[str, object]:
        """Give a project's own name to the target, unless that has one; return what it had."""
        known = rows.known(tx)
        old = known.get(project, KnownProject(key=project))
        new = known.get(target, KnownProject(key=target))
        if old.display_name is not None and new.display_name is None:
            rows.set_display_name(tx, target, old.display_name)
            rows.set_display_name(tx, project, None)
            return {"name": old.display_name}
        return {}

    async def _transfer(
        self,
        change_id: str,
        numbers: Sequence[int],
        to: BulkMove,
        begin: Callable[[WriteTx], object],
        finish: Callable[[WriteTx], object] = lambda _: None,
    ) -> ProjectChange:
        """Move memories in batches.

        ``begin`` runs first, in the first one's transaction, and ``finish`` in the last one's.
        """

        def work(tx: WriteTx, start: int) -> ProjectChange:
            if start == 0:
                begin(tx)
            memories.give_memories(tx, numbers[start : start + _BATCH], to)
            change = rows.change(tx, change_id)
            if change is None:
                raise LookupError(f"no change {change_id}")
            if start + _BATCH >= len(numbers):
                finish(tx)
                shared = json.loads(change.detail).get("shared", ())
                contents.settle_vectors(tx, to, shared)
                rows.set_running(tx, change_id, is_running=False)
                tx.publish(Changed("memory", "updated", ()))
                tx.publish(Changed(TOPIC, "updated", (change_id,)))
            return change

        change = await self.db.write(partial(work, start=0))
        for start in range(_BATCH, len(numbers), _BATCH):
            change = await self.db.write(partial(work, start=start))
        return change

    async def rename(self, project: str, name: str | None, actor: Actor) -> ProjectChange | None:
        """Give a project a name to show, or None for that of its folder; None if it has it."""

        def change(tx: WriteTx) -> dict[str, object] | None:
            former = rows.display_names(tx).get(project)
            if former == name:
                return None
            rows.set_display_name(tx, project, name)
            return {"former": former, "name": name}

        return await self._change("rename", project, actor, change)

    async def archive(
        self, project: str, actor: Actor, *, archived: bool, is_detected: bool = False
    ) -> ProjectChange | None:
        """Archive a project, or no longer; None if it is so already."""

        def change(tx: WriteTx) -> dict[str, object] | None:
            if rows.is_archived(tx, project) == archived:
                return None
            rows.set_archived(tx, project, self.context.now if archived else None)
            return {}

        kind: ProjectChangeKind = "archive" if archived else "unarchive"
        return await self._change(kind, project, actor, change, is_detected=is_detected)

    async def keep_apart(self, project: str, target: str, actor: Actor) -> ProjectChange | None:
        """Record that two projects aren't the same, so that a move isn't offered again."""
        return await self._change("keep_apart", project, actor, lambda _: {}, target)

    async def _change(
        self,
        kind: ProjectChangeKind,
        project: str,
        actor: Actor,
        change: Callable[[WriteTx], dict[str, object] | None],
        target: str | None = None,
        *,
        is_detected: bool = False,
    ) -> ProjectChange | None:
        self._check()
        new = NewProjectChange(
            id=self.context.new_id(),
            kind=kind,
            project=project,
            target=target,
            by=actor.name,
            is_detected=is_detected,
        )

        def work(tx: WriteTx) -> ProjectChange | None:
            detail = change(tx)
            if detail is None:
                return None
            rows.insert(tx, new, self.context.now, detail)
            tx.publish(Changed(TOPIC, "updated", (new.id,)))
            return rows.change(tx, new.id)

        return await self.db.write(work)

    async def changes(self, limit: int) -> list[ProjectChange]:
        """List the latest changes, newest first."""
        return await self.db.read(lambda tx: rows.latest_changes(tx, limit))

    async def undo(self, change_id: str | None, actor: Actor) -> ProjectChange:
        """Undo a change, or the latest one that isn't undone.

        What was moved goes back as far as it still is where the change put it; what has been added
        since stays. Raises NotFoundError or ConflictError if there is nothing to undo.
        """
        self._check()
        change = await self.db.read(lambda tx: _find(tx, change_id))
        if change is None:
            raise NotFoundError(
                "There is nothing to undo" if change_id is None else "No such change of a project",
                hint="List the changes of projects to see which can be undone.",
            )
        if change.undone_at is not None:
            raise ConflictError(
                "This change was already undone", hint="There is nothing left to undo."
            )
        if change.kind in _REASON:
            self._check_age(change)
            return await self._move_back(change, actor)

        def work(tx: WriteTx) -> ProjectChange:
            _undo_single(tx, change, self.context.now)
            rows.set_undone(tx, change.seq, self.context.now)
            tx.publish(Changed(TOPIC, "updated", (change.id,)))
            return replace(change, undone_at=self.context.now)

        return await self.db.write(work)

    def _check_age(self, change: ProjectChange) -> None:
        days, made = self.history_days(), parse_moment(change.created_at)
        if days and made and self.context.clock() - made >= timedelta(days=days):
            raise ConflictError(
                f"The history of memories is kept for {days} days, and this change is older",
                hint="Move the project back instead.",
            )

    async def _move_back(self, change: ProjectChange, actor: Actor) -> ProjectChange:
        numbers = await self.db.read(lambda tx: contents.returnable(tx, change))

        def begin(tx: WriteTx) -> None:
            current = rows.change(tx, change.id)
            if current is None or current.undone_at is not None:
                raise ConflictError(
                    "This change was already undone", hint="There is nothing left to undo."
                )
            rows.set_undone(tx, change.seq, self.context.now)
            rows.set_running(tx, change.id, is_running=True)

        back = self._back(change, actor)
        finish = partial(self._return_rest, change=change, actor=actor)
        return await self._transfer(change.id, numbers, back, begin, finish)

    def _back(self, change: ProjectChange, actor: Actor) -> BulkMove:
        return BulkMove(
            f"{change.id}-undo",
            change.target or "",
            change.project,
            actor,
            self.context.now,
            "the move of its project was undone",
        )

    def _return_rest(self, tx: WriteTx, change: ProjectChange, actor: Actor) -> None:
        contents.return_rest(tx, change, self._back(change, actor), actor, self.context)
        name = json.loads(change.detail).get("name")
        if name is not None and rows.display_names(tx).get(change.target or "") == name:
            rows.set_display_name(tx, change.target or "", None)
            rows.set_display_name(tx, change.project, name)

    async def resume(self) -> int:
        """Finish moves that were interrupted, and return how many there were."""
        unfinished = await self.db.read(rows.running)
        for change in unfinished:
            if change.undone_at is not None:
                numbers = await self.db.read(partial(contents.returnable, change=change))
                back = self._back(change, _BY_ITSELF)
                finish = partial(self._return_rest, change=change, actor=_BY_ITSELF)
                await self._transfer(change.id, numbers, back, lambda _: None, finish)
            else:
                await self._go_on(change)
        return len(unfinished)

    async def _go_on(self, change: ProjectChange) -> None:
        to = BulkMove(
            change.id,
            change.project,
            change.target or "",
            Actor(change.changed_by),
            change.created_at,
            _REASON[change.kind],
        )
        numbers = await self.db.read(lambda tx: memories.numbers_of(tx, change.project))

        def begin(tx: WriteTx) -> None:
            detail = json.loads(change.detail)
            more = contents.give_rest(tx, to, _BY_ITSELF, self.context)
            rows.set_detail(
                tx, change.id, detail | {k: [*detail.get(k, ()), *v] for k, v in more.items()}
            )

        await self._transfer(change.id, numbers, to, begin)

    def _check(self) -> None:
        if self.frozen():
            raise UnavailableError(
                "Mutations are frozen (kill switch active)",
                hint="Set memory.pipelineV2.mutationsFrozen to false in agent.yaml.",
            )


def _find(tx: ReadTx, change_id: str | None) -> ProjectChange | None:
    if change_id is not None:
        return rows.change(tx, change_id)
    latest = rows.latest_changes(tx, 100)
    return next((each for each in latest if each.undone_at is None), None)


def _undo_single(tx: WriteTx, change: ProjectChange, now: str) -> None:
    match change.kind:
        case "rename":
            rows.set_display_name(tx, change.project, json.loads(change.detail).get("former"))
        case "archive":
            rows.set_archived(tx, change.project, None)
        case "unarchive":
            rows.set_archived(tx, change.project, now)
        case _:
            pass


def checked_name(text: str, most: int = 200) -> str | None:
    """Return a name to show, None for an empty one; raises InvalidInputError if it is too long."""
    name = " ".join(text.split())
    if len(name) > most:
        raise InvalidInputError(
            f"A name can have at most {most} characters", hint="Choose a shorter one."
        )
    return name or None

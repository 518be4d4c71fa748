"""The user's changes of whole projects: move, merge, rename, archive, and undoing each."""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Any, Final, TypeVar

from intaglio.base.clock import parse_moment
from intaglio.base.errors import (
    ConflictError,
    InvalidInputError,
    NotFoundError,
    writes_frozen,
)
from intaglio.base.events import Changed
from intaglio.lifecycle.projects import contents
from intaglio.lifecycle.projects.contents import ProjectHoldings
from intaglio.memory import project_rows as memories
from intaglio.memory.operations import ChangeContext
from intaglio.memory.project_rows import BulkMove, TwinMemories
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

T = TypeVar("T")

TOPIC: Final = "projects"
# Memories moved in one transaction, and those that both projects have: about 40 ms.
_BATCH: Final = 1_000
_TWINS: Final = 50
_REASON: Final = {"move": "its project moved", "merge": "its project was merged"}
_BY_ITSELF: Final = Actor("Intaglio", "daemon")


@dataclass(frozen=True, slots=True)
class ProjectEdits:
    """Changes whole projects; ``history_days`` is how long memories' history is kept, 0 forever.

    ``turn`` is a lock: two moves at once would divide a project, and one that goes on isn't an
    interrupted one.
    """

    db: Database
    context: ChangeContext
    frozen: Callable[[], bool]
    history_days: Callable[[], int]
    turn: AbstractAsyncContextManager[object]

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

        def begin(tx: WriteTx) -> None:
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

        async with self.turn:
            await self.db.write(begin)
            return await self._give(to)

    async def _give(self, to: BulkMove) -> ProjectChange:
        """Give a project's memories to another one, in batches, and finish the change."""
        while await self._forget_twins(to):
            pass

        def give(tx: WriteTx) -> int:
            return memories.give_memories(tx, memories.numbers_of(tx, to.project, _BATCH), to)

        while await self.db.write(give):
            pass
        return await self._finish(to.change_id, to)

    async def _forget_twins(self, to: BulkMove) -> int:
        """Forget the memories that both projects have; return how many were."""
        twins = await self.db.read(lambda tx: contents.twins_of(tx, to.project, to.target))

        def forget(tx: WriteTx, some: Sequence[TwinMemories]) -> int:
            forgotten = contents.forget_twins(tx, some, to, self.context)
            _add_detail(tx, to.change_id, {"twins": [*forgotten]})
            return len(forgotten)

        counts = [
            await self.db.write(partial(forget, some=some)) for some in _batches(twins, _TWINS)
        ]
        return sum(counts)

    async def _take_back(self, change: ProjectChange, actor: Actor) -> ProjectChange:
        """Take back what a change gave, in batches, and finish undoing it."""
        back = self._back(change, actor)
        numbers = await self.db.read(partial(contents.returnable, change=change))
        for some in _batches(numbers, _BATCH):
            await self.db.write(partial(memories.give_memories, seqs=some, to=back))
        twins: Sequence[Sequence[Any]] = json.loads(change.detail).get("twins", ())
        for few in _batches(twins, _TWINS):
            await self.db.write(
                partial(contents.restore_twins, twins=few, actor=actor, context=self.context)
            )
        last = partial(self._return_rest, change=change, actor=actor)
        return await self._finish(change.id, back, last)

    async def _finish(
        self, change_id: str, to: BulkMove, last: Callable[[WriteTx], object] = lambda _: None
    ) -> ProjectChange:
        def work(tx: WriteTx) -> ProjectChange:
            last(tx)
            change = rows.change(tx, change_id)
            if change is None:
                raise LookupError(f"no change {change_id}")
            contents.settle_vectors(tx, to, json.loads(change.detail).get("shared", ()))
            rows.set_running(tx, change_id, is_running=False)
            tx.publish(Changed("memory", "updated", ()))
            tx.publish(Changed(TOPIC, "updated", (change_id,)))
            return change

        return await self.db.write(work)

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
        since stays. ``change_id`` may be its beginning or its end. Raises NotFoundError or
        ConflictError if there is nothing to undo, or several changes have such an id.
        """
        self._check()
        change = await self.db.read(lambda tx: _find(tx, change_id))
        if change is None:
            raise NotFoundError(
                "There is nothing to undo" if change_id is None else "No such change of a project",
                hint="List the changes of projects to see which can be undone.",
            )
        if change.undone_at is not None:
            raise _already_undone()
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
        def begin(tx: WriteTx) -> ProjectChange:
            current = rows.change(tx, change.id)
            if current is None or current.undone_at is not None:
                raise _already_undone()
            if any(each.id == change.id for each in rows.running(tx)):
                raise ConflictError(
                    "This change was interrupted and isn't complete",
                    hint="Intaglio completes it within ten minutes. Undo it then.",
                )
            rows.set_undone(tx, change.seq, self.context.now)
            rows.set_running(tx, change.id, is_running=True)
            return current

        async with self.turn:
            return await self._take_back(await self.db.write(begin), actor)

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
        async with self.turn:
            interrupted = await self.db.read(rows.running)
            for change in interrupted:
                if change.undone_at is not None:
                    await self._take_back(change, _BY_ITSELF)
                else:
                    await self._go_on(change)
        return len(interrupted)

    async def _go_on(self, change: ProjectChange) -> None:
        to = BulkMove(
            change.id,
            change.project,
            change.target or "",
            Actor(change.changed_by),
            change.created_at,
            _REASON[change.kind],
        )

        def begin(tx: WriteTx) -> None:
            _add_detail(tx, change.id, contents.give_rest(tx, to, _BY_ITSELF, self.context))

        await self.db.write(begin)
        await self._give(to)

    def _check(self) -> None:
        if self.frozen():
            raise writes_frozen()


def _already_undone() -> ConflictError:
    return ConflictError("This change was already undone", hint="There is nothing left to undo.")


def _find(tx: ReadTx, change_id: str | None) -> ProjectChange | None:
    if change_id is not None:
        return rows.change(tx, change_id) or _with_partial_id(tx, change_id)
    latest = rows.latest_changes(tx, 100)
    return next((each for each in latest if each.undone_at is None), None)


def _with_partial_id(tx: ReadTx, part: str) -> ProjectChange | None:
    found = rows.changes_with_partial_id(tx, part, 2) if part else []
    if len(found) > 1:
        raise ConflictError(
            f"{part} is ambiguous: several changes of projects have an ID that starts or ends "
            "with it",
            hint="Use more characters of the ID.",
        )
    return found[0] if found else None


def _batches(items: Sequence[T], size: int) -> list[Sequence[T]]:
    return [items[start : start + size] for start in range(0, len(items), size)]


def _add_detail(tx: WriteTx, change_id: str, more: Mapping[str, Sequence[object]]) -> None:
    """Add to the lists of what undoing a change needs."""
    change = rows.change(tx, change_id)
    detail: dict[str, Any] = json.loads(change.detail) if change is not None else {}
    for name, found in more.items():
        detail[name] = [*detail.get(name, ()), *found]
    rows.set_detail(tx, change_id, detail)


def _undo_single(tx: WriteTx, change: ProjectChange, now: str) -> None:
    """Undo what isn't a move; raises ConflictError if it was changed again since."""
    project, detail = change.project, json.loads(change.detail)
    match change.kind:
        case "rename":
            is_latest = rows.display_names(tx).get(project) == detail.get("name")
            if is_latest:
                rows.set_display_name(tx, project, detail.get("former"))
        case "archive" | "unarchive":
            archived = change.kind == "archive"
            is_latest = rows.is_archived(tx, project) == archived
            rows.set_archived(tx, project, None if archived else now)
        case _:
            is_latest = True
    if not is_latest:
        raise ConflictError(
            "The project was changed again since", hint="Undo the later change, or change it again."
        )


def checked_name(text: str, most: int = 200) -> str | None:
    """Return a name to show, None for an empty one; raises InvalidInputError if it is too long."""
    name = " ".join(text.split())
    if len(name) > most:
        raise InvalidInputError(
            f"A name can have at most {most} characters", hint="Choose a shorter one."
        )
    return name or None

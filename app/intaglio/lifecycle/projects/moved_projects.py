"""Finds out that a project's folder has moved, from what was recorded while it was there."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from intaglio.base.clock import iso
from intaglio.base.errors import UnavailableError
from intaglio.base.events import BusEvent, Changed, Resync, StateChanged
from intaglio.base.log import get_logger
from intaglio.base.process.threads import RunInThread
from intaglio.domain.reader import USER
from intaglio.inbox import rows as inbox
from intaglio.lifecycle.projects.changes import ProjectEdits
from intaglio.memory import project_rows as memories
from intaglio.memory.values import Actor
from intaglio.pauses.service import pause_state
from intaglio.projects import rows, settings_rows
from intaglio.projects.evidence import (
    FolderEvidence,
    FolderState,
    agreement,
    folder_state,
    read_evidence,
)
from intaglio.projects.names import is_path
from intaglio.projects.values import KnownProject, ProjectChange, ProjectNotice
from intaglio.sessions import rows as sessions
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.store.values import Ready

_ACTOR: Final = Actor("Intaglio", "daemon")
_SHOWN_FOR: Final = timedelta(days=14)
_LATEST: Final = 50


@dataclass(frozen=True, slots=True)
class MoveOffer:
    """A project whose folder is gone, and another one that may be the same.

    ``merges`` if that has memories of its own.
    """

    project: str
    target: str
    memories: int
    reason: str
    certain: bool
    merges: bool


@dataclass(frozen=True, slots=True)
class MovedProject:
    """A move that was detected; ``returned`` if the former folder exists again."""

    change: ProjectChange
    returned: bool


@dataclass(frozen=True, slots=True)
class _Recorded:
    """What the database has: the projects on record, and which the user keeps apart.

    ``filled`` are those with memories, open inbox items or settings, and how many memories;
    ``seen`` are all that anything belongs to.
    """

    known: Mapping[str, KnownProject]
    filled: Mapping[str, int]
    seen: frozenset[str]
    apart: frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Condition:
    """Whether capture is paused, and whether a project is archived and has live memories."""

    paused: bool
    archived: bool
    filled: bool


def _recorded(tx: ReadTx) -> _Recorded:
    counts = {key: count for key, count, _ in memories.by_project(tx, USER) if key}
    filled = dict.fromkeys((*inbox.projects(tx), *settings_rows.projects(tx)), 0) | counts
    seen = {key for key, _, _ in sessions.by_project(tx, USER) if key}
    apart = frozenset(rows.kept_apart(tx))
    return _Recorded(rows.known(tx), filled, frozenset(filled) | seen, apart)


@dataclass(frozen=True, slots=True)
class MovedProjects:
    """Records what identifies projects' folders, and detects those that have moved.

    ``turn`` is a lock: sessions that start at once in a moved folder would each move its memories.
    """

    edits: ProjectEdits
    in_thread: RunInThread
    turn: AbstractAsyncContextManager[object]
    evidence: Callable[[str], FolderEvidence | None] = read_evidence
    state: Callable[[str, str | None], FolderState] = folder_state

    async def refresh(self) -> int:
        """Record what identifies the folder of each project; return how many records changed."""
        recorded = await self.edits.db.read(_recorded)
        keys = sorted(filter(is_path, recorded.seen | recorded.known.keys()))
        found = await self.in_thread(lambda: {key: self.evidence(key) for key in keys})
        changed = {
            key: now
            for key, now in found.items()
            if key in recorded.seen
            and now is not None
            and (key not in recorded.known or recorded.known[key].evidence != now)
        }
        unused = [
            key
            for key, project in recorded.known.items()
            if key not in recorded.seen
            and project.display_name is None
            and project.archived_at is None
        ]
        if changed or unused:

            def work(tx: WriteTx) -> None:
                for key, evidence in changed.items():
                    rows.set_evidence(tx, key, evidence)
                rows.delete(tx, unused)

            await self.edits.db.write(work)
        return len(changed)

    async def note(self, memory_ids: Sequence[str]) -> None:
        """Record what identifies the folders of these new memories' projects, if nothing does."""
        keys = await self.edits.db.read(lambda tx: rows.unrecorded(tx, memory_ids))
        found = await self.in_thread(lambda: {key: self.evidence(key) for key in keys})

        def work(tx: WriteTx) -> None:
            for key, evidence in found.items():
                # Also what has none: a folder that isn't there is read again by `refresh` only.
                rows.set_evidence(tx, key, evidence or FolderEvidence())

        if found:
            await self.edits.db.write(work)

    async def catch_up(self) -> bool:
        """Finish interrupted moves and read all folders; False if that isn't possible now."""
        if not isinstance(self.edits.db.state, Ready):
            return False
        try:
            await self.edits.resume()
            await self.refresh()
        except UnavailableError as error:
            get_logger("projects").info("folders not read", reason=error.detail)
            return False
        return True

    async def follow(self, event: BusEvent) -> bool:
        """Record the folder of a new memory's project; return whether to read all folders."""
        match event:
            case Changed("memory", "added", ids):
                try:
                    await self.note(ids)
                except UnavailableError:
                    return True
                return False
            case Resync() | StateChanged("ready"):
                return True
            case _:
                return False

    async def at_start(self, key: str | None) -> ProjectNotice | None:
        """Take a moved project's memories along as a session starts in its folder.

        Only if it is certain that it is the same folder; what is merely likely is returned as an
        offer. Does nothing while capture is paused or nothing can be written.
        """
        if key is None or not self._is_writable():
            return None
        try:
            return await self._at_start(key)
        except UnavailableError:
            return None

    async def expected(self, key: str | None) -> str | None:
        """Return the project whose memories `at_start` would take along; changes nothing."""
        if key is None or not self._is_writable():
            return None
        now = await self._condition(key)
        if now.paused or now.archived or now.filled or not is_path(key):
            return None
        move, _ = await self._find(key)
        return move.project if move is not None and move.certain else None

    def _is_writable(self) -> bool:
        return isinstance(self.edits.db.state, Ready) and not self.edits.frozen()

    async def _condition(self, key: str) -> _Condition:
        now = self.edits.context.clock()
        return await self.edits.db.read(
            lambda tx: _Condition(
                paused=pause_state(tx, now).paused,
                archived=rows.is_archived(tx, key),
                filled=memories.has_live(tx, key),
            )
        )

    async def _at_start(self, key: str) -> ProjectNotice | None:
        now = await self._condition(key)
        if now.paused:
            return None
        if now.archived:
            await self.edits.archive(key, _ACTOR, archived=False, is_detected=True)
            return ProjectNotice(outcome="unarchived", key=key)
        if now.filled or not is_path(key):
            return None
        async with self.turn:
            # Another session may have brought them meanwhile.
            if await self.edits.db.read(lambda tx: memories.has_live(tx, key)):
                return None
            return await self._follow(key)

    async def _find(self, key: str) -> tuple[MoveOffer | None, FolderEvidence]:
        """Return the one project that may be this folder's, and what identifies the folder."""
        evidence = await self.in_thread(lambda: self.evidence(key))
        if evidence is None:
            return None, FolderEvidence()
        recorded = await self.edits.db.read(_recorded)
        found = await self.in_thread(lambda: self._gone(recorded, {key: evidence}))
        certain = [each for each in found if each.certain]
        match certain or found:
            case [one]:
                return one, evidence
            case _:
                return None, evidence

    async def _follow(self, key: str) -> ProjectNotice | None:
        move, evidence = await self._find(key)
        if move is None:
            return None
        if not move.certain:
            return ProjectNotice(
                outcome="offered",
                key=key,
                former=move.project,
                memories=move.memories,
                reason=move.reason,
            )
        change = await self.edits.move("move", move.project, key, _ACTOR, is_detected=True)
        await self.edits.db.write(lambda tx: rows.set_evidence(tx, key, evidence))
        return ProjectNotice(
            outcome="moved",
            key=key,
            former=move.project,
            memories=move.memories,
            reason=move.reason,
            change_id=change.id,
        )

    async def offers(self) -> list[MoveOffer]:
        """Return the projects whose folder is gone, each with one that may be the same."""
        recorded = await self.edits.db.read(_recorded)

        def look() -> list[MoveOffer]:
            found = {key: self.evidence(key) for key in recorded.seen if is_path(key)}
            return self._gone(recorded, {k: now for k, now in found.items() if now is not None})

        return await self.in_thread(look)

    def _gone(self, recorded: _Recorded, there: dict[str, FolderEvidence]) -> list[MoveOffer]:
        """Return which of the projects whose folder is gone may be one that is there."""
        found: list[MoveOffer] = []
        for old, count in recorded.filled.items():
            known = recorded.known.get(old, KnownProject(key=old))
            if old in there or not is_path(old) or known.archived_at is not None:
                continue
            likely = [
                (key, agreed)
                for key, now in there.items()
                if (old, key) not in recorded.apart
                and (agreed := agreement(old, known.evidence, key, now)) is not None
            ]
            state = self.state(old, known.evidence.folder_id) if likely else "there"
            if state not in {"gone", "gone_with_parent"}:
                continue
            for key, agreed in likely:
                # The disk that it was on may only be absent; a copy has another number.
                certain = agreed.certain and (
                    state == "gone" or known.evidence.folder_id == there[key].folder_id
                )
                found.append(
                    MoveOffer(old, key, count, agreed.reason, certain, key in recorded.filled)
                )
        return sorted(found, key=lambda each: (not each.certain, each.project, each.target))

    async def moved(self) -> list[MovedProject]:
        """Return the moves that were detected lately and still hold, newest first."""
        since = iso(self.edits.context.clock() - _SHOWN_FOR)
        changes = await self.edits.changes(_LATEST)
        moves = [
            each
            for each in changes
            if each.is_detected and each.kind == "move" and each.undone_at is None
        ]
        there = await self.in_thread(
            lambda: {each.id for each in moves if self.state(each.project, None) == "there"}
        )
        return [
            MovedProject(each, each.id in there)
            for each in moves
            if each.id in there or each.created_at >= since
        ]

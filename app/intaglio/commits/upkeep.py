"""Which projects' commits are read, and when; what the user may do with them."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Final, TypeAlias

from intaglio.base.background_tasks import BackgroundTasks
from intaglio.base.bus import EventBus
from intaglio.base.clock import Clock, iso
from intaglio.base.errors import NotFoundError, UnavailableError, writes_frozen
from intaglio.base.events import Changed
from intaglio.base.log import get_logger
from intaglio.base.settings.values import Settings
from intaglio.commits import rows
from intaglio.commits.learnings import RevertLearnings
from intaglio.commits.reading import CommitReader
from intaglio.commits.settings import CommitSettings
from intaglio.commits.values import TOPIC, CommitStatus, ReadingState
from intaglio.memory.settings import MemorySettings
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.store.values import Ready

_INTERVAL_S: Final = 300.0
_AFTER_START_S: Final = 3.0
_RECENT: Final = timedelta(days=14)
_MOST_PROJECTS: Final = 50
_SHOWN_WITHIN_S: Final = 3.0
_POLL_S: Final = 0.05
# As in git.
_SHORTEST_HASH: Final = 4

ForgetElsewhere: TypeAlias = Callable[[WriteTx, str, str], None]
"""Deletes what else is stored of a commit, given its project and hash."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitUpkeep:
    """Reads the commits of projects in which sessions start, and offers what users do with them.

    ``project`` is always a project's key: the path of its repository. ``turn`` is a lock: one
    project is read at a time.
    """

    db: Database
    clock: Clock
    settings: Callable[[], Settings]
    reader: CommitReader
    learnings: RevertLearnings
    background: BackgroundTasks
    bus: EventBus
    pause: Callable[[float], Awaitable[object]]
    turn: AbstractAsyncContextManager[object]
    after_start_s: float = _AFTER_START_S
    _starting: set[str] = field(default_factory=set[str])
    _waiting: set[str] = field(default_factory=set[str])
    _running: set[str] = field(default_factory=set[str])
    _learned: set[str] = field(default_factory=set[str])

    def session_started(self, project: str | None) -> None:
        """Read a project's commits soon: the hook is answered first."""
        if project is None or not Path(project).is_absolute() or project in self._starting:
            return
        self._starting.add(project)
        self.background.start(self._after_start(project))

    async def _after_start(self, project: str) -> None:
        try:
            await self.pause(self.after_start_s)
            if isinstance(self.db.state, Ready):
                now = iso(self.clock())
                await self.db.write(lambda tx: rows.set_session(tx, project, now))
        finally:
            self._starting.discard(project)
        if project not in self._waiting:
            self._waiting.add(project)
            await self._read(project)

    def _read_soon(self, project: str) -> None:
        if project not in self._waiting:
            self._waiting.add(project)
            self.background.start(self._read(project))

    async def _read(self, project: str) -> None:
        try:
            async with self.turn:
                # What is asked for from now on may need another reading.
                self._waiting.discard(project)
                self._running.add(project)
                await self._read_or_drop(project)
        finally:
            self._waiting.discard(project)
            self._running.discard(project)

    async def _read_or_drop(self, project: str) -> None:
        if not isinstance(self.db.state, Ready) or self.settings().of(MemorySettings).frozen:
            return
        if await self.wanted(project):
            before = await self.db.read(lambda tx: rows.state(tx, project))
            added = await self.reader.read(project)
            after = await self.db.read(lambda tx: rows.state(tx, project))
            if added:
                self._tell(project)
            if added or before.head != after.head or before.checked_at != after.checked_at:
                self._learned.discard(project)
        elif await self.db.read(lambda tx: _was_read(tx, project)):
            self._learned.discard(project)
            await self.reader.drop(project)
            self._tell(project)
        # Once after the daemon's start, too: it may have ended before.
        if project not in self._learned:
            await self.learnings.keep(project)
            self._learned.add(project)

    def _is_busy(self, project: str) -> bool:
        return project in self._waiting or project in self._running

    def _tell(self, project: str) -> None:
        self.bus.publish(Changed(TOPIC, "updated", (project,)))

    async def wanted(self, project: str) -> bool:
        """Whether a project's commits are read: the user's choice for it, or the settings'."""
        default = self.settings().of(CommitSettings).enabled
        return await self.db.read(lambda tx: rows.is_read(tx, project, by_default=default))

    def _is_wanted(self, state: ReadingState) -> bool:
        return (
            self.settings().of(CommitSettings).enabled if state.enabled is None else state.enabled
        )

    async def keep_current(self) -> None:
        """Read what is new in projects with a recent session, every few minutes."""
        while True:
            await self.pause(_INTERVAL_S)
            await self.read_recent()

    async def read_recent(self) -> None:
        """Read what is new in projects with a recent session."""
        if not isinstance(self.db.state, Ready):
            return
        if not self.settings().of(MemorySettings).frozen:
            await self.learnings.keep_all()
        since = iso(self.clock() - _RECENT)
        projects = await self.db.read(lambda tx: rows.with_sessions(tx, since, _MOST_PROJECTS))
        for project in projects:
            try:
                await self._read(project)
            except UnavailableError as error:
                get_logger("commits").info("reading postponed", reason=error.detail)
                return

    async def status(self, project: str) -> CommitStatus:
        """Return what is read of a project's commits."""

        def look(tx: ReadTx) -> tuple[ReadingState, int]:
            return rows.state(tx, project), rows.count(tx, project)

        state, stored = await self.db.read(look)
        return CommitStatus(
            project=project,
            enabled=self._is_wanted(state),
            choice=state.enabled,
            stored=stored,
            head=state.head,
            read_at=state.read_at,
            stopped=state.stopped,
            reading=self._is_busy(project) or project in self._starting,
        )

    async def switch(self, project: str, on: bool | None) -> CommitStatus:  # noqa: FBT001 - the value that is set
        """Choose whether a project's commits are read; None lets the settings decide.

        Switching off deletes what was read: at once nothing is found any more, and the rows go in
        the background. Raises UnavailableError while writes are frozen.
        """
        self.check_changes()
        await self.db.write(lambda tx: rows.set_enabled(tx, project, on))
        self.follow_switch(project)
        return await self.status(project)

    def follow_switch(self, project: str) -> None:
        """Read or delete a project's commits soon: whether they are read was just chosen."""
        self._tell(project)
        self._read_soon(project)

    async def read_now(self, project: str) -> CommitStatus:
        """Read a project's commits; returns after a few seconds, while reading may go on.

        A name that isn't a directory's path has none.
        """
        self.check_changes()
        if Path(project).is_absolute():
            self._read_soon(project)
        waited = 0.0
        while self._is_busy(project) and waited < _SHOWN_WITHIN_S:
            await self.pause(_POLL_S)
            waited += _POLL_S
        return await self.status(project)

    async def forget(self, project: str, commit: str, also: ForgetElsewhere | None = None) -> str:
        """Delete a commit and never read it again; returns its hash, which `unforget` takes.

        ``commit`` is a hash or the beginning of one; ``also`` deletes in the same transaction what
        others have of it. Raises NotFoundError.
        """
        self.check_changes()
        now = iso(self.clock())

        def work(tx: WriteTx) -> str:
            is_long = len(commit) >= _SHORTEST_HASH
            found = rows.read_many(tx, rows.find(tx, project, commit)) if is_long else []
            if len(found) != 1:
                raise NotFoundError(
                    "No such commit", hint="Name it by its hash, or by enough of its beginning."
                )
            rows.forget(tx, project, found[0].hash, now)
            if also is not None:
                also(tx, project, found[0].hash)
            tx.empty_log_after_commit()
            tx.publish(Changed(TOPIC, "deleted", (found[0].hash,)))
            return found[0].hash

        forgotten = await self.db.write(work)
        await self.learnings.keep(project)
        return forgotten

    async def unforget(self, project: str, commit: str) -> str | None:
        """Read a forgotten commit again; returns its hash.

        ``commit`` is a hash or the beginning of one. None if no commit, or more than one, is
        forgotten whose hash begins so, or if the repository no longer has it.
        """
        self.check_changes()
        found = await self.db.read(lambda tx: rows.find_forgotten(tx, project, commit))
        if len(found) != 1:
            return None
        added = await self.reader.read_one(project, found[0])
        if added:
            self._tell(project)
            await self.learnings.keep(project)
        return found[0] if added else None

    def check_changes(self) -> None:
        """Raise UnavailableError while writes are frozen."""
        if self.settings().of(MemorySettings).frozen:
            raise writes_frozen()


def _was_read(tx: ReadTx, project: str) -> bool:
    """Whether anything of a project's commits was read and is still stored."""
    return bool(rows.state(tx, project).head or rows.of_project(tx, project, 1))

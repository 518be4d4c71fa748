"""The workspace's repository in the daemon: what is asked of it, and the two loops that keep it."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from intaglio.base.bus import EventBus
from intaglio.base.clock import Clock, iso, parse_moment
from intaglio.base.errors import UnavailableError
from intaglio.base.events import Changed
from intaglio.base.files.watching import FileWatcher, WatchedFolder
from intaglio.base.log import get_logger
from intaglio.domain.issues import Issue
from intaglio.workspace.git.committing import CommitResult
from intaglio.workspace.git.exclusions import Exclusions
from intaglio.workspace.git.operations import (
    STASHED,
    PullDone,
    PushDone,
    RepositoryStatus,
    WorkspaceRepository,
)
from intaglio.workspace.git.repository_state import GitProblem
from intaglio.workspace.git.settings import WorkspaceGitSettings
from intaglio.workspace.git.sync_record import SyncRecord, read_record, write_record
from intaglio.workspace.git.working_tree import LeftOut

TOPIC: Final = "workspace"
_QUIET_S: Final = 5.0
_CHECK_S: Final = 15.0
_RETRY_S: Final = 60.0
_FAILING: Final = timedelta(days=1)
_PAGE: Final = "/connections/workspace"
_MOST_NAMED: Final = 3


_STASH_ISSUE: Final = Issue(
    id="workspace-git-stash",
    level="warn",
    title="A change of the workspace is in git stash",
    text=f"{STASHED} Apply it with git stash pop, or drop it with git stash drop.",
    page=_PAGE,
)


@dataclass(frozen=True, slots=True)
class SyncDone:
    """Pulled and pushed: how many files changed here, how many commits went out."""

    pulled: int
    pushed: int
    note: str = ""


@dataclass(slots=True)
class _Last:
    """What the last commit said; empty before the first."""

    problem: str = ""
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceGit:
    """Runs operations in threads, remembers how they ended, and says what is wrong."""

    repository: WorkspaceRepository
    record_file: Path
    settings: Callable[[], WorkspaceGitSettings]
    bus: EventBus
    clock: Clock
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep
    quiet_s: float = _QUIET_S
    check_s: float = _CHECK_S
    _last: _Last = field(default_factory=_Last)

    async def status(self) -> tuple[RepositoryStatus, SyncRecord]:
        """Return how the repository stands, and when it was synced."""

        def work() -> tuple[RepositoryStatus, SyncRecord]:
            try:
                found = self.repository.status()
            except OSError as error:
                text = f"The workspace's repository can't be read: {error.strerror or error}."
                found = RepositoryStatus(is_repository=False, problem=text)
            return found, read_record(self.record_file)

        return await asyncio.to_thread(work)

    @property
    def last_problem(self) -> str:
        """Why the last commit failed; empty if it didn't."""
        return self._last.problem

    def left_out_text(self) -> str:
        """Say which files the last commit left out; empty if none."""
        found = self._last.left_out
        if not found:
            return ""
        named = "; ".join(f"{each.path} {each.reason}" for each in found[:_MOST_NAMED])
        more = len(found) - _MOST_NAMED
        return f"Not committed: {named}{f'; and {more} more' if more > 0 else ''}."

    async def commit(self) -> CommitResult | GitProblem:
        """Commit what changed; all of it, however much that is."""
        while True:
            done = await asyncio.to_thread(self.repository.commit)
            match done:
                case GitProblem(text=text):
                    self._last.problem = text
                    return done
                case CommitResult(left_out=left_out):
                    self._last.problem, self._last.left_out = "", left_out
            if done.hash:
                self._tell()
            if not done.rest:
                return done

    async def pull(self) -> PullDone | GitProblem:
        """Pull, and remember how it ended."""
        done = await asyncio.to_thread(self.repository.pull)
        await self._remember(done)
        return done

    async def push(self) -> PushDone | GitProblem:
        """Commit if that is on, push, and remember how it ended."""
        await self._commit_first()
        done = await asyncio.to_thread(self.repository.push)
        await self._remember(done)
        return done

    async def sync(self) -> SyncDone | GitProblem:
        """Commit if that is on, pull, and push what the remote lacks."""
        await self._commit_first()
        pulled = await asyncio.to_thread(self.repository.pull)
        await self._remember(pulled)
        if isinstance(pulled, GitProblem):
            return pulled
        pushed = await asyncio.to_thread(self.repository.push, only_new=True)
        await self._remember(pushed)
        if isinstance(pushed, GitProblem):
            return pushed
        return SyncDone(pulled.changes, pushed.commits, pulled.note)

    async def _commit_first(self) -> None:
        settings = self.settings()
        if settings.enabled and settings.auto_commit:
            await self.commit()

    async def _remember(self, done: PullDone | PushDone | GitProblem) -> None:
        await asyncio.to_thread(self._write_record, done)
        self._tell()

    def _write_record(self, done: PullDone | PushDone | GitProblem) -> None:
        now, before = iso(self.clock()), read_record(self.record_file)
        if isinstance(done, GitProblem):
            since = before.failing_since or now
            record = SyncRecord(before.synced, since, done.text, done.needs_user, before.stash)
        else:
            stash = done.stash if isinstance(done, PullDone) else ""
            record = SyncRecord(synced=now, stash=stash or before.stash)
        try:
            write_record(self.record_file, record)
        except OSError as error:
            get_logger("workspace").warning("the sync isn't remembered", reason=str(error))

    def _tell(self) -> None:
        self.bus.publish(Changed(TOPIC, "updated", ("git",)))

    async def keep_committed(self) -> None:
        """Commit what changed, and then whenever nothing has changed for 5 s; until cancelled."""
        # Until files are watched, and nothing has changed for a while, may take half a minute:
        # whoever has just switched this on wants to see the first commit.
        await self.pause(self.quiet_s)
        await self._commit_quietly()
        watcher = FileWatcher(
            folders=[WatchedFolder(self.repository.workspace, recursive=True)],
            stop=asyncio.Event(),
            debounce_s=self.quiet_s,
            check_s=self.check_s,
            wanted=self._is_committed,
        )
        # The watcher's first batch is the folder itself: what changed meanwhile is committed too.
        async with asyncio.TaskGroup() as group, aclosing(watcher.changes()) as changes:
            group.create_task(self._retry())
            async for _ in changes:
                await self._commit_quietly()

    async def _retry(self) -> None:
        """Commit again after what stopped it: another git at work, a merge in progress."""
        while True:
            await self.pause(_RETRY_S)
            if self._last.problem:
                await self._commit_quietly()

    def _is_committed(self, path: Path) -> bool:
        root = self.repository.workspace
        return not path.is_relative_to(root) or not self._exclusions.cover(
            path.relative_to(root).as_posix()
        )

    @property
    def _exclusions(self) -> Exclusions:
        return self.repository.exclusions

    async def _commit_quietly(self) -> None:
        done = await self.commit()
        if isinstance(done, GitProblem):
            get_logger("workspace").info("not committed", reason=done.text)

    async def keep_synced(self) -> None:
        """Pull and push every so often; until cancelled."""
        while True:
            await self.pause(self.settings().sync_interval)
            try:
                done = await self.sync()
            except UnavailableError as error:
                done = GitProblem(error.detail)
            if isinstance(done, GitProblem):
                get_logger("workspace").info("not synced", reason=done.text)

    async def close(self) -> None:
        """End what runs, and start nothing any more."""
        self.repository.git.stop()

    async def issues(self) -> list[Issue]:
        """Return what is wrong now, for Health and `intaglio doctor`."""
        settings = self.settings()
        found: list[Issue] = []
        if settings.enabled and settings.auto_commit:
            found += self._commit_issues()
        record = await asyncio.to_thread(read_record, self.record_file)
        if settings.enabled and settings.auto_sync:
            found += _sync_issues(record, self.clock())
        if record.stash:
            is_there = await asyncio.to_thread(self.repository.is_stashed, record.stash)
            found += [_STASH_ISSUE] if is_there else []
        return found

    def _commit_issues(self) -> list[Issue]:
        if self._last.problem:
            return [
                Issue(
                    id="workspace-git-commit",
                    level="warn",
                    title="The workspace isn't committed",
                    text=self._last.problem,
                    page=_PAGE,
                )
            ]
        text = self.left_out_text()
        if not text:
            return []
        return [
            Issue(
                id="workspace-git-left-out",
                level="info",
                title="Files of the workspace aren't committed",
                text=f"{text} Name them in .gitignore if that is right.",
                page=_PAGE,
            )
        ]


def _sync_issues(record: SyncRecord, now: datetime) -> list[Issue]:
    since = parse_moment(record.failing_since or "")
    if since is None or not (record.needs_user or now - since >= _FAILING):
        return []
    days = (now - since).days
    title = (
        f"The workspace hasn't been synced for {days} day{'' if days == 1 else 's'}"
        if days > 0
        else "The workspace can't be synced"
    )
    return [
        Issue(id="workspace-git-sync", level="warn", title=title, text=record.failure, page=_PAGE)
    ]

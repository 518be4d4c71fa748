"""Reads the commits of a project from its repository and stores them, in short steps."""

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from intaglio.base.clock import Clock, iso
from intaglio.base.process.threads import RunInThread
from intaglio.base.settings.values import Settings
from intaglio.commits import rows
from intaglio.commits.log_reader import (
    ChangeReader,
    LogChunk,
    LogWalk,
    current_head,
    unreachable,
)
from intaglio.commits.messages import Changes, LogEntry, prepare
from intaglio.commits.settings import CommitSettings
from intaglio.commits.values import NewCommit, ReadingState
from intaglio.git.command import Git, GitFailure
from intaglio.git.repository import (
    Repository,
    Unreadable,
    hash_in,
    head_of,
    open_repository,
    shallow_limits,
)
from intaglio.store.batches import in_batches
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx

T = TypeVar("T")

# A chunk is one start of git; of what is prepared at once, the database knows each text.
_CHUNK: Final = 200
_CHUNK_WALK: Final = 10_000
_AT_ONCE: Final = 16
_WRITTEN_AT_ONCE: Final = 4
_DELETED_AT_ONCE: Final = 100
_LIMIT_S: Final = 600.0
# Of a first reading, the newest commits are read with the places that they changed.
_WITH_SYMBOLS: Final = 3_000
_LOG_S: Final = 120.0
_ONE_S: Final = 10.0
_CHECKED_EVERY: Final = timedelta(days=1)
_LONGEST_REST_S: Final = 1.0
_SLOW_S: Final = 6.0
# Each may have taken as long as it could.
_MAX_FAILURES: Final = 3
_NO_COMMITS: Final = "it has no commits yet"
_LATER: Final = "the rest is read later"


@dataclass(slots=True)
class _Run:
    """One reading of a project: what is known of it, and where the reading stands."""

    state: ReadingState
    repository: Repository
    changes: ChangeReader
    ends_at: float
    symbols_left: int
    known: frozenset[str] = frozenset()
    failures: int = 0
    stopped: str = ""


@dataclass(frozen=True, slots=True)
class _Walked:
    """How far a part of the log was read; ``met`` is whether a commit of it has a given parent."""

    done: bool
    added: int
    met: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitReader:
    """Reads commits of one project at a time, and rests as long as it works.

    ``seconds`` is a monotonic clock. ``wanted`` tells whether a project's commits are read; it is
    asked again while a reading goes on.
    """

    db: Database
    git: Git
    clock: Clock
    settings: Callable[[], Settings]
    in_thread: RunInThread
    pause: Callable[[float], Awaitable[object]]
    seconds: Callable[[], float]
    wanted: Callable[[str], Awaitable[bool]]
    limit_s: float = _LIMIT_S

    async def read(self, project: str) -> int:
        """Read what is new since the last reading; returns how many commits were stored.

        What is new is read up to a time limit; then the next reading goes on. Nothing is started
        if HEAD is where it was. Raises UnavailableError if nothing can be stored now.
        """
        opened = await self.in_thread(partial(open_repository, Path(project)))
        state = await self.db.read(lambda tx: rows.state(tx, project))
        if isinstance(opened, Unreadable):
            if opened.gone and state.head:
                await self.drop(project)
                state = ReadingState(project)
            await self._stop(state, opened.reason)
            return 0
        head, limits = await self.in_thread(lambda: (self._head(opened), shallow_limits(opened)))
        shallow = hashlib.sha256(" ".join(limits).encode()).hexdigest() if limits else ""
        if not head:
            await self._stop(state, _NO_COMMITS)
            return 0
        is_known = head == state.head and shallow == state.shallow
        if is_known and not self._goes_on(state):
            return 0
        run = _Run(
            state=replace(state, shallow=shallow, stopped=""),
            repository=opened,
            changes=ChangeReader(self.git, opened, frozenset(limits)),
            ends_at=self.seconds() + self.limit_s,
            symbols_left=max(_WITH_SYMBOLS - (state.found if state.base else 0), 0),
        )
        return await self._read(run, head, state)

    async def _stop(self, state: ReadingState, reason: str) -> None:
        """Record why nothing is read, once."""
        if state.stopped != reason:
            await self._record(replace(state, stopped=reason))

    def _goes_on(self, state: ReadingState) -> bool:
        """Whether the rest of a log is read now; what git failed at is tried once a day."""
        retried = iso(self.clock() - _CHECKED_EVERY)
        return bool(state.base) and (state.stopped == _LATER or (state.read_at or "") < retried)

    def _head(self, repository: Repository) -> str:
        found = head_of(repository)
        return current_head(self.git, repository) if found is None else found

    async def _read(self, run: _Run, head: str, before: ReadingState) -> int:
        """Read the commits below a head, and remove those that aren't reachable any more."""
        added, follows = 0, before.head == head and run.state.shallow == before.shallow
        if not before.head or run.state.shallow != before.shallow:
            run.state = replace(run.state, base=head, walked=0, found=0)
        elif head != before.head:
            newer = await self._walk(run, [head, f"^{before.head}"], parent=before.head)
            added, follows = newer.added, newer.done and newer.met
            if not newer.done:
                # The former head is gone, or there was no time: what is left is read by position.
                run.state = replace(run.state, base=head, walked=0, found=0)
                run.stopped = ""
        run.state = replace(run.state, head=head)
        if run.state.base:
            run.known = await self.db.read(lambda tx: rows.known(tx, run.state.project))
            which = [f"--skip={run.state.walked}", run.state.base]
            added += (await self._walk(run, which)).added
        checked = iso(self.clock() - _CHECKED_EVERY)
        if before.head and (not follows or before.checked_at < checked):
            await self._remove_unreachable(run, head)
        await self._remove_surplus(run.state.project)
        await self._record(replace(run.state, stopped=run.stopped))
        return added

    async def _walk(self, run: _Run, which: Sequence[str], parent: str = "") -> _Walked:
        """Read a part of the log.

        Without ``parent``, it is the log below a base, which a later reading goes on with.
        """
        added, most = 0, self.settings().of(CommitSettings).max_per_project
        walk = LogWalk(self.git, run.repository, which, _LOG_S, parent)
        await self.in_thread(walk.open)
        try:
            while True:
                chunk = await self._rested(partial(walk.next_chunk, _CHUNK, _CHUNK_WALK))
                added += await self._store(run, chunk)
                if walk.failure is not None:
                    run.stopped = run.stopped or walk.failure.reason
                is_done = chunk.ended and walk.failure is None
                if not parent:
                    is_done = await self._advance(run, chunk, most, ended=is_done)
                if is_done or chunk.ended:
                    return _Walked(is_done, added, walk.met)
                if self.seconds() >= run.ends_at or not await self.wanted(run.state.project):
                    run.stopped = run.stopped or _LATER
                    return _Walked(done=False, added=added, met=walk.met)
        finally:
            await self.in_thread(walk.close)

    async def _advance(self, run: _Run, chunk: LogChunk, most: int, *, ended: bool) -> bool:
        """Record how far the log below the base was read; returns whether that was the end."""
        found = run.state.found + len(chunk.entries)
        is_done = ended or found >= most
        walked = run.state.walked + chunk.walked
        base = "" if is_done else run.state.base
        run.state = replace(run.state, base=base, walked=walked, found=found)
        await self._record(replace(run.state, stopped=_LATER if base else ""))
        return is_done

    async def _in_turns(self, items: Sequence[T], step: Callable[[WriteTx, T], int]) -> int:
        """Do a step for each item, few in a transaction; between two, others write as long."""
        done = 0
        for start in range(0, len(items), _WRITTEN_AT_ONCE):
            began = self.seconds()
            some = items[start : start + _WRITTEN_AT_ONCE]
            done += sum(await in_batches(self.db, some, step))
            await self.pause(min(self.seconds() - began, _LONGEST_REST_S))
        return done

    async def _rested(self, work: Callable[[], T]) -> T:
        """Do a piece of work in a thread, and rest as long as it took: hooks wait for the same."""
        began = self.seconds()
        done = await self.in_thread(work)
        await self.pause(min(self.seconds() - began, _LONGEST_REST_S))
        return done

    async def _store(self, run: _Run, chunk: LogChunk) -> int:
        fresh = [each for each in chunk.entries if each.hash not in run.known]
        if not fresh:
            return 0
        whole = frozenset(each.hash for each in fresh[: run.symbols_left])
        changes = dict[str, Changes]()
        if run.failures < _MAX_FAILURES:
            began = self.seconds()
            changes, failure = await self._rested(partial(run.changes.read, fresh, whole))
            is_slow = self.seconds() - began > _SLOW_S
            run.symbols_left = 0 if is_slow else run.symbols_left - len(whole)
            if failure is not None:
                run.failures += 1
                run.stopped = f"not all files of commits are known: {failure.reason}"
        added = 0
        for start in range(0, len(fresh), _AT_ONCE):
            some = fresh[start : start + _AT_ONCE]
            ready = await self._rested(partial(self._prepare, some, changes))
            added += await self._in_turns(ready, partial(_add, project=run.state.project))
        return added

    def _prepare(self, entries: Sequence[LogEntry], changes: dict[str, Changes]) -> list[NewCommit]:
        now, authors = self.clock(), self.settings().of(CommitSettings).authors
        return [
            prepare(
                each,
                changes.get(each.hash, Changes()),
                now,
                self.db.as_stored,
                with_author=authors,
            )
            for each in entries
        ]

    async def read_one(self, project: str, commit: str) -> int:
        """Read a forgotten commit again; returns 1 if it is stored now, and no longer forgotten."""
        opened = await self.in_thread(partial(open_repository, Path(project)))
        if isinstance(opened, Unreadable) or not hash_in(commit.encode()):
            return 0

        def look() -> list[NewCommit]:
            with closing(LogWalk(self.git, opened, ["-n1", commit], _ONE_S).open()) as walk:
                found = walk.next_chunk(1, 1).entries
            reader = ChangeReader(self.git, opened, frozenset(shallow_limits(opened)))
            changes, _ = reader.read(found, frozenset(each.hash for each in found))
            return self._prepare(found, changes)

        return await self._in_turns(await self.in_thread(look), partial(_restore, project=project))

    async def _remove_unreachable(self, run: _Run, head: str) -> None:
        project = run.state.project
        stored = await self.db.read(lambda tx: rows.hashes(tx, project))
        gone = await self.in_thread(
            lambda: unreachable(self.git, run.repository, head, frozenset(stored))
        )
        if isinstance(gone, GitFailure):
            run.stopped = run.stopped or gone.reason
            return
        await self._in_turns([stored[each] for each in sorted(gone)], rows.delete)
        run.state = replace(run.state, checked_at=iso(self.clock()))

    async def _remove_surplus(self, project: str) -> None:
        most = self.settings().of(CommitSettings).max_per_project
        surplus = await self.db.read(lambda tx: rows.beyond(tx, project, most))
        await self._in_turns(surplus, rows.delete)

    async def drop(self, project: str) -> int:
        """Delete all commits of a project; returns how many. The user's choices stay."""
        dropped = 0
        while some := await self.db.read(lambda tx: rows.of_project(tx, project, _DELETED_AT_ONCE)):
            dropped += await self._in_turns(some, rows.delete)
        await self._record(ReadingState(project))
        return dropped

    async def _record(self, state: ReadingState) -> None:
        now = replace(state, read_at=iso(self.clock()))
        await self.db.write(lambda tx: rows.set_state(tx, now))


def _add(tx: WriteTx, commit: NewCommit, project: str) -> int:
    return rows.add(tx, project, commit)


def _restore(tx: WriteTx, commit: NewCommit, project: str) -> int:
    return rows.add(tx, project, commit) if rows.unforget(tx, project, commit.hash) else 0

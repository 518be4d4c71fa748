"""Queues for a model what it hasn't read yet, a little at a time, while it may be asked.

New and changed rows come first, then older ones, newest first. Nothing is queued while no model is
configured, nor of a project about which nothing is asked. It resumes by looking again what hasn't
been read, so a kill loses nothing.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeAlias

from intaglio.base.bus import EventBus
from intaglio.base.errors import UnavailableError
from intaglio.base.events import BusEvent, Changed, Resync, StateChanged
from intaglio.jobs import rows as jobs
from intaglio.jobs.job_type import JobType
from intaglio.models.admission import closed_projects
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx

START_AFTER_S: Final = 60.0
MOST_QUEUED: Final = 50
_LOOK_EVERY_S: Final = 30.0
_SETTLE_S: Final = 2.0
_ROWS_PER_READ: Final = 200
_MOST_CHANGED: Final = 2_000
_PAUSE_S: Final = 0.02

FindUnread: TypeAlias = Callable[[ReadTx, int, int, Collection[str]], Sequence[str]]
"""Lists the subjects of jobs for rows that a model hasn't read.

Called with ``(tx, first row, last row, projects to leave out)``.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """How a stage finds what a model hasn't read.

    ``last`` is the highest row number, ``rows_of`` gives the rows of memories by their ids.
    """

    job_type: JobType
    last: Callable[[ReadTx], int]
    find: FindUnread
    rows_of: Callable[[ReadTx, Sequence[str]], Sequence[int]]


@dataclass(slots=True, kw_only=True)
class ModelBacklog:
    """Queues the jobs of one stage; ``is_on`` tells whether a model is configured for it.

    ``topic`` is that of memories' changes on the bus, ``now`` the time as it is stored.
    """

    db: Database
    bus: EventBus
    unread: Unread
    topic: str
    is_on: Callable[[], bool]
    now: Callable[[], str]
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep
    start_after_s: float = START_AFTER_S
    _position: int | None = field(default=None, init=False)
    _closed: frozenset[str] = field(default=frozenset(), init=False)

    async def run(self) -> None:
        """Look after changes and twice a minute, as long as the daemon runs."""
        await self.pause(self.start_after_s)
        # It may have been switched off meanwhile.
        self._position = None
        changed: Sequence[str] = ()
        with self.bus.listen() as events:
            while True:
                with contextlib.suppress(UnavailableError):
                    await self.look(changed)
                changed = await self._changed(events)

    async def look(self, changed: Sequence[str] = ()) -> int:
        """Queue what changed memories need, then older rows; return how many jobs were queued."""
        if not self.is_on():
            self._position = None
            return 0
        ready, closed = await self.db.read(lambda tx: (self._ready(tx), closed_projects(tx)))
        if self._closed - closed:
            self._position = None
        self._closed = closed
        if self._position is None:
            self._position = await self.db.read(self.unread.last)
        room = MOST_QUEUED - ready
        queued = 0
        if changed and room <= 0:
            # Later, they are found among all others.
            self._position = None
        elif changed:
            found = await self.db.read(lambda tx: self._of(tx, changed))
            queued += await self._queue(found)
        while room > queued and (last := self._position or 0) > 0:
            first = max(1, last - _ROWS_PER_READ + 1)
            found = await self.db.read(partial(self._find, first=first, last=last))
            queued += await self._queue(found)
            self._position = first - 1
            await self.pause(_PAUSE_S)
        return queued

    def _find(self, tx: ReadTx, first: int, last: int) -> list[str]:
        return list(self.unread.find(tx, first, last, self._closed))

    def _ready(self, tx: ReadTx) -> int:
        # Those that wait for their project would leave no room for others.
        return jobs.count_ready(tx, self.unread.job_type.name, self.now())

    def _of(self, tx: ReadTx, changed: Sequence[str]) -> list[str]:
        rows = self.unread.rows_of(tx, changed)
        found = (subject for row in rows for subject in self._find(tx, row, row))
        return list(dict.fromkeys(found))

    async def _queue(self, subjects: Sequence[str]) -> int:
        """Queue jobs, but not those that failed for good: a person retries or discards them."""
        if not subjects:
            return 0
        type_, at = self.unread.job_type, self.now()
        return await self.db.write(
            lambda tx: sum(
                jobs.enqueue(tx, type_, subject, at)
                for subject in subjects
                if not jobs.has_failed(tx, type_, subject)
            )
        )

    async def _changed(self, events: "asyncio.Queue[BusEvent]") -> list[str]:
        """Wait for changes of memories, at most half a minute; return their ids."""
        found: list[str] = []
        # With rows left to look at, the queue was full.
        wait_s = _SETTLE_S if self._position else _LOOK_EVERY_S
        event = await _next(events, wait_s)
        if event is not None:
            # What is written together is read together.
            await self.pause(_SETTLE_S)
        while event is not None:
            if isinstance(event, Resync) or event == StateChanged("ready"):
                self._position = None
            elif isinstance(event, Changed) and event.topic == self.topic:
                found += event.ids if event.what != "deleted" else ()
            event = None if events.empty() else events.get_nowait()
        return found[-_MOST_CHANGED:]


async def _next(events: "asyncio.Queue[BusEvent]", within_s: float) -> BusEvent | None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(within_s):
            return await events.get()
    return None

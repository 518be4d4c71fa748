"""The loop that works off the queue: at most two jobs at a time, woken by what is enqueued."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final, Protocol

from intaglio.base.clock import monotonic_s, parse_moment
from intaglio.base.errors import UnavailableError
from intaglio.base.log import get_logger
from intaglio.base.settings.values import QueueSettings
from intaglio.jobs import rows, rules
from intaglio.jobs.values import Job, JobType
from intaglio.memory.operations import ChangeContext
from intaglio.pipeline.pace import Pace
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx

WORKERS: Final = 2
_REAP_EVERY_S: Final = 60.0
_LONGEST_PAUSE_S: Final = 60.0
_SHORTEST_PAUSE_S: Final = 0.05


class Stage(Protocol):
    """What does the jobs of one type, and ends each of them in its own transaction."""

    @property
    def room(self) -> int:
        """How many jobs it takes at once now; 0 while it rests."""
        ...

    @property
    def rest_s(self) -> float:
        """In how many seconds it takes jobs again; 0 when it does now."""
        ...

    async def run(self, jobs: tuple[Job, ...]) -> int:
        """Do the jobs and return how many are done.

        Raises only what it did not foresee, and then they count as failed.
        """
        ...


@dataclass(slots=True)
class Worker:
    """Leases jobs and hands them to the stages by type; ``random`` gives numbers from 0 to 1."""

    db: Database
    stages: Mapping[JobType, Stage]
    stamp: ChangeContext
    random: Callable[[], float]
    settings: Callable[[], QueueSettings] = QueueSettings
    pace: Pace = field(default_factory=lambda: Pace(monotonic_s))
    _loop: asyncio.AbstractEventLoop | None = None
    _news: list[asyncio.Event] = field(default_factory=list[asyncio.Event])

    def __post_init__(self) -> None:
        self.db.watch("jobs", self._wake)

    def _wake(self, _generation: int, _rows: frozenset[int] | None) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.wake)

    def wake(self) -> None:
        """Look for jobs now, on the event loop's thread."""
        for event in self._news:
            event.set()

    async def run(self) -> None:
        """Work until cancelled; jobs that were being done go back as if never taken."""
        self._loop = asyncio.get_running_loop()
        self._news = [asyncio.Event() for _ in range(WORKERS)]
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._reap())
                for event in self._news:
                    group.create_task(self._work(event))
        finally:
            self._loop = None
            self._news = []

    async def _reap(self) -> None:
        # This process is the only one that works here: what is leased now was left by a dead one.
        await self._free(all_leases=True)
        while True:
            await asyncio.sleep(_REAP_EVERY_S)
            await self._free(all_leases=False)

    async def _free(self, *, all_leases: bool) -> None:
        def work(tx: WriteTx) -> int:
            timeout = timedelta(milliseconds=self.settings().lease_timeout_ms)
            return rows.reap(tx, self.stamp.clock(), all_leases=all_leases, timeout=timeout)

        try:
            freed = await self.db.write(work)
        except UnavailableError as error:
            get_logger("pipeline").warning("the queue cannot be written", reason=error.detail)
        else:
            if freed:
                get_logger("pipeline").warning("jobs were left behind", count=freed)

    async def _work(self, news: asyncio.Event) -> None:
        order: tuple[JobType, ...] = tuple(self.stages)
        while True:
            news.clear()
            try:
                jobs = await self._lease(order)
            except UnavailableError:
                # The database is checked or damaged; a later commit or the time wakes this.
                jobs = ()
            if not jobs:
                await self._pause(news)
                continue
            order = rules.turn(order, jobs[0].type)
            await self._do(jobs)

    async def _lease(self, order: tuple[JobType, ...]) -> tuple[Job, ...]:
        asked: list[tuple[JobType, int]] = [(type_, self.stages[type_].room) for type_ in order]
        wanted = [each for each in asked if each[1] > 0]
        if not wanted:
            return ()
        token = self.stamp.new_id()
        most = self.settings().max_attempts
        return await self.db.write(
            lambda tx: rows.lease(tx, wanted, token, self.stamp.clock(), most)
        )

    async def _do(self, jobs: tuple[Job, ...]) -> None:
        try:
            self.pace.count(await self.stages[jobs[0].type].run(jobs))
        except asyncio.CancelledError:
            await self.db.write(lambda tx: [rows.release(tx, job, None) for job in jobs])
            raise
        except UnavailableError as error:
            await self._give_back(jobs, error.detail)
        # The worker loop: whatever a stage did not foresee fails its jobs, not the daemon.
        except Exception as error:  # noqa: BLE001
            get_logger("pipeline").error("a job failed", type=jobs[0].type, error=repr(error))
            await self._give_back(jobs, repr(error))

    async def _give_back(self, jobs: tuple[Job, ...], error: str) -> None:
        now, jitter = self.stamp.clock(), self.random()

        def work(tx: WriteTx) -> None:
            for job in jobs:
                outcome = rules.after_failure(job.attempts, job.max_attempts, now, jitter)
                rows.fail(tx, job, outcome, error, now)

        try:
            await self.db.write(work)
        except UnavailableError:
            # They stay leased until the reaper frees them.
            get_logger("pipeline").warning("failed jobs could not be put back", error=error)

    async def _pause(self, news: asyncio.Event) -> None:
        seconds = await self._until_next()
        try:
            async with asyncio.timeout(seconds):
                await news.wait()
                # While every stage rests there is nothing to do, whatever is enqueued.
                await asyncio.sleep(
                    min((stage.rest_s for stage in self.stages.values()), default=0)
                )
        except TimeoutError:
            return

    async def _until_next(self) -> float:
        rests = [stage.rest_s for stage in self.stages.values() if stage.rest_s > 0]
        working: list[JobType] = [
            type_ for type_, stage in self.stages.items() if stage.rest_s == 0
        ]
        try:
            ready = await self.db.read(lambda tx: rows.next_ready(tx, working))
        except UnavailableError:
            ready = None
        moment = parse_moment(ready) if ready else None
        if moment is not None:
            rests.append((moment - self.stamp.clock()).total_seconds())
        return min(_LONGEST_PAUSE_S, max(_SHORTEST_PAUSE_S, min(rests, default=_LONGEST_PAUSE_S)))

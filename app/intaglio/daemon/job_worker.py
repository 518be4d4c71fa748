"""The job worker: works off the queue, fairly between types, woken by what is enqueued."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from intaglio.base.clock import monotonic_s, parse_moment
from intaglio.base.errors import UnavailableError
from intaglio.base.log import get_logger
from intaglio.base.settings.schema import QueueSettings
from intaglio.jobs import rows, scheduling
from intaglio.jobs.job_type import Job, JobRunner, JobType, JobTypes
from intaglio.jobs.throughput import Throughput
from intaglio.memory.operations import ChangeContext
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx

MAX_CONCURRENCY: Final = 8
_REAP_EVERY_S: Final = 60.0
_LONGEST_PAUSE_S: Final = 60.0
_SHORTEST_PAUSE_S: Final = 0.05
# A rest may end early, when what failed is mended; to look costs next to nothing.
_LOOK_AT_REST_S: Final = 2.0


@dataclass(slots=True, kw_only=True)
class JobWorker:
    """Leases jobs and hands them to what runs their type; ``random`` gives numbers from 0 to 1.

    Of each type no more leases are worked on at once than it declares (`MAX_CONCURRENCY` at most).
    There is no bound for all types together, so that no number of slow types keeps another one
    from being done. Types take turns.
    """

    db: Database
    types: JobTypes
    context: ChangeContext
    random: Callable[[], float]
    settings: Callable[[], QueueSettings] = QueueSettings
    throughput: Throughput = field(default_factory=lambda: Throughput(monotonic_s))
    _held: Counter[str] = field(default_factory=Counter[str])
    _loop: asyncio.AbstractEventLoop | None = None
    _news: asyncio.Event | None = None

    def __post_init__(self) -> None:
        for each in self.types.by_name.values():
            if not 1 <= each.concurrency <= MAX_CONCURRENCY:
                raise ValueError(f"concurrency of {each.name} must be 1 to {MAX_CONCURRENCY}")
        self.db.watch("jobs", self._touched)

    def _touched(self, _generation: int, _rows: frozenset[int] | None) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.wake)

    def wake(self) -> None:
        """Look for jobs now, on the event loop's thread."""
        if self._news is not None:
            self._news.set()

    async def run(self) -> None:
        """Work until cancelled; jobs that were being done go back as if never taken."""
        self._loop, self._news = asyncio.get_running_loop(), asyncio.Event()
        self._held.clear()
        try:
            # No other process works here: what is leased before this one begins was left behind.
            await self._free(all_leases=True)
            async with asyncio.TaskGroup() as group:
                group.create_task(self._reap())
                await self._dispatch(group, self._news)
        finally:
            self._loop = self._news = None

    async def _reap(self) -> None:
        while True:
            await asyncio.sleep(_REAP_EVERY_S)
            await self._free(all_leases=False)

    async def _free(self, *, all_leases: bool) -> None:
        def work(tx: WriteTx) -> int:
            return rows.reap(
                tx,
                self.context.clock(),
                all_leases=all_leases,
                timeout=timedelta(milliseconds=self.settings().lease_timeout_ms),
                leases=self.types.leases,
            )

        try:
            freed = await self.db.write(work)
        except UnavailableError as error:
            get_logger("jobs").warning("the queue cannot be written", reason=error.detail)
        else:
            if freed:
                get_logger("jobs").warning("jobs were left behind", count=freed)

    async def _dispatch(self, group: asyncio.TaskGroup, news: asyncio.Event) -> None:
        order = tuple(self.types.by_name)
        while True:
            news.clear()
            try:
                jobs = await self._lease(order)
            except UnavailableError:
                # The database is checked or damaged; a later commit or the time wakes this.
                jobs = ()
            if jobs:
                served = jobs[0].job_type
                order = scheduling.service_order(order, served.name)
                self._held[served.name] += 1
                group.create_task(self._do(served, jobs))
            else:
                await self._pause(news)

    async def _lease(self, order: tuple[str, ...]) -> tuple[Job, ...]:
        asked = [(type_, _runner(type_).capacity) for type_ in self._free_types(order)]
        wanted = [each for each in asked if each[1] > 0]
        if not wanted:
            return ()
        token = self.context.new_id()
        attempts = self.settings().max_attempts
        return await self.db.write(
            lambda tx: rows.lease(tx, wanted, token, self.context.clock(), attempts)
        )

    def _free_types(self, order: tuple[str, ...]) -> list[JobType]:
        """List the types that are not at their limit."""
        types = (self.types.by_name[name] for name in order)
        return [each for each in types if self._held_by(_runner(each)) < each.concurrency]

    def _held_by(self, runner: JobRunner) -> int:
        types = self.types.by_name.values()
        return sum(self._held[each.name] for each in types if each.runner is runner)

    async def _do(self, type_: JobType, jobs: tuple[Job, ...]) -> None:
        try:
            self.throughput.count(await _runner(type_).run(jobs))
        except asyncio.CancelledError:
            await self.db.write(lambda tx: [rows.release(tx, job, None) for job in jobs])
            raise
        except UnavailableError as error:
            await self._give_back(jobs, error.detail)
        # The worker loop: whatever a runner did not foresee fails its jobs, not the daemon.
        except Exception as error:  # noqa: BLE001
            get_logger("jobs").error("a job failed", type=type_.name, error=repr(error))
            await self._give_back(jobs, repr(error))
        finally:
            self._held[type_.name] -= 1
            self.wake()

    async def _give_back(self, jobs: tuple[Job, ...], error: str) -> None:
        now, jitter = self.context.clock(), self.random()

        def work(tx: WriteTx) -> None:
            for job in jobs:
                outcome = scheduling.after_failure(job.attempts, job.max_attempts, now, jitter)
                rows.fail(tx, job, outcome, error, now)

        try:
            await self.db.write(work)
        except UnavailableError:
            # They stay leased until the reaper frees them.
            get_logger("jobs").warning("failed jobs could not be put back", error=error)

    async def _pause(self, news: asyncio.Event) -> None:
        seconds = await self._until_next()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await news.wait()

    async def _until_next(self) -> float:
        free = self._free_types(tuple(self.types.by_name))
        rests = [min(rest, _LOOK_AT_REST_S) for each in free if (rest := _runner(each).rest_s) > 0]
        # One that is at its limit or busy is asked again when a lease ends, which wakes this.
        ready = [each.name for each in free if _runner(each).capacity > 0]
        try:
            moment = await self.db.read(lambda tx: rows.next_ready(tx, ready)) if ready else None
        except UnavailableError:
            moment = None
        known = parse_moment(moment) if moment else None
        if known is not None:
            rests.append((known - self.context.clock()).total_seconds())
        return min(_LONGEST_PAUSE_S, max(_SHORTEST_PAUSE_S, min(rests, default=_LONGEST_PAUSE_S)))


def _runner(type_: JobType) -> JobRunner:
    if type_.runner is None:
        raise LookupError(f"nothing runs jobs of type {type_.name}")
    return type_.runner

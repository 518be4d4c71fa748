"""The job worker: runs queued jobs, fairly between types, woken by new jobs."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from intaglio.base.clock import monotonic_s, parse_moment
from intaglio.base.error_text import error_text
from intaglio.base.errors import UnavailableError
from intaglio.base.log import get_logger
from intaglio.base.metrics.measured import JobsRun, MeasuredFailure
from intaglio.jobs import rows, scheduling
from intaglio.jobs.job_type import Job, JobRunner, JobType, JobTypes
from intaglio.jobs.settings import QueueSettings
from intaglio.jobs.throughput import Throughput
from intaglio.memory.operations import ChangeContext
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx

MAX_CONCURRENCY: Final = 8
_REAP_INTERVAL_S: Final = 60.0
_LONGEST_PAUSE_S: Final = 60.0
_SHORTEST_PAUSE_S: Final = 0.05
# A runner's back-off may end early, when its problem is fixed; checking costs next to nothing.
_BACK_OFF_CHECK_S: Final = 2.0


@dataclass(slots=True, kw_only=True)
class JobWorker:
    """Leases jobs and passes them to the runner of their type; ``random`` returns 0 to 1.

    Each type runs at most as many leases concurrently as it declares (up to `MAX_CONCURRENCY`).
    There is no overall limit, so slow types can't block others. Types are served round-robin.
    """

    db: Database
    types: JobTypes
    context: ChangeContext
    random: Callable[[], float]
    settings: Callable[[], QueueSettings] = QueueSettings
    throughput: Throughput = field(default_factory=lambda: Throughput(monotonic_s))
    measure: Callable[[JobsRun], None] = lambda _: None
    monotonic_s: Callable[[], float] = monotonic_s
    _held: Counter[str] = field(default_factory=Counter[str])
    _loop: asyncio.AbstractEventLoop | None = None
    _wake: asyncio.Event | None = None

    def __post_init__(self) -> None:
        for each in self.types.by_name.values():
            if not 1 <= each.concurrency <= MAX_CONCURRENCY:
                raise ValueError(f"concurrency of {each.name} must be 1 to {MAX_CONCURRENCY}")
        self.db.watch("jobs", self._touched)

    def _touched(self, _generation: int, _rows: frozenset[int] | None) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.wake)

    def wake(self) -> None:
        """Check for jobs now; call it on the event loop's thread."""
        if self._wake is not None:
            self._wake.set()

    async def run(self) -> None:
        """Run until cancelled; jobs in progress then return to the queue as if never leased."""
        self._loop, self._wake = asyncio.get_running_loop(), asyncio.Event()
        self._held.clear()
        try:
            # No other process runs jobs: any existing lease was left behind by a previous run.
            await self._release_stale(all_leases=True)
            async with asyncio.TaskGroup() as group:
                group.create_task(self._reap())
                await self._dispatch(group, self._wake)
        finally:
            self._loop = self._wake = None

    async def _reap(self) -> None:
        while True:
            await asyncio.sleep(_REAP_INTERVAL_S)
            await self._release_stale(all_leases=False)

    async def _release_stale(self, *, all_leases: bool) -> None:
        def work(tx: WriteTx) -> int:
            return rows.reap(
                tx,
                self.context.clock(),
                all_leases=all_leases,
                timeout=timedelta(milliseconds=self.settings().lease_timeout_ms),
                leases=self.types.leases,
            )

        try:
            released = await self.db.write(work)
        except UnavailableError as error:
            get_logger("jobs").warning("couldn't release stale jobs", reason=error.detail)
        else:
            if released:
                get_logger("jobs").warning("released stale jobs", count=released)

    async def _dispatch(self, group: asyncio.TaskGroup, wake: asyncio.Event) -> None:
        order = tuple(self.types.by_name)
        while True:
            wake.clear()
            try:
                jobs = await self._lease(order)
            except UnavailableError:
                # The database is being checked or damaged; a later commit or timeout wakes this.
                jobs = ()
            if jobs:
                served = jobs[0].job_type
                order = scheduling.service_order(order, served.name)
                self._held[served.name] += 1
                group.create_task(self._run_jobs(served, jobs))
            else:
                await self._pause(wake)

    async def _lease(self, order: tuple[str, ...]) -> tuple[Job, ...]:
        capacities = [(type_, _runner(type_).capacity) for type_ in self._free_types(order)]
        wanted = [each for each in capacities if each[1] > 0]
        if not wanted:
            return ()
        token = self.context.new_id()
        attempts = self.settings().max_attempts
        return await self.db.write(
            lambda tx: rows.lease(tx, wanted, token, self.context.clock(), attempts)
        )

    def _free_types(self, order: tuple[str, ...]) -> list[JobType]:
        """List the types below their concurrency limit."""
        types = (self.types.by_name[name] for name in order)
        return [each for each in types if self._held_by(_runner(each)) < each.concurrency]

    def _held_by(self, runner: JobRunner) -> int:
        types = self.types.by_name.values()
        return sum(self._held[each.name] for each in types if each.runner is runner)

    async def _run_jobs(self, type_: JobType, jobs: tuple[Job, ...]) -> None:
        began, failure = self.monotonic_s(), ""
        try:
            self.throughput.count(await _runner(type_).run(jobs))
        except asyncio.CancelledError:
            await self.db.write(lambda tx: [rows.release(tx, job, None) for job in jobs])
            raise
        except UnavailableError as error:
            failure = "the database couldn't be used"
            await self._record_failure(jobs, error.detail)
        # Worker loop: an unexpected exception fails the jobs, not the daemon.
        except Exception as error:  # noqa: BLE001
            failure = type(error).__name__
            get_logger("jobs").error("job failed", type=type_.name, error=error_text(error))
            await self._record_failure(jobs, error_text(error))
        finally:
            self._measure(type_, len(jobs), began, failure)
            self._held[type_.name] -= 1
            self.wake()

    def _measure(self, type_: JobType, jobs: int, began: float, failure: str) -> None:
        failed = MeasuredFailure(stage="job", code="JOB_FAILED", message=f"{type_.name}: {failure}")
        self.measure(
            JobsRun(
                type=type_.name,
                jobs=jobs,
                ms=(self.monotonic_s() - began) * 1_000,
                failure=failed if failure else None,
            )
        )

    async def _record_failure(self, jobs: tuple[Job, ...], error: str) -> None:
        now, jitter = self.context.clock(), self.random()

        def work(tx: WriteTx) -> None:
            for job in jobs:
                outcome = scheduling.after_failure(job.attempts, job.max_attempts, now, jitter)
                rows.fail(tx, job, outcome, error, now)

        try:
            await self.db.write(work)
        except UnavailableError:
            # They stay leased until the reaper releases them.
            get_logger("jobs").warning("couldn't record failed jobs", error=error)

    async def _pause(self, wake: asyncio.Event) -> None:
        seconds = await self._until_next()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await wake.wait()

    async def _until_next(self) -> float:
        free = self._free_types(tuple(self.types.by_name))
        rests = [
            min(rest, _BACK_OFF_CHECK_S) for each in free if (rest := _runner(each).rest_s) > 0
        ]
        # Busy types are checked again when a lease ends, which wakes the worker.
        ready = [each.name for each in free if _runner(each).capacity > 0]
        try:
            moment = await self.db.read(lambda tx: rows.next_ready(tx, ready)) if ready else None
        except UnavailableError:
            moment = None
        if moment == "":
            # A back-off ended after the lease, or the database can't be written.
            rests.append(_BACK_OFF_CHECK_S)
        elif moment is not None and (known := parse_moment(moment)) is not None:
            rests.append((known - self.context.clock()).total_seconds())
        return min(_LONGEST_PAUSE_S, max(_SHORTEST_PAUSE_S, min(rests, default=_LONGEST_PAUSE_S)))


def _runner(type_: JobType) -> JobRunner:
    if type_.runner is None:
        raise LookupError(f"no runner for jobs of type {type_.name}")
    return type_.runner

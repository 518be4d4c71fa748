"""The job that lays the memories of a scope out anew.

A run reads vectors, has another process lay them out, and writes drafts of the layouts; the last
transaction puts them in the place of the former ones and finishes the job. Whatever happens before,
the former layouts stay, and the next run begins by removing what was left.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

from intaglio.base.clock import iso
from intaglio.base.errors import UnavailableError
from intaglio.base.events import Changed, Publish
from intaglio.base.installation import command
from intaglio.base.log import get_logger
from intaglio.jobs import rows as jobs
from intaglio.jobs.job_type import Job
from intaglio.projection import rows, runs
from intaglio.projection.compute.values import LaidOut, LayoutRunError, RunPlan
from intaglio.projection.layout_writer import LayoutWriter
from intaglio.projection.map_vectors import MapVectors
from intaglio.projection.runs import CurrentRun, WantedLayouts
from intaglio.projection.service import (
    TOPIC,
    Projections,
    cancelled,
    switched_off,
    without_vectors,
)
from intaglio.projection.values import Layout, MapScope, RunFailure, RunPhase
from intaglio.store.tx import WriteTx
from intaglio.store.vectors.values import Model

_SEED: Final = 38
_SHARE_OF_COMPUTE: Final = 0.9
_PROGRESS_STEP_S: Final = 1.0
_RETRY_S: Final = 5.0
_START_S: Final = 60.0
_LOOK_S: Final = 0.25
_MEGABYTE: Final = 1 << 20


class RunLayouts(Protocol):
    """Lays vectors out in a process of its own; see `compute.process.run_layouts`."""

    def __call__(
        self,
        plan: RunPlan,
        vectors: AsyncIterator[bytes],
        progress: Callable[[RunPhase, float], None],
    ) -> AsyncGenerator[LaidOut]:
        """Yield the layouts of a plan."""
        ...


@dataclass(slots=True, kw_only=True)
class LayoutRunner:
    """Runs the jobs that lay maps out; ``published`` is called once layouts were replaced.

    ``is_embedding`` tells whether the settings name a model.
    """

    maps: Projections
    run_layouts: RunLayouts
    writer: LayoutWriter
    publish: Publish
    seconds: Callable[[], float]
    is_embedding: Callable[[], bool]
    published: Callable[[], None] = lambda: None
    rest_s: float = field(default=0.0, init=False)
    capacity: int = field(default=1, init=False)
    _told_at: float = field(default=0.0, init=False)

    async def run(self, jobs: tuple[Job, ...]) -> int:
        """Run each job; a run that fails is recorded, and its job is done."""
        for job in jobs:
            await self._run(job)
        return len(jobs)

    async def _run(self, job: Job) -> None:
        scope = MapScope.of(job.subject)
        wanted = job.payload_as(WantedLayouts).dimensions
        going = CurrentRun(dimensions=runs.in_order(wanted), started_at=iso(self.maps.clock()))
        self.maps.current.by_scope[scope] = going
        going.task = asyncio.create_task(self._lay_out(job, scope, going))
        if scope in self.maps.current.cancelled:
            self.maps.current.cancelled.discard(scope)
            going.task.cancel()
        try:
            await asyncio.wait({going.task})
            await self._record(job, scope, going.task)
        except UnavailableError as error:
            self._end(scope, going)
            get_logger("projection").warning("run postponed", reason=error.detail)
            await self._release(job)
        finally:
            if not going.task.done():
                # The daemon stops, and the job returns to the queue.
                going.task.cancel()
                await asyncio.wait({going.task})
            self._end(scope, going)

    def _end(self, scope: MapScope, going: CurrentRun) -> None:
        if self.maps.current.by_scope.get(scope) is going:
            del self.maps.current.by_scope[scope]
        going.ended.set()
        self.publish(Changed(TOPIC, "updated", (scope.key,)))

    async def _record(
        self, job: Job, scope: MapScope, ended: asyncio.Task[RunFailure | None]
    ) -> None:
        """Write how a run ended; raises UnavailableError if the database was the reason."""
        now = iso(self.maps.clock())
        if ended.cancelled():
            stopped = cancelled if self.maps.settings().enabled else switched_off
            await self._give_up(job, scope, stopped(now), counts_as=0)
            return
        match ended.exception():
            case None:
                failure = ended.result()
                if failure is not None:
                    await self._give_up(job, scope, failure, counts_as=0)
            case LayoutRunError() as error:
                failure = RunFailure(reason=error.detail, hint=error.hint, at=now)
                await self._give_up(job, scope, failure, counts_as=1)
            case UnavailableError() as error:
                raise error
            case error:
                get_logger("projection").error("run failed", exc_info=error)
                failure = RunFailure(
                    reason="Computing the map failed unexpectedly.",
                    hint=f"The log says why: {command('daemon logs')}",
                    at=now,
                )
                await self._give_up(job, scope, failure, counts_as=1)

    async def _give_up(
        self, job: Job, scope: MapScope, failure: RunFailure, *, counts_as: int
    ) -> None:
        def work(tx: WriteTx) -> None:
            # A run that was cancelled in its last transaction has succeeded.
            if jobs.complete(tx, job, failure.at):
                rows.record_failure(tx, scope, failure, counts_as=counts_as)

        await self.writer.db.write(work)
        await self.writer.clean_up()

    async def _release(self, job: Job) -> None:
        """Return a job to the queue once the database can be written."""
        released = False
        while not released:
            await asyncio.sleep(_RETRY_S)
            with contextlib.suppress(UnavailableError):
                await self.writer.db.write(lambda tx: jobs.release(tx, job, None))
                released = True

    async def _lay_out(self, job: Job, scope: MapScope, going: CurrentRun) -> RunFailure | None:
        """Lay a scope out; return what keeps it from being so, if that is expected."""
        if not self.maps.settings().enabled:
            return switched_off(iso(self.maps.clock()))
        began = self.seconds()
        await self.writer.clean_up()
        former = await self.writer.db.read(lambda tx: rows.layouts(tx, scope))
        going.dimensions = runs.in_order(
            {2, *going.dimensions, *(each.dimensions for each in former)}
        )
        model = await self._searched_model(scope)
        if model is None and former and (await self.maps.state(scope)).memories:
            # What was laid out stays.
            return without_vectors(iso(self.maps.clock()))
        covered = await self.maps.covered(scope)
        source = MapVectors(db=self.writer.db, scope=scope, covered=covered, model=model)
        await source.begin()
        await self._write(await self._compute(source, former, going), source, former, going)
        await self._finish(job, source, going, self.seconds() - began)
        self.published()
        await self.writer.clean_up()
        return None

    async def _searched_model(self, scope: MapScope) -> Model | None:
        """Return the model whose vectors are searched; None if there are none.

        At a start of the daemon, waits until it is known.
        """
        waited_s = 0.0
        while (model := self.maps.model()) is None and waited_s < _START_S:
            if not self.is_embedding() or not (await self.maps.state(scope)).embedded:
                return None
            waited_s += _LOOK_S
            await asyncio.sleep(_LOOK_S)
        return model

    async def _compute(
        self, source: MapVectors, former: tuple[Layout, ...], going: CurrentRun
    ) -> list[LaidOut]:
        if source.model is None or not source.memories:
            return [
                LaidOut(dimensions=each, method="pca", coordinates=b"") for each in going.dimensions
            ]
        settings = self.maps.settings()
        plan = RunPlan(
            points=len(source.memories),
            vector_dimensions=source.model.dimensions,
            dimensions=going.dimensions,
            previous={each.dimensions: await source.previous(each) for each in former},
            seed=_SEED,
            memory_bytes=settings.memory_mb * _MEGABYTE,
            timeout_s=settings.minutes * 60,
        )

        def progress(phase: RunPhase, fraction: float) -> None:
            self._tell(source.scope, going, phase, _SHARE_OF_COMPUTE * fraction)

        async with contextlib.aclosing(
            self.run_layouts(plan, source.stream(), progress)
        ) as layouts:
            return [each async for each in layouts]

    async def _write(
        self,
        layouts: list[LaidOut],
        source: MapVectors,
        former: tuple[Layout, ...],
        going: CurrentRun,
    ) -> None:
        share = (1 - _SHARE_OF_COMPUTE) / len(layouts)
        for number, each in enumerate(layouts):

            def progress(fraction: float, done: int = number) -> None:
                whole = _SHARE_OF_COMPUTE + share * (done + fraction)
                self._tell(source.scope, going, "saving", whole)

            progress(0.0)
            draft = await self.writer.write_draft(each, source, iso(self.maps.clock()), progress)
            for layout in former:
                if layout.dimensions == each.dimensions:
                    await self.writer.carry_over(layout, draft)

    async def _finish(
        self, job: Job, source: MapVectors, going: CurrentRun, seconds: float
    ) -> None:
        now, scope = iso(self.maps.clock()), source.scope
        is_current = self.maps.model() == source.model
        more = runs.in_order(going.more - {*going.dimensions})

        def work(tx: WriteTx) -> None:
            if not jobs.complete(tx, job, now):
                return
            if is_current:
                rows.publish_drafts(tx, scope, seconds)
                rows.drop_failure(tx, scope)
            # Another model's vectors are searched by now: those of this one may be gone.
            again = more if is_current else going.dimensions
            if again:
                runs.queue(tx, scope, again, now)
            tx.publish(Changed(TOPIC, "updated", (scope.key,)))

        await self.writer.db.write(work)

    def _tell(self, scope: MapScope, going: CurrentRun, phase: RunPhase, fraction: float) -> None:
        is_new = phase != going.phase
        going.phase, going.fraction = phase, max(going.fraction, min(fraction, 1.0))
        now = self.seconds()
        if is_new or now - self._told_at >= _PROGRESS_STEP_S:
            self._told_at = now
            self.publish(Changed(TOPIC, "updated", (scope.key,)))

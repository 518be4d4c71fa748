"""The state of maps; asking for runs, and cancelling them."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from intaglio.base.clock import Clock, iso, parse_moment
from intaglio.base.errors import ConflictError, UnavailableError
from intaglio.base.events import Changed
from intaglio.jobs import rows as jobs
from intaglio.memory.filters import Filter
from intaglio.projection import rows, runs
from intaglio.projection.runs import CurrentRuns, QueuedRun
from intaglio.projection.settings import ProjectionSettings
from intaglio.projection.values import Dimensions, Layout, MapScope, MapState, Run, RunFailure
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.store.vectors.values import Model

TOPIC: Final = "projection"
"""The topic of changes of maps on the bus; ids are the keys of scopes."""

# A full run is due after this many changes, or a tenth of the points.
_MANY_CHANGES: Final = 500
# Runs that nobody asked for by hand wait after a failure: the page has nothing to show yet, or it
# shows an older layout.
_FIRST_AGAIN: Final = timedelta(seconds=30)
_FULL_AGAIN: Final = timedelta(minutes=10)
# They also rest ten times as long as the last one took.
_REST: Final = 10
# When a map was asked for is written only this often.
_ASKED_STEP: Final = timedelta(hours=1)
_CANCELLED_WITHIN_S: Final = 10.0
_SWITCHED_OFF: Final = "Maps of memories are switched off."
_SWITCH_ON: Final = "Switch projection.enabled on in the settings."


@dataclass(frozen=True, slots=True)
class _Stored:
    """What the database says of a map; ``model`` is the row of the searched vectors, 0 if none."""

    layouts: tuple[Layout, ...]
    queued: QueuedRun | None
    failure: RunFailure | None
    counts: rows.MapCounts
    model: int


def cancelled(at: str) -> RunFailure:
    """Return what is told of a run that a person stopped."""
    hint = "Start it again when you want the map."
    return RunFailure(reason="The run was cancelled.", hint=hint, at=at)


def switched_off(at: str) -> RunFailure:
    """Return what is told of a run that ended because maps were switched off."""
    return RunFailure(reason="Maps of memories were switched off.", hint=_SWITCH_ON, at=at)


def without_vectors(at: str) -> RunFailure:
    """Return what is told of a run while there are no vectors of the embedding model."""
    hint = "Choose an embedding model in the settings, or wait until the memories are embedded."
    return RunFailure(reason="No embeddings are in use now.", hint=hint, at=at)


def is_outdated(layout: Layout, embedded: int, model: int) -> bool:
    """Tell whether enough has changed since a full run for another one.

    ``embedded`` memories of its scope have a vector of ``model``, the row of the searched vectors,
    0 if none are.
    """
    if not model:
        return False
    if layout.model != model:
        return embedded > 0
    # Points that were placed, and points without a memory or memories without a point.
    changes = layout.placed + abs(embedded - layout.points - layout.placed)
    return changes >= min(_MANY_CHANGES, max(1.0, layout.points / 10))


@dataclass(frozen=True, slots=True, kw_only=True)
class Projections:
    """Maps of memories; ``model`` returns the row of the vectors that are searched.

    ``aliases`` returns the other names that a project has memories under.
    """

    db: Database
    clock: Clock
    settings: Callable[[], ProjectionSettings]
    model: Callable[[], Model | None]
    aliases: Callable[[str | None], Awaitable[tuple[str, ...]]]
    current: CurrentRuns = field(default_factory=CurrentRuns)

    async def covered(self, scope: MapScope) -> Filter:
        """Return the filter of the live memories that a map covers now, whoever may read them."""
        return rows.filter_of(scope, await self.aliases(scope.project))

    async def state(self, scope: MapScope) -> MapState:
        """Return the state of a scope's map."""
        return self._state(scope, await self._stored(scope, await self.covered(scope)))

    async def request(self, scope: MapScope, dimensions: tuple[Dimensions, ...]) -> MapState:
        """Queue a full run of these layouts, unless one is queued or going on.

        Raises ConflictError if maps are switched off, and UnavailableError while the database is
        read-only.
        """
        self._check_enabled()
        await self._queue(scope, dimensions)
        return await self.state(scope)

    async def touch(self, scope: MapScope, dimensions: tuple[Dimensions, ...]) -> MapState:
        """Note that layouts are asked for, and queue a run if one is missing or outdated.

        After a failure, the next run is queued only after a while. Raises ConflictError if a layout
        is missing and maps are switched off, and UnavailableError if it is missing and the database
        is read-only.
        """
        stored = await self._stored(scope, await self.covered(scope))
        known = {each.dimensions: each for each in stored.layouts}
        missing = runs.in_order({*dimensions} - known.keys())
        if missing:
            self._check_enabled()
        try:
            asked_at = iso(self.clock() - _ASKED_STEP)
            if any(known[each].asked_at < asked_at for each in dimensions if each in known):
                await self.db.write(
                    lambda tx: rows.set_asked(tx, scope, dimensions, iso(self.clock()))
                )
            outdated = {each for each in known if self._is_outdated(known[each], stored)}
            due = missing or runs.in_order(outdated & {*dimensions})
            if due and self._may_run(scope, stored, due):
                await self._queue(scope, due)
                return await self.state(scope)
        except UnavailableError:
            if missing:
                raise
        return self._state(scope, stored)

    async def queue_if_outdated(self, layout: Layout, covered: Filter) -> bool:
        """Queue a full run if this layout is outdated; return whether one is queued or going on.

        ``covered`` is what its map covers.
        """
        scope = layout.scope
        due = runs.in_order([layout.dimensions])
        stored = await self._stored(scope, covered)
        if not self._is_outdated(layout, stored):
            return False
        if self._may_run(scope, stored, due):
            await self._queue(scope, due)
            return True
        return stored.queued is not None

    async def cancel(self, scope: MapScope) -> MapState:
        """Stop the run of a scope; none follows by itself for a while."""

        def work(tx: WriteTx) -> bool:
            found = runs.queued(tx, scope)
            if found is not None and not found.is_leased:
                jobs.drop_pending(tx, runs.LAY_OUT, scope.key)
                stopped = cancelled(iso(self.clock()))
                rows.record_failure(tx, scope, stopped, counts_as=0)
                tx.publish(Changed(TOPIC, "updated", (scope.key,)))
            return found is not None and found.is_leased

        going = self.current.by_scope.get(scope)
        if going is None and await self.db.write(work):
            # It has just left the queue.
            self.current.cancelled.add(scope)
        elif going is not None:
            if going.task is not None:
                going.task.cancel()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_CANCELLED_WITHIN_S):
                    await going.ended.wait()
        return await self.state(scope)

    def stop_all(self) -> None:
        """Stop the runs that are going on, because maps were switched off."""
        for going in self.current.by_scope.values():
            if going.task is not None:
                going.task.cancel()

    def _check_enabled(self) -> None:
        if not self.settings().enabled:
            raise ConflictError(_SWITCHED_OFF, hint=_SWITCH_ON)

    async def _queue(self, scope: MapScope, dimensions: tuple[Dimensions, ...]) -> None:
        going = self.current.by_scope.get(scope)
        if going is not None:
            going.more.update(dimensions)

        def work(tx: WriteTx) -> None:
            rows.close_failure(tx, scope)
            runs.queue(tx, scope, dimensions, iso(self.clock()))
            tx.publish(Changed(TOPIC, "updated", (scope.key,)))

        await self.db.write(work)

    async def _stored(self, scope: MapScope, covered: Filter) -> _Stored:
        def read(tx: ReadTx) -> _Stored:
            model = self.model()
            number = model.id if model is not None else 0
            return _Stored(
                layouts=rows.layouts(tx, scope),
                queued=runs.queued(tx, scope),
                failure=rows.failure(tx, scope),
                counts=rows.counts(tx, covered, number),
                model=number,
            )

        return await self.db.read(read)

    def _is_outdated(self, layout: Layout, stored: _Stored) -> bool:
        return is_outdated(layout, stored.counts.embedded, stored.model)

    def _may_run(self, scope: MapScope, stored: _Stored, due: tuple[Dimensions, ...]) -> bool:
        """Tell whether a run that nobody asked for by hand may be queued now."""
        if not self.settings().enabled or self._covers(scope, stored.queued, due):
            return False
        now = self.clock()
        failed = stored.failure and parse_moment(stored.failure.at)
        found = [each for each in stored.layouts if each.dimensions in due]
        if failed and now - failed < (_FULL_AGAIN if found else _FIRST_AGAIN):
            return False
        return all(
            (computed := parse_moment(each.computed_at)) is None
            or now - computed >= timedelta(seconds=_REST * each.seconds)
            for each in found
        )

    def _covers(
        self, scope: MapScope, queued: QueuedRun | None, due: tuple[Dimensions, ...]
    ) -> bool:
        """Tell whether a run of these layouts is queued or going on."""
        going = self.current.by_scope.get(scope)
        wanted = {*queued.dimensions} if queued is not None else set[Dimensions]()
        if going is not None:
            wanted |= {*going.dimensions, *going.more}
        return wanted >= {*due}

    def _run(self, scope: MapScope, stored: _Stored) -> Run | None:
        if stored.queued is None:
            return None
        going = self.current.by_scope.get(scope)
        if going is not None and stored.queued.is_leased:
            return going.state()
        return Run(
            phase="queued", fraction=0.0, dimensions=stored.queued.dimensions, started_at=None
        )

    def _state(self, scope: MapScope, stored: _Stored) -> MapState:
        return MapState(
            scope=scope,
            layouts=stored.layouts,
            run=self._run(scope, stored),
            failure=stored.failure,
            memories=stored.counts.memories,
            embedded=stored.counts.embedded,
            is_outdated=any(self._is_outdated(each, stored) for each in stored.layouts),
        )

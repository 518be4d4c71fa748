"""Keeps maps that are looked at in step with the memories, between full runs.

A new or rewritten memory is placed among its nearest ones at once; once a tenth of the points were
placed or are gone, a full run is queued. Layouts that nobody asked for within a day wait until
somebody does.
"""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from itertools import groupby
from typing import Final

from intaglio.base.clock import iso
from intaglio.base.errors import UnavailableError
from intaglio.base.events import Changed
from intaglio.base.log import get_logger
from intaglio.jobs import rows as jobs
from intaglio.jobs.values import QueueEntry
from intaglio.memory.filters import Filter, vector_filter
from intaglio.projection import point_rows, rows, runs
from intaglio.projection.compute.values import KEPT_NEIGHBOURS
from intaglio.projection.layout_writer import packed
from intaglio.projection.placement import LOOKED_AT, place_among
from intaglio.projection.point_rows import Covered, NewPoint, VectorOf
from intaglio.projection.service import TOPIC, Projections
from intaglio.projection.values import Layout, MapScope, RunFailure
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.store.vectors import quantization
from intaglio.store.vectors.index import VectorIndex
from intaglio.store.vectors.values import VectorQuery

_RECENT: Final = timedelta(days=1)
# Memories that come in quick succession are placed together.
_GATHER_S: Final = 0.5
_LOOK_EVERY_S: Final = 60.0
# Each takes a search, a few milliseconds of a reader.
_AT_ONCE: Final = 8
_MOST: Final = 512


@dataclass(slots=True, kw_only=True)
class MapUpkeep:
    """Follows the commits that touch memories; ``vectors`` finds the nearest ones.

    ``_compared`` has the layouts that have a point of all memories of a filter, apart from those
    that are touched since.
    """

    maps: Projections
    vectors: VectorIndex
    _loop: asyncio.AbstractEventLoop | None = None
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _touched: set[int] = field(default_factory=set[int])
    _compared: dict[int, Filter] = field(default_factory=dict[int, Filter])
    _has_begun: bool = False

    def __post_init__(self) -> None:
        self.maps.db.watch("memories", self._note)

    def _note(self, _generation: int, seqs: frozenset[int] | None) -> None:
        """Called on the writer's thread after each commit that touched memories."""
        if self._loop is not None and not self._loop.is_closed():
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._take, seqs)

    def _take(self, seqs: frozenset[int] | None) -> None:
        if seqs is None:
            self._compared.clear()
        else:
            self._touched.update(seqs)
        self.wake()

    def wake(self) -> None:
        """Look for memories to place now; call it on the event loop's thread."""
        self._news.set()

    def begin(self) -> None:
        """Take note of changes from now on; what was before is looked for once."""
        self._loop = asyncio.get_running_loop()
        self._compared.clear()

    async def run(self) -> None:
        """Run until cancelled; if maps were switched off by then, stop the run that is going on."""
        self.begin()
        try:
            while True:
                self._news.clear()
                try:
                    await self.follow()
                except UnavailableError as error:
                    get_logger("projection").info("placing postponed", reason=error.detail)
                    self._compared.clear()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_LOOK_EVERY_S):
                        await self._news.wait()
                await asyncio.sleep(_GATHER_S)
        finally:
            self._loop = None
            if not self.maps.settings().enabled:
                self.maps.stop_all()

    async def follow(self) -> None:
        """Place what isn't yet in the layouts that were asked for lately."""
        if not self._has_begun:
            await self._take_up_dead()
            self._has_begun = True
        touched, self._touched = self._touched, set()
        since = iso(self.maps.clock() - _RECENT)
        found = await self.maps.db.read(lambda tx: rows.asked_layouts(tx, since))
        for gone in self._compared.keys() - {each.number for each in found}:
            del self._compared[gone]
        found.sort(key=lambda each: (each.scope.key, each.dimensions))
        for _, layouts in groupby(found, key=lambda each: each.scope):
            await self._follow_scope(tuple(layouts), touched)

    async def _take_up_dead(self) -> None:
        """Record the runs whose every attempt ended with the daemon itself."""
        now = iso(self.maps.clock())

        def find(tx: ReadTx) -> list[QueueEntry]:
            return jobs.page(tx, "dead", runs.LAY_OUT.name, None, _MOST)

        def work(tx: WriteTx) -> None:
            for job in find(tx):
                failure = RunFailure(
                    reason=f"Intaglio was ended during each of {job.attempts} attempts.",
                    hint="Allow the run less memory in the settings, and try again.",
                    at=now,
                )
                scope = MapScope.of(job.subject)
                rows.record_failure(tx, scope, failure, counts_as=job.attempts)
                jobs.discard(tx, job.id, now)

        if await self.maps.db.read(find):
            await self.maps.db.write(work)

    async def _follow_scope(self, layouts: tuple[Layout, ...], touched: set[int]) -> None:
        covered = await self.maps.covered(layouts[0].scope)
        if await self.maps.queue_if_outdated(layouts[0], covered):
            return
        model = self.maps.model()
        usable = tuple(each for each in layouts if model is not None and each.model == model.id)
        if model is None or not usable:
            return
        # A project that got another name covers memories that weren't touched.
        is_compared = all(self._compared.get(each.number) == covered for each in usable)
        among = sorted(touched) if is_compared else None
        left = [await self._place(layout, Covered(covered, model), among) for layout in usable]
        if not any(left):
            self._compared.update((each.number, covered) for each in usable)

    async def _place(self, layout: Layout, covered: Covered, among: Sequence[int] | None) -> bool:
        """Place memories that have no point in a layout; return whether there may be more."""
        missing = await self.maps.db.read(
            lambda tx: point_rows.without_point(tx, layout.number, covered, among, _MOST)
        )
        for start in range(0, len(missing), _AT_ONCE):
            chunk = missing[start : start + _AT_ONCE]
            placed = await self.maps.db.read(
                partial(self._points, layout=layout, covered=covered, memories=chunk)
            )
            await self.maps.db.write(
                partial(_save, layout=layout, covered=covered, memories=chunk, placed=placed)
            )
        return len(missing) == _MOST

    def _points(
        self, tx: ReadTx, layout: Layout, covered: Covered, memories: Sequence[VectorOf]
    ) -> list[NewPoint]:
        """Return points of those memories of which a near one has a point."""
        points = (self._point(tx, layout, covered, each) for each in memories)
        return [each for each in points if each is not None]

    def _point(
        self, tx: ReadTx, layout: Layout, covered: Covered, memory: VectorOf
    ) -> NewPoint | None:
        model = covered.model
        restored = quantization.restore(memory.vector, model.scale)
        if quantization.fault(restored, model.dimensions):
            return None
        query = VectorQuery(
            vector=quantization.unit(restored),
            limit=LOOKED_AT,
            filter=vector_filter(covered.memories),
            model=model,
        )
        cosines = self.vectors.search(tx, query).cosines
        cosines.pop(memory.memory, None)
        known = point_rows.places(tx, layout.number, list(cosines))
        nearest = [(cosines[each], known[each]) for each in cosines if each in known]
        mean = place_among([(cosine, place.coordinates) for cosine, place in nearest])
        if mean is None:
            return None
        x, y, *rest = mean
        seqs = [place.memory for _, place in nearest[:KEPT_NEIGHBOURS]]
        return NewPoint(
            memory=memory.memory,
            vector=memory.id,
            x=x,
            y=y,
            z=rest[0] if rest else None,
            is_placed=True,
            neighbours=packed(seqs) if layout.dimensions == 2 else None,  # noqa: PLR2004 - as in full runs
        )


def _save(
    tx: WriteTx,
    layout: Layout,
    covered: Covered,
    memories: Sequence[VectorOf],
    placed: Sequence[NewPoint],
) -> None:
    """Write points whose memories still have the same vectors.

    A memory that was restored, or embedded again with other words around it, stays where it was.
    """
    if not rows.exists(tx, layout.number):
        return
    current = point_rows.current_vectors(tx, covered, [each.memory for each in memories])
    same = {each.memory for each in memories if current.get(each.memory) == each}
    stayed = {
        each.memory
        for each in memories
        if each.memory in same and point_rows.set_vector(tx, layout.number, each.memory, each.id)
    }
    point_rows.add_points(
        tx,
        layout.number,
        [each for each in placed if each.memory in same and each.memory not in stayed],
    )
    if stayed or placed:
        point_rows.raise_revision(tx, layout.number)
        tx.publish(Changed(TOPIC, "updated", (layout.scope.key,)))

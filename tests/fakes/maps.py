"""Maps over a database with vectors, driven step by step; layouts are computed in this process."""

import asyncio
from array import array
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from fakes.embedder import HashEmbedder
from fakes.semantic_index import Index, indexed
from intaglio.daemon.project_lookup import ProjectLookup
from intaglio.jobs import rows as jobs
from intaglio.jobs.job_type import Job
from intaglio.projection import point_rows
from intaglio.projection.compute.values import LaidOut, RunPlan
from intaglio.projection.layout_writer import LayoutWriter
from intaglio.projection.runner import LayoutRunner, RunLayouts
from intaglio.projection.runs import LAY_OUT
from intaglio.projection.service import Projections
from intaglio.projection.settings import ProjectionSettings
from intaglio.projection.upkeep import MapUpkeep
from intaglio.projection.values import Dimensions, Layout, MapScope, MapState, RunPhase
from intaglio.store.tx import ReadTx, WriteTx

ALL = MapScope()


@dataclass
class Drawing:
    """Lays vectors out by their first bytes; ``meanwhile`` happens while it does."""

    plans: list[RunPlan] = field(default_factory=list[RunPlan])
    meanwhile: Callable[[], AsyncIterator[None]] | None = None
    fails: Exception | None = None

    async def __call__(
        self,
        plan: RunPlan,
        vectors: AsyncIterator[bytes],
        progress: Callable[[RunPhase, float], None],
    ) -> AsyncGenerator[LaidOut]:
        self.plans.append(plan)
        progress("reading", 0.0)
        rows = array("b", b"".join([chunk async for chunk in vectors]))
        progress("layout", 0.5)
        if self.meanwhile is not None:
            async for _ in self.meanwhile():
                pass
        if self.fails is not None:
            raise self.fails
        width = plan.vector_dimensions
        assert len(rows) == plan.points * width
        following = [
            (index + step) % plan.points if step < plan.points else -1
            for index in range(plan.points)
            for step in range(1, 6)
        ]
        for number, dimensions in enumerate(plan.dimensions):
            places = array("f")
            for index in range(plan.points):
                places.extend(map(float, rows[index * width : index * width + dimensions]))
            yield LaidOut(
                dimensions=dimensions,
                method="umap",
                coordinates=places.tobytes(),
                neighbours=b"" if number else array("i", following).tobytes(),
            )


@dataclass
class Maps:
    """Maps of the memories of a store."""

    at: Index
    service: Projections
    runner: LayoutRunner
    upkeep: MapUpkeep
    drawing: Drawing
    settings: ProjectionSettings
    is_embedding: bool = True

    async def remember(self, *contents: str, **fields: object) -> list[str]:
        """Keep memories and embed them; return their ids."""
        ids = [await self.at.remember(content, **fields) for content in contents]
        while await self.at.work():
            pass
        return ids

    async def take(self) -> tuple[Job, ...]:
        """Take the next run from the queue, as the worker would."""

        def lease(tx: WriteTx) -> tuple[Job, ...]:
            token = self.at.store.context.new_id()
            return jobs.lease(tx, [(LAY_OUT, 1)], token, self.at.store.clock())

        return await self.at.store.db.write(lease)

    async def run(self) -> int:
        """Do what is queued; return how many runs there were."""
        done = 0
        while taken := await self.take():
            done += await self.runner.run(taken)
        return done

    async def lay_out(self, *dimensions: Dimensions, scope: MapScope = ALL) -> MapState:
        """Ask for a run, and do it."""
        await self.service.request(scope, dimensions or (2,))
        await self.run()
        return await self.service.state(scope)

    async def layout(self, dimensions: Dimensions = 2, scope: MapScope = ALL) -> Layout:
        """Return a layout that is there."""
        found = (await self.service.state(scope)).layout(dimensions)
        assert found is not None
        return found

    async def places(
        self, dimensions: Dimensions = 2, scope: MapScope = ALL
    ) -> dict[str, tuple[float, ...]]:
        """Return where each memory is, by its text; forgotten ones included."""
        layout = await self.layout(dimensions, scope)

        def read(tx: ReadTx) -> dict[str, tuple[float, ...]]:
            texts = dict(tx.rows(tuple[int, str], "SELECT seq, content FROM memories"))
            found = point_rows.all_places(tx, layout.number, -1, 10_000)
            return {texts[each.memory]: each.coordinates for each in found}

        return await self.at.store.db.read(read)

    async def count_points(self) -> int:
        """Count the points of all layouts, drafts and former ones included."""
        return await self.at.store.db.read(
            lambda tx: tx.count("SELECT count(*) FROM projection_points")
        )


@asynccontextmanager
async def maps(
    folder: Path, run_layouts: RunLayouts | None = None, embedder: HashEmbedder | None = None
) -> AsyncGenerator[Maps]:
    """Open a database in the folder with its maps; nothing runs by itself."""
    async with indexed(folder, embedder) as at:
        yield over_index(at, run_layouts)


def over_index(at: Index, run_layouts: RunLayouts | None = None) -> Maps:
    """Put maps over an open database, as a start of the daemon does."""
    drawing = Drawing()
    made = list[Maps]()
    service = Projections(
        db=at.store.db,
        clock=at.store.clock,
        settings=lambda: made[0].settings,
        model=lambda: at.vectors.model,
        aliases=ProjectLookup(at.store.db).aliases,
    )
    runner = LayoutRunner(
        maps=service,
        run_layouts=run_layouts or drawing,
        writer=LayoutWriter(db=at.store.db, pause=lambda: asyncio.sleep(0)),
        publish=at.store.events.append,
        seconds=at.seconds,
        is_embedding=lambda: made[0].is_embedding,
    )
    upkeep = MapUpkeep(maps=service, vectors=at.vectors)
    made.append(Maps(at, service, runner, upkeep, drawing, ProjectionSettings()))
    return made[0]

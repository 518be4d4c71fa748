"""Maps of memories in the daemon."""

import asyncio
from typing import Final

from intaglio.base.settings.values import Settings
from intaglio.domain.health import HealthCheck
from intaglio.domain.issues import Issue
from intaglio.embedding.semantic_search import SemanticSearch, is_configured
from intaglio.kernel import Kernel
from intaglio.package import KeptData, Loop, Package, Part, SweepStep, finding, singly
from intaglio.projection import rows
from intaglio.projection.compute.process import run_layouts
from intaglio.projection.labels.labeller import MapLabeller
from intaglio.projection.layout_writer import LayoutWriter
from intaglio.projection.map_views import MapViews
from intaglio.projection.migrations import MIGRATIONS
from intaglio.projection.runner import LayoutRunner
from intaglio.projection.runs import LAY_OUT
from intaglio.projection.service import Projections
from intaglio.projection.settings import ProjectionSettings
from intaglio.projection.upkeep import MapUpkeep
from intaglio.store.database import Database

_KEPT_DAYS: Final = 30
_FAILURES: Final = 2


def _is_enabled(settings: Settings) -> bool:
    return settings.of(ProjectionSettings).enabled


def part(kernel: Kernel) -> Part:
    """Wire the state of maps, the job that computes them, and what places new memories."""
    search = kernel.get(SemanticSearch)
    maps = Projections(
        db=kernel.database,
        clock=kernel.clock,
        settings=lambda: kernel.settings().of(ProjectionSettings),
        model=lambda: search.vectors.model,
        aliases=kernel.projects.aliases,
    )
    upkeep = MapUpkeep(maps=maps, vectors=search.vectors)
    runner = LayoutRunner(
        maps=maps,
        run_layouts=run_layouts,
        writer=LayoutWriter(db=kernel.database, pause=lambda: asyncio.sleep(0)),
        publish=kernel.bus.publish,
        seconds=kernel.monotonic_s,
        is_embedding=lambda: is_configured(kernel.settings()),
        published=upkeep.wake,
    )
    return Part(
        services=(maps, MapViews(kernel.database), MapLabeller(kernel.database)),
        loops=(Loop("maps", upkeep.run, when=_is_enabled),),
        job_types=(LAY_OUT.run_by(runner),),
        checks=(
            HealthCheck(
                name="maps",
                domain="index",
                title="Maps of memories",
                reads=f"Runs of the constellation's map; {_FAILURES} failures in a row are wrong.",
                run=finding(lambda: find_issues(kernel.database)),
            ),
        ),
    )


async def find_issues(db: Database) -> list[Issue]:
    """Tell of maps whose runs keep failing."""
    found = await db.read(lambda tx: rows.repeated_failures(tx, _FAILURES))
    return [
        Issue(
            id="map_runs_failing",
            level="warn",
            title="The constellation can't be computed",
            text=f"{failure.reason} {failure.hint}",
            page="/constellation",
        )
        for failure in found[:1]
    ]


PACKAGE = Package(
    name="projection",
    tables={
        "projections": "the layouts of maps: of which scope and dimensions, by which method and "
        "vectors, when they were computed and last asked for",
        "projection_points": "where each memory is in a layout, and which are nearest to it; "
        "numbers only",
        "projection_failures": "why the last run of a map failed",
    },
    migrations=MIGRATIONS,
    retention=(
        SweepStep(
            "layouts",
            lambda _: _KEPT_DAYS,
            rows.unasked,
            singly(rows.purge_layout),
            has_period=False,
        ),
        SweepStep(
            "layout_points",
            lambda _: _KEPT_DAYS,
            rows.expired_points,
            singly(rows.purge_point),
            has_period=False,
        ),
        SweepStep(
            "layout_failures",
            lambda _: _KEPT_DAYS,
            rows.old_failures,
            singly(rows.purge_failure),
            has_period=False,
        ),
    ),
    kept=(
        KeptData(
            "maps: `projections`, `projection_points`",
            "30 days after they were last asked for; a point as long as its memory or its "
            "tombstone",
            deleted_by="steps `layouts`, `layout_points`; a trigger with the memory",
        ),
        KeptData(
            "`projection_failures`",
            "until a run succeeds, at most 30 days",
            deleted_by="the next run, or step `layout_failures`",
        ),
    ),
    make=part,
)

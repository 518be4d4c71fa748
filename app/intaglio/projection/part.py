"""Maps of memories in the daemon."""

from typing import Final

from intaglio.embedding.semantic_search import SemanticSearch
from intaglio.kernel import Kernel
from intaglio.package import KeptData, Package, Part, SweepStep, singly
from intaglio.projection import rows
from intaglio.projection.map_views import MapViews
from intaglio.projection.migrations import MIGRATIONS
from intaglio.projection.service import Projections
from intaglio.projection.settings import ProjectionSettings

_KEPT_DAYS: Final = 30


def part(kernel: Kernel) -> Part:
    """Wire the state of maps."""
    search = kernel.get(SemanticSearch)
    maps = Projections(
        db=kernel.database,
        clock=kernel.clock,
        settings=lambda: kernel.settings().of(ProjectionSettings),
        model=lambda: search.vectors.model,
    )
    return Part(services=(maps, MapViews(kernel.database)))


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

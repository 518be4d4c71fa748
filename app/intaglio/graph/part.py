"""The graph in the daemon."""

from intaglio.base.settings.schema import GraphSettings, Settings
from intaglio.embedding.runner import EmbeddingRunner
from intaglio.graph.background.backfill import GraphBackfill
from intaglio.graph.background.classification import AspectClassifier
from intaglio.graph.background.dependency_search import DependencySearch
from intaglio.graph.background.resolution import EntityResolver
from intaglio.graph.background.telemetry import GraphTelemetry
from intaglio.graph.edits.entity_edits import EntityEdits
from intaglio.graph.job_types import CLASSIFY, DEPENDENCIES, RESOLVE
from intaglio.graph.traversal.last_walk import LastWalk
from intaglio.inference.name_similarity import NameSimilarity
from intaglio.jobs.job_type import OneByOne
from intaglio.kernel import Kernel, Loop, Part, PartHealth


def _is_enabled(settings: Settings) -> bool:
    return settings.graph.enabled


def part(kernel: Kernel) -> Part:
    """Add changes by the user, background jobs, and the backfill of old memories."""
    db, context = kernel.database, kernel.change_context
    telemetry = GraphTelemetry()
    classifier = AspectClassifier(db=db, context=context, telemetry=telemetry)
    search = DependencySearch(db=db, context=context, telemetry=telemetry)

    def settings() -> GraphSettings:
        return kernel.settings().graph

    embed = kernel.get(EmbeddingRunner)
    resolver = EntityResolver(
        db=db,
        context=context,
        telemetry=telemetry,
        settings=settings,
        frozen=kernel.frozen,
        compare=NameSimilarity(lambda: embed.embedder).compare,
    )
    backfill = GraphBackfill(
        db=db,
        context=context,
        bus=kernel.bus,
        telemetry=telemetry,
        settings=settings,
        seconds=kernel.monotonic_s,
    )

    async def ping() -> PartHealth:
        progress = telemetry.backfill
        detail = f"linking memories: {progress.left} left" if progress.running else ""
        return PartHealth(healthy=True, detail=detail)

    return Part(
        name="graph",
        services=(
            EntityEdits(db, kernel.clock, kernel.new_id, kernel.frozen),
            telemetry,
            LastWalk(),
        ),
        loops=(Loop("graph backfill", backfill.run, when=_is_enabled),),
        job_types=(
            CLASSIFY.run_by(OneByOne(classifier.run)),
            DEPENDENCIES.run_by(search),
            RESOLVE.run_by(resolver),
        ),
        ping=ping,
    )

"""GET /api/pipeline/status: the pipeline in the shape that Signet's clients read."""

from collections.abc import Collection

from litestar import Controller, get

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.pipeline_mode import pipeline_mode
from intaglio.api.routes.analytics import latency_of
from intaglio.api.services import Services
from intaglio.api.signet import pipeline_structs as wire
from intaglio.api.status.diagnostics import diagnostics_of
from intaglio.graph.job_types import ASPECT_STAGE, DEPENDENCY_STAGE
from intaglio.graph.settings import GraphSettings
from intaglio.graph.traversal.last_walk import LastWalk
from intaglio.health.diagnosis import Diagnosis
from intaglio.health.repair.maintenance import Maintenance
from intaglio.jobs import rows as jobs
from intaglio.jobs.values import StateCount
from intaglio.lifecycle.sweep import RetentionSweep
from intaglio.models.stage_reports import PipelineReport, StageReports
from intaglio.models.stages import Stages
from intaglio.pipeline.extraction.job_type import EXTRACT
from intaglio.session_notes.runner import STAGE as NOTES_STAGE


class PipelineStatusController(Controller):
    """The pipeline as Signet's clients see it; GET /api/pipeline/stages says more."""

    tags = ("pipeline",)

    @get("/api/pipeline/status", operation_id="getPipelineStatus", opt=declare(Access.PROGRAM))
    async def status(self, services: Services) -> wire.PipelineStatus:
        """Return what runs, what waits and how the pipeline works."""
        stages = services.get(Stages)
        counts = await services.database.read(jobs.count_states)
        sessions = stages.by_name.get(NOTES_STAGE)
        of_sessions = sessions.job_types if sessions else ()
        graph, walk = services.settings().of(GraphSettings), services.get(LastWalk).report
        return wire.PipelineStatus(
            workers=_workers(
                await services.get(StageReports).report(stages),
                sweeps=not services.get(RetentionSweep).suspended(),
                maintains=services.get(Maintenance).is_running,
            ),
            queues=wire.PipelineQueues(
                memory=_queue([each for each in counts if each.type not in of_sessions]),
                summary=_queue([each for each in counts if each.type in of_sessions]),
            ),
            diagnostics=diagnostics_of(await services.get(Diagnosis).read()),
            latency=latency_of(services.metrics),
            error_summary=services.metrics.errors.summary,
            mode=pipeline_mode(services),
            feedback=wire.PipelineFeedback(),
            traversal=wire.PipelineTraversal(
                enabled=graph.enabled and graph.walk, last_run=walk.at if walk else None
            ),
            predictor=wire.PipelinePredictor(),
        )


def _workers(report: PipelineReport, *, sweeps: bool, maintains: bool) -> wire.PipelineWorkers:
    running = {each.stage.name for each in report.stages if each.state in {"working", "idle"}}

    def worker(stage: str) -> wire.PipelineWorker:
        return wire.PipelineWorker(running=stage in running)

    nothing = wire.PipelineWorker(running=False)
    return wire.PipelineWorkers(
        extraction=worker(EXTRACT.name),
        summary=worker(NOTES_STAGE),
        document=nothing,
        retention=wire.PipelineWorker(running=sweeps),
        maintenance=wire.PipelineWorker(running=maintains),
        synthesis=worker(NOTES_STAGE),
        structural_classify=worker(ASPECT_STAGE),
        structural_dependency=worker(DEPENDENCY_STAGE),
    )


def _queue(counts: Collection[StateCount]) -> wire.PipelineQueue:
    def count(status: str) -> int:
        return sum(each.count for each in counts if each.status == status)

    return wire.PipelineQueue(
        pending=count("pending"),
        leased=count("leased"),
        completed=count("completed"),
        dead=count("dead"),
    )

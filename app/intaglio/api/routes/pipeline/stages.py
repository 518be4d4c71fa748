"""The stages of the pipeline: what each does and costs, pausing it, doing its work again."""

from typing import Annotated

from litestar import Controller, get, post
from litestar.params import JSONBody, PathParameter

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.gate.rate_limits import admin_rate
from intaglio.api.pipeline_mode import pipeline_mode
from intaglio.api.request_context import AnyRequest, actor_of, moment_of
from intaglio.api.services import Services
from intaglio.base.errors import ConflictError, InvalidInputError, NotFoundError
from intaglio.kernel import Kernel
from intaglio.models.call_rows import StageSum
from intaglio.models.calls import ModelCalls
from intaglio.models.live_models import LiveModels
from intaglio.models.overview import title_of
from intaglio.models.prompt import ROLES
from intaglio.models.redo_estimates import StageRedos
from intaglio.models.settings import ModelLimitSettings
from intaglio.models.stage_pauses import StagePauses
from intaglio.models.stage_reports import DaySpending, StageReport, StageReports
from intaglio.models.stages import Stage, Stages
from intaglio.wire import pipeline as wire

StageName = Annotated[str, PathParameter(max_length=100)]


class PipelineStagesController(Controller):
    """Stages of the pipeline: kinds of work for a language model."""

    tags = ("pipeline",)

    @get("/api/pipeline/stages", operation_id="listStages", opt=declare(Access.PROGRAM))
    async def stages(self, services: Services) -> wire.StageList:
        """List the stages: what each is doing, what waits, and what its calls cost."""
        report = await services.get(StageReports).report(services.get(Stages))
        return wire.StageList(
            mode=pipeline_mode(services),
            models=_models(services),
            today=_today(report.today, services),
            stages=[_row(each) for each in report.stages],
        )

    @post(
        "/api/pipeline/stages/{stage:str}/pause",
        operation_id="pauseStage",
        status_code=200,
        opt=declare(Access.BROWSER),
    )
    async def pause(
        self, services: Services, request: AnyRequest, stage: StageName
    ) -> wire.StagePauseReply:
        """Let a stage make no more calls; its jobs wait in the queue meanwhile."""
        found = _stage(services, stage)
        await services.get(StagePauses).pause(found.name, actor_of(request, None).name)
        return wire.StagePauseReply(stage=found.name, paused=True)

    @post(
        "/api/pipeline/stages/{stage:str}/resume",
        operation_id="resumeStage",
        status_code=200,
        opt=declare(Access.BROWSER),
    )
    async def resume(self, services: Services, stage: StageName) -> wire.StagePauseReply:
        """Let a stage make calls again; does nothing if it isn't paused."""
        found = _stage(services, stage)
        await services.get(StagePauses).resume(found.name)
        return wire.StagePauseReply(stage=found.name, paused=False)

    @post(
        "/api/pipeline/redo",
        operation_id="redoStage",
        status_code=200,
        opt=declare(Access.BROWSER, rate=admin_rate),
    )
    async def redo(self, services: Services, data: JSONBody[wire.RedoRequest]) -> wire.RedoReply:
        """Do again what a stage has made since a time; `dryRun` only says how much that is."""
        stage = _stage(services, data.stage)
        if stage.redo is None:
            raise InvalidInputError(
                f"the stage {stage.name} can't be done again by itself",
                hint=f"Use one of {', '.join(_redoable(services))}.",
            )
        since = moment_of("since", data.since) or ""
        if not data.dry_run and not services.get(ModelCalls).is_on(stage.role):
            raise ConflictError(
                "No language model is configured for this stage",
                hint="Choose one in Settings, under Models.",
            )
        redos = services.get(StageRedos)
        found = await redos.estimate(services.get(Stages), stage, stage.redo, since)
        return wire.RedoReply(
            stage=stage.name,
            count=found.count,
            tokens=found.tokens,
            usd=found.usd,
            queued=0 if data.dry_run else await redos.queue(stage.redo, since),
            dry_run=data.dry_run,
        )


def _stage(services: Kernel, name: str) -> Stage:
    """Return a stage; raises NotFoundError."""
    stages = services.get(Stages).by_name
    if name not in stages:
        raise NotFoundError("Stage not found", hint=f"Use one of {', '.join(stages)}.")
    return stages[name]


def _redoable(services: Kernel) -> list[str]:
    return [each.name for each in services.get(Stages).by_name.values() if each.redo is not None]


def _models(services: Kernel) -> list[wire.PipelineModel]:
    models, calls = services.get(LiveModels), services.get(ModelCalls)
    return [
        wire.PipelineModel(
            role=role,
            provider=choice.provider,
            model=choice.model,
            title=title_of(choice),
            is_asked=calls.is_on(role),
        )
        for role in ROLES
        if (choice := models.asked(role)) is not None
    ]


def _today(spent: DaySpending, services: Kernel) -> wire.PipelineDay:
    limits = services.settings().of(ModelLimitSettings)
    return wire.PipelineDay(
        tokens=spent.tokens,
        token_limit=limits.daily_tokens,
        usd=spent.usd,
        usd_limit=limits.daily_usd,
    )


def _row(found: StageReport) -> wire.StageRow:
    stage, error = found.stage, found.error
    return wire.StageRow(
        name=stage.name,
        label=stage.label,
        help=stage.help,
        role=stage.role,
        state=found.state,
        detail=found.detail,
        paused_at=found.pause.paused_at if found.pause else None,
        job_types=list(stage.job_types),
        waiting=found.queue.waiting,
        running=found.queue.running,
        failed_jobs=found.queue.failed,
        last_hour=found.last_hour,
        last_day=found.last_day,
        today=_use(found.today),
        week=_use(found.week),
        median_ms=found.median_ms,
        last_error=wire.StageFailure(at=error.at, text=error.text) if error else None,
        prompts=[wire.StagePrompt(name=each.name, version=each.version) for each in stage.prompts],
        can_redo=stage.redo is not None,
    )


def _use(found: StageSum) -> wire.StageUse:
    return wire.StageUse(calls=found.calls, failed=found.failed, tokens=found.tokens, usd=found.usd)

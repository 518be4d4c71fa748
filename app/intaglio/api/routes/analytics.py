"""GET /api/analytics: what is called how often, what fails, how long it takes, what it is worth."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Annotated, Final, get_args

from litestar import Controller, get
from litestar.params import QueryParameter
from msgspec import UNSET

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import (
    AnyRequest,
    MomentText,
    is_user,
    moment_of,
    project_of,
    session_reader_of,
)
from intaglio.api.routes.sessions import PathQuery
from intaglio.api.serializers.convert import convert
from intaglio.api.services import Services
from intaglio.base.errors import InvalidInputError
from intaglio.base.metrics.errors import ErrorEntry, ErrorStage
from intaglio.base.metrics.metrics import Metrics
from intaglio.base.metrics.usage import Usage
from intaglio.domain.reader import Reader, may_read
from intaglio.health.diagnosis import Diagnosis
from intaglio.memory import rows as memories
from intaglio.sessions.feedback import score_rows
from intaglio.sessions.feedback.score_rows import SessionScore
from intaglio.store.tx import ReadTx
from intaglio.wire import analytics as wire

_STAGES: Final[tuple[str, ...]] = get_args(ErrorStage)
_ALL_TIME: Final = ""
_RECENT_ERRORS: Final = 50

ErrorLimit = Annotated[int, QueryParameter(ge=1, le=500)]
ScoreLimit = Annotated[int, QueryParameter(ge=1, le=500)]
ErrorStageQuery = Annotated[str | None, QueryParameter(max_length=100)]


class AnalyticsController(Controller):
    """What the daemon counts and times while it runs, and how useful sessions found it."""

    tags = ("analytics",)

    @get(
        "/api/analytics/usage",
        operation_id="getUsage",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def usage(self, services: Services, request: AnyRequest) -> wire.UsageReply:
        """Return how often what was called since the daemon started; no raw paths, no texts."""
        reader = await session_reader_of(services, request)
        return _usage(services.metrics.usage, reader)

    @get(
        "/api/analytics/errors",
        operation_id="listErrors",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def errors(
        self,
        services: Services,
        request: AnyRequest,
        *,
        stage: ErrorStageQuery = None,
        since: MomentText = None,
        limit: ErrorLimit = 100,
    ) -> wire.ErrorsReply:
        """List the newest errors since a time, oldest first, of one stage or all.

        500 are kept, until the daemon stops.
        """
        if stage and stage not in _STAGES:
            raise InvalidInputError(
                f"stage must be one of {', '.join(_STAGES)}", hint="Omit it for all stages."
            )
        after = moment_of("since", since) or _ALL_TIME
        metrics: Metrics = services.metrics
        found = metrics.errors.since(after, stage or None)[-limit:]
        return wire.ErrorsReply(
            errors=await error_rows(services, request, found), summary=metrics.errors.summary
        )

    @get(
        "/api/analytics/latency",
        operation_id="getLatency",
        opt=declare(Access.PROGRAM),
    )
    async def latency(self, services: Services) -> wire.LatencyReply:
        """Return how long requests and background work took."""
        return latency_of(services.metrics)

    @get(
        "/api/analytics/memory-safety",
        operation_id="getMemorySafety",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def memory_safety(
        self, services: Services, request: AnyRequest
    ) -> wire.MemorySafetyReply:
        """Return how often memories were restored and deleted, and which changes were refused."""
        domain = (await services.get(Diagnosis).read()).domains["mutation"]

        def figure(name: str) -> int:
            found = domain.figure(name)
            return found.value if found and isinstance(found.value, int) else 0

        errors = services.metrics.errors.since(_ALL_TIME, "mutation")[-_RECENT_ERRORS:]
        return wire.MemorySafetyReply(
            mutation=wire.MutationSafety(
                score=domain.score,
                status=domain.status,
                recent_recovers=figure("recentRecovers"),
                recent_deletes=figure("recentDeletes"),
            ),
            recent_errors=await error_rows(services, request, errors),
            error_summary=dict(Counter(each.code for each in errors)),
        )

    @get(
        "/api/analytics/continuity",
        operation_id="listContinuityScores",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def continuity(
        self,
        services: Services,
        request: AnyRequest,
        *,
        project: PathQuery = None,
        limit: ScoreLimit = 50,
    ) -> wire.ContinuityReply:
        """List how useful sessions found what they were told, the latest rated first.

        Agents rate memories by `POST /api/memory/feedback` or the tool `memory_feedback`; a session
        without ratings has no score. An agent sees its own sessions only.
        """
        reader = await session_reader_of(services, request)
        key = await project_of(services, project)
        keys = (key, *await services.projects.aliases(key)) if key else None
        found = await services.database.read(lambda tx: score_rows.scores(tx, reader, keys, limit))
        return wire.ContinuityReply(
            scores=[_score(each) for each in found], summary=_summary([e.score for e in found])
        )

    @get(
        "/api/analytics/continuity/latest",
        operation_id="listLatestContinuity",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def latest(self, services: Services, request: AnyRequest) -> wire.LatestContinuity:
        """Return the latest score of each project."""
        reader = await session_reader_of(services, request)
        found = await services.database.read(lambda tx: score_rows.latest_by_project(tx, reader))
        return wire.LatestContinuity(
            scores=[
                wire.ProjectScore(
                    project=each.project, score=round(each.score, 3), created_at=each.at
                )
                for each in found
            ]
        )


def latency_of(metrics: Metrics) -> wire.LatencyReply:
    """Return how long operations take."""
    rows = {
        name: wire.LatencyRow(
            p50=round(each.p50, 3),
            p95=round(each.p95, 3),
            p99=round(each.p99, 3),
            count=each.count,
            mean=round(each.mean, 3),
        )
        for name, each in metrics.latency.read().items()
    }
    nothing = wire.LatencyRow()
    return wire.LatencyReply(
        remember=rows["remember"],
        recall=rows["recall"],
        mutate=rows["mutate"],
        jobs=rows["jobs"],
        hooks=rows["hooks"],
        capture=rows["capture"],
        predictor_score=nothing,
        predictor_train=nothing,
    )


async def error_rows(
    services: Services, request: AnyRequest, found: Sequence[ErrorEntry]
) -> list[wire.ErrorRow]:
    """Return errors with the ids of those memories that still exist and that the caller may read.

    The actors of others are left out too, unless the user asks.
    """
    reader = await session_reader_of(services, request)
    ids = {each.memory_id for each in found if each.memory_id}
    readable = await services.database.read(lambda tx: _readable(tx, ids, reader)) if ids else ids
    return [_error(each, readable, reader) for each in found]


def _readable(tx: ReadTx, ids: Collection[str], reader: Reader) -> set[str]:
    return {
        each.id
        for each in memories.by_ids(tx, set(ids)).values()
        if may_read(reader, each.scope.agent_id, each.scope.visibility)
    }


def _error(entry: ErrorEntry, readable: Collection[str], reader: Reader) -> wire.ErrorRow:
    memory_id = entry.memory_id if entry.memory_id in readable else None
    shows_actor = is_user(reader) or entry.actor == getattr(reader, "agent_id", None)
    return wire.ErrorRow(
        timestamp=entry.at,
        stage=entry.stage,
        code=entry.code,
        message=entry.message,
        request_id=entry.request_id or UNSET,
        memory_id=memory_id or UNSET,
        actor=entry.actor if entry.actor and shows_actor else UNSET,
    )


def _usage(usage: Usage, reader: Reader) -> wire.UsageReply:
    shown = {
        name: each
        for name, each in usage.actors.items()
        if is_user(reader) or name == getattr(reader, "agent_id", None)
    }
    return wire.UsageReply(
        endpoints={
            name: wire.EndpointCounts(
                count=each.count, errors=each.errors, total_latency_ms=round(each.total_ms, 3)
            )
            for name, each in usage.endpoints.items()
        },
        actors={name: convert(each, wire.ActorCounts) for name, each in shown.items()},
        providers={
            name: wire.ProviderCounts(
                calls=each.calls, failures=each.failures, total_latency_ms=round(each.total_ms, 3)
            )
            for name, each in usage.providers.items()
        },
        connectors={},
    )


def _score(found: SessionScore) -> wire.ContinuityRow:
    return wire.ContinuityRow(
        id=str(found.number),
        session_key=found.session_id,
        project=found.project,
        harness=found.harness,
        score=round(found.score, 3),
        memories_recalled=found.told,
        memories_rated=found.rated,
        memories_used=found.used,
        created_at=found.at,
    )


def _summary(newest_first: Sequence[float]) -> wire.ContinuitySummary:
    half = len(newest_first) // 2

    def mean(values: Sequence[float]) -> float:
        return sum(values) / len(values) if values else 0.0

    trend = mean(newest_first[:half]) - mean(newest_first[-half:]) if half else 0.0
    return wire.ContinuitySummary(
        count=len(newest_first),
        average=round(mean(newest_first), 3),
        trend=round(trend, 3),
        latest=round(newest_first[0], 3) if newest_first else None,
    )

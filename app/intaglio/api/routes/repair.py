"""POST /api/repair/*: repairs of embeddings and queue, and the retention sweep."""

import asyncio
import math
from datetime import datetime, timedelta
from typing import Final

from litestar import Controller, get, post
from litestar.params import JSONBody

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.gate.principal import actor_headers
from intaglio.api.gate.rate_limits import admin_rate
from intaglio.api.problems.errors import TooOftenError
from intaglio.api.request_context import AnyRequest, actor_of
from intaglio.api.retention import retention_status
from intaglio.api.services import Services
from intaglio.base.errors import InvalidInputError, UnavailableError
from intaglio.embedding import rows as vectors
from intaglio.embedding.health.repair import RepairDenied, RepairDone, RepairOutcome, Repairs
from intaglio.embedding.runner import EmbeddingRunner
from intaglio.jobs.job_type import JobTypes
from intaglio.jobs.settings import QueueSettings
from intaglio.lifecycle.sweep import RetentionSweep
from intaglio.lifecycle.sweep_values import SweepOutcome, SweepRefused, SweepReport
from intaglio.memory.values import Actor
from intaglio.wire.queue import GapsReply, RepairReply, RepairRequest
from intaglio.wire.status import RetentionStatus

_MAX_ITEMS: Final = 100_000
# A large sweep takes minutes; the caller shouldn't wait for it.
_WAIT_S: Final = 20.0
_AGAIN_S: Final = 60.0


def actor_and_reason(request: AnyRequest) -> tuple[Actor, str | None]:
    """Return who requests a repair, and why."""
    return actor_of(request, None), actor_headers(request.headers).reason


def repair_reply(outcome: RepairOutcome, now: datetime) -> RepairReply:
    """Return the reply for a repair; raises TooOftenError, whose body has the same fields."""
    match outcome:
        case RepairDone(action, affected, message):
            return RepairReply(action=action, success=True, affected=affected, message=message)
        case RepairDenied(action, message, wait_s):
            until = now + timedelta(seconds=wait_s)
            refused = TooOftenError(
                message,
                wait_s=max(1, math.ceil(wait_s)),
                until_ms=round(until.timestamp() * 1_000),
                hint=f"Try again in {math.ceil(wait_s)} s.",
            )
            refused.extra |= {"action": action, "success": False, "affected": 0, "message": message}
            raise refused


class RepairController(Controller):
    """Repairs; running one twice is harmless."""

    tags = ("repair",)

    @get("/api/repair/embedding-gaps", operation_id="getEmbeddingGaps", opt=declare(Access.PROGRAM))
    async def gaps(self, services: Services) -> GapsReply:
        """Count the memories without an embedding."""
        model = services.get(EmbeddingRunner).model
        covered = await services.database.read(lambda tx: vectors.coverage(tx, model))
        share = covered.embedded / covered.live if covered.live else 1.0
        return GapsReply(
            unembedded=covered.live - covered.embedded,
            total=covered.live,
            coverage=f"{100 * share:.1f}%",
        )

    @post(
        "/api/repair/requeue-dead",
        operation_id="requeueDead",
        status_code=200,
        opt=declare(Access.PROGRAM, rate=admin_rate),
    )
    async def requeue_dead(self, services: Services, request: AnyRequest) -> RepairReply:
        """Retry up to 50 failed jobs."""
        outcome = await services.get(Repairs).requeue_dead(*actor_and_reason(request))
        return repair_reply(outcome, services.clock())

    @post(
        "/api/repair/release-leases",
        operation_id="releaseLeases",
        status_code=200,
        opt=declare(Access.PROGRAM, rate=admin_rate),
    )
    async def release_leases(self, services: Services, request: AnyRequest) -> RepairReply:
        """Release jobs that were started long ago and never finished."""
        timeout = timedelta(milliseconds=services.settings().of(QueueSettings).lease_timeout_ms)
        outcome = await services.get(Repairs).release_leases(
            *actor_and_reason(request), timeout, services.get(JobTypes).leases
        )
        return repair_reply(outcome, services.clock())

    @post(
        "/api/repair/re-embed",
        operation_id="reEmbed",
        status_code=200,
        opt=declare(Access.PROGRAM, rate=admin_rate),
    )
    async def re_embed(
        self, services: Services, request: AnyRequest, data: JSONBody[RepairRequest | None] = None
    ) -> RepairReply:
        """Queue memories without an embedding, and check a failed model again."""
        options = data or RepairRequest()
        if not 1 <= options.batch_size <= _MAX_ITEMS:
            raise InvalidInputError(f"batchSize must be between 1 and {_MAX_ITEMS}")
        outcome = await services.get(Repairs).re_embed(
            *actor_and_reason(request),
            options.batch_size,
            dry_run=options.dry_run,
            everything=options.full_sweep,
        )
        return repair_reply(outcome, services.clock())

    @post(
        "/api/repair/resync-vec",
        operation_id="resyncVectors",
        status_code=200,
        opt=declare(Access.PROGRAM, rate=admin_rate),
    )
    async def resync(self, services: Services, request: AnyRequest) -> RepairReply:
        """Bring memories, embeddings and the in-memory index back in sync."""
        outcome = await services.get(Repairs).resync(*actor_and_reason(request))
        return repair_reply(outcome, services.clock())

    @post(
        "/api/repair/clean-orphans",
        operation_id="cleanOrphans",
        status_code=200,
        opt=declare(Access.PROGRAM, rate=admin_rate),
    )
    async def clean_orphans(
        self, services: Services, request: AnyRequest, data: JSONBody[RepairRequest | None] = None
    ) -> RepairReply:
        """Delete embeddings that belong to no memory."""
        outcome = await services.get(Repairs).clean_orphans(
            *actor_and_reason(request), dry_run=bool(data and data.dry_run)
        )
        return repair_reply(outcome, services.clock())


async def _sweep(services: Services) -> SweepOutcome | None:
    """Start a sweep and return its outcome, or None if it takes longer than `_WAIT_S`."""
    task = asyncio.ensure_future(services.get(RetentionSweep).sweep("asked"))
    services.background.start(_until(task))
    done, _ = await asyncio.wait({task}, timeout=_WAIT_S)
    return task.result() if done else None


async def _until(task: "asyncio.Task[SweepOutcome]") -> None:
    await task


def _outcome(swept: SweepOutcome | None) -> RepairOutcome:
    match swept:
        case None:
            return RepairDone(
                "retention-sweep", 0, "Still running. GET this address to see the result."
            )
        case SweepRefused(reason):
            return RepairDenied("retention-sweep", reason, _AGAIN_S)
        case SweepReport() as report:
            failed = [step.name for step in report.steps if step.error]
            rows = f"{report.removed} rows and files removed"
            message = f"{rows}; failed: {', '.join(failed)}" if failed else rows
            return RepairDone("retention-sweep", report.removed, message)


class RetentionController(Controller):
    """Retention."""

    tags = ("repair",)

    @get("/api/repair/retention-sweep", operation_id="getRetention", opt=declare(Access.PROGRAM))
    async def retention(self, services: Services) -> RetentionStatus:
        """Return the retention periods, the last sweep, and when the next one is due."""
        found = await retention_status(services)
        if found is None:
            raise UnavailableError("Couldn't read the database.", hint="See GET /health.")
        return found

    @post(
        "/api/repair/retention-sweep",
        operation_id="sweepRetention",
        status_code=200,
        opt=declare(Access.PROGRAM, rate=admin_rate),
    )
    async def sweep(self, services: Services, request: AnyRequest) -> RepairReply:
        """Remove now what is past its retention period."""
        actor, _ = actor_and_reason(request)
        outcome: RepairOutcome | None = services.get(Repairs).gate.refuse("retention-sweep", actor)
        return repair_reply(outcome or _outcome(await _sweep(services)), services.clock())

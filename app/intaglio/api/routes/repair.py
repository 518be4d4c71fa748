"""POST /api/repair/*: repairs of vectors and queue, and the purge of what is over its time."""

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
from intaglio.embedding.repair import RepairDenied, RepairDone, RepairOutcome, Repairs
from intaglio.embedding.runner import EmbeddingRunner
from intaglio.jobs.job_type import JobTypes
from intaglio.lifecycle.sweep import RetentionSweep
from intaglio.lifecycle.sweep_values import SweepOutcome, SweepRefused, SweepReport
from intaglio.memory.values import Actor
from intaglio.wire.queue import GapsReply, RepairReply, RepairRequest
from intaglio.wire.status import RetentionStatus

_MOST: Final = 100_000
# A large purge takes minutes, and a caller does not wait for that.
_WAIT_S: Final = 20.0
_AGAIN_S: Final = 60.0


def asker(request: AnyRequest) -> tuple[Actor, str | None]:
    """Return who asks for a repair, and the reason that they give."""
    return actor_of(request, None), actor_headers(request.headers).reason


def repair_reply(outcome: RepairOutcome, now: datetime) -> RepairReply:
    """Show what was done; raises TooOftenError, whose body says the same in its fields."""
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
    """Repairs; asking for one twice does no harm."""

    tags = ("repair",)

    @get("/api/repair/embedding-gaps", operation_id="getEmbeddingGaps", opt=declare(Access.PROGRAM))
    async def gaps(self, services: Services) -> GapsReply:
        """Count the memories that lack a vector."""
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
        """Try up to 50 given-up jobs anew."""
        outcome = await services.get(Repairs).requeue_dead(*asker(request))
        return repair_reply(outcome, services.clock())

    @post(
        "/api/repair/release-leases",
        operation_id="releaseLeases",
        status_code=200,
        opt=declare(Access.PROGRAM, rate=admin_rate),
    )
    async def release_leases(self, services: Services, request: AnyRequest) -> RepairReply:
        """Free jobs that were begun long ago and never ended."""
        silence = timedelta(milliseconds=services.settings().queue.lease_timeout_ms)
        outcome = await services.get(Repairs).release_leases(
            *asker(request), silence, services.get(JobTypes).leases
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
        """Queue memories that lack a vector, and look anew at a model that failed."""
        asked = data or RepairRequest()
        if not 1 <= asked.batch_size <= _MOST:
            raise InvalidInputError(f"batchSize must be between 1 and {_MOST}")
        outcome = await services.get(Repairs).re_embed(
            *asker(request), asked.batch_size, dry_run=asked.dry_run, everything=asked.full_sweep
        )
        return repair_reply(outcome, services.clock())

    @post(
        "/api/repair/resync-vec",
        operation_id="resyncVectors",
        status_code=200,
        opt=declare(Access.PROGRAM, rate=admin_rate),
    )
    async def resync(self, services: Services, request: AnyRequest) -> RepairReply:
        """Make memories, vectors and the index in memory agree."""
        outcome = await services.get(Repairs).resync(*asker(request))
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
        """Delete vectors that belong to no memory."""
        outcome = await services.get(Repairs).clean_orphans(
            *asker(request), dry_run=bool(data and data.dry_run)
        )
        return repair_reply(outcome, services.clock())


async def _sweep(services: Services) -> SweepOutcome | None:
    """Begin a sweep and return what came of it; None when it goes on for longer than that."""
    task = asyncio.ensure_future(services.get(RetentionSweep).sweep("asked"))
    services.background.start(_until(task))
    done, _ = await asyncio.wait({task}, timeout=_WAIT_S)
    return task.result() if done else None


async def _until(task: "asyncio.Task[SweepOutcome]") -> None:
    await task


def _outcome(swept: SweepOutcome | None) -> RepairOutcome:
    match swept:
        case None:
            return RepairDone("retention-sweep", 0, "the sweep goes on; GET shows what it purged")
        case SweepRefused(reason):
            return RepairDenied("retention-sweep", reason, _AGAIN_S)
        case SweepReport() as report:
            failed = [step.name for step in report.steps if step.error]
            rows = f"{report.removed} rows and files purged"
            said = f"{rows}; failed: {', '.join(failed)}" if failed else rows
            return RepairDone("retention-sweep", report.removed, said)


class RetentionController(Controller):
    """What is kept how long."""

    tags = ("repair",)

    @get("/api/repair/retention-sweep", operation_id="getRetention", opt=declare(Access.PROGRAM))
    async def retention(self, services: Services) -> RetentionStatus:
        """Show the windows, what the last sweep purged, and when the next one is due."""
        found = await retention_status(services)
        if found is None:
            raise UnavailableError("The database cannot be read.", hint="See GET /health.")
        return found

    @post(
        "/api/repair/retention-sweep",
        operation_id="sweepRetention",
        status_code=200,
        opt=declare(Access.PROGRAM, rate=admin_rate),
    )
    async def sweep(self, services: Services, request: AnyRequest) -> RepairReply:
        """Purge now what is over its time; the windows stay as they are set."""
        actor, _ = asker(request)
        outcome: RepairOutcome | None = services.get(Repairs).gate.refuse("retention-sweep", actor)
        return repair_reply(outcome or _outcome(await _sweep(services)), services.clock())

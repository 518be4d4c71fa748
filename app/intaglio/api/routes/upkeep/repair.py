"""POST /api/repair/*: repairs of vectors and queue that may be asked for, within limits."""

import math
from datetime import datetime, timedelta

from litestar import Controller, get, post
from litestar.params import JSONBody

from intaglio.api.asking import AnyRequest, actor_of
from intaglio.api.gate.asker import actor_headers
from intaglio.api.gate.declaration import Access, declare
from intaglio.api.gate.limits import admin_rate
from intaglio.api.problems.kinds import TooOftenError
from intaglio.api.services import MeaningServices, Needs
from intaglio.base.errors import InvalidInputError
from intaglio.memory.embeddings import rows
from intaglio.memory.values import Actor
from intaglio.pipeline.vectors.repair import Denied, Repaired, RepairOutcome
from intaglio.wire.queue import GapsReply, RepairReply, RepairRequest

_MOST = 100_000


def asker(request: AnyRequest) -> tuple[Actor, str | None]:
    """Return who asks for a repair, and the reason that they give."""
    return actor_of(request, None), actor_headers(request.headers).reason


def repair_reply(outcome: RepairOutcome, now: datetime) -> RepairReply:
    """Show what was done; raises TooOftenError, whose body says the same in its fields."""
    match outcome:
        case Repaired(action, affected, message):
            return RepairReply(action=action, success=True, affected=affected, message=message)
        case Denied(action, message, wait_s):
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
    async def gaps(self, services: Needs) -> GapsReply:
        """Count the memories that lack a vector."""
        model = services.get(MeaningServices).embed.model
        covered = await services.database.read(lambda tx: rows.coverage(tx, model))
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
    async def requeue_dead(self, services: Needs, request: AnyRequest) -> RepairReply:
        """Try up to 50 given-up jobs anew."""
        outcome = await services.get(MeaningServices).repairs.requeue_dead(*asker(request))
        return repair_reply(outcome, services.clock())

    @post(
        "/api/repair/release-leases",
        operation_id="releaseLeases",
        status_code=200,
        opt=declare(Access.PROGRAM, rate=admin_rate),
    )
    async def release_leases(self, services: Needs, request: AnyRequest) -> RepairReply:
        """Free jobs that were begun long ago and never ended."""
        outcome = await services.get(MeaningServices).repairs.release_leases(*asker(request))
        return repair_reply(outcome, services.clock())

    @post(
        "/api/repair/re-embed",
        operation_id="reEmbed",
        status_code=200,
        opt=declare(Access.PROGRAM, rate=admin_rate),
    )
    async def re_embed(
        self, services: Needs, request: AnyRequest, data: JSONBody[RepairRequest | None] = None
    ) -> RepairReply:
        """Queue memories that lack a vector, and look anew at a model that failed."""
        asked = data or RepairRequest()
        if not 1 <= asked.batch_size <= _MOST:
            raise InvalidInputError(f"batchSize must be between 1 and {_MOST}")
        outcome = await services.get(MeaningServices).repairs.re_embed(
            *asker(request), asked.batch_size, dry_run=asked.dry_run, everything=asked.full_sweep
        )
        return repair_reply(outcome, services.clock())

    @post(
        "/api/repair/resync-vec",
        operation_id="resyncVectors",
        status_code=200,
        opt=declare(Access.PROGRAM, rate=admin_rate),
    )
    async def resync(self, services: Needs, request: AnyRequest) -> RepairReply:
        """Make memories, vectors and the index in memory agree."""
        outcome = await services.get(MeaningServices).repairs.resync(*asker(request))
        return repair_reply(outcome, services.clock())

    @post(
        "/api/repair/clean-orphans",
        operation_id="cleanOrphans",
        status_code=200,
        opt=declare(Access.PROGRAM, rate=admin_rate),
    )
    async def clean_orphans(
        self, services: Needs, request: AnyRequest, data: JSONBody[RepairRequest | None] = None
    ) -> RepairReply:
        """Delete vectors that belong to no memory."""
        outcome = await services.get(MeaningServices).repairs.clean_orphans(
            *asker(request), dry_run=bool(data and data.dry_run)
        )
        return repair_reply(outcome, services.clock())

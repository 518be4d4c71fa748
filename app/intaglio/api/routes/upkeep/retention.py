"""POST /api/repair/retention-sweep: purge now what is over its time; and how retention is."""

import asyncio
from typing import Final

from litestar import Controller, get, post

from intaglio.api.asking import AnyRequest
from intaglio.api.gate.declaration import Access, declare
from intaglio.api.gate.limits import admin_rate
from intaglio.api.retention import retention_status
from intaglio.api.routes.upkeep.repair import asker, repair_reply
from intaglio.api.services import MeaningServices, Needs
from intaglio.base.errors import UnavailableError
from intaglio.lifecycle.sweep import Retention
from intaglio.lifecycle.sweep_values import Refused, Report, SweepOutcome
from intaglio.pipeline.vectors.repair import Denied, Repaired, RepairOutcome
from intaglio.wire.queue import RepairReply
from intaglio.wire.status import RetentionStatus

# A large purge takes minutes, and a caller does not wait for that.
_WAIT_S: Final = 20.0
_AGAIN_S: Final = 60.0


async def _sweep(services: Needs) -> SweepOutcome | None:
    """Begin a sweep and return what came of it; None when it goes on for longer than that."""
    task = asyncio.ensure_future(services.get(Retention).sweep("asked"))
    services.background.start(_until(task))
    done, _ = await asyncio.wait({task}, timeout=_WAIT_S)
    return task.result() if done else None


async def _until(task: "asyncio.Task[SweepOutcome]") -> None:
    await task


def _outcome(swept: SweepOutcome | None) -> RepairOutcome:
    match swept:
        case None:
            return Repaired("retention-sweep", 0, "the sweep goes on; GET shows what it purged")
        case Refused(reason):
            return Denied("retention-sweep", reason, _AGAIN_S)
        case Report() as report:
            failed = [step.name for step in report.steps if step.error]
            rows = f"{report.removed} rows and files purged"
            said = f"{rows}; failed: {', '.join(failed)}" if failed else rows
            return Repaired("retention-sweep", report.removed, said)


class RetentionController(Controller):
    """What is kept how long."""

    tags = ("repair",)

    @get("/api/repair/retention-sweep", operation_id="getRetention", opt=declare(Access.PROGRAM))
    async def retention(self, services: Needs) -> RetentionStatus:
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
    async def sweep(self, services: Needs, request: AnyRequest) -> RepairReply:
        """Purge now what is over its time; the windows stay as they are set."""
        actor, _ = asker(request)
        outcome: RepairOutcome | None = services.get(MeaningServices).repairs.gate.refuse(
            "retention-sweep", actor
        )
        return repair_reply(outcome or _outcome(await _sweep(services)), services.clock())

"""GET /api/repair, POST /api/repair/{action}, and undoing a run."""

import math
from datetime import datetime, timedelta
from typing import Annotated, Final

from litestar import Controller, get, post
from litestar.params import JSONBody, PathParameter
from msgspec.structs import replace

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.gate.guard import permit
from intaglio.api.gate.principal import Role, actor_headers, role_of
from intaglio.api.gate.rate_limits import admin_rate
from intaglio.api.problems.errors import TooOftenError
from intaglio.api.request_context import AnyRequest, actor_of
from intaglio.api.retention import retention_status
from intaglio.api.services import Services
from intaglio.base.errors import ConflictError, NotFoundError, UnavailableError
from intaglio.domain.repair import Repair, RepairOptions, RepairRefused, RepairResult
from intaglio.embedding import rows as vectors
from intaglio.embedding.runner import EmbeddingRunner
from intaglio.health.repair.maintenance import Maintenance, mode_of
from intaglio.health.repair.repairs import (
    NoSuchRun,
    NotUndone,
    RepairDone,
    RepairRunning,
    Repairs,
)
from intaglio.health.repair.rows import RepairRun
from intaglio.lifecycle.cold_rows import cold
from intaglio.lifecycle.duplicates.rows import count_exact
from intaglio.memory.values import AGENT_ACTORS
from intaglio.wire import repair as wire
from intaglio.wire.queue import GapsReply
from intaglio.wire.repair import RepairReply, RepairRequest
from intaglio.wire.status import RetentionStatus

ActionPath = Annotated[str, PathParameter(description="The name of a repair", max_length=100)]
RunPath = Annotated[str, PathParameter(description="The id of a run", max_length=100)]

_STILL_RUNNING: Final = "Still running. GET /api/repair shows its result."
# Signet's clients only count with it, unless they say so.
_CHECK: Final = "check-fts"
_USERS: Final = frozenset({Role.BROWSER, Role.OWNER})


def _options(request: AnyRequest, data: RepairRequest) -> RepairOptions:
    actor = actor_of(request, None)
    return RepairOptions(
        limit=data.batch_size or data.limit,
        everything=data.full_sweep,
        max_mentions=data.max_mentions,
        threshold=data.semantic_threshold,
        semantic=data.semantic_enabled,
        actor=actor.name,
        actor_type=actor.type,
        reason=actor_headers(request.headers).reason,
        session_id=actor.session_id,
        request_id=actor.request_id,
    )


def _is_dry(repair: Repair, data: RepairRequest) -> bool:
    if data.dry_run is None:
        return repair.action == _CHECK and not data.repair
    return data.dry_run


def _reply(action: str, result: RepairResult) -> RepairReply:
    return RepairReply(
        action=action,
        success=True,
        affected=result.affected,
        message=result.message,
        clusters=result.clusters,
    )


def _refusal(action: str, refused: RepairRefused, now: datetime) -> TooOftenError:
    """Return the error of a refused repair, whose body has the fields of the reply."""
    wait_s = math.ceil(refused.wait_s)
    until = now + timedelta(seconds=refused.wait_s)
    error = TooOftenError(
        refused.message,
        wait_s=max(1, wait_s),
        until_ms=round(until.timestamp() * 1_000),
        hint=refused.hint or f"Try again in {wait_s} s.",
    )
    error.extra |= {
        "action": action,
        "success": False,
        "affected": 0,
        "message": refused.message,
    }
    return error


async def _run(
    services: Services, request: AnyRequest, action: str, data: RepairRequest | None
) -> RepairReply:
    repairs, wanted = services.get(Repairs), data or RepairRequest()
    repair = repairs.find(action)
    if repair is None:
        raise NotFoundError(f"There is no repair “{action}”", hint="GET /api/repair lists them.")
    options = _options(request, wanted)
    if _is_dry(repair, wanted):
        return _reply(action, await repair.count(options))
    if repair.changes_content:
        permit(role_of(request), Access.BROWSER)
    match await repairs.run(repair, options):
        case RepairDone(run=run, result=result):
            reply = _reply(action, result)
            reply.run_id, reply.can_undo = run.id, repairs.can_undo(run)
            return reply
        case RepairRunning():
            return _reply(action, RepairResult(affected=0, message=_STILL_RUNNING))
        case RepairRefused() as refused:
            raise _refusal(action, refused, services.clock())


def _run_row(repairs: Repairs, run: RepairRun) -> wire.RepairRunRow:
    repair = repairs.find(run.action)
    return wire.RepairRunRow(
        id=run.id,
        action=run.action,
        title=repair.title if repair else run.action,
        at=run.at,
        actor=_who(run.actor_type),
        reason=run.reason,
        affected=run.affected,
        message=run.message,
        can_undo=repairs.can_undo(run),
        undone_at=run.undone_at,
    )


def _maintenance(services: Services) -> wire.MaintenanceStatus:
    state = services.get(Maintenance).state
    return wire.MaintenanceStatus(
        mode=mode_of(services.settings()),
        last_cycle_at=state.last_cycle_at,
        recommended=list(state.recommended),
        halted=list(state.halted),
        waiting=state.waiting,
    )


def _who(actor_type: str) -> str:
    if actor_type in AGENT_ACTORS:
        return "agent"
    return "daemon" if actor_type in {"daemon", "pipeline"} else "user"


class RepairController(Controller):
    """Repairs; running one twice is harmless."""

    tags = ("repair",)

    @get("/api/repair", operation_id="listRepairs", opt=declare(Access.PROGRAM))
    async def repairs(self, services: Services, request: AnyRequest) -> wire.RepairList:
        """List the repairs, the latest runs, and what maintenance does.

        The reasons that were given are for the user: the token, or a signed-in browser.
        """
        repairs = services.get(Repairs)
        found = await repairs.latest()
        rows: list[wire.RepairRow] = []
        for each in repairs.declared():
            refused = repairs.refusal(each, "operator")
            rows.append(
                wire.RepairRow(
                    action=each.action,
                    title=each.title,
                    text=each.text,
                    changes_content=each.changes_content,
                    refused=(refused.reason or refused.message) if refused else "",
                    last_run_at=found.last_times.get(each.action),
                )
            )
        runs = [_run_row(repairs, run) for run in found.runs]
        if role_of(request) not in _USERS:
            runs = [replace(run, reason="") for run in runs]
        return wire.RepairList(
            repairs=rows,
            runs=runs,
            maintenance=_maintenance(services),
        )

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

    @get("/api/repair/dedup-stats", operation_id="getDedupStats", opt=declare(Access.PROGRAM))
    async def dedup_stats(self, services: Services) -> wire.DedupStats:
        """Count the memories with the same content as another one of their scope."""
        found = await services.database.read(count_exact)
        return wire.DedupStats(
            exact_clusters=found.clusters, exact_excess=found.excess, total_active=found.active
        )

    @get("/api/repair/cold-stats", operation_id="getColdStats", opt=declare(Access.PROGRAM))
    async def cold_stats(self, services: Services) -> wire.ColdStats:
        """Count the memories that are stored but told to nobody."""
        found = await services.database.read(cold)
        return wire.ColdStats(
            count=found.count,
            oldest=found.oldest,
            newest=found.newest,
            total_bytes=found.total_bytes,
            by_reason={each.reason: each.count for each in found.reasons},
        )

    @post(
        "/api/repair/{action:str}",
        operation_id="runRepair",
        status_code=200,
        opt=declare(Access.PROGRAM, rate=admin_rate),
    )
    async def run(
        self,
        services: Services,
        request: AnyRequest,
        action: ActionPath,
        data: JSONBody[RepairRequest | None] = None,
    ) -> RepairReply:
        """Run a repair, or only count what it would change.

        One that changes memories or entities needs the token or a signed-in browser. Replies 429
        if it's frozen, comes too soon or too often, or if an agent may not request it.
        """
        return await _run(services, request, action, data)

    @post(
        "/api/repair/runs/{run_id:str}/undo",
        operation_id="undoRepair",
        status_code=200,
        opt=declare(Access.BROWSER, rate=admin_rate),
    )
    async def undo(
        self, services: Services, request: AnyRequest, run_id: RunPath
    ) -> wire.RepairRunRow:
        """Restore what a run changed, as far as it is still there."""
        repairs = services.get(Repairs)
        match await repairs.undo(run_id, _options(request, RepairRequest())):
            case RepairDone(run=run, result=result):
                return replace(_run_row(repairs, run), message=result.message)
            case NoSuchRun():
                raise NotFoundError("There is no such run", hint="GET /api/repair lists them.")
            case NotUndone(reason):
                raise ConflictError(reason, hint="GET /api/repair says what can be undone.")
            case RepairRefused() as refused:
                raise _refusal("undo", refused, services.clock())


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
    async def sweep(
        self, services: Services, request: AnyRequest, data: JSONBody[RepairRequest | None] = None
    ) -> RepairReply:
        """Delete now what is past its retention period, or only count it."""
        return await _run(services, request, "retention-sweep", data)

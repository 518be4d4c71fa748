"""Endpoints for one memory: save, read, change, forget, erase, restore, and its history."""

import asyncio
from dataclasses import replace
from typing import Annotated, Final, Literal

from litestar import Controller, delete, get, patch, post
from litestar.params import FromQuery, JSONBody, PathParameter, QueryParameter

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.gate.rate_limits import forget_rate, modify_rate
from intaglio.api.request_context import (
    AnyRequest,
    actor_of,
    agent_of,
    project_to_remember_in,
    reader_of,
    reason_of,
    runtime_path_of,
)
from intaglio.api.results import mutation_reply
from intaglio.api.routes.memory.agent_requests import as_the_actor_may, refuse_agents
from intaglio.api.routes.memory.change_fields import change_of
from intaglio.api.serializers.convert import convert
from intaglio.api.serializers.memory import history_row, memory_row, tags_text
from intaglio.api.services import Services
from intaglio.base.errors import NotFoundError
from intaglio.domain.context_groups import ConstraintBasis
from intaglio.graph.constraint_basis import constraint_bases
from intaglio.lifecycle.external_copies import ExternalCopies
from intaglio.lifecycle.removal import RemovalService
from intaglio.memory import history_rows as histories
from intaglio.memory import operations
from intaglio.memory.operations import Audit
from intaglio.memory.settings import MemorySettings
from intaglio.memory.values import (
    AGENT_ACTORS,
    AGENT_SOURCE,
    Duplicate,
    Forgotten,
    Memory,
    Source,
    agent_author,
)
from intaglio.pipeline.ingest import Ingest, Remember, RememberOutcome, Saved
from intaglio.pipeline.modify import Modify
from intaglio.store.tx import ReadTx
from intaglio.wire.changes import (
    ForgetRequest,
    ModifyRequest,
    MutationReply,
    RecoverRequest,
    ValidityRequest,
)
from intaglio.wire.memory import HistoryReply, MemoryRow, RememberReply, RememberRequest

Id = Annotated[str, PathParameter(max_length=200)]
IfVersion = Annotated[int | None, QueryParameter(ge=1, le=2**31 - 1)]
HistoryLimit = Annotated[int, QueryParameter(ge=1, le=1_000)]
HistoryEventQuery = Literal[
    "created", "updated", "modified", "deleted", "recovered", "replaced", "reinstated", "none"
]
# "modified" is the older name; both names match rows written under either.
_SYNONYMS: Final = {"modified": ("updated", "modified"), "updated": ("updated", "modified")}


def _reply(outcome: RememberOutcome) -> RememberReply:
    match outcome:
        case Saved(id=memory_id, memory=memory, redacted=redacted):
            return RememberReply(
                id=memory_id,
                type=memory.type,
                tags=tags_text(memory.tags),
                pinned=memory.pinned,
                importance=memory.importance,
                content=memory.content,
                embedded=False,
                redacted=redacted,
            )
        case Duplicate(memory=known, redacted=redacted):
            return convert(
                known,
                RememberReply,
                tags=tags_text(known.tags) or "",
                embedded=True,
                deduped=True,
                redacted=redacted,
            )
        case Forgotten(id=memory_id):
            raise NotFoundError(
                "This source was forgotten", hint="Restore the forgotten memory.", id=memory_id
            )


async def _remember(
    services: Services, request: AnyRequest, data: RememberRequest
) -> RememberReply:
    actor = actor_of(request, data.who)
    source = Source(data.source_type or "manual", data.source_id, data.source_path)
    by_agent = actor.type in AGENT_ACTORS
    command = Remember(
        content=data.content,
        actor=actor,
        who=agent_author(actor.name) if by_agent else data.who or "daemon",
        why=data.why,
        type=data.type,
        importance=data.importance,
        tags=data.tags,
        pinned=False if by_agent else data.pinned,
        agent_id=agent_of(request),
        project=await project_to_remember_in(services, data.project),
        visibility=data.visibility,
        source=replace(source, type=AGENT_SOURCE) if by_agent else source,
        session_id=data.session_id or actor.session_id,
        idempotency_key=data.idempotency_key,
        runtime_path=runtime_path_of(request, data.runtime_path),
        created_at=data.created_at,
    )
    return _reply(await services.get(Ingest).remember(command))


class MemoryController(Controller):
    """The contract's endpoints for one memory."""

    tags = ("memory",)

    @post(
        "/api/memory/remember",
        operation_id="remember",
        status_code=200,
        opt=declare(Access.PROGRAM, Principal.SESSION, kind="remember"),
    )
    async def remember(
        self, services: Services, request: AnyRequest, data: JSONBody[RememberRequest]
    ) -> RememberReply:
        """Save a memory, or return the existing one with the same content.

        `/api/memory/save` and `/api/hook/remember` do the same.
        """
        return await _remember(services, request, data)

    @post(
        "/api/memory/save",
        status_code=200,
        include_in_schema=False,
        opt=declare(Access.PROGRAM, Principal.SESSION, kind="remember"),
    )
    async def save(
        self, services: Services, request: AnyRequest, data: JSONBody[RememberRequest]
    ) -> RememberReply:
        """Save a memory, under the contract's older path."""
        return await _remember(services, request, data)

    @post(
        "/api/hook/remember",
        status_code=200,
        include_in_schema=False,
        opt=declare(Access.HOOK, Principal.SESSION, kind="remember"),
    )
    async def save_from_hook(
        self, services: Services, request: AnyRequest, data: JSONBody[RememberRequest]
    ) -> RememberReply:
        """Save a memory, under the contract's older path for hooks."""
        return await _remember(services, request, data)

    @get(
        "/api/memory/{memory_id:str}",
        operation_id="getMemory",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def memory(
        self,
        services: Services,
        request: AnyRequest,
        memory_id: Id,
    ) -> MemoryRow:
        """Get a live memory."""
        reader = await reader_of(services, request)

        def work(tx: ReadTx) -> tuple[Memory, ConstraintBasis | None] | None:
            found = operations.find_visible(tx, memory_id, reader)
            if found is None or found.is_deleted:
                return None
            return found, constraint_bases(tx, (found,)).get(found.id)

        read = await services.database.read(work)
        if read is None:
            raise NotFoundError("not found")
        found, basis = read
        return memory_row(found, services.aging, basis)

    @get(
        "/api/memory/{memory_id:str}/history",
        operation_id="getMemoryHistory",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def history(
        self,
        services: Services,
        request: AnyRequest,
        memory_id: Id,
        *,
        limit: HistoryLimit = 200,
        event: FromQuery[HistoryEventQuery | None] = None,
    ) -> HistoryReply:
        """List a memory's changes, oldest first; works for forgotten and erased memories too."""
        reader = await reader_of(services, request)
        events = _SYNONYMS.get(event, (event,)) if event else ()
        found = await services.database.read(
            lambda tx: histories.history(tx, memory_id, reader, limit, events)
        )
        if found is None:
            raise NotFoundError("Not found", memoryId=memory_id)
        return HistoryReply(
            memory_id=memory_id, count=len(found), history=[history_row(each) for each in found]
        )

    @patch(
        "/api/memory/{memory_id:str}",
        operation_id="modifyMemory",
        opt=declare(Access.PROGRAM, Principal.AGENT, rate=modify_rate, kind="mutate"),
    )
    async def modify(
        self,
        services: Services,
        request: AnyRequest,
        memory_id: Id,
        data: JSONBody[ModifyRequest],
    ) -> MutationReply:
        """Change fields of a live memory; a reason is required."""
        audit = Audit(
            actor_of(request, data.changed_by),
            reason_of(request, data.reason),
            data.if_version,
            await reader_of(services, request),
        )
        change = await change_of(services, data)
        outcome = await as_the_actor_may(
            services,
            request,
            memory_id,
            change,
            audit,
            lambda by: services.get(Modify).modify(memory_id, change, by),
        )
        return mutation_reply(memory_id, outcome, "updated")

    @delete(
        "/api/memory/{memory_id:str}",
        operation_id="forgetMemory",
        status_code=200,
        opt=declare(Access.PROGRAM, Principal.AGENT, rate=forget_rate, kind="mutate"),
    )
    async def forget(  # noqa: PLR0913 - body or query, as the contract has it
        self,
        services: Services,
        request: AnyRequest,
        memory_id: Id,
        *,
        data: JSONBody[ForgetRequest | None] = None,
        reason: Annotated[str, QueryParameter(max_length=1_000)] = "",
        force: FromQuery[bool] = False,
        if_version: IfVersion = None,
    ) -> MutationReply:
        """Forget a memory; it can be restored until its retention period expires.

        A reason is required. `force` erases it permanently, even if it is pinned or already
        forgotten; `outside` then lists where its content may still exist.
        """
        body = data or ForgetRequest()
        audit = Audit(
            actor_of(request, body.changed_by),
            reason_of(request, body.reason, reason),
            body.if_version or if_version,
            await reader_of(services, request),
        )
        if not (body.force or force):
            forgotten = await as_the_actor_may(
                services,
                request,
                memory_id,
                None,
                audit,
                lambda by: services.get(RemovalService).forget(memory_id, by),
            )
            return mutation_reply(memory_id, forgotten, "deleted")
        refuse_agents(audit.actor, "erase memories", force=True)
        erased = await services.get(RemovalService).erase(memory_id, audit)
        reply = mutation_reply(memory_id, erased, "deleted")
        reply.erased = True
        reply.outside = await asyncio.to_thread(services.get(ExternalCopies).places)
        return reply

    @post(
        "/api/memory/{memory_id:str}/recover",
        operation_id="recoverMemory",
        status_code=200,
        opt=declare(Access.PROGRAM, Principal.AGENT, kind="mutate"),
    )
    async def recover(
        self,
        services: Services,
        request: AnyRequest,
        memory_id: Id,
        data: JSONBody[RecoverRequest],
    ) -> MutationReply:
        """Restore a forgotten memory; a reason is required."""
        audit = Audit(
            actor_of(request, data.changed_by),
            reason_of(request, data.reason),
            data.if_version,
            await reader_of(services, request),
        )
        refuse_agents(audit.actor, "restore memories")
        outcome = await services.get(RemovalService).recover(memory_id, audit)
        reply = mutation_reply(memory_id, outcome, "recovered")
        reply.retention_days = services.settings().of(MemorySettings).tombstone_days
        return reply

    @post(
        "/api/memory/{memory_id:str}/retire",
        operation_id="retireMemory",
        status_code=200,
        opt=declare(Access.PROGRAM, Principal.AGENT, kind="mutate"),
    )
    async def retire(
        self,
        services: Services,
        request: AnyRequest,
        memory_id: Id,
        data: JSONBody[ValidityRequest],
    ) -> MutationReply:
        """Mark a memory as outdated; a reason is required.

        It is kept with its history, and no longer told or found: it held until now. Reinstating it
        undoes this. A pinned memory has to be unpinned first.
        """
        audit = await _audit_of(services, request, data)
        refuse_agents(audit.actor, "mark memories as outdated")
        outcome = await services.get(RemovalService).retire(memory_id, audit)
        return mutation_reply(memory_id, outcome, "retired")

    @post(
        "/api/memory/{memory_id:str}/reinstate",
        operation_id="reinstateMemory",
        status_code=200,
        opt=declare(Access.PROGRAM, Principal.AGENT, kind="mutate"),
    )
    async def reinstate(
        self,
        services: Services,
        request: AnyRequest,
        memory_id: Id,
        data: JSONBody[ValidityRequest],
    ) -> MutationReply:
        """Use a replaced or outdated memory again; a reason is required.

        The memory that replaced it stays as it is: both hold from now on.
        """
        audit = await _audit_of(services, request, data)
        refuse_agents(audit.actor, "use replaced memories again")
        outcome = await services.get(RemovalService).reinstate(memory_id, audit)
        return mutation_reply(memory_id, outcome, "reinstated")


async def _audit_of(services: Services, request: AnyRequest, data: ValidityRequest) -> Audit:
    return Audit(
        actor_of(request, data.changed_by),
        reason_of(request, data.reason),
        data.if_version,
        await reader_of(services, request),
    )

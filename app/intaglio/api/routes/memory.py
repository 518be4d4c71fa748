"""One memory at a time: keep, read, change, forget, bring back, and its history."""

from typing import Annotated, Final

from litestar import Controller, delete, get, patch, post
from litestar.params import FromQuery, JSONBody, PathParameter, QueryParameter
from msgspec import UnsetType

from intaglio.api.asking import AnyRequest, actor_of, agent_of, reason_of
from intaglio.api.problems.describe import CHANGES, READS, REFUSALS
from intaglio.api.services import Needs
from intaglio.api.shapes import history_row, memory_row, mutation_reply, tags_text
from intaglio.base.errors import InvalidInputError, NotFoundError
from intaglio.memory import forms, rows
from intaglio.memory.values import KEEP, MEMORY_TYPES, Change, Keep, MemoryType, Source
from intaglio.memory.verbs import Why
from intaglio.pipeline.ingest import Kept, KnownAlready, Remember, Remembered, StaysForgotten
from intaglio.wire.memory import (
    ForgetRequest,
    HistoryReply,
    MemoryRow,
    ModifyRequest,
    MutationReply,
    RecoverRequest,
    RememberReply,
    RememberRequest,
)

_CHANGEABLE: Final = "content, type, tags, importance, pinned"
Id = Annotated[str, PathParameter(max_length=200)]
IfVersion = Annotated[int | None, QueryParameter(ge=1, le=2**31 - 1)]
HistoryLimit = Annotated[int, QueryParameter(ge=1, le=1_000)]


def _type(asked: str | UnsetType) -> MemoryType | Keep:
    if isinstance(asked, UnsetType):
        return KEEP
    known = forms.known_type(asked)
    if known is None:
        raise InvalidInputError(f"type must be one of {', '.join(MEMORY_TYPES)}")
    return known


def _change(data: JSONBody[ModifyRequest]) -> Change:
    change = Change(
        content=KEEP if isinstance(data.content, UnsetType) else data.content,
        type=_type(data.type),
        importance=KEEP if isinstance(data.importance, UnsetType) else data.importance,
        pinned=KEEP if isinstance(data.pinned, UnsetType) else data.pinned,
        tags=KEEP if isinstance(data.tags, UnsetType) else forms.read_tags(data.tags),
    )
    if change == Change():
        raise InvalidInputError(f"at least one of {_CHANGEABLE} is required")
    return change


def _reply(outcome: Remembered) -> RememberReply:
    match outcome:
        case Kept(id=memory_id, memory=memory, redacted=redacted):
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
        case KnownAlready(memory=known, redacted=redacted):
            return RememberReply(
                id=known.id,
                type=known.type,
                tags=tags_text(known.tags) or "",
                pinned=known.pinned,
                importance=known.importance,
                content=known.content,
                embedded=True,
                deduped=True,
                redacted=redacted,
            )
        case StaysForgotten(id=memory_id):
            raise NotFoundError("this source was forgotten", id=memory_id)


async def _remember(services: Needs, request: AnyRequest, data: RememberRequest) -> RememberReply:
    actor = actor_of(request, data.who)
    command = Remember(
        content=data.content,
        actor=actor,
        who=data.who or "daemon",
        type=data.type,
        importance=data.importance,
        tags=data.tags,
        pinned=data.pinned,
        agent_id=agent_of(request, data.agent_id),
        project=await services.project_key(data.project),
        visibility=data.visibility or "global",
        source=Source(data.source_type or "manual", data.source_id, data.source_path),
        session_id=data.session_id or actor.session_id,
        idempotency_key=data.idempotency_key,
        runtime_path=data.runtime_path,
        created_at=data.created_at,
    )
    return _reply(await services.ingest.remember(command))


class MemoryController(Controller):
    """The memory endpoints of the contract."""

    tags = ("memory",)

    @post("/api/memory/remember", operation_id="remember", status_code=200, responses=REFUSALS)
    async def remember(
        self, services: Needs, request: AnyRequest, data: JSONBody[RememberRequest]
    ) -> RememberReply:
        """Keep a memory, or say that it is there already.

        `/api/memory/save` and `/api/hook/remember` do the same.
        """
        return await _remember(services, request, data)

    @post(["/api/memory/save", "/api/hook/remember"], status_code=200, include_in_schema=False)
    async def save(
        self, services: Needs, request: AnyRequest, data: JSONBody[RememberRequest]
    ) -> RememberReply:
        """Keep a memory by the contract's older names."""
        return await _remember(services, request, data)

    @get("/api/memory/{memory_id:str}", operation_id="getMemory", responses=READS)
    async def memory(self, services: Needs, memory_id: Id) -> MemoryRow:
        """Show a live memory."""
        found = await services.database.read(lambda tx: rows.get(tx, memory_id))
        if found is None or found.is_deleted:
            raise NotFoundError("not found")
        return memory_row(found, services.aging)

    @get("/api/memory/{memory_id:str}/history", operation_id="getMemoryHistory", responses=READS)
    async def history(
        self, services: Needs, memory_id: Id, limit: HistoryLimit = 200
    ) -> HistoryReply:
        """List a memory's changes, oldest first; of a forgotten one too."""
        found = await services.database.read(lambda tx: rows.history(tx, memory_id, limit))
        if not found:
            raise NotFoundError("Not found", memoryId=memory_id)
        return HistoryReply(
            memory_id=memory_id, count=len(found), history=[history_row(event) for event in found]
        )

    @patch("/api/memory/{memory_id:str}", operation_id="modifyMemory", responses=CHANGES)
    async def modify(
        self, services: Needs, request: AnyRequest, memory_id: Id, data: JSONBody[ModifyRequest]
    ) -> MutationReply:
        """Change fields of a live memory; a reason is required."""
        why = Why(
            actor_of(request, data.changed_by), reason_of(request, data.reason), data.if_version
        )
        outcome = await services.revise.modify(memory_id, _change(data), why)
        return mutation_reply(memory_id, outcome, done="updated")

    @delete(
        "/api/memory/{memory_id:str}",
        operation_id="forgetMemory",
        status_code=200,
        responses=CHANGES,
    )
    async def forget(  # noqa: PLR0913 - body or query, as the contract has it
        self,
        services: Needs,
        request: AnyRequest,
        memory_id: Id,
        *,
        data: JSONBody[ForgetRequest | None] = None,
        reason: Annotated[str, QueryParameter(max_length=1_000)] = "",
        force: FromQuery[bool] = False,
        if_version: IfVersion = None,
    ) -> MutationReply:
        """Forget a memory; it can be recovered for a while. A reason is required."""
        asked = data or ForgetRequest()
        why = Why(
            actor_of(request, None),
            reason_of(request, asked.reason, reason),
            asked.if_version or if_version,
        )
        outcome = await services.revise.forget(memory_id, why, force=asked.force or force)
        return mutation_reply(memory_id, outcome, done="deleted")

    @post(
        "/api/memory/{memory_id:str}/recover",
        operation_id="recoverMemory",
        status_code=200,
        responses=CHANGES,
    )
    async def recover(
        self, services: Needs, request: AnyRequest, memory_id: Id, data: JSONBody[RecoverRequest]
    ) -> MutationReply:
        """Bring a forgotten memory back; a reason is required."""
        why = Why(actor_of(request, None), reason_of(request, data.reason), data.if_version)
        outcome = await services.revise.recover(memory_id, why)
        days = services.settings().memory.tombstone_days
        return mutation_reply(memory_id, outcome, done="recovered", retention_days=days)

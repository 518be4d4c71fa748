"""Batch operations: modify, forget (with preview and confirmation), restore, feedback."""

import asyncio
import math
from typing import Final

import msgspec
from litestar import Controller, post
from litestar.params import JSONBody

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.gate.rate_limits import batch_forget_rate, modify_rate
from intaglio.api.problems.responses import invalid_json
from intaglio.api.request_context import (
    AnyRequest,
    actor_of,
    agent_of,
    in_project,
    project_of,
    reader_of,
    reason_of,
)
from intaglio.api.results import item_reply
from intaglio.api.routes.memory.agent_requests import refuse_agents
from intaglio.api.routes.memory.change_fields import change_of
from intaglio.api.routes.memory.filters import filters_of
from intaglio.api.services import Services
from intaglio.base.errors import InvalidInputError, TooLargeError
from intaglio.domain.reader import Reader
from intaglio.lifecycle.external_copies import ExternalCopies
from intaglio.lifecycle.removal import RemovalService
from intaglio.lifecycle.values import CONFIRM_ABOVE, Preview, Selection, Unconfirmed
from intaglio.memory import parsing
from intaglio.memory.filters import Filter
from intaglio.memory.operations import Audit
from intaglio.pipeline.modify import MemoryPatch, Modify, cleaned
from intaglio.sessions.feedback.operations import Feedback
from intaglio.wire import changes as wire

_MAX_ITEMS: Final = 200
_SHOWN_CHARS: Final = 200
_MANY: Final = "change or forget many memories in one request"
_SEND_LESS: Final = "Split it into several requests."
_SCOPES: Final = "query, ids, type, tags, who, source_type, project, since, until"


class ManyController(Controller):
    """The contract's endpoints for many memories."""

    tags = ("memory",)

    @post(
        "/api/memory/modify",
        operation_id="modifyMemories",
        status_code=200,
        opt=declare(Access.PROGRAM, Principal.AGENT, rate=modify_rate, kind="mutate"),
    )
    async def modify(
        self, services: Services, request: AnyRequest, data: JSONBody[wire.BatchModifyRequest]
    ) -> wire.BatchModifyReply:
        """Apply 1 to 200 changes independently; an invalid one fails alone.

        A patch has an id, the fields to change, and optionally its own reason and if_version.
        """
        if not data.patches:
            raise InvalidInputError("patches[] is required", hint="Send at least one patch.")
        if len(data.patches) > _MAX_ITEMS:
            raise InvalidInputError(
                f"patches[] must have at most {_MAX_ITEMS} entries", hint=_SEND_LESS
            )
        refuse_agents(actor_of(request, data.changed_by), _MANY)
        reader = await reader_of(services, request)
        read: list[MemoryPatch | wire.ItemReply] = []
        for each in data.patches:
            read.append(await self._read(services, request, data, reader, each))
            # Cleaning takes milliseconds a patch; other requests go on in between.
            await asyncio.sleep(0)
        patches = [each for each in read if isinstance(each, MemoryPatch)]
        outcomes = iter(await services.get(Modify).modify_all(patches))
        results = [
            each
            if isinstance(each, wire.ItemReply)
            else item_reply(each.id, next(outcomes), "updated")
            for each in read
        ]
        updated = sum(result.status == "updated" for result in results)
        return wire.BatchModifyReply(
            success=True, total=len(results), updated=updated, results=results
        )

    async def _read(
        self,
        services: Services,
        request: AnyRequest,
        data: wire.BatchModifyRequest,
        reader: Reader,
        item: msgspec.Raw,
    ) -> MemoryPatch | wire.ItemReply:
        try:
            patch = _patch(item)
            audit = Audit(
                actor_of(request, patch.changed_by or data.changed_by),
                reason_of(request, patch.reason, data.reason),
                patch.if_version,
                reader,
            )
            return cleaned(MemoryPatch(patch.id, await change_of(services, patch), audit))
        except (InvalidInputError, TooLargeError) as error:
            return wire.ItemReply(id=_id(item), status="invalid_request", error=error.detail)

    @post(
        "/api/memory/forget",
        operation_id="forgetMemories",
        status_code=200,
        opt=declare(Access.PROGRAM, Principal.AGENT, rate=batch_forget_rate, kind="mutate"),
    )
    async def forget(
        self, services: Services, request: AnyRequest, data: JSONBody[wire.BatchForgetRequest]
    ) -> wire.ForgetPreview | wire.BatchForgetReply:
        """Preview the memories that a selection matches or, with `mode: execute`, forget them.

        Forgetting more than 25 needs the `confirmToken` of their preview. `force` erases them
        permanently.
        """
        if data.mode not in {"preview", "execute"}:
            raise InvalidInputError(
                "mode must be preview or execute", hint="Start with preview to see the matches."
            )
        if data.if_version is not None:
            raise InvalidInputError(
                "if_version is not supported here",
                hint="Use if_versions, an object of versions by memory id.",
            )
        selection = await self._selection(services, request, data)
        if data.mode == "preview":
            return _preview(await services.get(RemovalService).preview(selection))
        audit = Audit(
            actor_of(request, data.changed_by),
            reason_of(request, data.reason),
            reader=selection.filters.reader,
        )
        refuse_agents(audit.actor, _MANY, force=data.force)
        outcome = await services.get(RemovalService).remove(
            selection, audit, force=data.force, token=data.confirm_token
        )
        if isinstance(outcome, Unconfirmed):
            raise _unconfirmed(outcome.preview, data.confirm_token)
        results = [item_reply(id_, each, "deleted") for id_, each in outcome.outcomes]
        reply = wire.BatchForgetReply(
            mode="execute",
            success=True,
            requested=len(results),
            deleted=sum(result.status == "deleted" for result in results),
            results=results,
        )
        if data.force:
            reply.erased = True
            reply.outside = await asyncio.to_thread(services.get(ExternalCopies).places)
        return reply

    async def _selection(
        self, services: Services, request: AnyRequest, data: wire.BatchForgetRequest
    ) -> Selection:
        ids = tuple(dict.fromkeys(data.ids or ()))
        if len(ids) > _MAX_ITEMS:
            raise InvalidInputError(f"ids must have at most {_MAX_ITEMS} entries", hint=_SEND_LESS)
        tags = parsing.read_tags(data.tags)
        query = (data.query or "").strip() or None
        given = (query, *ids, *tags, data.type, data.who, data.source_type, data.project)
        if not any((*given, data.since, data.until)):
            raise InvalidInputError(
                f"at least one of {_SCOPES} is required",
                hint="An empty selection would match every memory.",
            )
        fields = {name: value or None for name, value in msgspec.structs.asdict(data).items()}
        wanted = Filter(
            reader=await reader_of(services, request),
            exact_project=True,
            **filters_of(fields),
        )
        if await project_of(services, data.project) is not None:
            wanted = await in_project(services, wanted, data.project)
        # The limit must not cut off ids that are listed explicitly.
        limit = max(min(data.limit, _MAX_ITEMS), len(ids))
        return Selection(
            filters=wanted,
            query=query,
            ids=ids,
            limit=limit,
            versions=data.if_versions or {},
            # Erasing leaves nothing behind, so it includes memories forgotten earlier.
            tombstones=data.force,
        )

    @post(
        "/api/memory/recover",
        operation_id="recoverMemories",
        status_code=200,
        opt=declare(Access.PROGRAM, Principal.AGENT, kind="mutate"),
    )
    async def recover(
        self, services: Services, request: AnyRequest, data: JSONBody[wire.BatchRecoverRequest]
    ) -> wire.BatchRecoverReply:
        """Restore 1 to 200 forgotten memories independently; a reason is required."""
        ids = tuple(dict.fromkeys(data.ids))
        if not ids:
            raise InvalidInputError("ids[] is required", hint="Send at least one id.")
        if len(ids) > _MAX_ITEMS:
            raise InvalidInputError(f"ids must have at most {_MAX_ITEMS} entries", hint=_SEND_LESS)
        audit = Audit(
            actor_of(request, data.changed_by),
            reason_of(request, data.reason),
            reader=await reader_of(services, request),
        )
        refuse_agents(audit.actor, "restore memories")
        outcomes = await services.get(RemovalService).recover_all(
            ids, audit, data.if_versions or {}
        )
        results = [
            item_reply(id_, each, "recovered") for id_, each in zip(ids, outcomes, strict=True)
        ]
        recovered = sum(result.status == "recovered" for result in results)
        return wire.BatchRecoverReply(
            success=True, requested=len(results), recovered=recovered, results=results
        )

    @post(
        "/api/memory/feedback",
        operation_id="rateMemories",
        status_code=200,
        opt=declare(Access.PROGRAM, Principal.SESSION),
    )
    async def feedback(
        self, services: Services, request: AnyRequest, data: JSONBody[wire.FeedbackRequest]
    ) -> wire.FeedbackReply:
        """Record how useful memories were to a session, from -1 to 1."""
        if not data.session_key.strip():
            raise InvalidInputError("sessionKey is required")
        if len(data.feedback) > _MAX_ITEMS:
            raise InvalidInputError(
                f"feedback must have at most {_MAX_ITEMS} entries", hint=_SEND_LESS
            )
        ratings = {id_: _rating(id_, value) for id_, value in data.feedback.items()}
        reader = await reader_of(services, request)
        recorded = await services.get(Feedback).rate(
            data.session_key, agent_of(request), reader, ratings
        )
        return wire.FeedbackReply(ok=True, recorded=recorded)


def _patch(item: msgspec.Raw) -> wire.Patch:
    try:
        return msgspec.json.decode(item, type=wire.Patch)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise invalid_json(error) from error


class _WithId(msgspec.Struct):
    id: str = ""


def _id(item: msgspec.Raw) -> str:
    try:
        return msgspec.json.decode(item, type=_WithId).id
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return ""


def _preview(preview: Preview) -> wire.ForgetPreview:
    return wire.ForgetPreview(
        mode="preview",
        success=True,
        count=len(preview.candidates),
        requires_confirm=preview.needs_confirmation,
        confirm_token=preview.token,
        candidates=[
            wire.ForgetCandidate(
                id=each.memory.id,
                score=round(each.score, 3),
                pinned=each.memory.pinned,
                version=each.memory.version,
                content=each.memory.content[:_SHOWN_CHARS],
            )
            for each in preview.candidates
        ],
    )


def _unconfirmed(preview: Preview, token: str | None) -> InvalidInputError:
    text = (
        f"confirm_token is required for more than {CONFIRM_ABOVE} memories"
        if token is None
        else "confirm_token doesn't match these memories"
    )
    return InvalidInputError(
        text,
        hint="Check the preview, then send its confirmToken.",
        requiresConfirm=True,
        confirmToken=preview.token,
        count=len(preview.candidates),
    )


def _rating(memory_id: str, value: object) -> float:
    number = value if isinstance(value, int | float) and not isinstance(value, bool) else math.nan
    if not -1 <= number <= 1:
        raise InvalidInputError(
            "feedback must be an object of numbers from -1 to 1",
            hint=f"Check the value of {memory_id[:200]!r}.",
        )
    return float(number)

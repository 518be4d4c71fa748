"""Takes back all that came from one source: with a preview first, and so that it can be undone."""

from typing import Annotated, Final

from litestar import Controller, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.gate.rate_limits import batch_forget_rate, modify_rate
from intaglio.api.request_context import AnyRequest, actor_of
from intaglio.api.serializers.convert import convert
from intaglio.api.services import Services
from intaglio.base.errors import ConflictError
from intaglio.lifecycle.sources.service import SourceRemovals
from intaglio.lifecycle.sources.values import (
    MemoryOrigin,
    OriginChanged,
    OriginPreview,
    RemovalRecord,
)
from intaglio.wire import source_removal as wire

RemovalId = Annotated[str, PathParameter(max_length=200)]
RemovalLimit = Annotated[int, QueryParameter(ge=1, le=500)]
_BODY_BYTES: Final = 50_000


class SourcesController(Controller):
    """Taking sources back, which is the user's decision."""

    tags = ("sources",)

    @get("/api/sources", operation_id="listSources", opt=declare(Access.BROWSER))
    async def sources(self, services: Services) -> wire.SourceList:
        """List imports, files, agents and tools that live memories came from."""
        found = await services.get(SourceRemovals).sources()
        return wire.SourceList(
            sources=[
                wire.SourceRow(
                    kind=each.origin.kind,
                    id=each.origin.id,
                    label=each.label,
                    memories=each.memories,
                )
                for each in found
            ]
        )

    @post(
        "/api/sources/take-back",
        operation_id="takeBackSource",
        status_code=200,
        opt=declare(Access.BROWSER, rate=batch_forget_rate, body_bytes=_BODY_BYTES),
    )
    async def take_back(
        self, services: Services, request: AnyRequest, data: JSONBody[wire.SourceRemovalRequest]
    ) -> wire.SourceRemovalPreview | wire.SourceRemoval:
        """Preview what came from a source or, with `mode: execute`, take it back.

        Its memories are forgotten and its open suggestions dropped; what is stored of its
        conversations is deleted, and read again when that is undone, where transcripts exist.
        Executing needs the `confirmToken` of a preview that still holds. It goes on in the
        background if it takes longer than a few seconds.
        """
        removals = services.get(SourceRemovals)
        origin = MemoryOrigin(data.source.kind, data.source.id)
        actor = actor_of(request, None)
        if data.mode == "preview":
            return _preview(await removals.preview(origin, actor))
        done = await removals.take_back(
            origin,
            actor,
            data.confirm_token,
            elsewhere=data.elsewhere,
            reason=data.reason.strip(),
        )
        if isinstance(done, OriginChanged):
            raise ConflictError(
                "The source has changed since it was previewed",
                hint="Preview it again, check the list, and confirm with the new confirmToken.",
                confirmToken=done.preview.token,
                count=len(done.preview.contents.memories),
            )
        return _removal(done)

    @get("/api/sources/taken-back", operation_id="listTakenBack", opt=declare(Access.BROWSER))
    async def taken_back(
        self, services: Services, *, limit: RemovalLimit = 50
    ) -> wire.SourceRemovalList:
        """List what was taken back, newest first."""
        found = await services.get(SourceRemovals).latest(limit)
        return wire.SourceRemovalList(removals=[_removal(each) for each in found])

    @post(
        "/api/sources/taken-back/{removal_id:str}/undo",
        operation_id="undoTakeBack",
        status_code=200,
        opt=declare(Access.BROWSER, rate=modify_rate),
    )
    async def undo(
        self, services: Services, request: AnyRequest, removal_id: RemovalId
    ) -> wire.SourceRemoval:
        """Restore what taking a source back forgot, and reopen its suggestions.

        Conversations are read again where their transcripts still exist.
        """
        done = await services.get(SourceRemovals).undo(removal_id, actor_of(request, None))
        return _removal(done)


def _preview(preview: OriginPreview) -> wire.SourceRemovalPreview:
    found, shared = preview.contents, preview.shared
    return wire.SourceRemovalPreview(
        confirm_token=preview.token,
        label=preview.label,
        count=len(found.memories),
        elsewhere=len(shared),
        memories=[
            convert(each, wire.SourceMemory, elsewhere=each.id in shared) for each in preview.shown
        ],
        suggestions=len(found.suggestions),
        sessions=len(found.sessions),
        messages=found.messages,
    )


def _removal(record: RemovalRecord) -> wire.SourceRemoval:
    return wire.SourceRemoval(
        id=record.id,
        source=wire.RemovedSource(kind=record.origin.kind, id=record.origin.id),
        label=record.label,
        at=record.created_at,
        forgotten=record.forgotten,
        kept=record.kept,
        dropped=record.dropped,
        running=record.is_running,
        undone=record.undone_at,
    )

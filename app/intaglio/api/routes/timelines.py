"""GET /api/timeline: what happened to a memory, an entity, in a session or in a request."""

from typing import Annotated

from litestar import Controller, Response, get
from litestar.params import PathParameter

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import AnyRequest, session_reader_of
from intaglio.api.services import Services
from intaglio.base.clock import iso
from intaglio.timelines.timelines import Timelines
from intaglio.wire import timelines as wire

TimelineId = Annotated[str, PathParameter(max_length=500)]


class TimelinesController(Controller):
    """Timelines."""

    tags = ("analytics",)

    @get(
        "/api/timeline/{subject:str}",
        operation_id="getEventTimeline",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def timeline(
        self, services: Services, request: AnyRequest, subject: TimelineId
    ) -> wire.TimelineReply:
        """Return what happened to a memory, an entity, in a session or in a request, by its id.

        A session is found by its number or its harness's id. An agent sees what it may read; only
        the user sees lines of the log. What doesn't exist or was erased is `unknown` and has no
        events. Events have ids, names and numbers, but no texts; at most the 500 newest.
        """
        return await _read(services, request, subject)

    @get(
        "/api/timeline/{subject:str}/export",
        operation_id="exportEventTimeline",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def export(
        self, services: Services, request: AnyRequest, subject: TimelineId
    ) -> Response[wire.TimelineExport]:
        """Return the same as a file."""
        timeline = await _read(services, request, subject)
        meta = wire.TimelineMeta(
            version=services.running.version,
            exported_at=timeline.generated_at,
            entity_id=timeline.entity_id,
        )
        return Response(
            wire.TimelineExport(meta=meta, timeline=timeline),
            headers={"content-disposition": 'attachment; filename="timeline.json"'},
        )


async def _read(services: Services, request: AnyRequest, subject: str) -> wire.TimelineReply:
    reader = await session_reader_of(services, request)
    await services.settled()
    found = await services.get(Timelines).of(subject, reader)
    return wire.TimelineReply(
        entity_type=found.subject,
        entity_id=found.id,
        events=[
            wire.TimelineEventRow(
                timestamp=each.at,
                source=each.source,
                event=each.event,
                details=dict(each.details),
            )
            for each in found.events
        ],
        generated_at=iso(services.clock()),
        cut=found.is_cut,
    )

"""GET /api/telemetry: events of the daemon's work, which stay on this machine."""

from collections.abc import AsyncIterator
from typing import Annotated, Final

import msgspec
from litestar import Controller, get
from litestar.params import QueryParameter
from litestar.response import Stream

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.request_context import MomentText, moment_of
from intaglio.api.services import Services
from intaglio.base.errors import InvalidInputError, NotFoundError
from intaglio.kernel import Kernel
from intaglio.telemetry.events import EVENT_NAMES
from intaglio.telemetry.rows import EventFilter, StoredEvent
from intaglio.telemetry.telemetry import Telemetry
from intaglio.wire import telemetry as wire

NDJSON: Final = "application/x-ndjson"
_SWITCH: Final = "Set memory.pipelineV2.telemetryEnabled to true in Settings. Nothing is sent."

EventQuery = Annotated[str | None, QueryParameter(max_length=100)]
EventLimit = Annotated[int, QueryParameter(ge=1, le=1_000)]


class TelemetryController(Controller):
    """Telemetry, if the user has switched it on; nothing is ever sent anywhere."""

    tags = ("telemetry",)

    @get("/api/telemetry/events", operation_id="listTelemetry", opt=declare(Access.PROGRAM))
    async def events(
        self,
        services: Services,
        *,
        event: EventQuery = None,
        since: MomentText = None,
        until: MomentText = None,
        limit: EventLimit = 100,
    ) -> wire.TelemetryEvents:
        """List events, newest first: of one kind or all, from a time on and before another."""
        wanted = _wanted(event, since, until)
        telemetry = services.get(Telemetry)
        if not telemetry.is_on:
            return wire.TelemetryEvents(events=[], enabled=False)
        found = await telemetry.newest(wanted, limit)
        return wire.TelemetryEvents(events=[_event(each) for each in found], enabled=True)

    @get("/api/telemetry/stats", operation_id="getTelemetryStats", opt=declare(Access.PROGRAM))
    async def stats(
        self, services: Services, *, since: MomentText = None, until: MomentText = None
    ) -> wire.TelemetryStats:
        """Return how many events there are, and what language models used."""
        wanted = _wanted(None, since, until)
        telemetry = services.get(Telemetry)
        if not telemetry.is_on:
            return wire.TelemetryStats(enabled=False)
        found = await telemetry.stats(wanted)
        return wire.TelemetryStats(
            enabled=True,
            total_events=sum(found.counts.values()),
            llm=wire.ModelTotals(
                calls=found.models.calls,
                errors=found.models.errors,
                total_input_tokens=found.models.tokens_read,
                total_output_tokens=found.models.tokens_written,
                total_cost=round(found.models.usd, 6),
                p50=found.p50,
                p95=found.p95,
            ),
            pipeline_errors=found.counts.get("pipeline.error", 0),
            by_event=found.counts,
        )

    @get(
        "/api/telemetry/export",
        operation_id="exportTelemetry",
        media_type=NDJSON,
        opt=declare(Access.PROGRAM),
    )
    async def export(
        self,
        services: Services,
        *,
        event: EventQuery = None,
        since: MomentText = None,
        until: MomentText = None,
    ) -> Stream:
        """Return all events as JSON lines, oldest first; 404 while telemetry is off."""
        wanted = _wanted(event, since, until)
        telemetry = switched_on(services)

        async def lines() -> AsyncIterator[bytes]:
            async for page in telemetry.pages(wanted):
                yield b"".join(msgspec.json.encode(_event(each)) + b"\n" for each in page)

        return file_of(lines(), NDJSON, "telemetry.ndjson")


def file_of(content: AsyncIterator[bytes], media_type: str, name: str) -> Stream:
    """Return a reply that is saved as a file."""
    return Stream(
        content,
        media_type=media_type,
        headers={
            "cache-control": "no-store",
            "content-disposition": f'attachment; filename="{name}"',
        },
    )


def switched_on(services: Kernel) -> Telemetry:
    """Return the telemetry; raises NotFoundError while it is off."""
    telemetry = services.get(Telemetry)
    if not telemetry.is_on:
        raise NotFoundError("Telemetry is off", hint=_SWITCH)
    return telemetry


def _wanted(event: str | None, since: str | None, until: str | None) -> EventFilter:
    if event and event not in EVENT_NAMES:
        raise InvalidInputError(
            f"event must be one of {', '.join(EVENT_NAMES)}", hint="Omit it for all events."
        )
    return EventFilter(
        event=event or None, since=moment_of("since", since), until=moment_of("until", until)
    )


def _event(found: StoredEvent) -> wire.TelemetryEvent:
    return wire.TelemetryEvent(
        id=str(found.seq),
        event=found.event,
        timestamp=found.at,
        properties=msgspec.json.decode(
            found.properties, type=dict[str, str | int | float | bool | None]
        ),
    )

"""GET /api/telemetry: events of the daemon's work, which stay on this machine."""

import csv
import io
from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Final, Literal, get_args

import msgspec
from litestar import Controller, get
from litestar.params import QueryParameter
from litestar.response import Stream

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import AnyRequest, MomentText, moment_of, session_reader_of
from intaglio.api.services import Services
from intaglio.base.errors import InvalidInputError, NotFoundError
from intaglio.kernel import Kernel
from intaglio.sessions.feedback import score_rows
from intaglio.sessions.feedback.score_rows import ConsideredMemory
from intaglio.store.tx import ReadTx
from intaglio.telemetry.events import EVENT_NAMES
from intaglio.telemetry.rows import EventFilter, StoredEvent
from intaglio.telemetry.telemetry import Telemetry
from intaglio.wire import telemetry as wire

_NDJSON: Final = "application/x-ndjson"
_CSV: Final = "text/csv"
_PAGE: Final = 1_000
_SWITCH: Final = "Set memory.pipelineV2.telemetryEnabled to true in Settings. Nothing is sent."

_TrainingFormat = Literal["ndjson", "csv"]
_FORMATS: Final[tuple[str, ...]] = get_args(_TrainingFormat)
EventQuery = Annotated[str | None, QueryParameter(max_length=100)]
EventLimit = Annotated[int, QueryParameter(ge=1, le=1_000)]
FormatQuery = Annotated[str, QueryParameter(max_length=20)]


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
        media_type=_NDJSON,
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
        telemetry = _switched_on(services)

        async def lines() -> AsyncIterator[bytes]:
            async for page in telemetry.pages(wanted):
                yield b"".join(msgspec.json.encode(_event(each)) + b"\n" for each in page)

        return _file(lines(), _NDJSON, "telemetry.ndjson")

    @get(
        "/api/telemetry/training-export",
        operation_id="exportTraining",
        media_type=_NDJSON,
        opt=declare(Access.BROWSER, Principal.AGENT),
    )
    async def training(
        self,
        services: Services,
        request: AnyRequest,
        *,
        format: FormatQuery = "ndjson",  # noqa: A002 - the contract's name
    ) -> Stream:
        """Return what sessions considered, whether it was told, and how it was rated.

        As JSON lines, or with `format=csv` as a table; 404 while telemetry is off. It has ids and
        scores, but no texts.
        """
        if format not in _FORMATS:
            raise InvalidInputError(
                f"format must be {' or '.join(_FORMATS)}", hint="Omit it for JSON lines."
            )
        _switched_on(services)
        reader = await session_reader_of(services, request)

        async def pages() -> AsyncIterator[Sequence[ConsideredMemory]]:
            place = (0, 0)
            while True:

                def work(tx: ReadTx, after: tuple[int, int] = place) -> list[ConsideredMemory]:
                    return score_rows.considered_memories(tx, reader, after, _PAGE)

                page = await services.database.read(work)
                if not page:
                    return
                yield page
                place = (page[-1].injection, page[-1].rank)

        if format == "csv":
            return _file(_table(pages()), _CSV, "training.csv")

        async def lines() -> AsyncIterator[bytes]:
            async for page in pages():
                yield b"".join(msgspec.json.encode(_training(each)) + b"\n" for each in page)

        return _file(lines(), _NDJSON, "training.ndjson")


async def _table(pages: AsyncIterator[Sequence[ConsideredMemory]]) -> AsyncIterator[bytes]:
    names = [field.encode_name for field in msgspec.structs.fields(wire.TrainingRow)]
    yield _csv([names])
    async for page in pages:
        yield _csv([list(msgspec.structs.astuple(_training(each))) for each in page])


def _csv(rows: Sequence[Sequence[object]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


def _file(content: AsyncIterator[bytes], media_type: str, name: str) -> Stream:
    return Stream(
        content,
        media_type=media_type,
        headers={
            "cache-control": "no-store",
            "content-disposition": f'attachment; filename="{name}"',
        },
    )


def _switched_on(services: Kernel) -> Telemetry:
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


def _training(found: ConsideredMemory) -> wire.TrainingRow:
    return wire.TrainingRow(
        session_key=found.session_id,
        harness=found.harness,
        event=found.event,
        memory_id=found.memory_id,
        rank=found.rank,
        score=found.score,
        told=found.told,
        rating=found.rating,
        created_at=found.at,
    )

"""The daemon's log: GET /api/logs, /api/analytics/logs and /api/logs/stream."""

from typing import Annotated, Final, Literal, TypeAlias

from litestar import Controller, get
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter, SkipValidation
from litestar.response import Stream
from msgspec import convert

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.log_stream import LogStreams
from intaglio.api.request_context import AnyRequest, MomentText, invalid_cursor, moment_of
from intaglio.api.services import Services
from intaglio.logs.daemon_log import DaemonLog
from intaglio.logs.values import LogFilter, LogPosition, level_named
from intaglio.wire.logs import LogList, LogRow

LogLimit = Annotated[int, QueryParameter(ge=1, le=1_000)]
LevelText = Annotated[
    Literal["debug", "info", "warn", "warning", "error", "critical"] | None, QueryParameter()
]
_Words = Annotated[str | None, QueryParameter(max_length=200)]
RequestIdText = Annotated[str | None, QueryParameter(name="requestId", max_length=200)]
PositionText = Annotated[str | None, QueryParameter(max_length=100)]


def _filter(
    level: LevelText = None,
    category: _Words = None,
    since: MomentText = None,
    until: MomentText = None,
    request_id: RequestIdText = None,
    q: _Words = None,
) -> LogFilter:
    return LogFilter(
        level=level_named(level or "debug"),
        part=category or None,
        since=moment_of("since", since),
        until=moment_of("until", until),
        request_id=request_id or None,
        text=(q or "").strip(),
    )


RequestedLines: TypeAlias = NamedDependency[SkipValidation[LogFilter]]
_FILTER: Final = {"lines": Provide(_filter, sync_to_thread=False)}


def _position(text: str | None) -> LogPosition | None:
    if not text:
        return None
    found = LogPosition.parse(text)
    if found is None:
        raise invalid_cursor()
    return found


async def _page(services: Services, lines: LogFilter, limit: int, cursor: str | None) -> LogList:
    page = await services.get(DaemonLog).page(lines, limit, _position(cursor))
    return LogList(
        logs=[convert(line.as_entry(), LogRow) for line in page.lines],
        count=len(page.lines),
        next_cursor=str(page.older) if page.older else None,
        end=str(page.end) if page.end else None,
    )


class LogsController(Controller):
    """The daemon's log."""

    tags = ("daemon",)
    dependencies = _FILTER

    @get("/api/logs", operation_id="listLogs", opt=declare(Access.BROWSER))
    async def logs(
        self,
        services: Services,
        lines: RequestedLines,
        *,
        limit: LogLimit = 100,
        cursor: PositionText = None,
    ) -> LogList:
        """Return the newest lines of the log, newest last.

        `level` selects that level and above, `category` a part of the program, `requestId` the
        lines of one request, `q` those that contain the words. `cursor` leads to older lines. A
        page is shorter than `limit` if its lines are very long.
        """
        return await _page(services, lines, limit, cursor)

    @get(
        "/api/analytics/logs",
        include_in_schema=False,
        opt=declare(Access.BROWSER),
    )
    async def analytics_logs(
        self,
        services: Services,
        lines: RequestedLines,
        *,
        limit: LogLimit = 100,
        cursor: PositionText = None,
    ) -> LogList:
        """Return what `GET /api/logs` does, under the contract's other path."""
        return await _page(services, lines, limit, cursor)

    @get(
        "/api/logs/stream",
        operation_id="streamLogs",
        media_type="text/event-stream",
        opt=declare(Access.BROWSER),
    )
    async def stream(
        self,
        services: Services,
        request: AnyRequest,
        lines: RequestedLines,
        *,
        after: PositionText = None,
    ) -> Stream:
        """Stream lines as they are written, each the `data` of an event.

        The first event is `{"type":"connected"}`. `after` is the `end` of a list, or the id of an
        event, which a browser sends by itself (`Last-Event-ID`). A client that doesn't keep up
        gets an entry that says so instead of the lines in between.
        """
        known = request.headers.get("last-event-id") or after
        return Stream(
            services.get(LogStreams).open(lines, _position(known)),
            media_type="text/event-stream",
            headers={"cache-control": "no-store", "x-accel-buffering": "no"},
        )

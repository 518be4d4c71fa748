"""Whether hooks capture what is said: to see it, to pause it, to resume it."""

from datetime import datetime, timedelta
from typing import Final

from litestar import Controller, get, post
from litestar.params import JSONBody

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.request_context import AnyRequest, actor_of
from intaglio.api.services import Services
from intaglio.base.clock import iso, parse_moment
from intaglio.base.errors import InvalidInputError
from intaglio.sessions.pauses.service import Pauses
from intaglio.sessions.pauses.values import Pause, PauseState
from intaglio.wire.capture import CaptureReply, CaptureStatus, PauseRequest, PauseRow

_LATEST: Final = 20


def capture_status(standing: PauseState) -> CaptureStatus:
    """Show whether capture is paused."""
    return CaptureStatus(
        paused=standing.paused, since=_text(standing.since), until=_text(standing.until)
    )


def _text(moment: datetime | None) -> str | None:
    return iso(moment) if moment else None


def _row(pause: Pause) -> PauseRow:
    return PauseRow(
        id=pause.id,
        started_at=iso(pause.started_at),
        until=_text(pause.until),
        ended_at=_text(pause.ended_at),
        asked_by=pause.asked_by,
    )


async def _reply(services: Services, standing: PauseState) -> CaptureReply:
    shown = capture_status(standing)
    pauses = await services.get(Pauses).latest(_LATEST)
    return CaptureReply(
        paused=shown.paused,
        since=shown.since,
        until=shown.until,
        pauses=[_row(pause) for pause in pauses],
    )


def _until(services: Services, asked: PauseRequest) -> datetime | None:
    if asked.minutes is not None and asked.until is not None:
        raise InvalidInputError("minutes or until, not both")
    if asked.minutes is not None:
        return services.clock() + timedelta(minutes=asked.minutes)
    if asked.until is None:
        return None
    if asked.until.strip().lower() == "tomorrow":
        return services.get(Pauses).tomorrow()
    moment = parse_moment(asked.until)
    if moment is None:
        raise InvalidInputError("until must be an ISO-8601 time or tomorrow")
    return moment


class CaptureController(Controller):
    """Pauses of capture; what is remembered by hand is kept all the same."""

    tags = ("capture",)

    @get("/api/capture", operation_id="getCapture", opt=declare(Access.PROGRAM))
    async def capture(self, services: Services) -> CaptureReply:
        """Say whether capture is paused, and list the latest pauses."""
        return await _reply(services, await services.get(Pauses).state())

    @post(
        "/api/capture/pause",
        operation_id="pauseCapture",
        status_code=200,
        opt=declare(Access.BROWSER),
    )
    async def pause(
        self, services: Services, request: AnyRequest, data: JSONBody[PauseRequest]
    ) -> CaptureReply:
        """Pause capture: hooks write nothing, recall goes on.

        What is said in a pause is never captured, not from transcripts read later either. A pause
        that runs gets the new end.
        """
        asked_by = actor_of(request, None).name
        return await _reply(
            services, await services.get(Pauses).pause(_until(services, data), asked_by)
        )

    @post(
        "/api/capture/resume",
        operation_id="resumeCapture",
        status_code=200,
        opt=declare(Access.BROWSER),
    )
    async def resume(self, services: Services) -> CaptureReply:
        """End the pause that runs; without one nothing changes."""
        return await _reply(services, await services.get(Pauses).resume())

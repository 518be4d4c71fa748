"""Shows, pauses and resumes capture."""

from datetime import datetime, timedelta
from typing import Final

from litestar import Controller, get, post
from litestar.params import JSONBody

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import (
    AnyRequest,
    MomentText,
    actor_of,
    moment_of,
    project_of,
    session_reader_of,
)
from intaglio.api.serializers.convert import convert
from intaglio.api.services import Services
from intaglio.base.clock import iso, parse_moment
from intaglio.base.errors import InvalidInputError
from intaglio.base.text import clip
from intaglio.fence.characters import visible
from intaglio.inbox import rows as inbox
from intaglio.pauses.service import Pauses
from intaglio.pauses.values import Pause, PauseState
from intaglio.sessions import rows as sessions
from intaglio.sessions.overview.capture_trial import CaptureTrials
from intaglio.sessions.statements import considered_rows
from intaglio.sessions.statements import rows as statements
from intaglio.sessions.statements.precision import CapturePrecision
from intaglio.store.tx import ReadTx
from intaglio.wire.capture import (
    CapturedSince,
    CapturePrecisionReply,
    CaptureReply,
    CaptureStatus,
    CaptureTrialReply,
    CaptureTrialRequest,
    PauseRequest,
    PauseRow,
    SavedLineRow,
)

_LATEST: Final = 20
_SAVED: Final = 20
_LINE_CHARS: Final = 200
# What is read from history was said long before; a turn is captured when it ends.
_SAID_BEFORE: Final = timedelta(days=1)
_SOME_PROJECT: Final = "some-project"


def capture_status(state: PauseState) -> CaptureStatus:
    """Return whether capture is paused."""
    return CaptureStatus(paused=state.paused, since=_text(state.since), until=_text(state.until))


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


async def _reply(services: Services, state: PauseState) -> CaptureReply:
    status = capture_status(state)
    pauses = await services.get(Pauses).latest(_LATEST)
    return CaptureReply(
        paused=status.paused,
        since=status.since,
        until=status.until,
        pauses=[_row(pause) for pause in pauses],
    )


def _until(services: Services, request: PauseRequest) -> datetime | None:
    if request.minutes is not None and request.until is not None:
        raise InvalidInputError(
            "minutes and until can't be combined", hint="Send only one of them."
        )
    if request.minutes is not None:
        return services.clock() + timedelta(minutes=request.minutes)
    if request.until is None:
        return None
    if request.until.strip().lower() == "tomorrow":
        return services.get(Pauses).tomorrow()
    moment = parse_moment(request.until)
    if moment is None:
        raise InvalidInputError(
            'until must be an ISO-8601 time or "tomorrow"',
            hint="For example 2026-01-31T09:00:00Z.",
        )
    return moment


def _one_line(text: str) -> str:
    return clip(" ".join(visible(text).split()), _LINE_CHARS)


class CaptureController(Controller):
    """Pauses of capture; memories can still be added by hand."""

    tags = ("capture",)

    @get("/api/capture", operation_id="getCapture", opt=declare(Access.PROGRAM))
    async def capture(self, services: Services) -> CaptureReply:
        """Return whether capture is paused, and the latest pauses."""
        return await _reply(services, await services.get(Pauses).state())

    @get(
        "/api/capture/since",
        operation_id="countCaptured",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def captured(
        self, services: Services, request: AnyRequest, *, since: MomentText = None
    ) -> CapturedSince:
        """Count what capture saved, suggested and left at or after `since`, or ever."""
        moment = moment_of("since", since)
        reader = await session_reader_of(services, request)

        def work(tx: ReadTx) -> CapturedSince:
            start = moment or ""
            began = parse_moment(start)
            said = iso(began - _SAID_BEFORE) if began else ""
            return CapturedSince(
                since=moment,
                kept=statements.kept_since(tx, reader, start),
                suggested=inbox.count_suggested_since(tx, reader, start),
                considered=considered_rows.count_since(tx, reader, start),
                session_ended_at=sessions.last_ended(tx, reader, start),
                saved=[
                    SavedLineRow(id=one.id, at=one.at, text=_one_line(one.content))
                    for one in statements.saved_since(tx, reader, start, said, _SAVED)
                ],
            )

        return await services.database.read(work)

    @get("/api/capture/precision", operation_id="getCapturePrecision", opt=declare(Access.PROGRAM))
    async def precision(self, services: Services) -> CapturePrecisionReply:
        """Return how many of the latest captured memories the user forgot or rewrote."""
        return convert(await services.get(CapturePrecision).lately(), CapturePrecisionReply)

    @post(
        "/api/capture/try",
        operation_id="tryCapture",
        status_code=200,
        opt=declare(Access.BROWSER),
    )
    async def try_text(
        self, services: Services, data: JSONBody[CaptureTrialRequest]
    ) -> CaptureTrialReply:
        """Judge a text as if you had written it to an agent; nothing is stored.

        It says what capture would keep of it, and what the next session would be told.
        """
        project = await project_of(services, data.project) or _SOME_PROJECT
        tried = await services.get(CaptureTrials).of(data.text, project)
        return convert(tried, CaptureTrialReply)

    @post(
        "/api/capture/pause",
        operation_id="pauseCapture",
        status_code=200,
        opt=declare(Access.BROWSER),
    )
    async def pause(
        self, services: Services, request: AnyRequest, data: JSONBody[PauseRequest]
    ) -> CaptureReply:
        """Pause capture: hooks store nothing, recall keeps working.

        What is said during a pause is never captured, not even from transcripts read later. If
        capture is already paused, the pause gets the new end.
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
        """Resume capture; does nothing if it isn't paused."""
        return await _reply(services, await services.get(Pauses).resume())

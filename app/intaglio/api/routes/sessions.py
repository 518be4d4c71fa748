"""Sessions: what each was told, asked and led to, and what the next one would be told."""

import re
from datetime import datetime, timedelta
from typing import Annotated, Final, TypeAlias

from litestar import Controller, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import (
    AnyRequest,
    actor_of,
    agent_of,
    cursor_of,
    moment_of,
    position_of,
    project_of,
    reader_of,
    session_reader_of,
)
from intaglio.api.serializers.sessions import focal_rows, preview_of, session_detail, session_row
from intaglio.api.services import Services
from intaglio.base.clock import iso
from intaglio.base.errors import ConflictError, InvalidInputError, NotFoundError
from intaglio.base.settings.editing import SettingsEditor
from intaglio.domain.reader import Reader
from intaglio.finding.finder import Finder
from intaglio.harness.asked_prompts import AskedPrompts
from intaglio.harness.dispatch import Dispatch
from intaglio.inbox.kinds import Refusal
from intaglio.lifecycle.projects.moved_projects import MovedProjects
from intaglio.memory.filters import Filter
from intaglio.memory.operations import Audit
from intaglio.session_notes import rows as note_rows
from intaglio.session_notes.values import SessionSummary
from intaglio.sessions.continuity.in_play import in_play
from intaglio.sessions.overview import rows
from intaglio.sessions.overview.descriptions import SessionDescription, describe
from intaglio.sessions.overview.preview import SessionPreviews
from intaglio.sessions.overview.preview_settings import without_effect
from intaglio.sessions.overview.values import (
    SessionEvents,
    SessionFilter,
    SessionOverview,
    SessionPage,
)
from intaglio.sessions.services import ContextServices
from intaglio.sessions.statements.considered import (
    ConsideredKept,
    ConsideredStatements,
    NoSuchStatement,
)
from intaglio.sessions.values import SessionKey, SessionRef
from intaglio.store.tx import ReadTx
from intaglio.transcripts import rows as transcripts
from intaglio.transcripts.values import TranscriptSize
from intaglio.wire import sessions as wire

_ReadSession: TypeAlias = tuple[
    SessionOverview, SessionDescription, SessionEvents, TranscriptSize, list[SessionSummary]
]
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,17}")

_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

SessionNumber = Annotated[str, PathParameter(max_length=200)]
SessionLimit = Annotated[int, QueryParameter(ge=1, le=200)]
NameQuery = Annotated[str | None, QueryParameter(max_length=200)]
PathQuery = Annotated[str | None, QueryParameter(max_length=4_096)]
SearchQuery = Annotated[str, QueryParameter(max_length=1_000)]
GlobalQuery = Annotated[bool, QueryParameter(name="globalOnly")]


class SessionsController(Controller):
    """Sessions, and the preview of the next one."""

    tags = ("sessions",)

    @get(
        "/api/sessions",
        operation_id="listSessions",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def sessions(  # noqa: PLR0913 - one for each query parameter
        self,
        services: Services,
        request: AnyRequest,
        *,
        project: PathQuery = None,
        is_global: GlobalQuery = False,
        harness: NameQuery = None,
        agent: NameQuery = None,
        since: NameQuery = None,
        until: NameQuery = None,
        memory: NameQuery = None,
        q: SearchQuery = "",
        limit: SessionLimit = 50,
        cursor: PathQuery = None,
    ) -> wire.SessionList:
        """List sessions, the latest active first.

        With `q`, list those that match best: by their title, by what was said in them, by what
        they led to, and by what their prompts were told. A search has one page.


        `project` is a directory or a name, `globalOnly` selects sessions without a project. `since`
        and `until` limit the time of the last activity; a day such as 2026-01-31 is the whole day
        on this machine's clock. `memory` selects the sessions that were sent this memory, or led to
        it. An agent sees its own sessions only. The user sees all: a signed-in browser, and the
        installation's token in a request that names no agent.
        """
        key = await project_of(services, project)
        wanted = SessionFilter(
            reader=await session_reader_of(services, request),
            projects=(key, *await services.projects.aliases(key)) if key else (),
            global_only=is_global,
            harness=harness,
            agent_id=agent,
            active_since=_start_of("since", since),
            active_until=_start_of("until", until, after=True),
            memory_id=memory,
        )
        after = position_of(cursor)
        await services.settled()
        if q.strip():
            if cursor is not None:
                raise InvalidInputError(
                    "A search has one page", hint="Omit the cursor, or raise the limit."
                )
            return await self._search(services, q, wanted, limit)

        def work(
            tx: ReadTx,
        ) -> tuple[SessionPage, dict[int, SessionDescription], dict[SessionKey, str]]:
            page = rows.page(tx, wanted, limit, after)
            keys = [(each.harness, each.id) for each in page.sessions]
            described = describe(tx, page.sessions, wanted.reader)
            return page, described, note_rows.summary_texts(tx, keys)

        page, described, summaries = await services.database.read(work)
        now = services.clock()
        return wire.SessionList(
            sessions=[
                session_row(
                    each,
                    described[each.number],
                    now,
                    summary=summaries.get((each.harness, each.id), ""),
                )
                for each in page.sessions
            ],
            count=len(page.sessions),
            cursor=cursor_of(page.end),
        )

    async def _search(
        self, services: Services, text: str, wanted: SessionFilter, limit: int
    ) -> wire.SessionList:
        memories = Filter(reader=wanted.reader)
        found = await services.get(Finder).find_sessions(text, wanted, memories, limit)
        keys = [(each.session.harness, each.session.id) for each in found]
        summaries = await services.database.read(lambda tx: note_rows.summary_texts(tx, keys))
        now = services.clock()
        return wire.SessionList(
            sessions=[
                session_row(
                    each.session,
                    each.description,
                    now,
                    each.passage,
                    each.words,
                    summary=summaries.get(key, ""),
                )
                for key, each in zip(keys, found, strict=True)
            ],
            count=len(found),
            cursor=None,
        )

    @get(
        "/api/sessions/{session_id:str}",
        operation_id="getSession",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def session(
        self, services: Services, request: AnyRequest, session_id: SessionNumber
    ) -> wire.SessionDetail:
        """Get what a session was told, asked and led to; it is named by `id` or `key`.

        The prompts are read from the harness's transcript; at most 500 prompts, and 200 hook calls.
        """
        reader = await session_reader_of(services, request)
        await services.settled()

        def work(
            tx: ReadTx,
        ) -> _ReadSession | None:
            found = next(iter(find_sessions(tx, session_id, reader)), None)
            if found is None:
                return None
            size = transcripts.size(tx, found.harness, found.id)
            described = describe(tx, [found], reader)[found.number]
            summaries = [each for _, each in note_rows.summaries(tx, (found.harness, found.id))]
            return found, described, rows.events(tx, found, reader), size, summaries

        found = await services.database.read(work)
        if found is None:
            raise no_such_session()
        session, described, events, size, summaries = found
        prompts = await services.get(AskedPrompts).read(
            session.harness, session.id, session.transcript
        )
        ref = SessionRef(
            harness=session.harness,
            id=session.id,
            agent_id=session.agent_id,
            project=session.project,
        )
        about = await in_play(services.get(ContextServices), ref)
        return session_detail(
            session, described, events, prompts, size, summaries, about, services.clock()
        )

    @post(
        "/api/sessions/{session_id:str}/considered/{statement_id:str}/keep",
        operation_id="keepConsideredStatement",
        status_code=200,
        opt=declare(Access.BROWSER, Principal.AGENT),
    )
    async def keep(
        self,
        services: Services,
        request: AnyRequest,
        session_id: SessionNumber,
        statement_id: SessionNumber,
    ) -> wire.KeptStatement:
        """Save a statement as a memory that capture neither kept nor offered.

        Forgetting the memory undoes it.
        """
        audit = Audit(actor_of(request, None), reader=await reader_of(services, request))
        reader = await session_reader_of(services, request)
        number = number_of(session_id)
        found = await services.database.read(lambda tx: rows.get(tx, number, reader))
        if found is None:
            raise no_such_session()
        if _NUMBER.fullmatch(statement_id) is None:
            raise _no_such_statement()
        outcome = await services.get(ConsideredStatements).keep(
            (found.harness, found.id), int(statement_id), audit
        )
        match outcome:
            case ConsideredKept(memory_id=memory_id):
                return wire.KeptStatement(memory_id=memory_id)
            case NoSuchStatement():
                raise _no_such_statement()
            case Refusal(reason=reason, hint=hint):
                raise ConflictError(reason, hint=hint)

    @post(
        "/api/sessions/preview",
        operation_id="previewSession",
        status_code=200,
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def preview(
        self, services: Services, request: AnyRequest, data: JSONBody[wire.PreviewRequest]
    ) -> wire.PreviewReply:
        """Preview what the next session of a project would be told; writes nothing.

        `harness` is the one that starts the session, by default the project's last one.
        `settings` are used instead of those in use, by dotted key. One that can't change what is
        told is listed in `withoutEffect`; an unknown or secret one, or a bad value, is refused.
        """
        agent = agent_of(request)
        key = await project_of(services, data.project)
        former = await services.get(MovedProjects).expected(key)
        source = former or key
        harnesses = services.get(Dispatch).harnesses
        name = data.harness or await _last_harness(services, source, tuple(harnesses))
        harness = harnesses.get(name)
        if harness is None:
            raise InvalidInputError(
                f"Unknown harness {name!r}", hint=f"Use one of {', '.join(harnesses)}."
            )
        previews = services.get(SessionPreviews)
        if data.settings:
            previews = previews.under(services.get(SettingsEditor).tried(data.settings))
        found = await previews.preview(name, agent, source, data.prompt, harness.limits.reply_chars)
        return wire.PreviewReply(
            project=key,
            moved_from=former,
            agent=agent,
            harness=name,
            harness_label=harness.label,
            focal=focal_rows(found.start.context.walk.focal.entities),
            start=preview_of(found.start),
            prompt=preview_of(found.prompt) if found.prompt else None,
            without_effect=[
                wire.SettingWithoutEffect(key=key, reason=reason)
                for key, reason in without_effect(data.settings, name).items()
            ],
        )


def _start_of(name: str, text: str | None, *, after: bool = False) -> str | None:
    """Return a time in stored form; of a day its start here, or the start of the day after."""
    if text is None or _DAY.fullmatch(text.strip()) is None:
        return moment_of(name, text)
    try:
        day = datetime.fromisoformat(text.strip()) + timedelta(days=int(after))
        return iso(day.astimezone())
    except (ValueError, OverflowError, OSError):
        return moment_of(name, "?")


async def _last_harness(services: Services, project: str | None, names: tuple[str, ...]) -> str:
    """Return the harness of the project's last session, of those that have hooks of their own."""
    found = await services.database.read(lambda tx: rows.last_harness(tx, project))
    return found if found in names else names[0]


def number_of(session_id: str) -> int:
    """Return a session's number; raises NotFoundError for a text that is none."""
    if _NUMBER.fullmatch(session_id) is None:
        raise no_such_session()
    return int(session_id)


def find_sessions(tx: ReadTx, name: str, reader: Reader) -> list[SessionOverview]:
    """Return the session with this number, else those with this key, latest active first."""
    number = int(name) if _NUMBER.fullmatch(name) else None
    found = None if number is None else rows.get(tx, number, reader)
    return [found] if found is not None else rows.named(tx, name, reader)


def _no_such_statement() -> NotFoundError:
    return NotFoundError(
        "The session has no such statement",
        hint="It may have been kept already, or deleted. The field considered of "
        "GET /api/sessions/{session} lists those that there are.",
    )


def no_such_session() -> NotFoundError:
    """Return the error for a session that doesn't exist or is another agent's."""
    return NotFoundError(
        "Session not found",
        hint="It may have been deleted after its retention period. "
        "GET /api/sessions lists the others.",
    )

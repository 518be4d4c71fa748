"""Lists what is written of whole sessions."""

from typing import Annotated, Final

from litestar import Controller, get
from litestar.params import QueryParameter

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import AnyRequest, project_of, session_reader_of
from intaglio.api.routes.sessions import PathQuery, SessionLimit
from intaglio.api.services import Services
from intaglio.base.text import estimate_tokens
from intaglio.redaction.shown_text import without_secrets
from intaglio.session_notes import listing_rows
from intaglio.session_notes.values import ListedSummary
from intaglio.wire import checkpoints as wire

_OWN_DEPTH: Final = 0
SummaryDepth = Annotated[int | None, QueryParameter(ge=0, le=100)]
SummaryOffset = Annotated[int, QueryParameter(ge=0, le=1_000_000)]


class SessionSummariesController(Controller):
    """Summaries of sessions."""

    tags = ("sessions",)

    @get(
        "/api/sessions/summaries",
        operation_id="listSessionSummaries",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def summaries(
        self,
        services: Services,
        request: AnyRequest,
        *,
        project: PathQuery = None,
        depth: SummaryDepth = None,
        limit: SessionLimit = 50,
        offset: SummaryOffset = 0,
    ) -> wire.SessionSummaryList:
        """List summaries of sessions, the latest active session first.

        By the model that reads sessions, by agents at a compaction, and by rules at a session's
        end. `project` is a directory or a name. All have depth 0: no summary is made of summaries.
        An agent sees those of its own sessions only.
        """
        key = await project_of(services, project)
        reader = await session_reader_of(services, request)
        await services.settled()
        if depth not in {None, _OWN_DEPTH}:
            return wire.SessionSummaryList(summaries=[], total=0)
        keys = (key, *await services.projects.aliases(key)) if key else None
        found, total = await services.database.read(
            lambda tx: listing_rows.listed(tx, keys, reader, limit, offset)
        )
        return wire.SessionSummaryList(summaries=[_row(each) for each in found], total=total)


def _row(found: ListedSummary) -> wire.SessionSummaryRow:
    content = without_secrets(found.text)
    return wire.SessionSummaryRow(
        id=found.id,
        project=found.project,
        depth=_OWN_DEPTH,
        kind=found.kind,
        content=content,
        token_count=estimate_tokens(content),
        earliest_at=found.started_at,
        latest_at=found.active_at,
        session_key=found.session_id,
        harness=found.harness,
        agent_id=found.agent_id,
        created_at=found.at,
        child_count=0,
    )

"""GET /api/pipeline/prompts: what a language model would be asked about a session."""

from typing import Annotated

from litestar import Controller, get
from litestar.params import QueryParameter

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import AnyRequest, session_reader_of
from intaglio.api.routes.sessions import no_such_session, number_of
from intaglio.api.services import Services
from intaglio.session_notes.upcoming_requests import UpcomingRequest, UpcomingRequests
from intaglio.sessions.overview import rows as sessions
from intaglio.wire import pipeline_prompts as wire

SessionQuery = Annotated[str, QueryParameter(max_length=200)]


class PipelinePromptsController(Controller):
    """The requests that the pipeline would send."""

    tags = ("pipeline",)

    @get(
        "/api/pipeline/prompts",
        operation_id="showPrompts",
        # It holds all that was said in a session.
        opt=declare(Access.BROWSER, Principal.AGENT),
    )
    async def prompts(
        self, services: Services, request: AnyRequest, session: SessionQuery
    ) -> wire.ShownRequests:
        """Show the exact requests to a language model that reading a session would cause.

        `session` is the id of a session. Nothing is called, and it doesn't matter whether a model
        is configured. A later request of a long session holds a placeholder for the summary that
        the reply before would give.
        """
        reader = await session_reader_of(services, request)
        number = number_of(session)
        found = await services.database.read(lambda tx: sessions.get(tx, number, reader))
        if found is None:
            raise no_such_session()
        shown = await services.get(UpcomingRequests).of((found.harness, found.id))
        return wire.ShownRequests(session=str(number), requests=[_shown(each) for each in shown])


def _shown(upcoming: UpcomingRequest) -> wire.ShownRequest:
    request, model = upcoming.request, upcoming.model
    return wire.ShownRequest(
        stage=upcoming.stage,
        subject=upcoming.subject,
        prompt=upcoming.prompt,
        version=upcoming.version,
        provider=model.provider if model else None,
        model=model.model if model else None,
        system=request.system,
        user=request.user,
        schema=None if request.schema is None else dict(request.schema),
        max_tokens=request.max_tokens,
        temperature=request.temperature,
    )

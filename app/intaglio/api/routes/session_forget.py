"""Forgets everything from one session: with a preview first, and so that it can be undone."""

from collections.abc import Mapping
from typing import Annotated, Final

from litestar import Controller, post
from litestar.params import JSONBody, PathParameter

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.gate.rate_limits import batch_forget_rate
from intaglio.api.request_context import AnyRequest, actor_of, reader_of
from intaglio.api.routes.sessions import no_such_session, number_of
from intaglio.api.serializers.convert import convert
from intaglio.api.services import Services
from intaglio.base.errors import ConflictError
from intaglio.domain.reader import Reader
from intaglio.lifecycle.session_removal import (
    SessionChanged,
    SessionPreview,
    SessionRemoval,
)
from intaglio.lifecycle.sources.values import ItemOutcome
from intaglio.memory.operations import Audit
from intaglio.sessions.overview import rows as sessions
from intaglio.sessions.values import SessionKey
from intaglio.store.tx import ReadTx
from intaglio.wire import session_forget as wire

# Why a memory of a session stays
_WHY_KEPT: Final[Mapping[ItemOutcome, str]] = {
    "elsewhere": "It was also said or saved elsewhere",
    "confirmed": "You changed or confirmed it",
    "pinned": "It is pinned",
    "gone": "It was forgotten meanwhile",
}
_UNCHANGED: Final = "It is unchanged"
SessionId = Annotated[str, PathParameter(max_length=200)]


class SessionForgetController(Controller):
    """Forgetting a session, which is the user's decision."""

    tags = ("sessions",)

    @post(
        "/api/sessions/{session_id:str}/forget",
        operation_id="forgetSession",
        status_code=200,
        # It drops suggestions, which only the user decides on.
        opt=declare(Access.BROWSER, Principal.AGENT, rate=batch_forget_rate),
    )
    async def forget(
        self,
        services: Services,
        request: AnyRequest,
        session_id: SessionId,
        data: JSONBody[wire.SessionForgetRequest],
    ) -> wire.SessionForgetPreview | wire.SessionForgetReply:
        """Preview what forgetting a session removes or, with `mode: execute`, forget it.

        Its memories are forgotten and can be restored; its open suggestions are dropped, which can
        be undone in the inbox. What is stored of its transcript is deleted; undoing all of it, as
        of any source that was taken back, reads it again. Executing needs the `confirmToken` of a
        preview that still holds.
        """
        reader = await reader_of(services, request)
        session = await services.database.read(lambda tx: _find(tx, session_id, reader))
        removal = services.get(SessionRemoval)
        if data.mode == "preview":
            return _preview(await removal.preview(session, reader))
        audit = Audit(actor_of(request, data.changed_by), data.reason.strip(), reader=reader)
        done = await removal.forget(session, audit, data.confirm_token, elsewhere=data.elsewhere)
        if isinstance(done, SessionChanged):
            raise ConflictError(
                "The session has changed since it was previewed",
                hint="Preview it again, check the list, and confirm with the new confirmToken.",
                confirmToken=done.preview.token,
                count=len(done.preview.memories),
            )
        return wire.SessionForgetReply(
            forgotten=[each for each, outcome in done.outcomes if outcome == "forgotten"],
            kept=[
                wire.KeptMemory(id=each, reason=_WHY_KEPT.get(outcome, _UNCHANGED))
                for each, outcome in done.outcomes
                if outcome != "forgotten"
            ],
            dropped=list(done.dropped),
        )


def _find(tx: ReadTx, session_id: str, reader: Reader) -> SessionKey:
    found = sessions.get(tx, number_of(session_id), reader)
    if found is None:
        raise no_such_session()
    return found.harness, found.id


def _preview(preview: SessionPreview) -> wire.SessionForgetPreview:
    return wire.SessionForgetPreview(
        confirm_token=preview.token,
        count=len(preview.memories),
        memories=[
            convert(each.memory, wire.SessionForgetCandidate, elsewhere=each.elsewhere)
            for each in preview.memories
        ],
        suggestions=len(preview.suggestions),
        messages=preview.messages,
    )

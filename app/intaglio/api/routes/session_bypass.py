"""Switches a session off and on: told nothing, and nothing of it kept."""

from litestar import Controller, post
from litestar.params import JSONBody

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import AnyRequest, is_user, session_reader_of
from intaglio.api.routes.sessions import SessionNumber, find_sessions, no_such_session
from intaglio.api.services import Services
from intaglio.pauses.bypasses import Bypasses
from intaglio.wire import sessions as wire


class SessionBypassController(Controller):
    """The bypass of a session."""

    tags = ("sessions",)

    @post(
        "/api/sessions/{session_id:str}/bypass",
        operation_id="bypassSession",
        status_code=200,
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def bypass(
        self,
        services: Services,
        request: AnyRequest,
        session_id: SessionNumber,
        data: JSONBody[wire.BypassRequest],
    ) -> wire.BypassReply:
        """Switch a session off (`enabled`) or on again; it is named by `id` or `key`.

        While it is off, it is told nothing, nothing of it is kept, and nothing that is said in it
        is kept later. An agent may switch its own sessions off, and on again what it switched off
        itself (403 if the user did). The user is a signed-in browser, and the installation's token
        in a request that names no agent.
        """
        reader = await session_reader_of(services, request, session_id)
        await services.settled()
        found = await services.database.read(lambda tx: find_sessions(tx, session_id, reader))
        if not found:
            raise no_such_session()
        await services.get(Bypasses).switch(
            [(each.harness, each.id) for each in found],
            "user" if is_user(reader) else "agent",
            is_on=data.enabled,
        )
        return wire.BypassReply(key=found[0].id, bypassed=data.enabled)

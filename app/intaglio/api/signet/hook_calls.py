"""What the hooks of the contract have in common: how they are declared, and whose call it is."""

from typing import Final, Literal, Protocol

from intaglio.api.gate.declaration import HOOK_BODY_BYTES, Access, Principal, declare
from intaglio.api.gate.principal import wants_no_hooks
from intaglio.api.request_context import AnyRequest, agent_of_session, runtime_path_of
from intaglio.api.services import Services
from intaglio.api.signet.runtime_claims import RuntimeClaims
from intaglio.memory.values import Duplicate
from intaglio.pauses.bypasses import Bypasses
from intaglio.pipeline.ingest import RememberOutcome
from intaglio.sessions.open_sessions import OpenSessions
from intaglio.sessions.values import SessionRef, anonymous_session_id

HOOK: Final = declare(Access.HOOK, Principal.SESSION, body_bytes=HOOK_BODY_BYTES, kind="hooks")


class SessionCall(Protocol):
    """A hook's call within a session."""

    @property
    def harness(self) -> str:
        """The harness that calls."""
        ...

    @property
    def session_key(self) -> str | None:
        """The harness's id of the session, None if it has none."""
        ...

    @property
    def project(self) -> str | None:
        """A directory or a name, None if nothing is reported."""
        ...

    @property
    def runtime_path(self) -> str | None:
        """Which of the harness's two integrations calls."""
        ...


async def why_skipped(
    services: Services, request: AnyRequest, harness: str, key: str | None
) -> Literal["disabled", "bypassed"] | None:
    """Return why an event is answered with the empty shape; None if it isn't."""
    if wants_no_hooks(request.headers):
        return "disabled"
    return "bypassed" if await services.get(Bypasses).is_running(harness, key) else None


async def session_of_call(services: Services, request: AnyRequest, call: SessionCall) -> SessionRef:
    """Return the session of a call; raises ConflictError if another path has claimed it."""
    path = runtime_path_of(request, call.runtime_path)
    services.get(RuntimeClaims).check(call.session_key, path)
    agent_id = await agent_of_session(services, request, call.harness, call.session_key)
    session = SessionRef(
        harness=call.harness,
        id=call.session_key or anonymous_session_id(agent_id, call.project, services.clock()),
        agent_id=agent_id,
        project=call.project,
        runtime_path=path,
        anonymous=not call.session_key,
    )
    if session.anonymous:
        return session
    return await services.get(OpenSessions).placed(session, call.project)


def stored_id(outcome: RememberOutcome) -> str:
    """Return the id of the memory that holds what was to be remembered."""
    return outcome.memory.id if isinstance(outcome, Duplicate) else outcome.id

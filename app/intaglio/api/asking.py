"""From a request to the values that the rooms' commands take: actor, agent, project, filter."""

from typing import Any

from litestar import Request

from intaglio.agents.resolve import resolve_agent
from intaglio.api.gate.asker import Role, actor_headers
from intaglio.api.gate.permissions import role_of
from intaglio.base.clock import iso, parse_moment
from intaglio.base.errors import InvalidInputError
from intaglio.memory.values import Actor

AnyRequest = Request[Any, Any, Any]


def actor_of(request: AnyRequest, said: str | None) -> Actor:
    """Name who asks: the actor header, else what the body says, else the kind of asker."""
    headers = actor_headers(request.headers)
    asker = "dashboard" if role_of(request) is Role.BROWSER else "daemon"
    return Actor(
        name=headers.name or (said or "").strip() or asker,
        type=headers.type,
        session_id=headers.session_id,
        request_id=headers.request_id,
    )


def reason_of(request: AnyRequest, *said: str | None) -> str:
    """Return the reason of a change; raises InvalidInputError where none is given."""
    for text in (*said, actor_headers(request.headers).reason):
        if text and text.strip():
            return text.strip()
    raise InvalidInputError("reason is required")


def agent_of(request: AnyRequest, said: str | None, session_key: str | None = None) -> str:
    """Return the agent: the body's, else the header's, the session key's, or the default one."""
    return resolve_agent(said or actor_headers(request.headers).agent_id, session_key)


def moment_of(name: str, text: str | None) -> str | None:
    """Return a moment in stored form; raises InvalidInputError for what is none."""
    if text is None:
        return None
    moment = parse_moment(text)
    if moment is None:
        raise InvalidInputError(f"{name} must be an ISO-8601 time")
    return iso(moment)

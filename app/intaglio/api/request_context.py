"""From a request to the values that the rooms' commands take: actor, agent, project, filter."""

from dataclasses import replace
from typing import Any

from litestar import Request

from intaglio.agents.resolve import named_agent
from intaglio.api.gate.principal import Role, actor_headers, role_of
from intaglio.base.agents.agent_id import DEFAULT_AGENT
from intaglio.base.agents.reader import USER, Reader
from intaglio.base.clock import iso, parse_moment
from intaglio.base.errors import InvalidInputError
from intaglio.kernel import Kernel
from intaglio.memory.filters import Filter
from intaglio.memory.values import Actor
from intaglio.sessions import rows as sessions
from intaglio.sessions.agent_directory import AgentDirectory

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
    """Return the agent: the body's, else the header's, the session key's, or the default one.

    Raises InvalidInputError for a name that can be no id.
    """
    return _named(request, said, session_key) or DEFAULT_AGENT


async def agent_of_session(
    services: Kernel, request: AnyRequest, said: str | None, harness: str, key: str | None
) -> str:
    """Return the agent that is named, else the one that the session began with, else the default.

    Harnesses name it at a session's start and not again; what is said later is no less its own.
    Raises InvalidInputError for a name that can be no id.
    """
    named = _named(request, said, key)
    if named is None and key:
        # The session's start is written unawaited, and the next hook may come within milliseconds.
        await services.settled()
        named = await services.database.read(lambda tx: sessions.agent_of(tx, harness, key))
    return named or DEFAULT_AGENT


def _named(request: AnyRequest, said: str | None, session_key: str | None) -> str | None:
    headers = actor_headers(request.headers)
    return named_agent((said or "").strip() or headers.agent_id, session_key or headers.session_id)


async def reader_of(
    services: Kernel, request: AnyRequest, said: str | None = None, session_key: str | None = None
) -> Reader:
    """Return who reads: the agent that is named, else the user in the dashboard, else the default.

    Raises InvalidInputError for a name that can be no id. That an agent asks is noted.
    """
    named = _named(request, said, session_key)
    by_user = role_of(request) is Role.BROWSER
    if named is None and by_user:
        return USER
    agent_id = named or DEFAULT_AGENT
    directory = services.get(AgentDirectory)
    if not by_user:
        directory.note(agent_id)
    return await directory.reader(agent_id)


def counts_as_use(request: AnyRequest) -> bool:
    """Tell whether memories recalled by this request count as used.

    What agents and programs recall does. What a person looks up in the dashboard does not, even
    before they have signed in: browsers say where a page's request comes from.
    """
    is_page = "sec-fetch-site" in request.headers or "origin" in request.headers
    return not is_page and role_of(request) is not Role.BROWSER


async def project_of(services: Kernel, said: str | None) -> str | None:
    """Return the key of the project that a change is about, None where none is said.

    Raises InvalidInputError for a text that names none: taken for nothing said, it would mean all;
    AmbiguousProjectError for a name that several projects have.
    """
    key = await services.projects.key(said)
    if said and key is None:
        raise InvalidInputError(
            "project names none", hint="Give a path or a name, or leave it out."
        )
    return key


async def in_project(services: Kernel, wanted: Filter, said: str | None) -> Filter:
    """Return a filter that also asks for the project that is named, if one is.

    Raises AmbiguousProjectError for a name that several projects have.
    """
    key = await services.projects.key(said)
    return replace(wanted, project=key, project_aliases=await services.projects.aliases(key))


def runtime_path_of(request: AnyRequest, said: str | None) -> str | None:
    """Return by which way the harness runs: the header's, else the body's; others do not count."""
    given = actor_headers(request.headers).runtime_path or said
    return given if given in {"plugin", "legacy"} else None


def moment_of(name: str, text: str | None) -> str | None:
    """Return a moment in stored form; raises InvalidInputError for what is none."""
    if text is None:
        return None
    moment = parse_moment(text)
    if moment is None:
        raise InvalidInputError(f"{name} must be an ISO-8601 time")
    return iso(moment)

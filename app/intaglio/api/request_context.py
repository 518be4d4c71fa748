"""Resolves a request's actor, agent, reader, project and times."""

import asyncio
import re
from dataclasses import replace
from typing import Annotated, Any, Final

from litestar import Request
from litestar.params import QueryParameter

from intaglio.agents.agent_directory import AgentDirectory
from intaglio.api.gate.principal import AGENT_KEY, Role, actor_headers, role_of
from intaglio.api.gate.request_agent import RequestAgent
from intaglio.base.agent_id import DEFAULT_AGENT, agent_in_session_key
from intaglio.base.clock import iso, parse_moment
from intaglio.base.errors import InvalidInputError
from intaglio.base.log import current_request
from intaglio.domain.reader import USER, Reader, UserReader
from intaglio.kernel import Kernel
from intaglio.memory.filters import Filter
from intaglio.memory.values import Actor
from intaglio.projects.resolver import is_wide
from intaglio.sessions import rows as sessions
from intaglio.store.values import ListPosition

AnyRequest = Request[Any, Any, Any]
_CURSOR: Final = re.compile(r"([0-9TZ:.-]{1,40})~([0-9]{1,18})")
MomentText = Annotated[str | None, QueryParameter(max_length=1_000)]


def actor_of(request: AnyRequest, name: str | None) -> Actor:
    """Return who makes the change: the actor header, else ``name`` of the body, else the client."""
    headers = actor_headers(request.headers)
    client = "dashboard" if role_of(request) is Role.BROWSER else "daemon"
    return Actor(
        name=headers.name or (name or "").strip() or client,
        type=headers.type,
        session_id=headers.session_id,
        request_id=headers.request_id or current_request(),
    )


def reason_of(request: AnyRequest, *reasons: str | None) -> str:
    """Return the first reason given, or the header's; raises InvalidInputError if there is none."""
    for text in (*reasons, actor_headers(request.headers).reason):
        if text and text.strip():
            return text.strip()
    raise InvalidInputError("reason is required", hint="Say why in reason; history shows it.")


def agent_of(request: AnyRequest) -> str:
    """Return the agent that the request acts for: the named one, else the default agent."""
    return named_agent_of(request) or DEFAULT_AGENT


def named_agent_of(request: AnyRequest) -> str | None:
    """Return the agent that the request names, or None.

    Raises LookupError if the operation doesn't declare for which agent it acts.
    """
    found: RequestAgent = request.scope["state"][AGENT_KEY]
    return found.agent_id


async def agent_of_session(
    services: Kernel, request: AnyRequest, harness: str, key: str | None
) -> str:
    """Return the named agent, else the agent the session started with, else the default agent.

    Harnesses name the agent only at a session's start.
    """
    named = named_agent_of(request)
    if named is None and key:
        # The session's start is written in the background; the next hook may follow within ms.
        await services.settled()
        named = await services.database.read(lambda tx: sessions.agent_of(tx, harness, key))
    return named or DEFAULT_AGENT


async def reader_of(
    services: Kernel, request: AnyRequest, session_key: str | None = None
) -> Reader:
    """Return who reads: the named agent, else the dashboard's user, else the default agent.

    A ``session_key`` that the request is about may name the agent too. Records that the agent was
    active.
    """
    named = named_agent_of(request)
    by_user = role_of(request) is Role.BROWSER
    if named is None and by_user:
        return USER
    directory = services.get(AgentDirectory)
    agent = named or agent_in_session_key(session_key) or DEFAULT_AGENT
    return await (directory.reader(agent) if by_user else directory.active_reader(agent))


async def session_reader_of(
    services: Kernel, request: AnyRequest, session_key: str | None = None
) -> Reader:
    """Return who reads what came of sessions: as `reader_of`, and the user for the owner's token.

    The token proves the user only if the request names no agent and doesn't say that it is one.
    """
    by_owner = role_of(request) is Role.OWNER and named_agent_of(request) is None
    if by_owner and actor_headers(request.headers).type == "operator":
        return USER
    return await reader_of(services, request, session_key)


def is_user(reader: Reader) -> bool:
    """Whether the user reads, and no agent."""
    return isinstance(reader, UserReader)


def counts_as_use(request: AnyRequest) -> bool:
    """Whether memories recalled by this request count as used.

    They do for agents and programs, but not for a person using the dashboard.
    """
    return role_of(request) is not Role.BROWSER


async def project_of(services: Kernel, name: str | None) -> str | None:
    """Return the key of the project of a change, or None without ``name``.

    Raises InvalidInputError for a text that names no project (ignoring it would select all) and
    AmbiguousProjectError for a name that several projects have.
    """
    key = await services.projects.key(name)
    if name and key is None:
        raise InvalidInputError(
            "Invalid project", hint="Use a path or a project name, or omit project."
        )
    return key


async def project_to_remember_in(services: Kernel, name: str | None) -> str | None:
    """Return the key of the project of a new memory, or None for all projects.

    Raises InvalidInputError for the home or the root directory, unless sessions were started there:
    nobody would be told what is kept there.
    """
    key = await services.projects.key(name)
    if key is not None and await asyncio.to_thread(is_wide, key):
        started = await services.database.read(lambda tx: sessions.last_started(tx, key, None))
        if started is None:
            raise InvalidInputError(
                f"{key} isn't a project: it's the home or the root directory",
                hint="Name a project's directory, or omit the project for all projects.",
            )
    return key


async def in_project(services: Kernel, filters: Filter, name: str | None) -> Filter:
    """Return the filter narrowed to the named project, or else without archived projects.

    Raises AmbiguousProjectError for a name that several projects have.
    """
    key = await services.projects.key(name)
    if key is None and not filters.global_only:
        return replace(filters, without_projects=await services.projects.archived())
    return replace(filters, project=key, project_aliases=await services.projects.aliases(key))


def runtime_path_of(request: AnyRequest, path: str | None) -> str | None:
    """Return the harness's runtime path, the header's or the body's: plugin, legacy or None."""
    named = actor_headers(request.headers).runtime_path or path
    return named if named in {"plugin", "legacy"} else None


def moment_of(name: str, text: str | None) -> str | None:
    """Return a time in stored form; raises InvalidInputError if it isn't a time."""
    if text is None:
        return None
    moment = parse_moment(text)
    if moment is None:
        raise InvalidInputError(
            f"{name} must be an ISO-8601 time", hint="For example 2026-01-31T09:00:00Z."
        )
    return iso(moment)


def position_of(cursor: str | None) -> ListPosition | None:
    """Read a cursor of `cursor_of`; raises InvalidInputError for any other text."""
    if cursor is None:
        return None
    found = _CURSOR.fullmatch(cursor)
    if found is None or parse_moment(found[1]) is None:
        raise invalid_cursor()
    return ListPosition(found[1], int(found[2]))


def cursor_of(end: ListPosition | None) -> str | None:
    """Return the cursor of the page after ``end``; None at the end of the list."""
    return f"{end.moment}~{end.number}" if end else None


def invalid_cursor() -> InvalidInputError:
    """Return the error for a cursor that no page has."""
    return InvalidInputError(
        "Invalid cursor", hint="Use the cursor of the previous page, or omit it."
    )

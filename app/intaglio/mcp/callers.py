"""Resolves who calls a tool: the agent, the project, and the session if one is open."""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias
from urllib.parse import urlsplit
from urllib.request import url2pathname

from intaglio.base.agents.agent_id import DEFAULT_AGENT
from intaglio.base.errors import InvalidInputError
from intaglio.mcp.values import McpCaller, McpContext
from intaglio.sessions.open_sessions import OpenSessions
from intaglio.sessions.values import SessionRef, SessionServices, anonymous_session_id

ProcessOfConnection: TypeAlias = Callable[[int, Iterable[int]], int | None]
"""Returns which of some processes has a connection from this port."""

_UNNAMED: Final = "mcp"


@dataclass(frozen=True, slots=True)
class Callers:
    """Resolves callers; ``process_of_connection`` runs in a thread."""

    sessions: SessionServices
    open_sessions: OpenSessions
    process_of_connection: ProcessOfConnection

    async def resolve(self, context: McpContext) -> McpCaller:
        """Return who calls; without a named agent, the session's, else the default agent."""
        # A session's start is written in the background; its agent may call within milliseconds.
        await self.sessions.settled()
        workspace = _directory(context.workspace)
        project = await self.sessions.project_key(workspace)
        session = await self._session(context, project)
        if session is not None and context.agent_id not in {None, session.agent_id}:
            session = None
        agent_id = context.agent_id or (session.agent_id if session else DEFAULT_AGENT)
        harness = session.harness if session else context.harness or _UNNAMED
        return McpCaller(
            harness=harness,
            agent_id=agent_id,
            project=project,
            session=session,
            ledger_session=session
            or SessionRef(
                harness=harness,
                id=anonymous_session_id(agent_id, project, self.sessions.clock()),
                agent_id=agent_id,
                project=workspace,
                anonymous=True,
            ),
        )

    async def _session(self, context: McpContext, project: str | None) -> SessionRef | None:
        if context.session and context.harness:
            return await self.open_sessions.named(context.harness, context.session, project)
        process = context.process
        if process is None and context.port is not None:
            port, known = context.port, self.open_sessions.processes()
            process = await self.sessions.in_thread(lambda: self.process_of_connection(port, known))
        if process is None:
            return None
        found = await self.open_sessions.of_process(process, project)
        is_own = found is not None and context.harness in {None, found.harness}
        return found if is_own else None


def _directory(workspace: str | None) -> str | None:
    """Return the path of a workspace; a variable that a client didn't replace would be a project.

    Raises InvalidInputError for anything but an absolute path or its ``file:`` URI.
    """
    if workspace is None:
        return None
    path = workspace.strip()
    if path.startswith("file:"):
        path = url2pathname(urlsplit(path).path)
    if not os.path.isabs(path):  # noqa: PTH117 - nothing but this is asked of it
        raise InvalidInputError(
            "The workspace isn't an absolute path",
            hint="Ask the user to fix the settings of this MCP server.",
        )
    return path

"""Resolves who calls a tool: the agent, the project, and the session if one is open."""

import asyncio
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias
from urllib.parse import urlsplit
from urllib.request import url2pathname

from intaglio.base.agent_id import DEFAULT_AGENT
from intaglio.base.errors import InvalidInputError
from intaglio.mcp.values import McpCaller, McpContext
from intaglio.projects.resolver import is_inside, is_wide, resolve_project
from intaglio.sessions.open_sessions import OpenSession, OpenSessions
from intaglio.sessions.services import ContextServices
from intaglio.sessions.values import SessionRef, anonymous_session_id

ProcessOfConnection: TypeAlias = Callable[[int, Iterable[int]], int | None]
"""Returns which of some processes has a connection from this port."""

_UNNAMED: Final = "mcp"


@dataclass(frozen=True, slots=True)
class Callers:
    """Resolves callers; ``process_of_connection`` runs in a thread."""

    context: ContextServices
    open_sessions: OpenSessions
    process_of_connection: ProcessOfConnection

    def note(self, context: McpContext) -> None:
        """Note that the tools of a harness's process are connected, if it names its process."""
        if context.process is not None:
            self.open_sessions.note_tools(context.process, context.harness)

    async def resolve(self, context: McpContext) -> McpCaller:
        """Return who calls; without a named agent, the session's, else the default agent.

        The project is that of the directory which the harness names, else that of the session, of
        the client's roots, or of the directory that it was started in.
        """
        # A session's start is written in the background; its agent may call within milliseconds.
        await self.context.ledger.settled()
        named, folder = _directory(context.project_dir), _directory(context.workspace)
        if folder is not None and await asyncio.to_thread(partial(is_wide, folder)):
            folder = None
        session = await self._session(context, named or folder)
        if session is not None:
            self.open_sessions.note_tools(session.key, session.harness)
            directory = session.project
        else:
            roots = tuple(filter(None, map(_root, context.roots)))
            choose = partial(_choose, roots, folder)
            directory = named or await asyncio.to_thread(choose) or folder
        project = await self.context.visibility.project_key(directory)
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
                id=anonymous_session_id(agent_id, project, self.context.clock()),
                agent_id=agent_id,
                project=directory,
                anonymous=True,
            ),
        )

    async def _session(self, context: McpContext, directory: str | None) -> SessionRef | None:
        """Return the caller's session, which must be one of the directory's project.

        Without a directory, it is the one of the process, if all sessions of that are of one
        project.
        """
        found = await self._candidates(context)
        if directory is not None:
            project = await self.context.visibility.project_key(directory)
            return next((session for session, its in found if its == project), None)
        return found[0][0] if len({project for _, project in found}) == 1 else None

    async def _candidates(self, context: McpContext) -> list[OpenSession]:
        """Return the open sessions that the caller's could be."""
        found = await self._open(context)
        return [
            (session, project)
            for session, project in found
            if context.harness in {None, session.harness}
            and context.agent_id in {None, session.agent_id}
        ]

    async def _open(self, context: McpContext) -> list[OpenSession]:
        if context.session and context.harness:
            return await self.open_sessions.named(context.harness, context.session)
        # Not every client means its session by that name.
        if context.call_session and context.harness:
            found = await self.open_sessions.named(context.harness, context.call_session)
            if found:
                return found
        process = context.process
        if process is None and context.port is not None:
            port, known = context.port, self.open_sessions.processes()
            process = await asyncio.to_thread(lambda: self.process_of_connection(port, known))
        return [] if process is None else await self.open_sessions.of_process(process)


def _root(uri: str) -> str | None:
    """Return the path of a root; None for one that isn't a directory of this machine."""
    try:
        return _directory(uri)
    except (InvalidInputError, ValueError):
        return None


def _choose(roots: Sequence[str], folder: str | None) -> str | None:
    """Return the root that the project is in: around the folder, else the first repository.

    The home and the root directory are none. Reads files.
    """
    own = [root for root in roots if not is_wide(root)]
    around = [root for root in own if folder is not None and is_inside(folder, root)]
    return next(iter((*around, *filter(_is_repository, own), *own)), None)


def _is_repository(directory: str) -> bool:
    project = resolve_project(directory)
    return project is not None and project.kind == "git"


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

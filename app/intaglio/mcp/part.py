"""The MCP part of the daemon: the tools over HTTP, and what the stdio program says without it."""

import msgspec

from intaglio.base.paths import Paths, write_private
from intaglio.base.process.process_tree import process_of_connection
from intaglio.connect.mcp_files import answers_file
from intaglio.harness.dispatch import Dispatch
from intaglio.kernel import Kernel
from intaglio.lifecycle.removal import RemovalService
from intaglio.mcp.callers import Callers
from intaglio.mcp.server import VERSIONS, McpServer
from intaglio.mcp.tool_list import TOOLS
from intaglio.mcp.values import McpServices
from intaglio.package import Package, Part
from intaglio.pauses.bypasses import Bypasses
from intaglio.pipeline.agent_changes import AgentChanges
from intaglio.pipeline.ingest import Ingest
from intaglio.pipeline.modify import Modify
from intaglio.recall.past.session_recall import SessionRecall
from intaglio.recall.query import Recall
from intaglio.sessions.commits.finder import CommitFinder
from intaglio.sessions.feedback.operations import Feedback
from intaglio.sessions.open_sessions import OpenSessions
from intaglio.sessions.reminders.notes import AgentNotes
from intaglio.sessions.reminders.service import Reminders
from intaglio.sessions.services import ContextServices
from intaglio.sessions.statements.agent_reversals import AgentReversals
from intaglio.sessions.statements.claims import AgentClaims
from intaglio.sessions.statements.services import CaptureServices
from intaglio.sessions.statements.turn import TurnCapture
from intaglio.sessions.statements.values import UserMessage
from intaglio.sessions.tool_recalls import ToolRecalls
from intaglio.sessions.values import SessionRef


def part(kernel: Kernel) -> Part:
    """Wire the tools."""
    context, dispatch = kernel.get(ContextServices), kernel.get(Dispatch)

    async def said(session: SessionRef) -> tuple[UserMessage, ...]:
        await dispatch.capture(session)
        return await dispatch.said(session)

    server = McpServer(
        McpServices(
            context=context,
            recall=kernel.get(Recall).recall,
            frozen=kernel.frozen,
            recalls=kernel.get(ToolRecalls),
            claims=AgentClaims(kernel.get(CaptureServices), dispatch.capture),
            notes=AgentNotes(kernel.get(TurnCapture), said, kernel.get(Reminders).prompts),
            reversals=AgentReversals(kernel.get(CaptureServices)),
            reminders=kernel.get(Reminders),
            ingest=kernel.get(Ingest),
            modify=kernel.get(Modify),
            changes=kernel.get(AgentChanges),
            commits=kernel.get(CommitFinder),
            past=kernel.get(SessionRecall),
            feedback=kernel.get(Feedback),
            bypasses=kernel.get(Bypasses),
            forget=kernel.get(RemovalService).forget,
            version=kernel.running.version,
        ),
        Callers(context, kernel.get(OpenSessions), process_of_connection),
        TOOLS,
    )
    return Part(
        services=(server,),
        prepare=lambda: write_introduction(kernel.running.paths, server),
    )


def write_introduction(paths: Paths, server: McpServer) -> None:
    """Write what the stdio program answers while the daemon is away."""
    known = {
        "versions": VERSIONS,
        "initialize": server.introduction(),
        "tools": server.listing(),
    }
    write_private(answers_file(paths.hooks), msgspec.json.encode(known))


PACKAGE = Package(name="mcp", make=part)

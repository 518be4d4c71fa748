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
from intaglio.pipeline.agent_changes import AgentChanges
from intaglio.pipeline.ingest import Ingest
from intaglio.pipeline.modify import Modify
from intaglio.recall.query import Recall
from intaglio.sessions.feedback.operations import Feedback
from intaglio.sessions.open_sessions import OpenSessions
from intaglio.sessions.services import ContextServices
from intaglio.sessions.statements.claims import AgentClaims
from intaglio.sessions.statements.services import CaptureServices
from intaglio.sessions.tool_recalls import ToolRecalls


def part(kernel: Kernel) -> Part:
    """Wire the tools."""
    context = kernel.get(ContextServices)
    server = McpServer(
        McpServices(
            context=context,
            recall=kernel.get(Recall).recall,
            frozen=kernel.frozen,
            recalls=kernel.get(ToolRecalls),
            claims=AgentClaims(kernel.get(CaptureServices), kernel.get(Dispatch).capture),
            ingest=kernel.get(Ingest),
            modify=kernel.get(Modify),
            changes=kernel.get(AgentChanges),
            feedback=kernel.get(Feedback),
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

"""/api/harnesses: the harnesses that can be connected; connects and disconnects them."""

import shlex
from typing import Annotated

from litestar import Controller, get, post
from litestar.params import JSONBody, PathParameter

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.gate.rate_limits import admin_rate
from intaglio.api.serializers.convert import convert
from intaglio.api.services import Services
from intaglio.base.errors import InvalidInputError
from intaglio.connect.values import ConnectionRefused, ToolsChange
from intaglio.harness.connections import Connection, ConnectionChange, Connections, McpAccess
from intaglio.wire import harnesses as wire

HarnessPath = Annotated[str, PathParameter(max_length=200)]


def _row(connection: Connection) -> wire.HarnessRow:
    state, tools = connection.state, connection.tools
    refused = state if isinstance(state, ConnectionRefused) else None
    return wire.HarnessRow(
        name=connection.label,
        id=connection.harness,
        path=str(connection.settings),
        exists=connection.is_installed,
        last_seen=connection.last_hook_at,
        connection="refused" if isinstance(state, ConnectionRefused) else state,
        reason=refused.reason if refused else "",
        hint=refused.hint if refused else "",
        command=connection.command,
        tools="refused" if isinstance(tools, ConnectionRefused) else tools,
        tools_reason=f"{tools.reason} {tools.hint}" if isinstance(tools, ConnectionRefused) else "",
        last_event=connection.last_kind,
        left_over=connection.is_left_over,
        concerns=[convert(each, wire.HarnessConcern) for each in connection.concerns],
        driven_version=connection.driven_version,
    )


def _endpoints(mcp: McpAccess) -> wire.McpEndpoints:
    program, *args = mcp.command
    return wire.McpEndpoints(command=program, args=args, url=mcp.url)


class HarnessesController(Controller):
    """Harnesses and their connection state."""

    tags = ("harnesses",)

    @get("/api/harnesses", operation_id="listHarnesses", opt=declare(Access.PROGRAM))
    async def harnesses(self, services: Services) -> wire.HarnessList:
        """List the harnesses that can be connected, with connection state and last hook.

        `mcp` is for the settings of any other MCP client.
        """
        connections = services.get(Connections)
        found = await connections.all()
        return wire.HarnessList(
            harnesses=[_row(one) for one in found], mcp=_endpoints(connections.mcp)
        )

    @get(
        "/api/harnesses/versions",
        operation_id="listHarnessVersions",
        # It runs the harnesses' programs.
        opt=declare(Access.BROWSER),
    )
    async def versions(self, services: Services) -> wire.HarnessVersions:
        """Ask the harnesses' programs for their versions; each is asked once until it changes."""
        found = await services.get(Connections).installed_versions()
        return wire.HarnessVersions(versions=dict(found))

    @post(
        "/api/harnesses/{harness:str}/test",
        operation_id="testHarness",
        status_code=200,
        opt=declare(Access.BROWSER, rate=admin_rate),
    )
    async def test(self, services: Services, harness: HarnessPath) -> wire.HookTestReply:
        """Run the harness's own hook as its settings have it, and say whether it gets here.

        Nothing of it is stored. It takes up to ten seconds, and one test runs at a time.
        """
        found = await services.get(Connections).test(harness)
        return convert(found, wire.HookTestReply, lines=list(found.lines))

    @post(
        "/api/harnesses/{harness:str}/connect",
        operation_id="connectHarness",
        status_code=200,
        # What it writes runs as the user: a program must not add it to settings in silence.
        opt=declare(Access.BROWSER, rate=admin_rate),
    )
    async def connect(
        self, services: Services, harness: HarnessPath, data: JSONBody[wire.ConnectionRequest]
    ) -> wire.ConnectionPreview | wire.ConnectionResult:
        """Preview the changes that add hooks and tools or, with `mode: apply`, make them.

        `token` is the preview's. If the settings have changed since, nothing is written (409).
        """
        return await _changed(services.get(Connections), harness, "connect", data)

    @post(
        "/api/harnesses/{harness:str}/disconnect",
        operation_id="disconnectHarness",
        status_code=200,
        opt=declare(Access.BROWSER, rate=admin_rate),
    )
    async def disconnect(
        self, services: Services, harness: HarnessPath, data: JSONBody[wire.ConnectionRequest]
    ) -> wire.ConnectionPreview | wire.ConnectionResult:
        """Preview the changes that remove hooks and tools or, with `mode: apply`, make them.

        `token` is the preview's. If the settings have changed since, nothing is written (409).
        """
        return await _changed(services.get(Connections), harness, "disconnect", data)


async def _changed(
    connections: Connections, harness: str, change: ConnectionChange, data: wire.ConnectionRequest
) -> wire.ConnectionPreview | wire.ConnectionResult:
    if data.mode == "preview":
        plan = await connections.preview(harness, change, tools=data.tools)
        return wire.ConnectionPreview(
            path=str(plan.settings.target),
            exists=plan.settings.before is not None,
            changes=plan.changed,
            diff=plan.diff,
            notes=list(plan.notes),
            tools=None if plan.tools is None else _tools(plan.tools),
            token=plan.token,
        )
    if data.token is None:
        raise InvalidInputError("token is required to apply", hint="Send the preview's token.")
    applied = await connections.apply(harness, change, data.token, tools=data.tools)
    return wire.ConnectionResult(
        path=str(applied.target),
        changed=applied.changed,
        backup=str(applied.backups[0]) if applied.backups else None,
        notes=list(applied.notes),
    )


def _tools(change: ToolsChange) -> wire.ToolsPreview:
    return wire.ToolsPreview(
        path=str(change.edit.target),
        diff=change.edit.diff,
        commands=[shlex.join(command) for command in change.commands],
    )

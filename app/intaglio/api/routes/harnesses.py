"""/api/harnesses: the harnesses that can be connected; connects and disconnects them."""

from typing import Annotated

from litestar import Controller, get, post
from litestar.params import JSONBody, PathParameter

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.gate.rate_limits import admin_rate
from intaglio.api.services import Services
from intaglio.base.errors import InvalidInputError
from intaglio.connect.values import ConnectionRefused
from intaglio.harness.connections import Connection, ConnectionChange, Connections
from intaglio.wire import harnesses as wire

HarnessPath = Annotated[str, PathParameter(max_length=200)]


def _row(connection: Connection) -> wire.HarnessRow:
    state = connection.state
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
    )


class HarnessesController(Controller):
    """Harnesses and their connection state."""

    tags = ("harnesses",)

    @get("/api/harnesses", operation_id="listHarnesses", opt=declare(Access.PROGRAM))
    async def harnesses(self, services: Services) -> wire.HarnessList:
        """List the harnesses that can be connected, with connection state and last hook."""
        found = await services.get(Connections).all()
        return wire.HarnessList(harnesses=[_row(one) for one in found])

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
        """Preview the changes that add the hooks or, with `mode: apply`, make them.

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
        """Preview the changes that remove the hooks or, with `mode: apply`, make them.

        `token` is the preview's. If the settings have changed since, nothing is written (409).
        """
        return await _changed(services.get(Connections), harness, "disconnect", data)


async def _changed(
    connections: Connections, harness: str, change: ConnectionChange, data: wire.ConnectionRequest
) -> wire.ConnectionPreview | wire.ConnectionResult:
    if data.mode == "preview":
        plan = await connections.preview(harness, change)
        return wire.ConnectionPreview(
            path=str(plan.target),
            exists=plan.before is not None,
            changes=plan.changed,
            diff=plan.diff,
            notes=list(plan.notes),
            token=plan.token,
        )
    if data.token is None:
        raise InvalidInputError("token is required to apply", hint="Send the preview's token.")
    applied = await connections.apply(harness, change, data.token)
    return wire.ConnectionResult(
        path=str(applied.target),
        changed=applied.changed,
        backup=None if applied.backup is None else str(applied.backup),
    )

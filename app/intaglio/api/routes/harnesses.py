"""GET /api/harnesses: the harnesses that can be connected, and their connection state."""

from litestar import Controller, get

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.services import Services
from intaglio.connect.values import ConnectionRefused
from intaglio.harness.connections import Connection, Connections
from intaglio.wire.harnesses import HarnessList, HarnessRow


def _row(connection: Connection) -> HarnessRow:
    state = connection.state
    refused = state if isinstance(state, ConnectionRefused) else None
    return HarnessRow(
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
    async def harnesses(self, services: Services) -> HarnessList:
        """List the harnesses that can be connected, with connection state and last hook."""
        found = await services.get(Connections).all()
        return HarnessList(harnesses=[_row(one) for one in found])

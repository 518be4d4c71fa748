"""The agents of the Health page: which are connected, and what was heard of them."""

from intaglio.api.services import Services
from intaglio.connect.values import ConnectionRefused
from intaglio.harness.connections import Connection, Connections
from intaglio.wire.health import AgentHealthRow

_LINES = {
    "connected": "Connected",
    "partly": "Connected in part",
    "not": "Not connected",
    "refused": "Can't be connected",
}


async def agent_rows(services: Services) -> list[AgentHealthRow]:
    """List the agents that are on this computer or connected, those that spoke last first."""
    found = await services.get(Connections).recent()
    here = [each for each in found if each.is_installed or each.state in ("connected", "partly")]
    here.sort(key=lambda each: each.last_hook_at or "", reverse=True)
    return [_row(each) for each in here]


def _row(connection: Connection) -> AgentHealthRow:
    state = "refused" if isinstance(connection.state, ConnectionRefused) else connection.state
    tools = "refused" if isinstance(connection.tools, ConnectionRefused) else connection.tools
    return AgentHealthRow(
        harness=connection.harness,
        label=connection.label,
        state=state,
        is_installed=connection.is_installed,
        tools=tools,
        last_event_at=connection.last_hook_at,
        last_kind=connection.last_kind,
        failed=0,
        slow=0,
        line=_LINES[state],
    )

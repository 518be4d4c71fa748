"""The agents of the Health page: which are connected, and what was heard of them."""

from intaglio.api.services import Services
from intaglio.harness.agent_health import AgentHealth, AgentsHealth
from intaglio.wire.health import AgentHealthRow


async def agent_rows(services: Services) -> list[AgentHealthRow]:
    """List the agents that are on this computer or connected, those that spoke last first."""
    return [_row(each) for each in await services.get(AgentsHealth).read()]


def _row(agent: AgentHealth) -> AgentHealthRow:
    connection = agent.connection
    return AgentHealthRow(
        harness=connection.harness,
        label=connection.label,
        state=agent.state,
        is_installed=connection.is_installed,
        tools=agent.tools,
        last_event_at=connection.last_hook_at,
        last_kind=connection.last_kind,
        failed=agent.day.failed,
        slow=agent.day.slow,
        line=agent.line,
    )

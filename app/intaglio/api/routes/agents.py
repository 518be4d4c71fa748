"""Lists, adds, changes and archives the agents that share the memory."""

from collections.abc import Mapping
from typing import Annotated

from litestar import Controller, delete, get, patch, post
from litestar.params import JSONBody, PathParameter

from intaglio.agents import operations, rows
from intaglio.agents.agent_directory import AgentDirectory
from intaglio.agents.reconcile import reconcile
from intaglio.agents.values import (
    Agent,
    AgentChange,
    AgentDeclared,
    AgentExists,
    AgentNotFound,
    AgentOutcome,
    AgentSaved,
    DefaultAgent,
    GroupRequired,
)
from intaglio.api.gate.declaration import Access, declare
from intaglio.api.gate.rate_limits import admin_rate
from intaglio.api.serializers.convert import convert
from intaglio.api.services import Services
from intaglio.base.agent_id import DEFAULT_AGENT, ID_RULE, is_agent_id
from intaglio.base.clock import iso
from intaglio.base.errors import ConflictError, InvalidInputError, NotFoundError
from intaglio.domain.reader import GLOBAL, PRIVATE
from intaglio.memory import rows as memories
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.wire.agents import (
    AddAgentRequest,
    AgentList,
    AgentRow,
    ChangeAgentRequest,
    MemoryCounts,
)

AgentIdPath = Annotated[str, PathParameter(max_length=128)]


def _row(agent: Agent, counts: Mapping[tuple[str, str], int]) -> AgentRow:
    return convert(
        agent,
        AgentRow,
        is_default=agent.id == DEFAULT_AGENT,
        memories=MemoryCounts(
            everyones=counts.get((agent.id, GLOBAL), 0),
            private=counts.get((agent.id, PRIVATE), 0),
        ),
    )


def _agent(outcome: AgentOutcome) -> Agent:
    """Return the saved agent, or raise the error for the outcome."""
    match outcome:
        case AgentSaved(agent=agent):
            return agent
        case AgentNotFound():
            raise _unknown()
        case AgentExists():
            raise ConflictError(
                "An agent with this id already exists", hint="PATCH /api/agents/{id} changes it."
            )
        case AgentDeclared():
            raise ConflictError(
                "This agent is declared in agents.roster in agent.yaml",
                hint="Change or remove it there; it takes effect within seconds.",
            )
        case DefaultAgent():
            raise ConflictError(
                "The default agent can't be archived",
                hint="It's used by every request that names no agent.",
            )
        case GroupRequired():
            raise InvalidInputError(
                "policy_group is required",
                hint="Name the group whose memories the agent can read.",
            )


def _unknown() -> NotFoundError:
    return NotFoundError("Agent not found", hint="GET /api/agents lists the agents.")


def _change(data: AddAgentRequest | ChangeAgentRequest) -> AgentChange:
    for field in ("name", "description", "policy_group"):
        text: str | None = getattr(data, field)
        if text is not None and not text.replace("\n", " ").isprintable():
            raise InvalidInputError(
                f"{field} must be printable text", hint="Remove control characters."
            )
    if data.name is not None and not data.name.strip():
        raise InvalidInputError("name must not be empty", hint="Omit it to leave it unchanged.")
    return AgentChange(
        name=data.name.strip() if data.name else None,
        description=data.description.strip() if data.description is not None else None,
        read_policy=data.read_policy,
        policy_group=data.policy_group.strip() if data.policy_group is not None else None,
    )


class AgentsController(Controller):
    """Agents and their read policies."""

    tags = ("agents",)

    @get("/api/agents", operation_id="listAgents", opt=declare(Access.PROGRAM))
    async def agents(self, services: Services) -> AgentList:
        """List all agents with their read policies and memory counts."""
        found = await services.database.read(lambda tx: _all(tx, services))
        return AgentList(agents=found, count=len(found))

    @get("/api/agents/{agent_id:str}", operation_id="getAgent", opt=declare(Access.PROGRAM))
    async def agent(self, services: Services, agent_id: AgentIdPath) -> AgentRow:
        """Get an agent."""
        found = await services.database.read(lambda tx: _all(tx, services))
        for row in found:
            if row.id == agent_id:
                return row
        raise _unknown()

    @post(
        "/api/agents",
        operation_id="addAgent",
        status_code=201,
        # If agents could change their own policy, it would protect nothing.
        opt=declare(Access.BROWSER, rate=admin_rate),
    )
    async def add(self, services: Services, data: JSONBody[AddAgentRequest]) -> AgentRow:
        """Add an agent, or restore an archived one with its memories."""
        agent_id, change = data.id.strip(), _change(data)
        if not is_agent_id(agent_id):
            raise InvalidInputError("The agent id isn't valid.", hint=f"Use {ID_RULE}.")

        def work(tx: WriteTx) -> AgentRow:
            return _shown(tx, operations.add(tx, agent_id, change, iso(services.clock())))

        return await services.database.write(work)

    @patch(
        "/api/agents/{agent_id:str}",
        operation_id="changeAgent",
        opt=declare(Access.BROWSER, rate=admin_rate),
    )
    async def change(
        self, services: Services, agent_id: AgentIdPath, data: JSONBody[ChangeAgentRequest]
    ) -> AgentRow:
        """Change an agent's name, description, read policy or group."""
        change = _change(data)
        if change == AgentChange():
            raise InvalidInputError(
                "at least one of name, description, read_policy, policy_group is required",
                hint="Send the fields to change.",
            )

        def work(tx: WriteTx) -> AgentRow:
            return _shown(tx, operations.change(tx, agent_id, change, iso(services.clock())))

        return await services.database.write(work)

    @delete(
        "/api/agents/{agent_id:str}",
        operation_id="archiveAgent",
        status_code=200,
        opt=declare(Access.BROWSER, rate=admin_rate),
    )
    async def archive(self, services: Services, agent_id: AgentIdPath) -> AgentRow:
        """Archive an agent: its memories stay, but no other agent can read them."""

        def work(tx: WriteTx) -> AgentRow:
            return _shown(tx, operations.archive(tx, agent_id, iso(services.clock())))

        return await services.database.write(work)


def _all(tx: ReadTx, services: Services) -> list[AgentRow]:
    known = rows.all_agents(tx)
    now = iso(services.clock())
    # Declared agents count immediately, even before they are written to the table.
    declared = {
        agent.id: agent for agent in reconcile(known, services.get(AgentDirectory).roster(), now)
    }
    counts = memories.counts_by_agent(tx)
    everyone = known | declared
    return [_row(everyone[agent_id], counts) for agent_id in sorted(everyone)]


def _shown(tx: ReadTx, outcome: AgentOutcome) -> AgentRow:
    return _row(_agent(outcome), memories.counts_by_agent(tx))

"""SQL for agents; nothing else in the system writes this table."""

from dataclasses import astuple, fields
from typing import Final

from intaglio.agents.values import Agent
from intaglio.store.tx import ReadTx, WriteTx

_COLUMNS: Final = ", ".join(field.name for field in fields(Agent))


def all_agents(tx: ReadTx) -> dict[str, Agent]:
    """Return all agents by id, including archived ones, ordered by id."""
    found = tx.map(Agent, f"SELECT {_COLUMNS} FROM agents ORDER BY id")  # noqa: S608 - constants only
    return {agent.id: agent for agent in found}


def relevant_agents(tx: ReadTx, agent_id: str) -> dict[str, Agent]:
    """Return the agents that determine what one of them reads: few, however many were seen."""
    found = tx.map(
        Agent,
        f"SELECT {_COLUMNS} FROM agents WHERE id = ? OR source = 'roster' "  # noqa: S608 - constants only
        "OR archived_at IS NOT NULL OR policy_group IS NOT NULL ORDER BY id",
        (agent_id,),
    )
    return {agent.id: agent for agent in found}


def get(tx: ReadTx, agent_id: str) -> Agent | None:
    """Return the agent with that id, archived or not."""
    found = tx.map(Agent, f"SELECT {_COLUMNS} FROM agents WHERE id = ?", (agent_id,))  # noqa: S608 - constants only
    return found[0] if found else None


def put(tx: WriteTx, agent: Agent) -> None:
    """Write an agent, replacing the one with its id."""
    tx.execute(
        f"INSERT OR REPLACE INTO agents({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608 - constants only
        astuple(agent),
    )


def count_seen(tx: ReadTx) -> int:
    """Count the agents that exist only because a request named them."""
    return tx.count("SELECT count(*) FROM agents WHERE source = 'seen'")


def set_seen(tx: WriteTx, agent_id: str, at: str) -> bool:
    """Set when an agent was last seen; False if there is no such agent."""
    return bool(tx.execute("UPDATE agents SET last_seen_at = ? WHERE id = ?", (at, agent_id)))

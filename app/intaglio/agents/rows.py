"""SQL on agents; nothing else in the system writes this table."""

from typing import Final, cast

from intaglio.agents.values import Agent, Source
from intaglio.base.agent_yaml.roster import PolicyName
from intaglio.store.tx import ReadTx, Row, WriteTx

_COLUMNS: Final = (
    "id, name, description, read_policy, policy_group, source, created_at, updated_at, "
    "archived_at, last_seen_at"
)


def _agent(row: Row) -> Agent:
    # The table is STRICT and this module writes it, so each column has its declared type.
    id_, name, about, policy, group, source, created, updated, archived, seen = cast(
        "tuple[str, ...]", row
    )
    return Agent(
        id=id_,
        name=name,
        description=about,
        read_policy=cast("PolicyName", policy),
        policy_group=group,
        source=cast("Source", source),
        created_at=created,
        updated_at=updated,
        archived_at=archived,
        last_seen_at=seen,
    )


def every(tx: ReadTx) -> dict[str, Agent]:
    """Return all agents by id, archived ones too, in the order of their ids."""
    found = tx.all(f"SELECT {_COLUMNS} FROM agents ORDER BY id")  # noqa: S608 - constants only
    return {agent.id: agent for agent in map(_agent, found)}


def that_matter(tx: ReadTx, agent_id: str) -> dict[str, Agent]:
    """Return the agents that decide what one of them reads: few, however many were seen."""
    found = tx.all(
        f"SELECT {_COLUMNS} FROM agents WHERE id = ? OR source = 'roster' "  # noqa: S608 - constants only
        "OR archived_at IS NOT NULL OR policy_group IS NOT NULL ORDER BY id",
        (agent_id,),
    )
    return {agent.id: agent for agent in map(_agent, found)}


def get(tx: ReadTx, agent_id: str) -> Agent | None:
    """Return the agent of that id, archived or not."""
    row = tx.one(f"SELECT {_COLUMNS} FROM agents WHERE id = ?", (agent_id,))  # noqa: S608 - constants only
    return _agent(row) if row else None


def put(tx: WriteTx, agent: Agent) -> None:
    """Write an agent, in the place of the one that has its id."""
    tx.execute(
        f"INSERT OR REPLACE INTO agents({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608 - constants only
        (
            agent.id,
            agent.name,
            agent.description,
            agent.read_policy,
            agent.policy_group,
            agent.source,
            agent.created_at,
            agent.updated_at,
            agent.archived_at,
            agent.last_seen_at,
        ),
    )


def count_seen(tx: ReadTx) -> int:
    """Count the agents that are here only because a request named them."""
    return tx.count("SELECT count(*) FROM agents WHERE source = 'seen'")


def set_seen(tx: WriteTx, agent_id: str, at: str) -> bool:
    """Note when an agent was last seen; False where there is no such agent."""
    return bool(tx.execute("UPDATE agents SET last_seen_at = ? WHERE id = ?", (at, agent_id)))

"""The operations on agents: add, change, archive, apply the roster; in a transaction each."""

from dataclasses import replace

from intaglio.agents import rows
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
from intaglio.base.agent_id import DEFAULT_AGENT
from intaglio.base.agent_yaml.roster import Roster
from intaglio.base.events import Changed
from intaglio.store.tx import WriteTx

MOST_SEEN = 500


def add(tx: WriteTx, agent_id: str, change: AgentChange, now: str) -> AgentOutcome:
    """Add an agent, shared by default, or restore an archived one."""
    known = rows.get(tx, agent_id)
    if known is not None and not known.is_archived and known.source != "seen":
        return AgentExists()
    agent = replace(known, source="api", archived_at=None) if known else _new(agent_id, now)
    outcome = _save(tx, _changed(agent, change), now)
    if isinstance(outcome, AgentSaved):
        tx.publish(Changed("agents", "recovered" if known else "added", (agent_id,)))
    return outcome


def change(tx: WriteTx, agent_id: str, wanted: AgentChange, now: str) -> AgentOutcome:
    """Change an agent that `agent.yaml` doesn't declare."""
    known = rows.get(tx, agent_id)
    if known is None:
        return AgentNotFound()
    if known.source == "roster" and not known.is_archived:
        return AgentDeclared()
    # An agent with a policy set by the user is kept, even if it is never seen again.
    source = "api" if known.source == "seen" else known.source
    agent = replace(_changed(known, wanted), source=source)
    if agent == known:
        return AgentSaved(known)
    outcome = _save(tx, agent, now)
    if isinstance(outcome, AgentSaved):
        tx.publish(Changed("agents", "updated", (agent_id,)))
    return outcome


def archive(tx: WriteTx, agent_id: str, now: str) -> AgentOutcome:
    """Archive an agent; its memories stay, for the user and in case it returns."""
    known = rows.get(tx, agent_id)
    if known is None:
        return AgentNotFound()
    if agent_id == DEFAULT_AGENT:
        return DefaultAgent()
    if known.is_archived:
        return AgentSaved(known)
    if known.source == "roster":
        return AgentDeclared()
    agent = replace(known, archived_at=now, updated_at=now)
    rows.put(tx, agent)
    tx.publish(Changed("agents", "deleted", (agent_id,)))
    return AgentSaved(agent)


def apply_roster(tx: WriteTx, roster: Roster, now: str) -> list[Agent]:
    """Make the table match the declared roster and return the agents that changed."""
    changed = reconcile(rows.all_agents(tx), roster, now)
    for agent in changed:
        rows.put(tx, agent)
    if changed:
        tx.publish(Changed("agents", "updated", tuple(agent.id for agent in changed)))
    return changed


def record_seen(tx: WriteTx, agent_id: str, at: str) -> None:
    """Record that a request named the agent; above a limit, unknown agents aren't added."""
    if rows.set_seen(tx, agent_id, at) or rows.count_seen(tx) >= MOST_SEEN:
        return
    agent = replace(_new(agent_id, at), source="seen", last_seen_at=at)
    rows.put(tx, agent)
    tx.publish(Changed("agents", "added", (agent_id,)))


def _new(agent_id: str, now: str) -> Agent:
    return Agent(
        id=agent_id,
        name=agent_id,
        description=None,
        read_policy="shared",
        policy_group=None,
        source="api",
        created_at=now,
        updated_at=now,
    )


def _changed(agent: Agent, wanted: AgentChange) -> Agent:
    return replace(
        agent,
        name=wanted.name or agent.name,
        description=agent.description if wanted.description is None else wanted.description or None,
        read_policy=wanted.read_policy or agent.read_policy,
        policy_group=agent.policy_group
        if wanted.policy_group is None
        else wanted.policy_group or None,
    )


def _save(tx: WriteTx, agent: Agent, now: str) -> AgentOutcome:
    if agent.read_policy == "group" and agent.policy_group is None:
        return GroupRequired()
    saved = replace(agent, updated_at=now)
    rows.put(tx, saved)
    return AgentSaved(saved)

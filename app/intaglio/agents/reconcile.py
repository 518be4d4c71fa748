"""Compares the roster in ``agent.yaml`` with the known agents; pure functions."""

from collections.abc import Mapping
from dataclasses import replace

from intaglio.agents.values import Agent
from intaglio.base.agent_id import DEFAULT_AGENT
from intaglio.base.agent_yaml.roster import DeclaredAgent, Roster


def reconcile(known: Mapping[str, Agent], roster: Roster, now: str) -> list[Agent]:
    """Return the agents that differ from the known ones, in their new state.

    A declared agent is added, changed or restored; one that is no longer declared is archived,
    never deleted. If the roster can't be read (None), nothing differs.
    """
    if roster is None:
        return []
    declared = {agent.id: agent for agent in roster}
    changed = [_declared(known.get(one.id), one, now) for one in declared.values()]
    gone = [
        _removed(agent, now)
        for agent in known.values()
        if agent.source == "roster" and agent.id not in declared and not agent.is_archived
    ]
    return [agent for agent in (*changed, *gone) if agent != known.get(agent.id)]


def _declared(known: Agent | None, said: DeclaredAgent, now: str) -> Agent:
    if known is None:
        return Agent(
            id=said.id,
            name=said.name,
            description=said.description,
            read_policy=said.read_policy,
            policy_group=said.policy_group,
            source="roster",
            created_at=now,
            updated_at=now,
        )
    wanted = replace(
        known,
        name=said.name,
        description=said.description,
        read_policy=said.read_policy,
        policy_group=said.policy_group,
        source="roster",
        archived_at=None,
    )
    return wanted if wanted == known else replace(wanted, updated_at=now)


def _removed(agent: Agent, now: str) -> Agent:
    if agent.id == DEFAULT_AGENT:
        # The default agent always exists: without a declaration, it gets its default policy.
        return replace(agent, source="api", read_policy="shared", policy_group=None, updated_at=now)
    return replace(agent, archived_at=now, updated_at=now)

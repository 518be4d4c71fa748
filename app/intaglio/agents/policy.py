"""Read policies: derives from the roster the reader that every filter carries."""

from collections.abc import Mapping

from intaglio.agents import rows
from intaglio.agents.reconcile import reconcile
from intaglio.agents.values import Agent
from intaglio.base.agent_yaml.roster import Roster
from intaglio.domain.reader import GroupReader, IsolatedReader, Reader, SharedReader
from intaglio.store.tx import ReadTx


def reader_of(agents: Mapping[str, Agent], agent_id: str) -> Reader:
    """Return an agent's reader; an agent that isn't in the roster is shared."""
    agent = agents.get(agent_id)
    archived = tuple(sorted(one.id for one in agents.values() if one.is_archived))
    if agent is None:
        return SharedReader(agent_id, archived)
    if agent.is_archived:
        return IsolatedReader(agent_id)
    match agent.read_policy:
        case "isolated":
            return IsolatedReader(agent_id)
        case "shared":
            return SharedReader(agent_id, archived)
        case "group":
            return GroupReader(agent_id, _members(agents, agent.policy_group))


def _members(agents: Mapping[str, Agent], group: str | None) -> tuple[str, ...]:
    if group is None:
        return ()
    members = (
        one.id for one in agents.values() if one.policy_group == group and not one.is_archived
    )
    return tuple(sorted(members))


def reader_for(tx: ReadTx, roster: Roster, agent_id: str) -> Reader:
    """Return an agent's reader at this moment.

    The roster in the file counts even before it is written to the table: an agent that was just
    isolated reads nothing in between.
    """
    known = rows.relevant_agents(tx, agent_id)
    changed = {agent.id: agent for agent in reconcile(known, roster, "")}
    return reader_of(known | changed, agent_id)

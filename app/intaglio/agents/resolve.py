"""Decides which agent a request belongs to, from what its sender says."""

from intaglio.base.agents.agent_id import DEFAULT_AGENT, ID_RULE, agent_in_session_key, is_agent_id
from intaglio.base.errors import InvalidInputError


def resolve_agent(agent_id: str | None, session_key: str | None = None) -> str:
    """Return the agent's id: the one named, else the one in ``agent:{id}:{rest}``, else "default".

    A blank name is none. Raises InvalidInputError for a name that can be no id: another agent's
    memories would be read and written in its place.
    """
    named = named_agent(agent_id, session_key)
    return DEFAULT_AGENT if named is None else named


def named_agent(agent_id: str | None, session_key: str | None = None) -> str | None:
    """Return the agent that is named, None where none is; raises as `resolve_agent`."""
    named = (agent_id or "").strip()
    if not named:
        return agent_in_session_key(session_key)
    if not is_agent_id(named):
        raise InvalidInputError("this cannot be an agent's id", hint=f"An id has {ID_RULE}.")
    return named

"""Determines the agent of a request."""

from intaglio.base.agents.agent_id import DEFAULT_AGENT, ID_RULE, agent_in_session_key, is_agent_id
from intaglio.base.errors import InvalidInputError


def resolve_agent(agent_id: str | None, session_key: str | None = None) -> str:
    """Return the named agent, else the one in ``agent:{id}:{rest}``, else "default".

    A blank name counts as missing. Raises InvalidInputError for an invalid id: otherwise another
    agent's memories would be read and written.
    """
    named = named_agent(agent_id, session_key)
    return DEFAULT_AGENT if named is None else named


def named_agent(agent_id: str | None, session_key: str | None = None) -> str | None:
    """Return the named agent, or None; raises as `resolve_agent`."""
    named = (agent_id or "").strip()
    if not named:
        return agent_in_session_key(session_key)
    if not is_agent_id(named):
        raise InvalidInputError("The agent id isn't valid.", hint=f"Use {ID_RULE}.")
    return named

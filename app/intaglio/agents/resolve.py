"""Decides which agent a request belongs to, from what a harness says."""

import re
from typing import Final

DEFAULT_AGENT: Final = "default"
_MAX_LENGTH = 128
_IN_SESSION_KEY = re.compile(r"agent:([^:\s]+):.")


def resolve_agent(agent_id: str | None, session_key: str | None = None) -> str:
    """Return the agent's id: the one named, else the one in ``agent:{id}:{rest}``, else "default".

    A name that is blank, unprintable or longer than 128 characters is no name.
    """
    named = (agent_id or "").strip()
    if _is_name(named):
        return named
    match = _IN_SESSION_KEY.match((session_key or "").strip())
    if match and _is_name(match[1]):
        return match[1]
    return DEFAULT_AGENT


def _is_name(text: str) -> bool:
    return 0 < len(text) <= _MAX_LENGTH and text.isprintable()

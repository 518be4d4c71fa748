"""How an agent is named: its id, alone or inside a session key."""

import re
from typing import Final

DEFAULT_AGENT: Final = "default"
ID_RULE: Final = "1 to 128 visible characters without blank, colon or slash"
_ID = re.compile(r"[^\s:/\\]{1,128}")
_IN_SESSION_KEY = re.compile(r"agent:([^:]*):.")


def is_agent_id(text: str) -> bool:
    """Tell whether a text can be an agent's id (`ID_RULE`); `.` and `..` name folders."""
    return _ID.fullmatch(text) is not None and text.isprintable() and text not in {".", ".."}


def agent_in(session_key: str | None) -> str | None:
    """Return the agent that a key ``agent:{id}:{rest}`` names, None where it names none."""
    match = _IN_SESSION_KEY.match((session_key or "").strip())
    return match[1] if match and is_agent_id(match[1]) else None

"""Agent ids, alone or as part of a session key."""

import re
from typing import Final

DEFAULT_AGENT: Final = "default"
ID_RULE: Final = "1 to 128 visible characters without spaces, colons or slashes"
_ID = re.compile(r"[^\s:/\\]{1,128}")
_IN_SESSION_KEY = re.compile(r"agent:([^:]*):.")


def is_agent_id(text: str) -> bool:
    """Check whether a text is a valid agent id (`ID_RULE`); `.` and `..` aren't."""
    return _ID.fullmatch(text) is not None and text.isprintable() and text not in {".", ".."}


def agent_in_session_key(session_key: str | None) -> str | None:
    """Return the agent id in a session key ``agent:{id}:{rest}``, or None."""
    match = _IN_SESSION_KEY.match((session_key or "").strip())
    return match[1] if match and is_agent_id(match[1]) else None

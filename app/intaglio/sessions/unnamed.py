"""What stands for a session whose harness does not name it."""

from datetime import datetime
from hashlib import sha256

_DIGITS = 12


def unnamed_id(agent_id: str, project: str | None, now: datetime) -> str:
    """Return one id for a day, an agent and a project, as far as they are told.

    Calls that name no session would else make a row each; nothing tells how they belong together,
    so what one of them was shown says nothing about the next.
    """
    where = sha256(f"{agent_id}\n{project or ''}".encode("utf-8", "surrogatepass")).hexdigest()
    return f"unnamed:{now:%Y-%m-%d}:{where[:_DIGITS]}"

"""Readers of memories, and what each may read; its SQL form is in `memory/filters.py`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from intaglio.base.agent_id import DEFAULT_AGENT

Visibility: TypeAlias = Literal["global", "private"]
GLOBAL: Final = "global"
"""Visibility of memories that every agent may read, unless a policy forbids it."""
PRIVATE: Final = "private"
"""Visibility of memories that only their own agent may read."""
VISIBILITIES: Final[tuple[Visibility, ...]] = (GLOBAL, PRIVATE)

VISIBILITY_LABELS: Final[Mapping[Visibility, str]] = {
    GLOBAL: "All agents",
    PRIVATE: "Only its agent",
}
"""What people read for each visibility, in the dashboard and the terminal."""


def shown_visibility(value: str) -> str:
    """Return what people read for a visibility; an unknown one as it is."""
    return {str(key): label for key, label in VISIBILITY_LABELS.items()}.get(value, value)


@dataclass(frozen=True, slots=True)
class SharedReader:
    """An agent that reads its own memories and the global ones of every agent.

    The agents in ``archived`` are archived: only they read their own memories.
    """

    agent_id: str = DEFAULT_AGENT
    archived: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GroupReader:
    """An agent that reads its own memories and the global ones of its group's members."""

    agent_id: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IsolatedReader:
    """An agent that reads only its own memories."""

    agent_id: str


@dataclass(frozen=True, slots=True)
class UserReader:
    """The user, who may read the memories of all agents."""


Reader: TypeAlias = SharedReader | GroupReader | IsolatedReader | UserReader
USER: Final = UserReader()
DEFAULT_READER: Final = SharedReader()


def may_read(reader: Reader, agent_id: str, visibility: str) -> bool:
    """Check whether the reader may read a memory of this agent with this visibility."""
    match reader:
        case UserReader():
            return True
        case IsolatedReader(agent_id=own):
            return agent_id == own
        case SharedReader(agent_id=own, archived=archived):
            return agent_id == own or (visibility == GLOBAL and agent_id not in archived)
        case GroupReader(agent_id=own, members=members):
            return agent_id == own or (visibility == GLOBAL and agent_id in members)

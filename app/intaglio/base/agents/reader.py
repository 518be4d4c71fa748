"""Who reads memories, and the rule of what each may read; its SQL form: `memory/filters.py`."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from intaglio.base.agents.agent_id import DEFAULT_AGENT

Visibility: TypeAlias = Literal["global", "private"]
EVERYONES: Final = "global"
"""The visibility of what every agent may read that no policy keeps from it."""
OWN: Final = "private"
"""The visibility of what its own agent alone may read."""
VISIBILITIES: Final[tuple[Visibility, ...]] = (EVERYONES, OWN)


@dataclass(frozen=True, slots=True)
class SharedReader:
    """An agent that reads its own memories and every agent's global ones.

    Memories of the agents in ``without`` are not for others: they are archived.
    """

    agent_id: str = DEFAULT_AGENT
    without: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GroupReader:
    """An agent that reads its own memories and the global ones of these members."""

    agent_id: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IsolatedReader:
    """An agent that reads its own memories alone."""

    agent_id: str


@dataclass(frozen=True, slots=True)
class UserReader:
    """The user, who reads the memories of all agents: they are on the user's own machine."""


Reader: TypeAlias = SharedReader | GroupReader | IsolatedReader | UserReader
USER: Final = UserReader()
DEFAULT_READER: Final = SharedReader()


def may_read(reader: Reader, agent_id: str, visibility: str) -> bool:
    """Tell whether a memory of this agent with this visibility is for the reader."""
    match reader:
        case UserReader():
            return True
        case IsolatedReader(agent_id=own):
            return agent_id == own
        case SharedReader(agent_id=own, without=without):
            return agent_id == own or (visibility == EVERYONES and agent_id not in without)
        case GroupReader(agent_id=own, members=members):
            return agent_id == own or (visibility == EVERYONES and agent_id in members)

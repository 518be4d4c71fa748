"""Agents, and the outcomes of changing the roster."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from intaglio.base.agent_yaml.roster import PolicyName

AgentSource: TypeAlias = Literal["roster", "seen", "api"]
"""Where an agent comes from: declared in agent.yaml, named by a request, or added by the user."""

SOURCES: Final[tuple[AgentSource, ...]] = ("roster", "seen", "api")


@dataclass(frozen=True, slots=True)
class Agent:
    """A stored agent, its fields in column order; times are ISO-8601 UTC.

    An archived agent reads only its own memories, and others no longer read them.
    """

    id: str
    name: str
    description: str | None
    read_policy: PolicyName
    policy_group: str | None
    source: AgentSource
    created_at: str
    updated_at: str
    archived_at: str | None = None
    last_seen_at: str | None = None

    @property
    def is_archived(self) -> bool:
        """Whether it was archived; its memories are kept."""
        return self.archived_at is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentChange:
    """Changes of an agent; None leaves a field as it is, an empty group removes it."""

    name: str | None = None
    description: str | None = None
    read_policy: PolicyName | None = None
    policy_group: str | None = None


@dataclass(frozen=True, slots=True)
class AgentSaved:
    """The agent in its new state."""

    agent: Agent


@dataclass(frozen=True, slots=True)
class AgentNotFound:
    """There is no such agent."""


@dataclass(frozen=True, slots=True)
class AgentExists:
    """An agent with that id exists and isn't archived."""


@dataclass(frozen=True, slots=True)
class AgentDeclared:
    """The agent is declared in `agent.yaml`, so it has to be changed there."""


@dataclass(frozen=True, slots=True)
class DefaultAgent:
    """It is the default agent, which can't be archived."""


@dataclass(frozen=True, slots=True)
class GroupRequired:
    """The policy is group, but the agent has no group."""


AgentOutcome: TypeAlias = (
    AgentSaved | AgentNotFound | AgentExists | AgentDeclared | DefaultAgent | GroupRequired
)

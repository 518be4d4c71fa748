"""What an agent is, and what comes of changing the roster."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from intaglio.base.agent_yaml.roster import PolicyName

AgentSource: TypeAlias = Literal["roster", "seen", "api"]
"""Where an agent is from: declared in agent.yaml, named by a request, or added by the user."""

SOURCES: Final[tuple[AgentSource, ...]] = ("roster", "seen", "api")


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent as it is stored, its columns in this order; times are ISO-8601 UTC.

    An archived one reads its own memories alone, and others no longer read them.
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
        """Whether it was removed; its memories are kept."""
        return self.archived_at is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentChange:
    """What to change of an agent; None leaves a field as it is. An empty group takes it out."""

    name: str | None = None
    description: str | None = None
    read_policy: PolicyName | None = None
    policy_group: str | None = None


@dataclass(frozen=True, slots=True)
class AgentSaved:
    """The agent as it now stands."""

    agent: Agent


@dataclass(frozen=True, slots=True)
class AgentNotFound:
    """There is no such agent."""


@dataclass(frozen=True, slots=True)
class AgentExists:
    """An agent of that id is there and not archived."""


@dataclass(frozen=True, slots=True)
class AgentDeclared:
    """The file `agent.yaml` declares the agent, so it is changed there."""


@dataclass(frozen=True, slots=True)
class DefaultAgent:
    """It is the default agent, which is always there."""


@dataclass(frozen=True, slots=True)
class GroupRequired:
    """The policy is group, and the agent is in none."""


AgentOutcome: TypeAlias = (
    AgentSaved | AgentNotFound | AgentExists | AgentDeclared | DefaultAgent | GroupRequired
)

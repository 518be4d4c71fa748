"""Requests and replies of the agents endpoints."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from intaglio.wire.memory import ShortText

ReadPolicy = Literal["isolated", "shared", "group"]
AgentId = Annotated[str, Meta(min_length=1, max_length=128)]
AgentName = Annotated[str, Meta(min_length=1, max_length=200)]
GroupName = Annotated[str, Meta(max_length=200)]


class MemoryCounts(Struct, kw_only=True):
    """An agent's live memories, counted by visibility."""

    everyones: int = msgspec.field(name="global")
    private: int


class AgentRow(Struct, kw_only=True):
    """An agent.

    ``source`` is roster (declared in agent.yaml and only changed there), seen (named in a
    request) or api (added through the API).
    """

    id: str
    name: str
    description: str | None
    read_policy: ReadPolicy
    policy_group: str | None
    source: Literal["roster", "seen", "api"]
    is_default: bool
    created_at: str
    updated_at: str
    archived_at: str | None
    last_seen_at: str | None
    memories: MemoryCounts


class AgentList(Struct, kw_only=True):
    """All agents by id, including archived ones."""

    agents: list[AgentRow]
    count: int


class AddAgentRequest(Struct, kw_only=True):
    """An agent to add, or an archived one to restore."""

    id: AgentId
    name: AgentName | None = None
    description: ShortText | None = None
    read_policy: ReadPolicy | None = None
    policy_group: GroupName | None = None


class ChangeAgentRequest(Struct, kw_only=True):
    """Fields of an agent to change; absent ones stay, an empty group removes it from its group."""

    name: AgentName | None = None
    description: ShortText | None = None
    read_policy: ReadPolicy | None = None
    policy_group: GroupName | None = None

"""Requests and replies of the hook endpoints, in the shapes of the client contract."""

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from intaglio.wire.memory import Content, PathText, Query, ShortText

# A prompt may hold a pasted file; the limit on bodies bounds it.
PromptText = Annotated[str, Meta(max_length=8_000_000)]


class SessionStartRequest(Struct, kw_only=True):
    """A harness begins a session."""

    harness: ShortText = ""
    project: PathText | None = None
    project_path: PathText | None = msgspec.field(default=None, name="projectPath")
    agent_id: ShortText | None = msgspec.field(default=None, name="agentId")
    context: Content | None = None
    session_key: ShortText | None = msgspec.field(default=None, name="sessionKey")
    session_id: ShortText | None = msgspec.field(default=None, name="sessionId")
    runtime_path: ShortText | None = msgspec.field(default=None, name="runtimePath")


class HookMemory(Struct, kw_only=True):
    """A memory as the session-start reply lists it."""

    id: str
    content: str
    type: str
    importance: float
    created_at: str


class Identity(Struct, kw_only=True, omit_defaults=True):
    """Who the agent is, as its identity file says."""

    name: str
    description: str = ""


class SessionStartReply(Struct, kw_only=True):
    """What the session receives; ``inject`` is the text itself."""

    identity: Identity
    memories: list[HookMemory]
    inject: str


class PromptRequest(Struct, kw_only=True):
    """The user sent a prompt."""

    harness: ShortText = ""
    user_message: PromptText | None = msgspec.field(default=None, name="userMessage")
    user_prompt: PromptText | None = msgspec.field(default=None, name="userPrompt")
    last_assistant_message: PromptText | None = msgspec.field(
        default=None, name="lastAssistantMessage"
    )
    session_key: ShortText | None = msgspec.field(default=None, name="sessionKey")
    project: PathText | None = None
    agent_id: ShortText | None = msgspec.field(default=None, name="agentId")
    runtime_path: ShortText | None = msgspec.field(default=None, name="runtimePath")


class PromptReply(Struct, kw_only=True, rename="camel"):
    """What the prompt receives."""

    inject: str
    memory_count: int
    query_terms: list[str]
    engine: str


class SessionEndRequest(Struct, kw_only=True):
    """A session ended; its transcript may be read."""

    harness: ShortText = ""
    transcript_path: PathText | None = msgspec.field(default=None, name="transcriptPath")
    session_id: ShortText | None = msgspec.field(default=None, name="sessionId")
    session_key: ShortText | None = msgspec.field(default=None, name="sessionKey")
    cwd: PathText | None = None
    reason: ShortText | None = None
    runtime_path: ShortText | None = msgspec.field(default=None, name="runtimePath")


class SessionEndReply(Struct, kw_only=True, rename="camel"):
    """How many memories the end of the session added."""

    memories_saved: int


class HookRecallRow(Struct, kw_only=True):
    """A memory as the recall hook lists it."""

    id: str
    content: str
    type: str
    importance: float
    tags: str | None
    created_at: str


class HookRememberRequest(Struct, kw_only=True):
    """A memory to keep, said by a harness."""

    harness: ShortText = ""
    content: Content = ""
    who: ShortText | None = None
    project: PathText | None = None
    session_key: ShortText | None = msgspec.field(default=None, name="sessionKey")
    agent_id: ShortText | None = msgspec.field(default=None, name="agentId")
    idempotency_key: ShortText | None = msgspec.field(default=None, name="idempotencyKey")
    runtime_path: ShortText | None = msgspec.field(default=None, name="runtimePath")


class HookRememberReply(Struct, kw_only=True):
    """The id of what was kept; with hooks switched off or paused nothing is: the id is empty."""

    saved: bool
    id: str
    success: bool = True
    memories: list[HookRecallRow] = []


class HookRecallRequest(Struct, kw_only=True):
    """A question asked by a harness."""

    harness: ShortText = ""
    query: Query = ""
    project: PathText | None = None
    limit: int = 10
    session_key: ShortText | None = msgspec.field(default=None, name="sessionKey")
    agent_id: ShortText | None = msgspec.field(default=None, name="agentId")


class HookRecallReply(Struct, kw_only=True):
    """The memories that answer."""

    results: list[HookRecallRow]
    memories: list[HookRecallRow]
    count: int

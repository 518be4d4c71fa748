"""Requests and replies of the hook endpoints, as the client contract defines them."""

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from intaglio.wire.memory import Content, FilterRequest, PathText, Query, ShortText

# A prompt may contain a pasted file; the body limit bounds it.
PromptText = Annotated[str, Meta(max_length=8_000_000)]


class SessionStartRequest(Struct, kw_only=True):
    """A session starts."""

    harness: ShortText = ""
    project: PathText | None = None
    project_path: PathText | None = msgspec.field(default=None, name="projectPath")
    agent_id: ShortText | None = msgspec.field(default=None, name="agentId")
    # Not used, so that nothing it holds is a reason to refuse the event.
    context: object = None
    session_key: ShortText | None = msgspec.field(default=None, name="sessionKey")
    session_id: ShortText | None = msgspec.field(default=None, name="sessionId")
    runtime_path: ShortText | None = msgspec.field(default=None, name="runtimePath")


class HookMemory(Struct, kw_only=True):
    """A memory in the session-start reply."""

    id: str
    content: str
    type: str
    importance: float
    created_at: str


class Identity(Struct, kw_only=True, omit_defaults=True):
    """The agent's name and description from its identity file."""

    name: str
    description: str = ""


class SessionStartReply(Struct, kw_only=True):
    """The context for a session; ``inject`` is the text to inject.

    ``bypassed`` says, in this and the other replies, that the session is switched off.
    """

    identity: Identity
    memories: list[HookMemory]
    inject: str
    bypassed: bool = False


class PromptRequest(Struct, kw_only=True):
    """The user sent a prompt."""

    harness: ShortText = ""
    user_message: PromptText | None = msgspec.field(default=None, name="userMessage")
    user_prompt: PromptText | None = msgspec.field(default=None, name="userPrompt")
    # Not used either.
    last_assistant_message: object = msgspec.field(default=None, name="lastAssistantMessage")
    session_key: ShortText | None = msgspec.field(default=None, name="sessionKey")
    project: PathText | None = None
    agent_id: ShortText | None = msgspec.field(default=None, name="agentId")
    runtime_path: ShortText | None = msgspec.field(default=None, name="runtimePath")


class PromptReply(Struct, kw_only=True, rename="camel"):
    """The context for a prompt; ``inject`` is the text to inject.

    ``query_terms`` are the prompt's words that were searched for, joined by blanks.
    """

    inject: str
    memory_count: int
    query_terms: str
    engine: str
    bypassed: bool = False


class SessionEndRequest(Struct, kw_only=True):
    """A session ended; its transcript may be read."""

    harness: ShortText = ""
    transcript_path: PathText | None = msgspec.field(default=None, name="transcriptPath")
    session_id: ShortText | None = msgspec.field(default=None, name="sessionId")
    session_key: ShortText | None = msgspec.field(default=None, name="sessionKey")
    cwd: PathText | None = None
    reason: ShortText | None = None
    agent_id: ShortText | None = msgspec.field(default=None, name="agentId")
    runtime_path: ShortText | None = msgspec.field(default=None, name="runtimePath")


class SessionEndReply(Struct, kw_only=True, rename="camel"):
    """The number of memories captured at the end of the session."""

    memories_saved: int
    bypassed: bool = False


class PreCompactionRequest(Struct, kw_only=True):
    """A conversation is about to be compacted."""

    harness: ShortText = ""
    # Not used, so that nothing they hold is a reason to refuse the event.
    session_context: object = msgspec.field(default=None, name="sessionContext")
    message_count: object = msgspec.field(default=None, name="messageCount")
    session_key: ShortText | None = msgspec.field(default=None, name="sessionKey")
    project: PathText | None = None
    agent_id: ShortText | None = msgspec.field(default=None, name="agentId")
    runtime_path: ShortText | None = msgspec.field(default=None, name="runtimePath")


class PreCompactionReply(Struct, kw_only=True, rename="camel"):
    """What the model that writes the summary is asked; all are empty if nothing may be told.

    ``instructions`` is what ``summary_prompt`` is called where hooks are disabled.
    """

    summary_prompt: str = ""
    guidelines: str = ""
    instructions: str = ""
    bypassed: bool = False


class CompactionCompleteRequest(Struct, kw_only=True):
    """A conversation was compacted to a summary."""

    harness: ShortText = ""
    summary: PromptText = ""
    session_key: ShortText | None = msgspec.field(default=None, name="sessionKey")
    project: PathText | None = None
    agent_id: ShortText | None = msgspec.field(default=None, name="agentId")
    runtime_path: ShortText | None = msgspec.field(default=None, name="runtimePath")


class CompactionCompleteReply(Struct, kw_only=True, rename="camel"):
    """The id of the memory that holds the summary; empty if it may not be kept."""

    success: bool = True
    memory_id: str = ""
    bypassed: bool = False


class HookRecallRow(Struct, kw_only=True):
    """A memory in the recall hook's reply."""

    id: str
    content: str
    type: str
    importance: float
    tags: str | None
    created_at: str


class HookRememberRequest(Struct, kw_only=True):
    """A memory to save for a harness."""

    harness: ShortText = ""
    content: Content = ""
    who: ShortText | None = None
    project: PathText | None = None
    session_key: ShortText | None = msgspec.field(default=None, name="sessionKey")
    agent_id: ShortText | None = msgspec.field(default=None, name="agentId")
    idempotency_key: ShortText | None = msgspec.field(default=None, name="idempotencyKey")
    runtime_path: ShortText | None = msgspec.field(default=None, name="runtimePath")


class HookRememberReply(Struct, kw_only=True):
    """The id of the saved memory; empty if nothing may be saved now."""

    saved: bool
    id: str
    success: bool = True
    memories: list[HookRecallRow] = []
    bypassed: bool = False


class HookRecallRequest(FilterRequest, kw_only=True):
    """A harness's question; it gets at most 200 memories."""

    harness: ShortText = ""
    query: Query = ""
    project: PathText | None = None
    limit: Annotated[int, Meta(ge=1)] = 10
    session_key: ShortText | None = msgspec.field(default=None, name="sessionKey")
    agent_id: ShortText | None = msgspec.field(default=None, name="agentId")


class HookRecallReply(Struct, kw_only=True):
    """The memories found."""

    results: list[HookRecallRow]
    memories: list[HookRecallRow]
    count: int
    bypassed: bool = False

"""The five hooks that plugins for Signet call, in the format of its client contract."""

import asyncio
import re
from dataclasses import replace
from pathlib import Path
from typing import Final

from litestar import Controller, post
from litestar.params import JSONBody

from intaglio.agents.agent_directory import AgentDirectory
from intaglio.api.gate.declaration import HOOK_BODY_BYTES, Access, Principal, declare
from intaglio.api.gate.principal import wants_no_hooks
from intaglio.api.request_context import (
    AnyRequest,
    actor_of,
    agent_of,
    agent_of_session,
    in_project,
    project_of,
    runtime_path_of,
)
from intaglio.api.serializers.memory import tags_text
from intaglio.api.services import Services
from intaglio.api.signet.hook_calls import HOOK, session_of_call, stored_id, why_skipped
from intaglio.api.signet.hook_structs import (
    HookMemory,
    HookRecallReply,
    HookRecallRequest,
    HookRecallRow,
    HookRememberReply,
    HookRememberRequest,
    Identity,
    PromptReply,
    PromptRequest,
    SessionEndReply,
    SessionEndRequest,
    SessionStartReply,
    SessionStartRequest,
)
from intaglio.api.signet.runtime_claims import RuntimeClaims
from intaglio.base.errors import InvalidInputError
from intaglio.base.files.regular_file import read_regular
from intaglio.fence.outgoing import Fence
from intaglio.harness.activity import HookActivity
from intaglio.harness.dispatch import Dispatch
from intaglio.kernel import Kernel
from intaglio.memory.filters import Filter
from intaglio.memory.values import (
    AGENT_SOURCE,
    USER_AUTHOR,
    Memory,
    Source,
    agent_author,
)
from intaglio.pauses.bypasses import Bypasses
from intaglio.pauses.service import Pauses
from intaglio.pipeline.ingest import Ingest, Remember
from intaglio.recall.query import Recall
from intaglio.recall.values import Question
from intaglio.redaction.redact import clean
from intaglio.sessions.continuity.service import SessionCheckpoints
from intaglio.sessions.contract_text import ENGINE
from intaglio.sessions.open_sessions import OpenSessions
from intaglio.sessions.prompt import PromptContexts, PromptInput
from intaglio.sessions.session_end import SessionEnds
from intaglio.sessions.session_start import SessionStarts
from intaglio.sessions.tool_recalls import ToolRecalls
from intaglio.sessions.values import SessionRef, anonymous_session_id

_MAX_RESULTS: Final = 200
_MAX_IDENTITY_BYTES: Final = 100_000
_IDENTITY_LINE = re.compile(r"^[ \t]*[-*][ \t]*(name|description|vibe):[ \t]*(\S.*)$", re.MULTILINE)


def read_identity(workspace: Path) -> Identity:
    """Read the agent's name and description from the workspace's IDENTITY.md; default "Agent"."""
    try:
        text = read_regular(workspace / "IDENTITY.md", _MAX_IDENTITY_BYTES).decode(errors="replace")
    except OSError:
        return Identity(name="Agent")
    found = {match[1]: match[2].strip() for match in _IDENTITY_LINE.finditer(text)}
    return Identity(name=found.get("name", "Agent"), description=found.get("description", ""))


class SignetHooksController(Controller):
    """Events that plugins report at the start, during and at the end of a session."""

    tags = ("hooks",)

    @post(
        "/api/hooks/session-start",
        operation_id="hookSessionStart",
        status_code=200,
        opt=HOOK,
    )
    async def session_start(
        self, services: Services, request: AnyRequest, data: JSONBody[SessionStartRequest]
    ) -> SessionStartReply:
        """Start a session and return the context to inject."""
        if not data.harness:
            raise InvalidInputError("harness is required")
        key = data.session_key or data.session_id
        skipped = await why_skipped(services, request, data.harness, key)
        if skipped:
            return SessionStartReply(
                identity=Identity(name="Agent"),
                memories=[],
                inject="",
                bypassed=skipped == "bypassed",
            )
        path = runtime_path_of(request, data.runtime_path)
        services.get(RuntimeClaims).claim(key, path)
        project = data.project or data.project_path
        agent_id = agent_of(request)
        session = SessionRef(
            harness=data.harness,
            id=key or anonymous_session_id(agent_id, project, services.clock()),
            agent_id=agent_id,
            project=project,
            runtime_path=path,
            anonymous=not key,
        )
        session = await services.get(OpenSessions).placed(session, project)
        shown = await services.get(SessionStarts).show_contract(session)
        fence = services.get(Fence)
        found = await asyncio.to_thread(read_identity, services.running.paths.workspace)
        identity = Identity(
            name=fence.sanitize(found.name), description=fence.sanitize(found.description)
        )
        memories = [_memory(memory, fence) for memory in shown.memories]
        services.get(HookActivity).note(data.harness, "session-start")
        return SessionStartReply(identity=identity, memories=memories, inject=shown.text)

    @post(
        "/api/hooks/user-prompt-submit",
        operation_id="hookUserPromptSubmit",
        status_code=200,
        opt=HOOK,
    )
    async def prompt(
        self, services: Services, request: AnyRequest, data: JSONBody[PromptRequest]
    ) -> PromptReply:
        """Return the context to inject with a prompt."""
        text = data.user_message or data.user_prompt
        if not data.harness or not text:
            raise InvalidInputError("harness and userMessage or userPrompt are required")
        skipped = await why_skipped(services, request, data.harness, data.session_key)
        if skipped:
            return PromptReply(
                inject="",
                memory_count=0,
                query_terms="",
                engine=ENGINE,
                bypassed=skipped == "bypassed",
            )
        session = await session_of_call(services, request, data)
        shown = await services.get(PromptContexts).show_contract(session, PromptInput(text))
        services.get(HookActivity).note(data.harness, "prompt")
        return PromptReply(
            inject=shown.text,
            memory_count=len(shown.memories),
            query_terms=services.get(Fence).sanitize(" ".join(shown.words)),
            engine=ENGINE,
        )

    @post(
        "/api/hooks/session-end",
        operation_id="hookSessionEnd",
        status_code=200,
        opt=HOOK,
    )
    async def session_end(
        self, services: Services, request: AnyRequest, data: JSONBody[SessionEndRequest]
    ) -> SessionEndReply:
        """End a session and capture memories from its transcript."""
        if not data.harness:
            raise InvalidInputError("harness is required")
        key = data.session_key or data.session_id
        if wants_no_hooks(request.headers) or key is None:
            return SessionEndReply(memories_saved=0)
        services.get(RuntimeClaims).release(key)
        session = SessionRef(
            harness=data.harness,
            id=key,
            agent_id=await agent_of_session(services, request, data.harness, key),
            project=data.cwd,
            transcript=data.transcript_path,
            runtime_path=runtime_path_of(request, data.runtime_path),
        )
        if await services.get(Bypasses).is_running(data.harness, key):
            # Where it is or what it says doesn't matter any more.
            ended = replace(session, project=None, transcript=None)
            await services.get(SessionEnds).session_end(ended, data.reason or "")
            return SessionEndReply(memories_saved=0, bypassed=True)
        session = await services.get(OpenSessions).placed(session, data.cwd)
        captured = await services.get(Dispatch).capture(session)
        await services.get(SessionEnds).session_end(session, data.reason or "")
        # What the user clears isn't gone on with.
        if data.reason != "clear":
            services.get(SessionCheckpoints).note(session, "session_end")
        services.get(HookActivity).note(data.harness, "session-end")
        return SessionEndReply(memories_saved=captured.saved)

    @post(
        "/api/hooks/remember",
        operation_id="hookRemember",
        status_code=200,
        opt=declare(Access.HOOK, Principal.SESSION, body_bytes=HOOK_BODY_BYTES, kind="remember"),
    )
    async def remember(
        self, services: Services, request: AnyRequest, data: JSONBody[HookRememberRequest]
    ) -> HookRememberReply:
        """Save a memory for a harness; does nothing while capture is paused."""
        if not data.harness or not data.content.strip():
            raise InvalidInputError("harness and content are required")
        skipped = await why_skipped(services, request, data.harness, data.session_key)
        if skipped:
            return HookRememberReply(saved=False, id="", bypassed=skipped == "bypassed")
        path = runtime_path_of(request, data.runtime_path)
        services.get(RuntimeClaims).check(data.session_key, path)
        if (await services.get(Pauses).state()).paused:
            return HookRememberReply(saved=False, id="")
        agent_id = await agent_of_session(services, request, data.harness, data.session_key)
        directory = await _directory(services, data, agent_id)
        # A plugin says whose words they are; without that, an agent may have chosen them.
        is_users = data.who == USER_AUTHOR
        outcome = await services.get(Ingest).remember(
            Remember(
                content=data.content,
                actor=actor_of(request, data.harness),
                who=data.who or agent_author(data.harness),
                pinned=None if is_users else False,
                agent_id=agent_id,
                project=await project_of(services, directory),
                source=Source("hook" if is_users else AGENT_SOURCE),
                session_id=data.session_key,
                idempotency_key=data.idempotency_key,
                runtime_path=path,
            )
        )
        return HookRememberReply(saved=True, id=stored_id(outcome))

    @post(
        "/api/hooks/recall",
        operation_id="hookRecall",
        status_code=200,
        opt=declare(Access.HOOK, Principal.SESSION, body_bytes=HOOK_BODY_BYTES, kind="recall"),
    )
    async def recall(
        self, services: Services, request: AnyRequest, data: JSONBody[HookRecallRequest]
    ) -> HookRecallReply:
        """Find memories for a harness; with a session key, its ledger records the answer."""
        if not data.harness or not data.query.strip():
            raise InvalidInputError("harness and query are required")
        skipped = await why_skipped(services, request, data.harness, data.session_key)
        if skipped:
            return HookRecallReply(results=[], memories=[], count=0, bypassed=skipped == "bypassed")
        began = services.monotonic_s()
        agent_id = await agent_of_session(services, request, data.harness, data.session_key)
        reader = await services.get(AgentDirectory).active_reader(agent_id)
        readable = Filter(reader=reader, memory_status="current")
        directory = await _directory(services, data, agent_id)
        wanted = await in_project(services, readable, directory)
        limit = min(data.limit, _MAX_RESULTS)
        answer = await services.get(Recall).recall(
            # Its words are recorded.
            Question(text=clean(data.query), limit=limit, filters=wanted)
        )
        if data.session_key:
            session = SessionRef(
                harness=data.harness, id=data.session_key, agent_id=agent_id, project=directory
            )
            await services.get(ToolRecalls).record(session, answer, began)
        rows = [_row(found.memory, services.get(Fence)) for found in answer.hits]
        return HookRecallReply(results=rows, memories=rows, count=len(rows))


async def _directory(
    services: Kernel, data: HookRememberRequest | HookRecallRequest, agent_id: str
) -> str | None:
    """Return the project of a request, which is the session's within the session's directory."""
    if data.project is None or data.session_key is None:
        return data.project
    session = SessionRef(harness=data.harness, id=data.session_key, agent_id=agent_id)
    return (await services.get(OpenSessions).in_directory(session, data.project)).project


def _memory(memory: Memory, fence: Fence) -> HookMemory:
    """Return a memory that was injected at a session's start, cleaned for the agent."""
    return HookMemory(
        id=memory.id,
        content=fence.sanitize(memory.content),
        type=fence.sanitize(memory.type),
        importance=memory.importance,
        created_at=memory.created_at,
    )


def _row(memory: Memory, fence: Fence) -> HookRecallRow:
    """Return a memory in the format of the recall hook, cleaned for the agent."""
    tags = tags_text(memory.tags)
    return HookRecallRow(
        id=memory.id,
        content=fence.sanitize(memory.content),
        type=fence.sanitize(memory.type),
        importance=memory.importance,
        tags=tags and fence.sanitize(tags),
        created_at=memory.created_at,
    )

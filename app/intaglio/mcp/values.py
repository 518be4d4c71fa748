"""The values of the tools: who calls one, what it may use, and what it returns."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import msgspec

from intaglio.memory.filters import Filter
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor, ForgetOutcome
from intaglio.pauses.bypasses import Bypasses
from intaglio.pauses.service import pause_state
from intaglio.pipeline.agent_changes import AgentChanges
from intaglio.pipeline.ingest import Ingest
from intaglio.pipeline.modify import Modify
from intaglio.recall.past.session_recall import SessionRecall
from intaglio.recall.values import Answer, Question
from intaglio.sessions.commits.finder import CommitFinder
from intaglio.sessions.feedback.operations import Feedback
from intaglio.sessions.reminders.notes import AgentNotes
from intaglio.sessions.reminders.service import Reminders
from intaglio.sessions.services import ContextServices
from intaglio.sessions.statements.agent_reversals import AgentReversals
from intaglio.sessions.statements.claims import AgentClaims
from intaglio.sessions.tool_recalls import ToolRecalls
from intaglio.sessions.values import SessionRef


@dataclass(frozen=True, slots=True, kw_only=True)
class McpContext:
    """What a request says about its caller; unverified.

    ``workspace`` is the directory that the client was started in, ``project_dir`` that of the
    project as the harness names it, each an absolute path or its ``file:`` URI, as the client's
    ``roots`` are. ``process`` is the id of the harness's process, ``session`` the harness's own
    session id, ``call_session`` what a single call says it is, and ``port`` the TCP port at the
    caller's end.
    """

    agent_id: str | None = None
    harness: str | None = None
    workspace: str | None = None
    project_dir: str | None = None
    roots: tuple[str, ...] = ()
    session: str | None = None
    call_session: str | None = None
    process: int | None = None
    port: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class McpCaller:
    """Who calls a tool: ``project`` is a key, ``session`` the open session it is called in.

    ``ledger_session`` records the call: the session, else an anonymous one.
    """

    harness: str
    agent_id: str
    project: str | None
    session: SessionRef | None
    ledger_session: SessionRef

    @property
    def actor(self) -> Actor:
        """Who the history says made a change."""
        return Actor(self.harness, "agent", self.ledger_session.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class McpServices:
    """What the tools use; ``forget`` forgets a memory so that it can be restored.

    ``changes`` decides what an agent may change or forget, ``commits`` finds those of a project by
    what ``past`` prepares.
    """

    context: ContextServices
    recall: Callable[[Question], Awaitable[Answer]]
    frozen: Callable[[], bool]
    recalls: ToolRecalls
    claims: AgentClaims
    notes: AgentNotes
    reversals: AgentReversals
    reminders: Reminders
    ingest: Ingest
    modify: Modify
    changes: AgentChanges
    commits: CommitFinder
    past: SessionRecall
    feedback: Feedback
    bypasses: Bypasses
    forget: Callable[[str, Audit], Awaitable[ForgetOutcome]]
    version: str

    async def is_paused(self) -> bool:
        """Whether the user has paused capture."""
        now = self.context.clock()
        state = await self.context.db.read(lambda tx: pause_state(tx, now))
        return state.paused

    async def is_bypassed(self, session: SessionRef | None) -> bool:
        """Whether a session is switched off; what is called outside any session isn't."""
        return session is not None and await self.bypasses.is_running(*session.key)

    async def filters(self, caller: McpCaller) -> Filter:
        """Return what the caller may see: its project's memories and the global ones."""
        return await self.context.visibility.filters(caller.agent_id, caller.project)


class ToolArguments(msgspec.Struct, kw_only=True):
    """The arguments of a tool; their JSON schema is what agents are shown.

    It is precise; `base.arguments.lenient_arguments` reads what models send in its place.
    """


ToolResult: TypeAlias = Mapping[str, Any]
"""What a tool returns, as plain values that JSON can hold."""

RunTool: TypeAlias = Callable[[McpServices, McpCaller, Any], Awaitable[ToolResult]]
"""Runs a tool with its arguments; raises IntaglioError with what the agent is told."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: its name, what an agent is told about it, its arguments, and what runs it.

    ``writes`` says whether it changes something, ``removes`` whether it takes something away,
    ``always`` whether it also works while nothing may be changed or the session is switched off.
    """

    name: str
    description: str
    arguments: type[ToolArguments]
    run: RunTool
    writes: bool = False
    removes: bool = False
    always: bool = False

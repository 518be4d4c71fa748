"""The tools about the caller's own session: feedback on what it was told, and its bypass."""

from dataclasses import replace
from typing import Annotated, Final

from msgspec import Meta

from intaglio.base.errors import NotFoundError
from intaglio.mcp.reading_tools import with_id
from intaglio.mcp.values import McpCaller, McpServices, Tool, ToolArguments, ToolResult
from intaglio.sessions.values import SessionRef
from intaglio.store.tx import ReadTx

_CURRENT: Final = "current"
_MAX_RATINGS: Final = 200

OwnSession = Annotated[str, Meta(max_length=1_000, description='"current" for your own session')]


class FeedbackArguments(ToolArguments, kw_only=True):
    """How useful memories were to a session: from -1 to 1, by id."""

    session_key: OwnSession
    ratings: Annotated[
        dict[str, Annotated[float, Meta(ge=-1, le=1)]], Meta(max_length=_MAX_RATINGS)
    ]


class BypassArguments(ToolArguments, kw_only=True):
    """Whether a session is told nothing from now on, and nothing of it is kept."""

    session_key: OwnSession
    enabled: Annotated[bool, Meta(description="true: memory off")]


def _own(caller: McpCaller, named: str) -> SessionRef:
    """Return the caller's session; raises NotFoundError if another is named, or if it has none."""
    session, named = caller.session, named.strip()
    if session is None or (named.lower() != _CURRENT and named != session.id):
        raise NotFoundError(
            "No such open session of yours", hint=f'session_key "{_CURRENT}" is your own session.'
        )
    return session


async def feedback(
    services: McpServices, caller: McpCaller, asked: FeedbackArguments
) -> ToolResult:
    """Record how useful memories were to the caller's session."""
    session = _own(caller, asked.session_key)
    filters = replace(await services.filters(caller), memory_status=None)

    def work(tx: ReadTx) -> dict[str, float]:
        found = {named: with_id(tx, filters, named) for named in asked.ratings}
        return {one[0].id: asked.ratings[named] for named, one in found.items() if len(one) == 1}

    ratings = await services.context.db.read(work)
    recorded = await services.feedback.rate(session.id, caller.agent_id, filters.reader, ratings)
    return {"recorded": recorded}


async def bypass(services: McpServices, caller: McpCaller, asked: BypassArguments) -> ToolResult:
    """Switch the caller's session off, or on again unless the user has switched it off."""
    session = _own(caller, asked.session_key)
    await services.bypasses.switch([session.key], "agent", is_on=asked.enabled)
    return {"session": session.id, "bypassed": asked.enabled}


FEEDBACK_TOOL: Final = Tool(
    "memory_feedback",
    "Rate how useful memories were in this session, from -1 (harmful) to 1 (decisive), by id.",
    FeedbackArguments,
    feedback,
    writes=True,
)
BYPASS_TOOL: Final = Tool(
    "session_bypass",
    "Switch memory off in this session, only when the user asks for it: nothing more is told, "
    "nothing said is kept.",
    BypassArguments,
    bypass,
    writes=True,
    always=True,
)

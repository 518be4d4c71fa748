"""Changes that a request makes for an agent: only of what the agent wrote, else as proposals.

A request says itself that it acts for an agent; the tools of `mcp` always do.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from intaglio.api.request_context import AnyRequest, agent_of
from intaglio.base.errors import ConflictError, ForbiddenError
from intaglio.kernel import Kernel
from intaglio.memory.operations import Audit
from intaglio.memory.values import AGENT_ACTORS, Actor, Change
from intaglio.pipeline.agent_changes import AgentChanges, Proposed, Rejected, T, WantedChange
from intaglio.sessions.values import anonymous_session_id

_ASKED: Final = "Only the user changes this memory"


async def as_the_actor_may(
    services: Kernel,
    request: AnyRequest,
    memory_id: str,
    change: Change | None,
    audit: Audit,
    make: Callable[[Audit], Awaitable[T]],
) -> T:
    """Make a change, or forget a memory (None), as the request's actor may.

    Raises ConflictError if the user was asked instead, and ForbiddenError if an agent may make no
    more changes.
    """
    if audit.actor.type not in AGENT_ACTORS:
        return await make(audit)
    agent_id = agent_of(request)
    session = audit.actor.session_id or anonymous_session_id(agent_id, None, services.clock())
    named = replace(audit, actor=replace(audit.actor, session_id=session))
    wanted = WantedChange(
        memory_id=memory_id, change=change, audit=named, agent_id=agent_id, project=None
    )
    outcome = await services.get(AgentChanges).carry_out(wanted, make)
    match outcome:
        case Proposed(item_id=item_id):
            raise ConflictError(
                f"{_ASKED}; they are asked in the inbox",
                hint="Nothing is to be done; the user decides.",
                id=memory_id,
                status="suggested",
                inboxId=item_id,
            )
        case Rejected():
            raise ConflictError(
                f"{_ASKED}, and rejected the same before", id=memory_id, status="declined"
            )
        case _:
            return outcome


def refuse_agents(actor: Actor, what: str, *, force: bool = False) -> None:
    """Raise ForbiddenError if the request acts for an agent, which may not do this."""
    if actor.type in AGENT_ACTORS:
        raise ForbiddenError(
            f"Agents can't {what}",
            hint="Ask the user to do it in the dashboard.",
            status="autonomous_force_denied" if force else "agents_denied",
        )

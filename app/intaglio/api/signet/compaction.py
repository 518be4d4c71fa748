"""The hooks around a compaction that plugins for Signet call, in the format of its contract."""

from typing import Final

from litestar import Controller, post
from litestar.params import JSONBody

from intaglio.api.request_context import AnyRequest, actor_of
from intaglio.api.services import Services
from intaglio.api.signet.hook_calls import HOOK, session_of_call, stored_id, why_skipped
from intaglio.api.signet.hook_structs import (
    CompactionCompleteReply,
    CompactionCompleteRequest,
    PreCompactionReply,
    PreCompactionRequest,
)
from intaglio.base.errors import InvalidInputError
from intaglio.harness.activity import HookActivity
from intaglio.memory.values import (
    AGENT_SOURCE,
    COMPACTION_AUTHOR,
    FROM_COMPACTION,
    Actor,
    Source,
)
from intaglio.pipeline.ingest import Ingest, Remember
from intaglio.sessions.continuity.service import SessionCheckpoints
from intaglio.sessions.session_start import SessionStarts
from intaglio.sessions.values import SessionRef

_TASK: Final = "Summarise this conversation so that the work can go on from the summary alone."
_IMPORTANCE: Final = 0.8


class CompactionHooksController(Controller):
    """Events that plugins report before and after a conversation is compacted."""

    tags = ("hooks",)

    @post(
        "/api/hooks/pre-compaction",
        operation_id="hookPreCompaction",
        status_code=200,
        opt=HOOK,
    )
    async def before(
        self, services: Services, request: AnyRequest, data: JSONBody[PreCompactionRequest]
    ) -> PreCompactionReply:
        """Return what the model that writes the summary is asked, and note where it stands."""
        if not data.harness:
            raise InvalidInputError("harness is required")
        skipped = await why_skipped(services, request, data.harness, data.session_key)
        if skipped:
            return PreCompactionReply(bypassed=skipped == "bypassed")
        session = await session_of_call(services, request, data)
        checkpoints = services.get(SessionCheckpoints)
        checkpoints.note(session, "pre_compaction")
        guidelines = await checkpoints.guidelines(session)
        services.get(HookActivity).note(data.harness, "compaction")
        task = f"{_TASK} {guidelines}" if guidelines else ""
        return PreCompactionReply(summary_prompt=task, guidelines=guidelines, instructions=task)

    @post(
        "/api/hooks/compaction-complete",
        operation_id="hookCompactionComplete",
        status_code=200,
        opt=HOOK,
    )
    async def after(
        self, services: Services, request: AnyRequest, data: JSONBody[CompactionCompleteRequest]
    ) -> CompactionCompleteReply:
        """Keep an agent's summary of its conversation, as the agent's words.

        It isn't kept if capture was paused or off at any time of the session, or the session
        switched off: it tells all that was said. Nor is it kept without a project, as it would be
        recalled in all. What the session was told may be told again.
        """
        if not data.harness or not data.summary.strip():
            raise InvalidInputError("harness and summary are required")
        skipped = await why_skipped(services, request, data.harness, data.session_key)
        if skipped:
            return CompactionCompleteReply(bypassed=skipped == "bypassed")
        session = await session_of_call(services, request, data)
        services.get(SessionCheckpoints).note(session, "compaction", data.summary)
        await services.get(SessionStarts).compacted(session)
        services.get(HookActivity).note(data.harness, "compaction")
        project = await services.projects.session_key(session.project)
        kept = await services.get(SessionCheckpoints).kept_summary(session, data.summary)
        if not kept or project is None:
            return CompactionCompleteReply()
        actor = actor_of(request, data.harness)
        memory_id = await _keep(services, session, project, kept, actor)
        return CompactionCompleteReply(memory_id=memory_id)


async def _keep(
    services: Services, session: SessionRef, project: str, summary: str, actor: Actor
) -> str:
    """Store a summary as a memory; it is the agent's, so it is never told as what binds."""
    outcome = await services.get(Ingest).remember(
        Remember(
            content=summary,
            actor=actor,
            who=COMPACTION_AUTHOR,
            why=FROM_COMPACTION,
            type="session_summary",
            importance=_IMPORTANCE,
            tags=["session", "summary", session.harness],
            pinned=False,
            agent_id=session.agent_id,
            project=project,
            source=Source(AGENT_SOURCE),
            session_id=None if session.anonymous else session.id,
            runtime_path=session.runtime_path,
            revive=False,
        )
    )
    return stored_id(outcome)

"""The sessions part of the daemon: context, capture and feedback."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from intaglio.agents.agent_directory import AgentDirectory
from intaglio.base.errors import UnavailableError
from intaglio.base.log import get_logger
from intaglio.embedding.semantic_search import SemanticSearch
from intaglio.fence.outgoing import Fence
from intaglio.graph.traversal.last_walk import LastWalk
from intaglio.kernel import Kernel
from intaglio.lifecycle.projects.arrivals import ProjectArrivals
from intaglio.package import Loop, Package, Part, SweepStep, singly
from intaglio.recall.query import Recall
from intaglio.sessions import retention_rows, rows
from intaglio.sessions.feedback import rows as feedback_rows
from intaglio.sessions.feedback.operations import Feedback
from intaglio.sessions.open_sessions import OpenSessions
from intaglio.sessions.overview.preview import SessionPreviews
from intaglio.sessions.prompt import PromptContexts
from intaglio.sessions.session_end import SessionEnds
from intaglio.sessions.session_start import SessionStarts
from intaglio.sessions.statements import rows as statements
from intaglio.sessions.statements.settlement import Settlement
from intaglio.sessions.tool_recalls import ToolRecalls
from intaglio.sessions.values import SessionServices
from intaglio.store.values import Ready

if TYPE_CHECKING:
    from intaglio.capture.values import ClauseVector

_SETTLE_INTERVAL_S: Final = 60.0


def part(kernel: Kernel) -> Part:
    """Wire the use cases of a session's start, prompts and end."""
    semantic = kernel.get(SemanticSearch)
    recall = kernel.get(Recall)
    words = Recall(kernel.database, recall.settings, vocabulary=recall.vocabulary)

    async def clause_vectors(texts: Sequence[str]) -> "Sequence[ClauseVector] | None":
        # Read once the classifier is loaded, which isn't at start.
        from intaglio.capture.judge import encoder_sum  # noqa: PLC0415 - see above

        return await semantic.included.clause_vectors(texts, encoder_sum())

    needs = SessionServices(
        db=kernel.database,
        clock=kernel.clock,
        settings=kernel.settings,
        context=kernel.change_context,
        frozen=kernel.frozen,
        in_thread=asyncio.to_thread,
        recall=recall.recall,
        recall_words=words.recall,
        project_key=kernel.projects.session_key,
        project_aliases=kernel.projects.aliases,
        arrive=lambda key: kernel.get(ProjectArrivals).at_start(key),
        readable=kernel.get(AgentDirectory).active_reader,
        reader=kernel.get(AgentDirectory).reader,
        in_background=kernel.session_writes.start,
        settled=kernel.settled,
        local=kernel.local,
        fence=kernel.get(Fence),
        seconds=kernel.monotonic_s,
        warm=lambda: kernel.background.start(semantic.preload()),
        clause_vectors=clause_vectors,
        sentence_vectors=semantic.included.sentence_vectors,
        note_active=kernel.get(AgentDirectory).note,
        note_walk=kernel.get(LastWalk).note,
    )
    settlement = Settlement(needs)

    async def settle_when_due() -> None:
        while True:
            # Not at once: startup belongs to new sessions.
            await asyncio.sleep(_SETTLE_INTERVAL_S)
            if isinstance(kernel.database.state, Ready):
                try:
                    await settlement.settle_due()
                except UnavailableError as error:
                    get_logger("sessions").info("settling postponed", reason=error.detail)

    feedback = Feedback(kernel.database, kernel.change_context, kernel.frozen)
    starts, prompts = SessionStarts(needs), PromptContexts(needs)
    return Part(
        services=(
            starts,
            prompts,
            SessionPreviews(needs, starts, prompts),
            ToolRecalls(needs),
            OpenSessions(kernel.database),
            SessionEnds(needs),
            feedback,
        ),
        loops=(Loop("settle", settle_when_due),),
    )


PACKAGE = Package(
    name="sessions",
    tables={
        "sessions": "conversations, how far their transcripts were read, and when",
        "injections": "one row per hook call that returned text: what it considered, what it cost",
        "session_memories": "the memories of each injection: rank, score, reason, whether injected",
        "feedback": "a session's latest rating of a memory it received, -1 to 1",
        "statements": "what users said: sentence, what was said around it (400 characters, the "
        "agent's words too, without secrets), session, message, position, and the memory or the "
        "inbox item that it is evidence of; whether it was taken back",
    },
    on_erase=(
        lambda tx, memory_id, _: feedback_rows.drop(tx, memory_id),
        lambda tx, memory_id, _: rows.erase_content(tx, memory_id),
        lambda tx, memory_id, _: statements.erase(tx, memory_id),
    ),
    retention=(
        SweepStep(
            "statements",
            lambda s: s.memory.tombstone_days,
            statements.left_over,
            statements.purge_texts,
            has_period=False,
        ),
        SweepStep(
            "places",
            lambda s: s.retention.session_days,
            statements.old_places,
            statements.purge_places,
            has_period=False,
        ),
        SweepStep(
            "ledger",
            lambda s: s.retention.ledger_days,
            retention_rows.old_ledger,
            retention_rows.purge_calls,
        ),
        SweepStep(
            "sent_texts",
            lambda s: s.retention.sent_text_days,
            retention_rows.old_texts,
            retention_rows.purge_texts,
        ),
        SweepStep(
            "feedback",
            lambda s: s.retention.feedback_days,
            retention_rows.old_ratings,
            singly(retention_rows.purge_rating),
        ),
        SweepStep(
            "sessions",
            lambda s: s.retention.session_days,
            retention_rows.inactive_sessions,
            singly(retention_rows.purge_session),
        ),
    ),
    make=part,
)

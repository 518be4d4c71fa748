"""The sessions part of the daemon: context, capture, pauses and feedback."""

from intaglio.api.routes.capture import CaptureController
from intaglio.base.fence.outgoing import Fence
from intaglio.embedding.semantic_search import SemanticSearch
from intaglio.kernel import Kernel, Part
from intaglio.pipeline.ingest import Ingest
from intaglio.recall.query import Recall
from intaglio.sessions.agent_directory import AgentDirectory
from intaglio.sessions.feedback import Feedback
from intaglio.sessions.pauses.service import Pauses
from intaglio.sessions.prompt import PromptContexts
from intaglio.sessions.session_end import SessionEnds
from intaglio.sessions.session_start import SessionStarts
from intaglio.sessions.values import SessionServices


def part(kernel: Kernel) -> Part:
    """Wire the use cases of a session's start, prompts and end."""
    semantic = kernel.get(SemanticSearch)
    needs = SessionServices(
        db=kernel.database,
        clock=kernel.clock,
        settings=kernel.settings,
        remember=kernel.get(Ingest).remember,
        recall=kernel.get(Recall).recall,
        project_key=kernel.projects.session_key,
        project_aliases=kernel.projects.aliases,
        readable=kernel.get(AgentDirectory).active_reader,
        in_background=kernel.session_writes.start,
        settled=kernel.settled,
        local=kernel.local,
        fence=kernel.get(Fence),
        seconds=kernel.monotonic_s,
        warm=lambda: kernel.background.start(semantic.preload()),
    )
    pauses = Pauses(kernel.database, kernel.clock, kernel.new_id, kernel.local)
    feedback = Feedback(kernel.database, kernel.change_context, kernel.frozen)
    return Part(
        name="sessions",
        services=(
            SessionStarts(needs),
            PromptContexts(needs),
            SessionEnds(needs),
            pauses,
            feedback,
        ),
        controllers=(CaptureController,),
    )

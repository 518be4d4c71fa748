"""The sessions part of the daemon: context, capture and feedback."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Final

from intaglio.agents.agent_directory import AgentDirectory
from intaglio.base.settings.values import Settings
from intaglio.code.staleness import PlaceMarks
from intaglio.commits.upkeep import CommitUpkeep
from intaglio.domain.health import HealthCheck
from intaglio.embedding.semantic_search import SemanticSearch
from intaglio.fence.outgoing import Fence
from intaglio.graph.settings import GraphSettings
from intaglio.graph.traversal.last_walk import LastWalk
from intaglio.kernel import Kernel
from intaglio.lifecycle.projects.moved_projects import MovedProjects
from intaglio.memory.settings import MemorySettings
from intaglio.models.calls import ModelCalls
from intaglio.models.job_runner import ModelJobs
from intaglio.package import KeptData, Loop, Package, Part, SweepStep, finding, singly
from intaglio.projects import settings_rows
from intaglio.projects.values import ProjectNotice
from intaglio.recall.commits.commit_recall import CommitRecall
from intaglio.recall.past.session_recall import SessionRecall
from intaglio.recall.query import Recall
from intaglio.recall.values import Answer, Question
from intaglio.sessions import retention_rows, rows
from intaglio.sessions.commits.finder import CommitFinder
from intaglio.sessions.continuity import migrations as continuity_migrations
from intaglio.sessions.continuity import rows as checkpoints
from intaglio.sessions.continuity.following import follow_gone_memory
from intaglio.sessions.continuity.recovery import Recoveries
from intaglio.sessions.continuity.service import SessionCheckpoints
from intaglio.sessions.continuity.settings import ContinuitySettings
from intaglio.sessions.edits.service import EditContexts
from intaglio.sessions.feedback import rows as feedback_rows
from intaglio.sessions.feedback.operations import Feedback
from intaglio.sessions.health import week_checks
from intaglio.sessions.ledger import Ledger
from intaglio.sessions.migrations import MIGRATIONS
from intaglio.sessions.open_sessions import OpenSessions
from intaglio.sessions.overview.capture_trial import CaptureTrials
from intaglio.sessions.overview.preview import SessionPreviews
from intaglio.sessions.past_sessions import rows as past_session_rows
from intaglio.sessions.past_sessions.contradicting_sessions import ContradictingSessions
from intaglio.sessions.past_sessions.finder import PastSessionFinder
from intaglio.sessions.paused_injections import PausedInjections
from intaglio.sessions.project_notes import (
    NO_NOTES,
    InstructionFiles,
    InstructionPlaces,
    ProjectNotes,
    ReadNotes,
)
from intaglio.sessions.prompt import PromptContexts
from intaglio.sessions.reminders import rows as reminder_rows
from intaglio.sessions.reminders.prompt_texts import PromptTexts
from intaglio.sessions.reminders.recent_vectors import RecentVectors
from intaglio.sessions.reminders.service import Reminders
from intaglio.sessions.services import ContextServices, ProjectVisibility
from intaglio.sessions.session_end import SessionEnds
from intaglio.sessions.session_start import SessionStarts
from intaglio.sessions.settings import HookSettings
from intaglio.sessions.statements import considered_rows
from intaglio.sessions.statements import rows as statements
from intaglio.sessions.statements.considered import ConsideredStatements
from intaglio.sessions.statements.contradictions import CONTRADICTION
from intaglio.sessions.statements.precision import CapturePrecision
from intaglio.sessions.statements.record import StatementRecorder
from intaglio.sessions.statements.said_texts import follow_memory
from intaglio.sessions.statements.semantic_contradictions import (
    CHECK_FACTS,
    STAGE,
    STAGES,
    SemanticContradictions,
)
from intaglio.sessions.statements.services import CaptureServices, VectorSource
from intaglio.sessions.statements.settlement import Settlement
from intaglio.sessions.statements.sibling_facts import (
    COMPARE_FACTS,
    SiblingFacts,
    queue_comparison,
)
from intaglio.sessions.statements.suggestions import SUGGESTION
from intaglio.sessions.statements.turn import TurnCapture
from intaglio.sessions.statements.wider_scopes import WIDER_SCOPE
from intaglio.sessions.statements.withdrawals import TAKEN_BACK
from intaglio.sessions.tool_recalls import ToolRecalls
from intaglio.sessions.values import SessionKey
from intaglio.store.database import Database
from intaglio.store.settings import RetentionSettings
from intaglio.transcripts.recorder import TranscriptRecorder

if TYPE_CHECKING:
    from intaglio.language.relations import ClauseVector

_SETTLE_INTERVAL_S: Final = 60.0
_CHECKPOINT_INTERVAL_S: Final = 60.0
_NOTES_WITHIN_S: Final = 1.0
_CONTRADICTIONS_INTERVAL_S: Final = 60.0
_SWEEP_AFTER_S: Final = 120.0
_SWEEP_INTERVAL_S: Final = 6 * 3_600.0


def part(kernel: Kernel) -> Part:
    """Wire the use cases of a session's start, prompts and end."""
    context, capture = _context(kernel), _capture(kernel)
    semantic, recall = kernel.get(SemanticSearch), kernel.get(Recall)
    agents, projects = kernel.get(AgentDirectory), kernel.projects
    recorder = StatementRecorder(kernel.change_context, kernel.settings)
    settlement = Settlement(capture, recorder)
    precision = CapturePrecision(kernel.database, kernel.clock, kernel.settings)
    turns = TurnCapture(capture, recorder, agents, _nearest(kernel, recall, semantic))
    open_sessions = OpenSessions(kernel.database)
    edited = OrderedDict[SessionKey, dict[str, None]]()
    starts = SessionStarts(
        context,
        arrive=_arriving(kernel),
        warm=lambda: kernel.background.start(semantic.preload()),
        note_walk=kernel.get(LastWalk).note,
        recoveries=Recoveries(kernel.settings, open_sessions.is_running, edited),
        measure=kernel.metrics.add,
    )
    reminders = Reminders(
        db=kernel.database,
        clock=kernel.clock,
        settings=kernel.settings,
        in_thread=asyncio.to_thread,
        clause_vectors=_within(
            lambda: kernel.settings().of(HookSettings).prompt_embed_ms / 1000,
            capture.clause_vectors,
        ),
        in_background=kernel.session_writes.start,
        prompts=PromptTexts(),
    )
    checks = SemanticContradictions(capture, kernel.get(ModelCalls))
    facts = SiblingFacts(
        services=capture, seconds=kernel.monotonic_s, pause=asyncio.sleep, doubt=checks.queue
    )
    past = PastSessionFinder(kernel.get(SessionRecall), context.fence.sanitize)
    commits = CommitFinder(kernel.get(CommitRecall), kernel.settings, context.fence.sanitize)
    prompts = PromptContexts(context, recall.recall, reminders, past, commits)
    continuity = SessionCheckpoints(
        context=context,
        new_id=kernel.new_id,
        in_background=kernel.session_writes.start,
        edited=edited,
    )
    return Part(
        services=(
            context,
            capture,
            starts,
            prompts,
            commits,
            continuity,
            EditContexts(context),
            reminders,
            turns,
            settlement,
            SessionPreviews(starts, prompts, recall),
            CaptureTrials(turns, starts),
            ToolRecalls(context.ledger, projects.session_key),
            open_sessions,
            _ends(kernel, turns),
            Feedback(kernel.database, kernel.change_context, kernel.frozen),
            ConsideredStatements(kernel.database, kernel.change_context, kernel.frozen),
            precision,
        ),
        checks=(_precision_check(precision), *week_checks(kernel.database, kernel.clock)),
        loops=_loops(kernel.database, settlement, facts, continuity, capture),
        job_types=(
            COMPARE_FACTS.run_by(facts),
            CHECK_FACTS.run_by(_asking(kernel, checks)),
        ),
        stages=STAGES,
    )


def _ends(kernel: Kernel, turns: TurnCapture) -> SessionEnds:
    return SessionEnds(
        kernel.database,
        kernel.clock,
        kernel.settings,
        kernel.projects.session_key,
        turns,
        kernel.get(TranscriptRecorder),
        kernel.metrics.add,
    )


def _precision_check(precision: CapturePrecision) -> HealthCheck:
    return HealthCheck(
        name="capture_precision",
        domain="capture",
        title="Precision of capture",
        reads="How many of the memories that were saved without asking you forgot or rewrote.",
        run=finding(precision.check),
    )


def _asking(kernel: Kernel, checks: SemanticContradictions) -> ModelJobs:
    return ModelJobs(
        db=kernel.database,
        calls=checks.calls,
        clock=kernel.clock,
        role="extraction",
        stage=STAGE,
        work=checks.work,
    )


def _arriving(kernel: Kernel) -> Callable[[str | None], Awaitable[ProjectNotice | None]]:
    """Return what a session's start does for its project."""
    commits = kernel.get(CommitUpkeep)

    async def arrive(key: str | None) -> ProjectNotice | None:
        commits.session_started(key)
        return await kernel.get(MovedProjects).at_start(key)

    return arrive


def _loops(
    db: Database,
    settlement: Settlement,
    facts: SiblingFacts,
    continuity: SessionCheckpoints,
    capture: CaptureServices,
) -> tuple[Loop, ...]:
    return (
        Loop.repeating("settle", db, settlement.settle_due, _SETTLE_INTERVAL_S),
        Loop.repeating(
            "checkpoints",
            db,
            continuity.write_due,
            _CHECKPOINT_INTERVAL_S,
            when=lambda settings: settings.of(ContinuitySettings).enabled,
        ),
        Loop.repeating(
            "contradictions of sessions",
            db,
            ContradictingSessions(capture).sweep,
            _CONTRADICTIONS_INTERVAL_S,
        ),
        Loop.repeating(
            "comparison of facts",
            db,
            facts.sweep,
            _SWEEP_INTERVAL_S,
            first_s=_SWEEP_AFTER_S,
            when=_has_graph,
        ),
    )


def _has_graph(settings: Settings) -> bool:
    return settings.of(GraphSettings).enabled


def _within(limit_s: Callable[[], float], find: VectorSource) -> VectorSource:
    """Return what finds vectors, or None if they take longer: a prompt waits for them."""

    async def found(texts: Sequence[str]) -> "Sequence[ClauseVector] | None":
        try:
            async with asyncio.timeout(limit_s()):
                return await find(texts)
        except TimeoutError:
            return None

    return found


def _context(kernel: Kernel) -> ContextServices:
    return ContextServices(
        db=kernel.database,
        clock=kernel.clock,
        settings=kernel.settings,
        visibility=ProjectVisibility(
            agents=kernel.get(AgentDirectory),
            project_key=kernel.projects.session_key,
            project_aliases=kernel.projects.aliases,
        ),
        ledger=Ledger(
            db=kernel.database,
            clock=kernel.clock,
            seconds=kernel.monotonic_s,
            in_background=kernel.session_writes.start,
            settled=kernel.settled,
            paused=PausedInjections(),
        ),
        fence=kernel.get(Fence),
        local=kernel.local,
        places=kernel.get(PlaceMarks),
        chosen=settings_rows.chosen,
        notes=_reading_notes(kernel),
    )


def _reading_notes(kernel: Kernel) -> ReadNotes:
    """Return what reads what a session's harness tells it; a disk that is too slow says nothing."""
    files = InstructionFiles(lambda: kernel.get(InstructionPlaces))

    async def read(harness: str, project: str | None, directory: str | None) -> ProjectNotes:
        try:
            async with asyncio.timeout(_NOTES_WITHIN_S):
                return await asyncio.to_thread(files.read, harness, project, directory)
        except TimeoutError:
            return NO_NOTES

    return read


def _capture(kernel: Kernel) -> CaptureServices:
    included = kernel.get(SemanticSearch).included

    async def clause_vectors(texts: Sequence[str]) -> "Sequence[ClauseVector] | None":
        # Read once the classifier is loaded, which isn't at start.
        from intaglio.capture.judge import encoder_sum  # noqa: PLC0415 - see above

        return await included.clause_vectors(texts, encoder_sum())

    return CaptureServices(
        db=kernel.database,
        settings=kernel.settings,
        context=kernel.change_context,
        frozen=kernel.frozen,
        in_thread=asyncio.to_thread,
        clause_vectors=RecentVectors(clause_vectors).find,
        sentence_vectors=included.sentence_vectors,
        read_pairs=included.contradictions,
    )


def _nearest(
    kernel: Kernel, recall: Recall, semantic: SemanticSearch
) -> Callable[[Question], Awaitable[Answer]]:
    """Return what finds memories that are like a statement, without asking a model server."""
    words = Recall(kernel.database, recall.settings, vocabulary=recall.vocabulary)

    async def find(question: Question) -> Answer:
        is_included = semantic.embed.embedder.identity.provider == "onnx"
        return await (recall if is_included else words).recall(question)

    return find


PACKAGE = Package(
    name="sessions",
    tables={
        "sessions": "conversations, how far their transcripts were read, and when",
        "injections": "one row per hook call that returned text: what it considered, what it cost",
        "compared_sessions": "the past sessions that each prompt was compared with: score, floor, "
        "reason, whether told; no text",
        "compared_commits": "the commits that each prompt was compared with: hash, score, floor, "
        "reason, whether told; no text",
        "session_memories": "the memories of each injection: rank, score, reason, whether injected",
        "feedback": "a session's latest rating of a memory it received, -1 to 1",
        "statements": "what users said: sentence, what was said around it (400 characters, the "
        "agent's words too, without secrets), session, message, position, and the memory or the "
        "inbox item that it is evidence of; whether it was taken back",
        "considered_statements": "what capture judged and neither kept nor offered: sentence, "
        "session, message, position, how sure it was",
        "reminders": "with which prompts an agent was reminded to save something: session, prompt, "
        "version of the wording, tokens, how sure it was",
        "contradiction_checks": "pairs of memories that a model compared, with what it said; no "
        "text",
        "fact_comparison": "up to which memory facts of one aspect were compared: one number",
        "reminder_results": "what the agent did until the turn ended: the memories that it saved "
        "or knew, and its suggestions",
        "checkpoints": "where sessions stood: beginnings of the last prompts, edited files, what "
        "the agent said last and left open, a harness's own summary (4,000 characters), all "
        "without secrets; ids of memories, entities and aspects",
    },
    migrations=(*MIGRATIONS, *continuity_migrations.MIGRATIONS),
    memory_listeners=(follow_memory, follow_gone_memory, queue_comparison),
    on_erase=(
        lambda tx, memory_id, _: feedback_rows.drop(tx, memory_id),
        lambda tx, memory_id, _: rows.erase_content(tx, memory_id),
        lambda tx, memory_id, _: past_session_rows.erase_memory(tx, memory_id),
        lambda tx, memory_id, _: statements.erase(tx, memory_id),
    ),
    retention=(
        SweepStep(
            "statements",
            lambda s: s.of(MemorySettings).tombstone_days,
            statements.left_over,
            statements.purge_texts,
            has_period=False,
        ),
        SweepStep(
            "considered",
            lambda s: s.of(MemorySettings).tombstone_days,
            considered_rows.old,
            considered_rows.purge,
            has_period=False,
        ),
        SweepStep(
            "places",
            lambda s: s.of(RetentionSettings).session_days,
            statements.old_places,
            statements.purge_places,
            has_period=False,
        ),
        SweepStep(
            "checkpoints",
            lambda s: s.of(ContinuitySettings).retention_days,
            checkpoints.old,
            checkpoints.purge,
        ),
        SweepStep(
            "ledger",
            lambda s: s.of(RetentionSettings).ledger_days,
            retention_rows.old_ledger,
            retention_rows.purge_calls,
        ),
        SweepStep(
            "reminders",
            lambda s: s.of(RetentionSettings).ledger_days,
            reminder_rows.old,
            reminder_rows.purge,
        ),
        SweepStep(
            "sent_texts",
            lambda s: s.of(RetentionSettings).sent_text_days,
            retention_rows.old_texts,
            retention_rows.purge_texts,
        ),
        SweepStep(
            "feedback",
            lambda s: s.of(RetentionSettings).feedback_days,
            retention_rows.old_ratings,
            singly(retention_rows.purge_rating),
        ),
        SweepStep(
            "sessions",
            lambda s: s.of(RetentionSettings).session_days,
            retention_rows.inactive_sessions,
            singly(retention_rows.purge_session),
        ),
    ),
    kept=(
        KeptData(
            "the ledger: `injections`, `session_memories`, `compared_sessions`, `compared_commits`",
            "90 days",
            deleted_by="step `ledger`",
            settings=("retention.ledgerDays",),
        ),
        KeptData(
            "save reminders: `reminders`, `reminder_results`",
            "90 days",
            deleted_by="step `reminders`",
            settings=("retention.ledgerDays",),
        ),
        KeptData(
            "`checkpoints`",
            "7 days, at most 50 of a session",
            deleted_by="step `checkpoints`; what was taken from a memory or a message at once with "
            "it",
            settings=("memory.pipelineV2.continuity.retentionDays",),
        ),
        KeptData(
            "the text as sent: `injections.text`",
            "30 days",
            deleted_by="step `sent_texts`; at once when one of its memories is erased",
            settings=("retention.sentTextDays",),
        ),
        KeptData(
            "`feedback`",
            "180 days",
            deleted_by="step `feedback`",
            settings=("retention.feedbackDays",),
        ),
        KeptData(
            "`sessions`",
            "180 days after the last event, or after its import; hook calls without a session "
            "share one per day",
            deleted_by="step `sessions`",
            settings=("retention.sessionDays",),
        ),
        KeptData(
            "`statements`",
            "as long as their memory or inbox item, at least 30 days; then without texts 180 days",
            deleted_by="steps `statements`, `places`",
            settings=("retention.tombstoneDays", "retention.sessionDays"),
        ),
        KeptData(
            "`contradiction_checks`",
            "as long as both memories",
            deleted_by="a trigger with either memory",
        ),
        KeptData(
            "`fact_comparison`",
            "forever, one number",
        ),
        KeptData(
            "`considered_statements`",
            "30 days, at most 200 of a session",
            deleted_by="step `considered`; at once when their session is forgotten",
            settings=("retention.tombstoneDays",),
        ),
    ),
    inbox_kinds=(SUGGESTION, CONTRADICTION, WIDER_SCOPE, TAKEN_BACK),
    make=part,
)

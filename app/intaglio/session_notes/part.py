"""Notes of sessions in the daemon."""

import asyncio
from typing import Final

from intaglio.embedding.semantic_search import SemanticSearch
from intaglio.inference.completion.ports import ModelName
from intaglio.inference.onnx import usable_model
from intaglio.jobs import rows as jobs
from intaglio.kernel import Kernel
from intaglio.memory.operations import ChangeContext, MemoryChange
from intaglio.models.calls import ModelCalls
from intaglio.models.job_runner import ModelJobs
from intaglio.models.prompt import ModelRole
from intaglio.models.settings import SynthesisModelSettings
from intaglio.models.stages import QueueSubjects, Redo, Stage
from intaglio.package import KeptData, Loop, Package, Part, SweepStep, singly
from intaglio.session_notes import rows, turn_rows
from intaglio.session_notes.migrations import MIGRATIONS
from intaglio.session_notes.notes_prompt import SESSION_NOTES
from intaglio.session_notes.one_off_tasks import ONE_OFF_TASK
from intaglio.session_notes.runner import SESSION_NOTES_JOB, NotesRunner, subject_of
from intaglio.session_notes.runner import STAGE as NOTES_STAGE
from intaglio.session_notes.saving import NoteSaver
from intaglio.session_notes.settings import TurnSettings
from intaglio.session_notes.skipped_messages import skipped_messages_repair
from intaglio.session_notes.turn_prompt import EXTRACT_TURN
from intaglio.session_notes.turns import EXTRACT_TURN_JOB, TurnReader
from intaglio.session_notes.turns import STAGE as TURNS_STAGE
from intaglio.session_notes.upcoming_requests import UpcomingRequests
from intaglio.session_notes.values import NoteCounts
from intaglio.sessions.statements.claims import AgentClaims
from intaglio.sessions.statements.services import CaptureServices
from intaglio.sessions.statements.turn import TurnCapture
from intaglio.sessions.values import SessionRef
from intaglio.store.settings import RetentionSettings
from intaglio.store.tx import ReadTx, WriteTx

_SESSIONS_EVERY_S: Final = 60.0
_TURNS_EVERY_S: Final = 5.0
_TURNS_AT_ONCE: Final = 4


async def _nothing_to_read(_: SessionRef) -> None:
    """Do nothing: a session that is over was captured at the end of its turns."""


def part(kernel: Kernel) -> Part:
    """Wire the reading of sessions and of single messages."""
    calls, capture = kernel.get(ModelCalls), kernel.get(CaptureServices)
    semantic, counts = kernel.get(SemanticSearch), NoteCounts()
    saver = NoteSaver(kernel.get(TurnCapture), AgentClaims(capture, _nothing_to_read))
    notes = NotesRunner(
        db=kernel.database,
        context=kernel.change_context,
        settings=kernel.settings,
        frozen=kernel.frozen,
        calls=calls,
        saver=saver,
        counts=counts,
    )
    turns = TurnReader(
        db=kernel.database,
        context=kernel.change_context,
        settings=kernel.settings,
        frozen=kernel.frozen,
        calls=calls,
        in_thread=asyncio.to_thread,
        embedding_model=lambda: usable_model(semantic.embed.embedder),
    )

    def model(role: ModelRole) -> ModelName | None:
        found = calls.completion(role)
        return found.name if found is not None else None

    def jobs_of(stage: Stage, run: NotesRunner | TurnReader, at_once: int) -> ModelJobs:
        return ModelJobs(
            db=kernel.database,
            calls=calls,
            clock=kernel.clock,
            role=stage.role,
            stage=stage.name,
            work=run.run,
            at_once=at_once,
        )

    upcoming = UpcomingRequests(kernel.database, asyncio.to_thread, model)
    db = kernel.database
    return Part(
        services=(notes, turns, counts, upcoming),
        loops=(
            Loop.repeating("notes of sessions", db, notes.queue_due, _SESSIONS_EVERY_S),
            Loop.repeating("messages for the graph", db, turns.queue_new, _TURNS_EVERY_S),
        ),
        job_types=(
            SESSION_NOTES_JOB.run_by(jobs_of(NOTES, notes, 1)),
            EXTRACT_TURN_JOB.run_by(jobs_of(TURNS, turns, _TURNS_AT_ONCE)),
        ),
        stages=(TURNS, NOTES),
        repairs=(skipped_messages_repair(turns),),
    )


def follow_memory(tx: WriteTx, change: MemoryChange, _: ChangeContext) -> None:
    """Remove the summary of a session with a memory that was noted in it and is gone."""
    if change.gone_text:
        rows.drop_summaries_of(tx, change.id)


def _queue_sessions(tx: WriteTx, since: str, now: str) -> int:
    found = rows.read_again(tx, since)
    for session in found:
        jobs.enqueue(tx, SESSION_NOTES_JOB, subject_of(session), now)
    return len(found)


def _said_since(tx: ReadTx, since: str) -> list[str]:
    return [str(each) for each in turn_rows.said_since(tx, since)]


NOTES: Final = Stage(
    name=NOTES_STAGE,
    position=30,
    label="Notes of sessions",
    help="Reads a session once it is over: what a colleague would note, and a summary.",
    role=SESSION_NOTES.role,
    job_types=(SESSION_NOTES_JOB.name,),
    prompts=(SESSION_NOTES,),
    redo=Redo(rows.count_read, _queue_sessions),
    is_enabled=lambda settings: settings.of(SynthesisModelSettings).enabled,
)
TURNS: Final = Stage(
    name=TURNS_STAGE,
    position=40,
    label="Messages for the graph",
    help="Reads each message of yours for what it says of named things.",
    role=EXTRACT_TURN.role,
    job_types=(EXTRACT_TURN_JOB.name,),
    prompts=(EXTRACT_TURN,),
    redo=Redo(turn_rows.count_said, QueueSubjects(EXTRACT_TURN_JOB, _said_since)),
    is_enabled=lambda settings: settings.of(TurnSettings).turns,
)

PACKAGE = Package(
    name="session_notes",
    tables={
        "session_summaries": "what a language model says of a session in a few sentences, its "
        "topics and decisions, and how far it has read it; without secrets",
        "pending_notes": "notes of a reply of the model until each is kept: text, the words it "
        "quotes, without secrets",
        "session_notes": "what became of each note: session, message, whose it is, memory or "
        "inbox item, prompt with its version, model; no text",
        "read_turns": "which messages were read for the graph or skipped, and why; no text",
    },
    migrations=MIGRATIONS,
    memory_listeners=(follow_memory,),
    on_erase=(lambda tx, memory_id, _: rows.erase_memory(tx, memory_id),),
    inbox_kinds=(ONE_OFF_TASK,),
    retention=(
        SweepStep(
            "summaries",
            lambda s: s.of(RetentionSettings).session_days,
            rows.old,
            singly(rows.purge),
        ),
        SweepStep(
            "note_results",
            lambda s: s.of(RetentionSettings).session_days,
            rows.old_results,
            rows.purge_results,
            has_period=False,
        ),
        SweepStep(
            "read_turns",
            lambda s: s.of(RetentionSettings).session_days,
            turn_rows.old,
            singly(turn_rows.purge),
            has_period=False,
        ),
    ),
    kept=(
        KeptData(
            "`session_summaries`",
            "180 days",
            deleted_by="step `summaries`; at once when the session is forgotten, its text also "
            "when one of its memories is forgotten",
            settings=("retention.sessionDays",),
        ),
        KeptData("`pending_notes`", "until each is kept, seconds as a rule"),
        KeptData(
            "`session_notes`, `read_turns`",
            "180 days",
            deleted_by="steps `note_results`, `read_turns`",
            settings=("retention.sessionDays",),
        ),
    ),
    make=part,
)

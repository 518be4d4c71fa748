"""Session services over a real database, with memories put in by the real ingest."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final, cast

from fakes.store import Bench
from intaglio.agents.agent_directory import AgentDirectory
from intaglio.agents.last_seen import LastSeen
from intaglio.base.agent_yaml.roster import Roster
from intaglio.base.settings.values import Settings
from intaglio.capture.settings import CaptureSettings
from intaglio.capture.transcripts import TranscriptMessage, TranscriptReading
from intaglio.code.settings import CodeSettings
from intaglio.code.staleness import PlaceMarks
from intaglio.commits.search import CommitWords
from intaglio.domain.statement_pairs import ReadPairs, StatementPair
from intaglio.fence.outgoing import Fence
from intaglio.graph.traversal.values import GraphWalk, WalkPhase
from intaglio.inference.cache import QueryVectors
from intaglio.inference.unavailable import UnavailableEmbedder
from intaglio.memory.values import Actor, Source
from intaglio.pauses.service import Pauses
from intaglio.pipeline.ingest import Remember, Saved
from intaglio.projects import settings_rows
from intaglio.projects.values import ProjectNotice
from intaglio.recall.commits.commit_recall import CommitRecall
from intaglio.recall.past.session_recall import SessionRecall
from intaglio.recall.values import Answer, Question
from intaglio.sessions.commits.finder import CommitFinder
from intaglio.sessions.continuity.recovery import Recoveries
from intaglio.sessions.continuity.service import SessionCheckpoints
from intaglio.sessions.edits.service import EditContexts
from intaglio.sessions.ledger import Ledger
from intaglio.sessions.past_sessions.finder import PastSessionFinder
from intaglio.sessions.paused_injections import PausedInjections
from intaglio.sessions.project_notes import InstructionFiles, ProjectNotes
from intaglio.sessions.prompt import PromptContexts, PromptInput
from intaglio.sessions.reminders.prompt_texts import PromptTexts
from intaglio.sessions.reminders.service import Reminders
from intaglio.sessions.services import ContextServices, ProjectVisibility
from intaglio.sessions.session_end import SessionEnds
from intaglio.sessions.session_start import SessionStarts
from intaglio.sessions.settings import HarnessSettings
from intaglio.sessions.statements.record import StatementRecorder
from intaglio.sessions.statements.services import CaptureServices
from intaglio.sessions.statements.turn import TurnCapture
from intaglio.sessions.values import CaptureResult, InjectedContext, SessionKey, SessionRef
from intaglio.store.tx import Row
from intaglio.transcripts.past_sessions import PastSessions
from intaglio.transcripts.recorder import TranscriptRecorder

PROJECT = "/work/shop"
HARNESS = "claude-code"


async def _same(project: str | None) -> str | None:
    return project


async def _no_aliases(_: str | None) -> tuple[str, ...]:
    return ()


async def _no_arrival(_: str | None) -> ProjectNotice | None:
    return None


def _no_report(walk: GraphWalk, phase: WalkPhase, at: str) -> None:
    """Report nothing."""


async def _no_vectors(_: Sequence[str]) -> None:
    return None


async def _unread(_: Sequence[StatementPair]) -> None:
    return None


READY_TO_KEEP: Final = Settings().having(CaptureSettings(keep_at=0.2, suggest_at=0.2))
"""What is tested is what becomes of a statement, not whether the classifier keeps it."""


@dataclass
class House:
    """All session services, and shortcuts for what tests say."""

    bench: Bench
    settings: Settings = READY_TO_KEEP
    roster: Roster = ()
    fence: Fence = field(default_factory=Fence)
    writes: list[Awaitable[None]] = field(default_factory=list[Awaitable[None]])
    unwritten: PausedInjections = field(default_factory=PausedInjections)
    frozen: Callable[[], bool] | None = None
    prompt_texts: PromptTexts = field(default_factory=PromptTexts)
    running: set[SessionKey] = field(default_factory=set[SessionKey])
    edited: OrderedDict[SessionKey, dict[str, None]] = field(
        default_factory=OrderedDict[SessionKey, dict[str, None]]
    )
    instructions: InstructionFiles = field(default_factory=InstructionFiles)
    without_reminders: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    read_pairs: ReadPairs = _unread

    @property
    def agents(self) -> AgentDirectory:
        clock = self.bench.clock
        return AgentDirectory(self.bench.db, lambda: self.roster, clock, LastSeen(clock))

    @property
    def context(self) -> ContextServices:
        return ContextServices(
            db=self.bench.db,
            clock=self.bench.clock,
            settings=lambda: self.settings,
            visibility=ProjectVisibility(
                agents=self.agents, project_key=_same, project_aliases=_no_aliases
            ),
            ledger=Ledger(
                db=self.bench.db,
                clock=self.bench.clock,
                seconds=lambda: 0.0,
                in_background=self.writes.append,
                settled=self.settle,
                paused=self.unwritten,
            ),
            fence=self.fence,
            local=lambda moment: moment.astimezone(UTC),
            places=PlaceMarks(
                db=self.bench.db,
                settings=lambda: replace(self.settings.of(CodeSettings), check_ms=10_000),
                seconds=time.monotonic,
                in_thread=asyncio.to_thread,
            ),
            chosen=settings_rows.chosen,
            notes=self._notes,
        )

    async def _notes(
        self, harness: str, project: str | None, directory: str | None
    ) -> ProjectNotes:
        return self.instructions.read(harness, project, directory)

    @property
    def capture(self) -> CaptureServices:
        return CaptureServices(
            db=self.bench.db,
            settings=lambda: self.settings,
            context=self.bench.context,
            frozen=self.frozen or (lambda: self.bench.frozen),
            in_thread=asyncio.to_thread,
            clause_vectors=_no_vectors,
            sentence_vectors=_no_vectors,
            read_pairs=self.read_pairs,
        )

    @property
    def recorder(self) -> StatementRecorder:
        return StatementRecorder(self.bench.context, lambda: self.settings)

    @property
    def starts(self) -> SessionStarts:
        return SessionStarts(
            self.context,
            arrive=_no_arrival,
            warm=lambda: None,
            note_walk=_no_report,
            recoveries=Recoveries(lambda: self.settings, self._is_running, self.edited),
        )

    def _is_running(self, harness: str, session_id: str) -> bool:
        return (harness, session_id) in self.running

    @property
    def checkpoints(self) -> SessionCheckpoints:
        return SessionCheckpoints(
            context=self.context,
            new_id=self.bench.context.new_id,
            in_background=self.begin,
            edited=self.edited,
        )

    @property
    def edits(self) -> EditContexts:
        return EditContexts(self.context)

    @property
    def prompts(self) -> PromptContexts:
        return self.prompts_by(self.bench.recall.recall)

    def prompts_by(self, recall: Callable[[Question], Awaitable[Answer]]) -> PromptContexts:
        """Return the prompt use case with another recall."""
        return PromptContexts(
            self.context,
            recall,
            self.reminders,
            self.past_sessions,
            CommitFinder(
                CommitRecall(CommitWords(), lambda: ""), lambda: self.settings, self.fence.sanitize
            ),
        )

    @property
    def past_sessions(self) -> PastSessionFinder:
        recall = SessionRecall(
            PastSessions(), QueryVectors(UnavailableEmbedder("none", "", "")), lambda: ""
        )
        return PastSessionFinder(recall, self.fence.sanitize)

    @property
    def reminders(self) -> Reminders:
        return Reminders(
            db=self.bench.db,
            clock=self.bench.clock,
            settings=lambda: self.settings,
            in_thread=asyncio.to_thread,
            clause_vectors=_no_vectors,
            in_background=self.writes.append,
            prompts=self.prompt_texts,
            closed=self.without_reminders,
        )

    @property
    def pauses(self) -> Pauses:
        stamp = self.bench.context
        return Pauses(self.bench.db, self.bench.clock, stamp.new_id, self.context.local)

    @property
    def ends(self) -> SessionEnds:
        turns = TurnCapture(self.capture, self.recorder, self.agents, self.bench.recall.recall)
        return SessionEnds(
            self.bench.db, self.bench.clock, lambda: self.settings, _same, turns, self.transcripts
        )

    @property
    def transcripts(self) -> TranscriptRecorder:
        return TranscriptRecorder(
            db=self.bench.db,
            clock=self.bench.clock,
            settings=lambda: self.settings,
            in_thread=asyncio.to_thread,
        )

    def begin(self, work: Awaitable[None]) -> None:
        """Start work that nobody awaits until it is settled."""
        self.writes.append(asyncio.ensure_future(work))

    async def settle(self) -> None:
        """Wait for what was written unawaited."""
        waiting, self.writes[:] = list(self.writes), []
        await asyncio.gather(*waiting)

    async def remember(self, content: str, **given: object) -> str:
        """Put a memory in; it is of the test's project unless told otherwise."""
        command = Remember(content=content, actor=Actor("test"), project=PROJECT)
        kept = await self.bench.ingest.remember(replace(command, **cast("dict[str, Any]", given)))
        assert isinstance(kept, Saved)
        return kept.id

    async def start(self, session: SessionRef, source: str = "startup") -> InjectedContext:
        shown = await self.starts.show(session, source)
        await self.settle()
        return shown

    async def prompt(
        self, session: SessionRef, text: str, *, by_user: bool = True
    ) -> InjectedContext:
        shown = await self.prompts.show(session, PromptInput(text, by_user=by_user))
        await self.settle()
        return shown

    async def say(self, session: SessionRef, *texts: str, position: str = "100") -> CaptureResult:
        """End a turn in which the user said these messages."""
        messages = tuple(said(text, number) for number, text in enumerate(texts))
        return await self.ends.turn_end(session, TranscriptReading(messages, position))

    async def rows(self, sql: str) -> list[Row]:
        return await self.bench.db.read(lambda tx: tx.all(sql))

    async def contents(self) -> list[str]:
        found = await self.rows("SELECT content FROM memories WHERE is_deleted = 0 ORDER BY seq")
        return [str(row[0]) for row in found]


def said(text: str, number: int = 0) -> TranscriptMessage:
    return TranscriptMessage(
        f"message-{number}", "user", text, datetime(2026, 1, 30, 9, number, tzinfo=UTC)
    )


def session(name: str = "s1", **given: object) -> SessionRef:
    ref = SessionRef(harness=HARNESS, id=name, project=PROJECT, transcript=f"/t/{name}.jsonl")
    return replace(ref, **cast("dict[str, Any]", given))


def source(identity: str) -> Source:
    return Source("manual", identity)


def of_harness(**given: int | bool) -> Settings:
    """Return settings that say this of the tests' own harness."""
    own = HarnessSettings(**cast("dict[str, Any]", given))
    return Settings().having_harness(HARNESS, own)


async def talk(house: "House", ref: SessionRef, *texts: str, day: int = 20) -> None:
    """Hold a session on a day of January 2026 in which user and agent take turns."""
    at = datetime(2026, 1, day, 9, tzinfo=UTC)
    lines = tuple(
        TranscriptMessage(
            f"{ref.id}-{number}",
            "assistant" if number % 2 else "user",
            text,
            at + timedelta(minutes=number),
        )
        for number, text in enumerate(texts)
    )
    await house.ends.turn_end(ref, TranscriptReading(lines, str(len(lines))))

"""A session that a scripted model reads: what was said in it, and what the model answers."""

import asyncio
import json
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from fakes.completions import Answering, OpenGate, Reply, ScriptedCompletion, model_calls
from fakes.sessions import House, session
from intaglio.capture.transcripts import TranscriptMessage, TranscriptReading
from intaglio.inference.completion.ports import CompletionRequest
from intaglio.jobs import rows as jobs
from intaglio.jobs.job_type import Job, JobType
from intaglio.models.values import NoAnswer
from intaglio.session_notes.runner import SESSION_NOTES_JOB, NotesRunner, subject_of
from intaglio.session_notes.saving import NoteSaver
from intaglio.session_notes.turns import EXTRACT_TURN_JOB, TurnReader
from intaglio.session_notes.values import NoteCounts
from intaglio.sessions.statements.claims import AgentClaims
from intaglio.sessions.statements.turn import TurnCapture
from intaglio.sessions.values import SessionRef

AT = datetime(2026, 1, 30, 9, tzinfo=UTC)


def note(content: str, message: int, evidence: str, **given: str) -> dict[str, Any]:
    """Return a note as a model writes it."""
    return {
        "content": content,
        "type": "decision",
        "message": message,
        "evidence": evidence,
        "accepted": "",
        **given,
    }


def reply(
    *notes: dict[str, Any],
    summary: str = "",
    one_off: Sequence[int] = (),
    outdated: Sequence[dict[str, Any]] = (),
    topics: Sequence[str] = ("tests",),
    decisions: Sequence[str] = (),
) -> str:
    """Return a model's reply."""
    return json.dumps(
        {
            "notes": list(notes),
            "one_off": list(one_off),
            "outdated": list(outdated),
            "summary": {"text": summary, "topics": [*topics], "decisions": [*decisions]},
        }
    )


async def _nothing(_: SessionRef) -> None:
    """Do nothing."""


@dataclass
class NotedSession:
    """A session and the model that reads it; ``answer`` is its reply, or how it finds that."""

    house: House
    ref: SessionRef = field(default_factory=session)
    answer: Reply | Answering = ""
    said: int = 0
    embedding_model: str = ""
    counts: NoteCounts = field(default_factory=NoteCounts)
    gate: OpenGate = field(default_factory=OpenGate)
    model: ScriptedCompletion = field(init=False)

    def __post_init__(self) -> None:
        self.model = ScriptedCompletion(self._reply, database=self.house.bench.db)

    def _reply(self, request: CompletionRequest) -> Reply | Awaitable[Reply]:
        return self.answer(request) if callable(self.answer) else self.answer

    async def talk(self, *texts: str, agent_first: bool = False) -> None:
        """Let user and agent take turns; the texts are stored and captured."""
        lines = tuple(
            TranscriptMessage(
                f"{self.ref.id}-{self.said + number}",
                "user" if (number % 2 == 0) != agent_first else "assistant",
                text,
                AT + timedelta(minutes=self.said + number),
            )
            for number, text in enumerate(texts)
        )
        self.said += len(lines)
        self.house.bench.clock.moment = AT + timedelta(minutes=self.said)
        await self.house.ends.turn_end(self.ref, TranscriptReading(lines, str(self.said)))

    @property
    def runner(self) -> NotesRunner:
        house = self.house
        turns = TurnCapture(house.capture, house.recorder, house.agents, house.bench.recall.recall)
        return NotesRunner(
            db=house.bench.db,
            context=house.bench.context,
            settings=lambda: house.settings,
            frozen=lambda: house.bench.frozen,
            calls=model_calls(self.model, self.gate),
            saver=NoteSaver(turns, AgentClaims(house.capture, _nothing)),
            counts=self.counts,
        )

    @property
    def turn_reader(self) -> TurnReader:
        house = self.house
        return TurnReader(
            db=house.bench.db,
            context=house.bench.context,
            settings=lambda: house.settings,
            frozen=lambda: house.bench.frozen,
            calls=model_calls(self.model, self.gate),
            in_thread=asyncio.to_thread,
            embedding_model=lambda: self.embedding_model,
        )

    async def lease(self, type_: JobType) -> Job | None:
        """Lease the next job of a type."""
        db, now = self.house.bench.db, self.house.bench.clock()
        leased = await db.write(lambda tx: jobs.lease(tx, [(type_, 1)], "lease", now))
        return leased[0] if leased else None

    async def read(self) -> NoAnswer | None:
        """Queue the session and run its jobs until none is left, or the model doesn't answer."""
        db, now = self.house.bench.db, self.house.bench.context.now
        await db.write(
            lambda tx: jobs.enqueue(tx, SESSION_NOTES_JOB, subject_of(self.ref.key), now)
        )
        while (job := await self.lease(SESSION_NOTES_JOB)) is not None:
            refused = await self.runner.run(job)
            if refused is not None:
                await db.write(partial(jobs.release, job=job, not_before=None))
                return refused
        return None

    async def read_turns(self) -> int:
        """Queue new messages and read them; returns how many there were."""
        await self.turn_reader.queue_new()
        done = 0
        while (job := await self.lease(EXTRACT_TURN_JOB)) is not None:
            assert await self.turn_reader.run(job) is None
            done += 1
        return done

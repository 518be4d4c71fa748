"""Reads a session by a language model once it is over, a request at a time.

A reply is stored with how far it reaches in one transaction; its notes are kept one by one after
that. So a crash repeats no request that was answered and keeps no note twice. If what was shown is
changed or taken out while the model thinks, its reply counts for nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from intaglio.base.clock import iso
from intaglio.base.log import get_logger
from intaglio.base.settings.values import Settings
from intaglio.jobs import rows as jobs
from intaglio.jobs.job_type import Job, JobType
from intaglio.memory.operations import ChangeContext
from intaglio.models.admission import closed_projects
from intaglio.models.calls import ModelCalls
from intaglio.models.settings import SynthesisModelSettings
from intaglio.models.values import CallContext, ModelAnswer, MustWait, NoAnswer
from intaglio.pauses.service import pause_state
from intaglio.projects import settings_rows
from intaglio.redaction.redact import clean
from intaglio.session_notes import rows
from intaglio.session_notes.conversation import (
    is_worth_reading,
    joined_summary,
    next_chunk,
    request_text,
)
from intaglio.session_notes.known_texts import known_texts
from intaglio.session_notes.notes_prompt import SESSION_NOTES
from intaglio.session_notes.one_off_tasks import demote
from intaglio.session_notes.outdated_memories import close_open_ends
from intaglio.session_notes.saving import NoteSaver
from intaglio.session_notes.values import (
    MadeBy,
    ModelNote,
    NoteCounts,
    NoteLeftOut,
    NoteOutdates,
    NotesChunk,
    NoteSuggested,
    OutdatedText,
    SessionNotes,
    SessionPart,
    SessionSummary,
)
from intaglio.sessions.values import SessionKey
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.transcripts import rows as transcripts

SESSION_NOTES_JOB: Final = JobType(
    name="note_session",
    label="Notes of sessions",
    about="session",
    # A job asks a few times; each may take the model's whole deadline.
    lease=timedelta(minutes=30),
    attempts=3,
)
STAGE: Final = "notes"
_REQUESTS_OF_JOB: Final = 3
_MAX_DUE: Final = 20
# A machine may be off for a long weekend. What is older, `pipeline redo` reads.
_RECENT: Final = timedelta(days=4)
_FROZEN_CHECK_S: Final = 60.0


def subject_of(session: SessionKey) -> str:
    """Return what names a session in the queue."""
    return " ".join(session)


@dataclass(frozen=True, slots=True, kw_only=True)
class NotesRunner:
    """Runs jobs of type `note_session`, whose subject is a session."""

    db: Database
    context: ChangeContext
    settings: Callable[[], Settings]
    frozen: Callable[[], bool]
    calls: ModelCalls
    saver: NoteSaver
    counts: NoteCounts

    async def queue_due(self) -> int:
        """Queue the sessions that are over and not read; returns how many were added.

        Nothing while no model is on.
        """
        settings = self.settings().of(SynthesisModelSettings)
        if not settings.enabled or not self.calls.is_on(SESSION_NOTES.role) or self.frozen():
            return 0
        now = self.context.clock()
        idle = iso(now - timedelta(minutes=settings.idle_gap_minutes))
        paused, due = await self.db.read(
            lambda tx: (
                pause_state(tx, now).paused,
                rows.due(
                    tx,
                    SESSION_NOTES_JOB.name,
                    idle,
                    iso(now - _RECENT),
                    _MAX_DUE,
                    closed=closed_projects(tx),
                ),
            )
        )
        if paused or not due:
            return 0
        return await self.db.write(
            lambda tx: sum(
                jobs.enqueue(tx, SESSION_NOTES_JOB, subject_of(session), iso(now))
                for session in due
            )
        )

    async def run(self, job: Job) -> NoAnswer | None:
        """Read what is new in a session; returns why the model didn't answer, if it didn't."""
        if self.frozen():
            return MustWait("paused", "memories can't be changed now", _FROZEN_CHECK_S)
        harness, _, session_id = job.subject.partition(" ")
        left = _REQUESTS_OF_JOB
        for part in await self.db.read(lambda tx: rows.parts(tx, (harness, session_id))):
            await self._keep_pending(part)
            done = await self._read(job, part.transcript, left)
            if not isinstance(done, int):
                return done
            left -= done
        await self.db.write(lambda tx: self._finish(tx, job, is_cut=left <= 0))
        return None

    def _finish(self, tx: WriteTx, job: Job, *, is_cut: bool) -> None:
        done = jobs.complete(tx, job, self.context.now)
        if done and is_cut:
            jobs.enqueue(tx, SESSION_NOTES_JOB, job.subject, self.context.now)

    async def _read(self, job: Job, transcript: int, left: int) -> int | NoAnswer:
        """Read a part's new messages; returns how many requests that took, at most ``left``."""
        asked = 0
        while asked < left:
            found = await self.db.read(lambda tx: self._next(tx, transcript))
            if found is None:
                return asked
            part, chunk = found
            if not is_worth_reading(chunk):
                await self._skip(part, chunk)
                continue
            answer = await self.calls.ask(
                SESSION_NOTES,
                request_text(part, chunk, part.so_far),
                CallContext(stage=STAGE, project=part.project, subject=job.subject),
            )
            if not isinstance(answer, ModelAnswer):
                return answer
            asked += 1
            if answer.warnings:
                get_logger("notes").info("parts of a reply left out", warnings=answer.warnings[:5])
            await self._store(part, chunk, answer)
            await self._keep_pending(part)
        return asked

    def _next(self, tx: ReadTx, transcript: int) -> tuple[SessionPart, NotesChunk] | None:
        part = rows.part(tx, transcript)
        if part is None or settings_rows.chosen(tx, part.project).capture is False:
            return None
        messages = transcripts.messages(tx, transcript)
        chunk = next_chunk(messages, part.read_up_to, known_texts(tx, part))
        return None if chunk is None else (part, chunk)

    async def _skip(self, part: SessionPart, chunk: NotesChunk) -> None:
        now = self.context.now
        await self.db.write(lambda tx: rows.skip(tx, part, chunk.last_row, now))

    async def _store(
        self, part: SessionPart, chunk: NotesChunk, answer: ModelAnswer[SessionNotes]
    ) -> None:
        """Store a reply, unless what it was made of has changed."""
        made_by = MadeBy(SESSION_NOTES.name, SESSION_NOTES.version, answer.model)
        notes = _of_messages(answer.value.notes, chunk)
        summary = joined_summary(part.so_far, _cleaned(answer.value.summary))
        saved = dict(enumerate(chunk.known.saved, 1))
        one_off = [
            saved[number].memory_id
            for number in answer.value.one_off
            if number in saved and saved[number].by_rules
        ]
        outdated = _outdated(answer.value.outdated, chunk)

        def work(tx: WriteTx) -> int:
            now = rows.part(tx, part.transcript)
            if now is None or now.read_up_to != part.read_up_to or not _is_same(tx, chunk):
                return 0
            at = self.context.now
            rows.store_reply(tx, part, notes, summary, chunk.last_row, made_by, at, outdated)
            # A note that takes the sentence in makes its memory hold again.
            done = (demote(tx, part.session, each, self.context) for each in one_off)
            return sum(each is not None for each in done)

        for _ in range(await self.db.write(work)):
            self.counts.add("one-off tasks")

    async def _keep_pending(self, part: SessionPart) -> None:
        for note in await self.db.read(lambda tx: rows.pending(tx, part)):
            result = await self.saver.save(part, note)
            match result:
                case NoteLeftOut(reason=reason):
                    self.counts.add(reason)
                case NoteSuggested():
                    self.counts.add("suggested")
                case NoteOutdates(is_asked=is_asked):
                    self.counts.add("asked about" if is_asked else "outdated")
                case _:
                    self.counts.add(result.origin)
        services = self.saver.turns.services
        for _ in range(await self.db.write(lambda tx: close_open_ends(tx, part, services))):
            self.counts.add("closed")


def _of_messages(notes: Sequence[ModelNote], chunk: NotesChunk) -> list[tuple[int, ModelNote]]:
    """Return each note with the row of its message; a number that wasn't shown is the last one.

    What was only shown as context was noted before.
    """
    last = chunk.new[-1].message.number
    rows_of = {each.number: each.message.number for each in chunk.new}
    known = {each.number for each in chunk.context}
    return [
        (rows_of.get(each.message, last), _redacted(each))
        for each in notes
        if each.message not in known
    ]


def _outdated(listed: Sequence[OutdatedText], chunk: NotesChunk) -> list[tuple[int, str, str]]:
    """Return row, words and memory of what was taken back in a message after the memory's own."""
    saved = dict(enumerate(chunk.known.saved, 1))
    rows_of = {each.number: each.message.number for each in chunk.new}
    found = {
        saved[each.saved].memory_id: (rows_of[each.message], clean(each.evidence))
        for each in listed
        if each.saved in saved and saved[each.saved].number < each.message in rows_of
    }
    return [(row, evidence, memory_id) for memory_id, (row, evidence) in found.items()]


def _redacted(note: ModelNote) -> ModelNote:
    return ModelNote(
        content=clean(note.content),
        type=note.type,
        message=note.message,
        evidence=clean(note.evidence),
        accepted=clean(note.accepted),
    )


def _cleaned(summary: SessionSummary) -> SessionSummary:
    return SessionSummary(
        clean(summary.text),
        tuple(map(clean, summary.topics)),
        tuple(map(clean, summary.decisions)),
    )


def _is_same(tx: ReadTx, chunk: NotesChunk) -> bool:
    """Whether all messages still have the texts that were shown."""
    return all(
        transcripts.text_of(tx, each.message.number) == each.message.text
        for each in (*chunk.context, *chunk.new)
    )

"""Captures memories at the end of a turn, and records the end of a session.

The offset only advances after the memories are stored, and each memory's source is its message and
sentence, so reading twice stores once and forgotten memories stay forgotten. What was said while
capture was paused is never captured, no matter when it is read.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from intaglio.base.clock import iso, parse_moment
from intaglio.base.errors import InvalidInputError, TooLargeError
from intaglio.base.fence.marks import strip_injected
from intaglio.capture.cue import CueType
from intaglio.memory.values import Actor, Source
from intaglio.pipeline.ingest import AlreadyKnown, PreviouslyForgotten, Remember, Saved
from intaglio.sessions import rows
from intaglio.sessions.pauses import rows as pauses
from intaglio.sessions.pauses.service import pause_state
from intaglio.sessions.pauses.values import outside_pauses
from intaglio.sessions.values import (
    CaptureResult,
    KnownSession,
    SessionRef,
    SessionServices,
    TranscriptBatch,
    TranscriptLine,
)
from intaglio.store.tx import ReadTx, WriteTx

if TYPE_CHECKING:
    from intaglio.capture.classifier import CuedSentence

_IMPORTANCE: Final[dict[CueType, float]] = {"decision": 0.8, "rule": 0.8, "preference": 0.7}
_LATE_DAYS: Final = 2
_MAX_CATCH_UP: Final = 500
# Harnesses write transcripts with a short delay.
_WRITTEN_LATE: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class SessionEnds:
    """The use cases at the end of a turn and of a session, and after downtime."""

    services: SessionServices

    async def offset(self, session: SessionRef) -> int:
        """Return the byte offset to continue reading the session's transcript from."""
        return await self.services.db.read(lambda tx: rows.offset(tx, session))

    async def read_at(self, session: SessionRef) -> datetime | None:
        """Return a time before anything unread was written, or None if unknown."""
        found = await self.services.db.read(lambda tx: rows.read_at(tx, session))
        moment = parse_moment(found) if found else None
        return moment - _WRITTEN_LATE if moment else None

    async def paused(self) -> bool:
        """Whether capture is paused now; then nothing may be read or written."""
        now = self.services.clock()
        return (await self.services.db.read(lambda tx: pause_state(tx, now))).paused

    async def turn_end(self, session: SessionRef, batch: TranscriptBatch) -> CaptureResult:
        """Capture the user's decisions, preferences and rules from new messages.

        A session that has ended stays ended: its last turn is often reported after its end. A
        session entirely within a pause leaves no trace. Raises UnavailableError if nothing can be
        stored now; the messages are then read again.
        """
        if session.subagent:
            return CaptureResult()
        project = await self.services.project_key(session.project)
        counts = CaptureResult()
        now = self.services.clock()
        messages = await self.services.db.read(lambda tx: _outside_pauses(tx, batch, now))
        captures = self.services.settings().harness
        names = {session.harness, batch.harness or session.harness}
        if all(captures[name].capture for name in names):
            for message in messages:
                counts = await self._message(session, project, message, counts)
        reported_at = min(batch.reported_at or now, now)
        said_at = max((message.time for message in messages if message.time), default=None)

        def work(tx: WriteTx) -> None:
            in_pause = pauses.is_paused_at(tx, batch.reported_at or now)
            if in_pause and not messages and not rows.exists(tx, session):
                return
            rows.touch(tx, session, project, iso(reported_at))
            if said_at is not None:
                rows.note_activity(tx, session, iso(min(said_at, now)))
            rows.advance(tx, session, batch.offset, iso(batch.read_at) if batch.read_at else None)

        await self.services.db.write(work)
        return counts

    async def session_end(
        self, session: SessionRef, reason: str, reported_at: datetime | None = None
    ) -> None:
        """Record that the session ended, unless that was reported during a pause.

        Its last turn must have been read by `turn_end`.
        """
        if session.subagent:
            return
        project = await self.services.project_key(session.project)
        now = self.services.clock()
        at = iso(now)

        def work(tx: WriteTx) -> None:
            if pause_state(tx, now).paused or pauses.is_paused_at(tx, reported_at or now):
                return
            rows.touch(tx, session, project, at)
            rows.close(tx, session, reason, at)

        await self.services.db.write(work)

    async def unread(self) -> list[KnownSession]:
        """List sessions whose transcripts may have grown since they were read.

        These are the open ones, and those that ended so recently that the last lines may be new.
        """
        since = iso(self.services.clock() - timedelta(days=_LATE_DAYS))
        return await self.services.db.read(lambda tx: rows.unread(tx, since, _MAX_CATCH_UP))

    async def _message(
        self, session: SessionRef, project: str | None, line: TranscriptLine, counts: CaptureResult
    ) -> CaptureResult:
        found = _captures(line)
        if found and line.cwd:
            project = await self.services.project_key(line.cwd)
        for capture in found:
            command = _command(session, project, line, capture)
            counts = await self._remember(command, counts)
        return counts

    async def _remember(self, command: Remember, counts: CaptureResult) -> CaptureResult:
        try:
            outcome = await self.services.remember(command)
        except (InvalidInputError, TooLargeError):
            # One sentence that can't be saved must not block the others.
            return replace(counts, refused=counts.refused + 1)
        match outcome:
            case Saved():
                return replace(counts, saved=counts.saved + 1)
            case AlreadyKnown():
                return replace(counts, known=counts.known + 1)
            case PreviouslyForgotten():
                return replace(counts, forgotten=counts.forgotten + 1)


def _outside_pauses(
    tx: ReadTx, batch: TranscriptBatch, now: datetime
) -> tuple[TranscriptLine, ...]:
    """Return the messages that lie outside all pauses."""
    times = [message.time for message in batch.messages]
    timed = [time for time in times if time]
    low = min(timed, default=now) if len(timed) == len(times) else None
    flags = outside_pauses(times, pauses.since(tx, low), batch.since, now)
    return tuple(message for message, free in zip(batch.messages, flags, strict=True) if free)


def _captures(line: TranscriptLine) -> "list[CuedSentence]":
    if line.role != "user":
        return []
    # Compiling its regular expressions would take a tenth of the daemon's startup time.
    from intaglio.capture.classifier import find_statements  # noqa: PLC0415 - see above

    return find_statements(strip_injected(line.text))


def _command(
    session: SessionRef, project: str | None, line: TranscriptLine, capture: "CuedSentence"
) -> Remember:
    cue = capture.cue
    return Remember(
        content=capture.sentence.text,
        actor=Actor(session.harness, "harness", session.id),
        who="user",
        why=f"said as a {cue.type}",
        type=cue.type,
        importance=_IMPORTANCE[cue.type],
        confidence=cue.confidence,
        agent_id=session.agent_id,
        project=project,
        source=Source(session.harness, f"{line.message_id}#{capture.sentence.number}"),
        session_id=session.id,
        runtime_path=session.runtime_path,
        created_at=iso(line.time) if line.time else None,
        revive=False,
    )

"""Captures what was said at the end of a turn, and records the end of a session.

The position only advances after everything is stored, and each statement's place is recorded, so
reading twice stores once and forgotten memories stay forgotten. What was said while capture was
paused is never captured, no matter when it is read.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from intaglio.base.clock import Clock, iso, monotonic_s, parse_moment
from intaglio.base.metrics.measured import Measured, SessionEnded, TurnCaptured
from intaglio.base.settings.values import Settings
from intaglio.capture.reach.role_prompts import binds_run_only, is_impersonal_order
from intaglio.capture.transcripts import (
    CaptureLimits,
    HarnessTitle,
    TranscriptMessage,
    TranscriptReading,
    TurnReport,
)
from intaglio.pauses import bypass_rows
from intaglio.pauses import rows as pauses
from intaglio.pauses.service import pause_state
from intaglio.pauses.values import outside_pauses
from intaglio.projects import settings_rows
from intaglio.projects.resolver import is_inside
from intaglio.projects.values import NOTHING_CHOSEN, ChosenSettings
from intaglio.sessions import rows
from intaglio.sessions.settings import HarnessSettings
from intaglio.sessions.statements import rows as statements
from intaglio.sessions.statements.turn import TurnCapture
from intaglio.sessions.statements.values import UserMessage
from intaglio.sessions.values import (
    CaptureResult,
    KnownSession,
    SessionKey,
    SessionRef,
)
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.transcripts import rows as transcripts
from intaglio.transcripts.recorder import TranscriptRecorder
from intaglio.transcripts.values import SaidMessage, SessionOwner, TranscriptRole

_LATE_DAYS: Final = 2
_MAX_CATCH_UP: Final = 500
_REMEMBERED_TURNS: Final = 20
# Harnesses write transcripts with a short delay.
_WRITTEN_LATE: Final = timedelta(minutes=1)
_JUST_NOW: Final = TurnReport()
# Appended to a message's id, for the question that it answers.
_QUESTION: Final = "?"


@dataclass(frozen=True, slots=True)
class SessionEnds:
    """The use cases at the end of a turn and of a session, and after downtime."""

    db: Database
    clock: Clock
    settings: Callable[[], Settings]
    project_key: Callable[[str | None], Awaitable[str | None]]
    turns: TurnCapture
    transcripts: TranscriptRecorder
    measure: Callable[[Measured], None] = lambda _: None
    seconds: Callable[[], float] = monotonic_s

    async def position(self, session: SessionRef) -> str:
        """Return where to continue reading the session's transcript, in the harness's terms."""
        return await self.db.read(lambda tx: rows.position(tx, session))

    async def find(self, key: SessionKey) -> SessionRef | None:
        """Return a session that is on record, with its transcript as it was reported last."""
        return await self.db.read(lambda tx: rows.find(tx, *key))

    async def reset(self, session: SessionRef, position: str) -> None:
        """Continue reading the session's transcript at a position from now on."""
        await self.db.write(lambda tx: rows.advance(tx, session, position, None))

    async def transcript_of(self, session: SessionRef) -> str | None:
        """Return the path of the session's transcript as it was reported last."""
        return await self.db.read(lambda tx: rows.transcript_of(tx, session))

    async def read_at(self, session: SessionRef) -> datetime | None:
        """Return a time before anything unread was written, or None if unknown."""
        found = await self.db.read(lambda tx: rows.read_at(tx, session))
        moment = parse_moment(found) if found else None
        return moment - _WRITTEN_LATE if moment else None

    async def paused(self) -> bool:
        """Whether capture is paused now; then nothing may be read or written."""
        now = self.clock()
        return (await self.db.read(lambda tx: pause_state(tx, now))).paused

    async def is_bypassed(self, harness: str, session_id: str) -> bool:
        """Whether nothing is told or captured in a session now."""
        return await self.db.read(
            lambda tx: bypass_rows.running(tx, harness, session_id) is not None
        )

    async def turn_end(
        self, session: SessionRef, reading: TranscriptReading, report: TurnReport = _JUST_NOW
    ) -> CaptureResult:
        """Capture what the user states in new messages.

        A session that has ended stays ended: its last turn is often reported after its end. A
        session entirely within a pause leaves no trace. Raises UnavailableError if nothing can be
        stored now; the messages are then read again.
        """
        if session.subagent:
            return CaptureResult()
        began = self.seconds()
        project = await self.project_key(session.project)
        counts = CaptureResult()
        now = self.clock()
        ids = [message.message_id for message in reading.messages]
        preceding, messages, starts, agent, gone, rules = await self.db.read(
            lambda tx: (
                _outside_pauses(tx, session, reading.preceding, None, now),
                _not_forgotten(
                    tx,
                    session,
                    _outside_pauses(
                        tx, session, reading.messages, report.since, now, reading.preceding
                    ),
                ),
                rows.started_in(tx, session),
                rows.agent_of(tx, *session.key),
                statements.gone_messages(tx, session.harness, ids),
                self._rules(tx, session, project, report),
            )
        )
        if rules.capture_any:
            projects = _Projects(self.project_key, project, frozenset(starts))
            read = await self._read(session, projects, preceding, messages, report.limits)
            lines = [line for line in read if rules.captures(line)]
            owner = SessionOwner(*session.key, agent or session.agent_id)
            kept = [line for line in lines if line.line.message_id not in gone]
            await self.transcripts.record(owner, _spoken(kept))
            # A harness makes it of all that was said.
            if rules.capture_all:
                await self._record_title(owner, reading.title)
            for line in lines:
                if line.by_user is not None:
                    counts += await self.turns.capture(line.by_user)
        reported_at = min(report.reported_at or now, now)
        read_at = None if reading.more or report.read_at is None else iso(report.read_at)
        said_at = max((message.time for message in messages if message.time), default=None)

        def work(tx: WriteTx) -> None:
            in_pause = pauses.is_paused_at(tx, report.reported_at or now)
            if in_pause and not messages and not rows.exists(tx, session):
                return
            rows.touch(tx, session, project, iso(reported_at))
            if said_at is not None:
                rows.note_activity(tx, session, iso(min(said_at, now)))
            rows.advance(tx, session, reading.position, read_at)

        await self.db.write(work)
        self.measure(
            TurnCaptured(
                harness=session.harness,
                kept=counts.saved,
                suggested=counts.suggested,
                ms=(self.seconds() - began) * 1_000,
            )
        )
        return counts

    async def _record_title(self, owner: SessionOwner, title: HarnessTitle | None) -> None:
        """Store the title of a session, unless it was paused or bypassed since its start."""
        if title is None or title.session not in {"", owner.session_id}:
            return
        key = owner.harness, owner.session_id

        def had_pause(tx: ReadTx) -> bool:
            started = rows.started_at(tx, *key)
            since = parse_moment(started) if started else self.clock()
            return bool(pauses.since(tx, since) or bypass_rows.spans(tx, *key, since))

        if not await self.db.read(had_pause):
            await self.transcripts.record_title(owner, title.text, by_user=title.by_user)

    async def session_end(
        self, session: SessionRef, reason: str, reported_at: datetime | None = None
    ) -> None:
        """Record that the session ended, unless that was reported during a pause.

        Its last turn must have been read by `turn_end`.
        """
        if session.subagent:
            return
        project = await self.project_key(session.project)
        now = self.clock()
        at = iso(now)

        def work(tx: WriteTx) -> bool:
            if pause_state(tx, now).paused or pauses.is_paused_at(tx, reported_at or now):
                return False
            rows.touch(tx, session, project, at)
            rows.close(tx, session, reason, at)
            return True

        if await self.db.write(work):
            self.measure(SessionEnded(harness=session.harness, reason=reason))

    async def import_begin(
        self, session: SessionRef, reading: TranscriptReading, import_id: str, began: datetime
    ) -> bool:
        """Make a session ready for an import of this part of its transcript, by `turn_end`.

        One that isn't known yet began at ``began``, and has ended. False, and no trace of it, if
        there is nothing in this part, or all was said in pauses. An open one is left to its hooks.
        """
        now = self.clock()
        project = await self.project_key(session.project)

        def work(tx: WriteTx) -> bool:
            known = rows.known(tx, *session.key)
            if known is None:
                if not _outside_pauses(tx, session, reading.messages, began, now):
                    return False
                rows.add_imported(tx, session, project, import_id, iso(min(began, now)))
            elif known.is_open:
                return False
            rows.set_importing(tx, session, iso(now), importing=True)
            return True

        return await self.db.write(work)

    async def import_end(self, session: SessionRef) -> None:
        """Record that an import has read a session as far as it goes."""
        now = iso(self.clock())
        await self.db.write(lambda tx: rows.set_importing(tx, session, now, importing=False))

    async def unread(self) -> list[KnownSession]:
        """List sessions whose transcripts may have grown since they were read.

        These are the open ones, and those that ended so recently that the last lines may be new.
        Bypassed ones aren't read.
        """
        since = iso(self.clock() - timedelta(days=_LATE_DAYS))
        known, bypassed = await self.db.read(
            lambda tx: (rows.unread(tx, since, _MAX_CATCH_UP), bypass_rows.all_running(tx))
        )
        return [each for each in known if each.ref.key not in bypassed]

    async def spoken(
        self, session: SessionRef, reading: TranscriptReading
    ) -> tuple[UserMessage, ...]:
        """Return all of a reading that the user said and that may be captured; writes nothing."""
        if session.subagent:
            return ()
        now = self.clock()
        project = await self.project_key(session.project)
        lines, starts, rules = await self.db.read(
            lambda tx: (
                _outside_pauses(tx, session, (*reading.preceding, *reading.messages), None, now),
                rows.started_in(tx, session),
                self._rules(tx, session, project, TurnReport()),
            )
        )
        projects = _Projects(self.project_key, project, frozenset(starts))
        read = await self._read(session, projects, (), lines)
        kept = (line for line in read if rules.captures(line))
        return tuple(line.by_user for line in kept if line.by_user is not None)

    def _rules(
        self, tx: ReadTx, session: SessionRef, project: str | None, report: TurnReport
    ) -> "_CaptureRules":
        settings = self.settings()
        names = {session.harness, report.harness or session.harness}
        started = parse_moment(rows.started_at(tx, *session.key) or "")
        return _CaptureRules(
            by_default=all(settings.harness(HarnessSettings, name).capture for name in names),
            chosen={
                each: settings_rows.chosen(tx, each)
                for each in (project, *rows.started_in(tx, session))
            },
            started=started,
            unread_since=report.since or started,
        )

    async def _read(
        self,
        session: SessionRef,
        projects: "_Projects",
        preceding: Sequence[TranscriptMessage],
        messages: Sequence[TranscriptMessage],
        limits: CaptureLimits = _JUST_NOW.limits,
    ) -> list["_ReadLine"]:
        """Return the messages with what is known of each; ``preceding`` are those before them."""
        found: list[_ReadLine] = []
        before, earlier = TranscriptMessage("", "assistant", ""), list[str]()
        runs_itself = binds_run = False
        for number, line in enumerate((*preceding, *messages)):
            if line.role != "user":
                before = line
                if number >= len(preceding):
                    found.append(_ReadLine(line, await projects.of(line), binds_run_only=binds_run))
                continue
            is_role = binds_run_only(line.text, from_program=line.from_program)
            # A program's later prompts continue the run that its first one began.
            runs_itself = line.from_program and (is_role or runs_itself)
            is_order = line.from_program and is_impersonal_order(line.text)
            binds_run = is_role or runs_itself or is_order
            if number >= len(preceding):
                key = await projects.of(line)
                said = UserMessage(
                    session,
                    key,
                    line,
                    before.text,
                    tuple(earlier[-_REMEMBERED_TURNS:]),
                    before_elsewhere=await projects.of(before) != key,
                    binds_run_only=binds_run,
                    limits=limits,
                )
                found.append(_ReadLine(line, key, said, binds_run_only=binds_run))
            earlier.append(line.message_id)
        return found


@dataclass(frozen=True, slots=True)
class _ReadLine:
    """A message, its project, and what the user said in it if it is theirs.

    ``binds_run_only`` is set for a role prompt, and for what the agent says after one.
    """

    line: TranscriptMessage
    project: str | None
    by_user: UserMessage | None = None
    binds_run_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _CaptureRules:
    """What may be captured of a session, by what the user ``chosen`` for each of its projects.

    ``started`` is when it started, ``unread_since`` before anything unread was said; None if that
    isn't known.
    """

    by_default: bool
    chosen: Mapping[str | None, ChosenSettings]
    started: datetime | None
    unread_since: datetime | None

    @property
    def capture_any(self) -> bool:
        """Whether at least one of the projects is captured."""
        return any(
            self.by_default if each.capture is None else each.capture
            for each in self.chosen.values()
        )

    @property
    def capture_all(self) -> bool:
        """Whether all of the session may be captured, also what was said before."""
        return all(self._is_on(each, self.started) for each in self.chosen.values())

    def captures(self, line: _ReadLine) -> bool:
        """Whether a message may be captured."""
        own = self.chosen.get(line.project, NOTHING_CHOSEN)
        return self._is_on(own, line.line.time or self.unread_since)

    def _is_on(self, own: ChosenSettings, at: datetime | None) -> bool:
        """Whether what was said at a time in a project is captured."""
        is_on = self.by_default if own.capture is None else own.capture
        since = parse_moment(own.captured_since or "")
        return is_on and (since is None or (at is not None and at >= since))


def _spoken(lines: Sequence[_ReadLine]) -> list[SaidMessage]:
    """Return what was said for the transcript; prompts that a program made for its run aren't."""
    return [
        SaidMessage(
            message_id=f"{each.line.message_id}{suffix}",
            role=role,
            text=text,
            said_at=each.line.time,
            project=each.project,
            first_session=each.line.session,
        )
        for each in lines
        if not each.binds_run_only
        for role, suffix, text in _parts(each.line)
    ]


def _parts(line: TranscriptMessage) -> tuple[tuple[TranscriptRole, str, str], ...]:
    """Return who said what in a message: before an answer, the agent's question."""
    if line.role != "user":
        return (("agent", "", line.text),)
    return (("agent", _QUESTION, line.question), ("user", "", line.text))


@dataclass(frozen=True, slots=True)
class _Projects:
    """The projects that a session was started in; ``current`` is the latest."""

    project_key: Callable[[str | None], Awaitable[str | None]]
    current: str | None
    started: frozenset[str]

    async def of(self, line: TranscriptMessage) -> str | None:
        """Return the project of a line: the session's, wherever the agent's ``cd`` stood.

        A session that was resumed elsewhere has several; the line's directory tells which.
        """
        every = self.started | {self.current}
        if line.cwd is None or len(every) == 1:
            return self.current
        key = await self.project_key(line.cwd)
        if key in every:
            return key
        around = [each for each in every if each is not None and is_inside(line.cwd, each)]
        return max(around, key=len, default=self.current)


def _not_forgotten(
    tx: ReadTx, session: SessionRef, lines: Sequence[TranscriptMessage]
) -> tuple[TranscriptMessage, ...]:
    """Return the messages that were said after the user forgot their session, if they did."""
    ids = {session.id, *(line.session or session.id for line in lines)}
    ends = {each: transcripts.forgotten_at(tx, session.harness, each) for each in ids}
    if not any(ends.values()):
        return tuple(lines)

    def is_gone(line: TranscriptMessage) -> bool:
        end = max(ends[each] or "" for each in {session.id, line.session or session.id})
        return bool(end) and (line.time is None or iso(line.time) <= end)

    return tuple(line for line in lines if not is_gone(line))


def _outside_pauses(
    tx: ReadTx,
    session: SessionRef,
    lines: Sequence[TranscriptMessage],
    since: datetime | None,
    now: datetime,
    preceding: Sequence[TranscriptMessage] = (),
) -> tuple[TranscriptMessage, ...]:
    """Return the messages that lie outside all pauses, and outside the bypasses of their session.

    What the agent answers to a message of a pause repeats it: it is left out however late it comes.
    ``preceding`` are the messages before these. A continued session's transcript can begin with
    messages of the former one, which may have been bypassed.
    """
    times = [line.time for line in lines]
    timed = [time for time in times if time]
    low = min(timed, default=now) if len(timed) == len(times) else None
    flags = outside_pauses(times, pauses.since(tx, low), since, now)
    owners = [line.session or session.id for line in lines]
    for owner in set(owners):
        spans = bypass_rows.spans(tx, session.harness, owner, low)
        free = outside_pauses(times, spans, since, now)
        flags = [
            was and (is_free or of != owner)
            for was, is_free, of in zip(flags, free, owners, strict=True)
        ]
    asked = next((line for line in reversed(preceding) if line.role == "user"), None)
    answers_paused = asked is not None and not _outside_pauses(tx, session, (asked,), None, now)
    found: list[TranscriptMessage] = []
    for line, is_free in zip(lines, flags, strict=True):
        if line.role == "user":
            answers_paused = not is_free
        if is_free and not answers_paused:
            found.append(line)
    return tuple(found)

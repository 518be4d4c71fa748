"""Dispatches harness events to the session services: live, from the spool, and after downtime."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final
from weakref import WeakValueDictionary

from intaglio.base.agent_id import DEFAULT_AGENT, agent_in_session_key
from intaglio.base.error_text import error_text
from intaglio.base.errors import IntaglioError, NotFoundError, UnavailableError
from intaglio.base.log import Logger
from intaglio.base.text import clip
from intaglio.capture.transcripts import CaptureLimits, TranscriptReading, TurnReport
from intaglio.domain.hooks import HookEventKind
from intaglio.domain.issues import Issue
from intaglio.fence.characters import visible
from intaglio.harness import spool
from intaglio.harness.activity import kind_of
from intaglio.harness.connected_tools import ConnectedTools
from intaglio.harness.events import (
    Compaction,
    CompactionEnd,
    EventOrigin,
    HarnessEvent,
    IgnoredEvent,
    Prompt,
    SessionEnd,
    SessionEvent,
    SessionStart,
    SubagentStart,
    SubagentStop,
    ToolUse,
    TurnEnd,
)
from intaglio.harness.hook_outcomes import HookOutcomes
from intaglio.harness.probe_sessions import ProbeSessions
from intaglio.harness.protocol import Harness, Reply
from intaglio.harness.start_notice import start_notice
from intaglio.harness.transcript_files import FoundTranscript, TranscriptFiles
from intaglio.sessions.context import units
from intaglio.sessions.continuity.recovery import LOST
from intaglio.sessions.continuity.service import SessionCheckpoints
from intaglio.sessions.edits.service import EditContexts
from intaglio.sessions.open_sessions import OpenSessions
from intaglio.sessions.prompt import PromptContexts, PromptInput
from intaglio.sessions.session_end import SessionEnds
from intaglio.sessions.session_start import SessionStarts
from intaglio.sessions.statements.values import UserMessage
from intaglio.sessions.values import (
    CaptureResult,
    KnownSession,
    SessionKey,
    SessionRef,
)

READ_BYTES: Final = 8_000_000
LONG_BODY_BYTES: Final = 100_000
CONTEXT_BYTES: Final = 256_000
REPLY_BYTES: Final = 64_000
SAID_BYTES: Final = 2_000_000
MAX_ATTEMPTS: Final = 3
# What a session that is read once more says newly neither becomes a memory nor asks the user.
_ONLY_CONSIDERED: Final = CaptureLimits(asks_first=True, asks=False)


def _note_nothing(harness: str, kind: HookEventKind) -> None:
    """Record no event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispatch:
    """Dispatches events to sessions.

    ``note`` records each event that was handled, and ``outcomes`` counts them. ``issues`` returns
    what is known to be wrong with the installation, worst first, without waiting for a check.
    ``reading`` holds a lock for each session whose transcript is being read, ``attempts`` how often
    a spooled event failed unexpectedly.
    """

    harnesses: Mapping[str, Harness]
    starts: SessionStarts
    prompts: PromptContexts
    edits: EditContexts
    ends: SessionEnds
    checkpoints: SessionCheckpoints
    transcripts: TranscriptFiles
    open_sessions: OpenSessions
    tools: ConnectedTools
    spool: Path
    log: Logger
    probes: ProbeSessions = field(default_factory=ProbeSessions)
    note: Callable[[str, HookEventKind], None] = _note_nothing
    issues: Callable[[], Sequence[Issue]] = tuple
    outcomes: HookOutcomes = field(default_factory=HookOutcomes)
    reading: "WeakValueDictionary[tuple[str, str], asyncio.Lock]" = field(
        default_factory=WeakValueDictionary[tuple[str, str], asyncio.Lock]
    )
    attempts: Counter[str] = field(default_factory=Counter[str])

    async def answer(
        self,
        name: str,
        body: bytes,
        agent_id: str | None = None,
        ancestors: Sequence[int] = (),
        started_in: str | None = None,
    ) -> bytes:
        """Handle a harness's hook payload and return the reply in its own JSON; usually empty.

        ``agent_id`` is the agent that the request names beside the payload, if it names one;
        ``ancestors`` are the processes above the hook, nearest first, as far as they are known;
        ``started_in`` is the session's directory, if the request names it beside the payload.
        Raises NotFoundError for an unknown harness, InvalidInputError for an invalid payload, and
        UnavailableError if the event can't be stored right now.
        """
        harness = self.harnesses.get(name)
        if harness is None:
            raise NotFoundError(
                f"Unknown harness {name!r}", hint=f"Use one of {', '.join(self.harnesses)}."
            )
        with self.outcomes.counting(harness.name):
            return await self._answer(harness, body, agent_id, ancestors, started_in)

    async def _answer(
        self,
        harness: Harness,
        body: bytes,
        agent_id: str | None,
        ancestors: Sequence[int],
        started_in: str | None,
    ) -> bytes:
        read = harness.read_event
        is_long = len(body) > LONG_BODY_BYTES
        event = await asyncio.to_thread(read, body) if is_long else read(body)
        probed = self.probes.reply(harness.name, event)
        if probed is not None:
            return reply_to(harness, event, probed)
        if ancestors and isinstance(event, SessionStart | Prompt):
            starts = isinstance(event, SessionStart)
            session_id = event.origin.session
            self.open_sessions.note(harness.name, session_id, ancestors[0], starts=starts)
        elif isinstance(event, SessionEnd):
            self.open_sessions.end(harness.name, event.origin.session)
        event = self._attributed(harness, event, ancestors[1:])
        if started_in is not None:
            event = _with_origin(event, lambda origin: replace(origin, started_in=started_in))
        reply = reply_to(harness, event, await self.handle(harness, event, agent_id=agent_id))
        self.note(harness.name, kind_of(event))
        return reply

    def _attributed(
        self, harness: Harness, event: HarnessEvent, above: Sequence[int] = ()
    ) -> HarnessEvent:
        """Return the event, without the user's words if the session is nested in another.

        ``above`` are the processes above the harness's own.
        """
        # The agent that started a nested session wrote its prompts: captured, they would become
        # the user's rules. Without a transcript, no turn's end and no catching up reads them.
        if isinstance(event, IgnoredEvent) or not self.open_sessions.is_nested(
            harness.name, event.origin.session, above
        ):
            return event
        if isinstance(event, Prompt):
            event = replace(event, by_user=False)
        return _with_origin(event, lambda origin: replace(origin, transcript=None))

    def name_at(self, path: str) -> str | None:
        """Return the name of the harness with this older endpoint path."""
        return next((name for name, one in self.harnesses.items() if path in one.older_paths), None)

    async def handle(
        self,
        harness: Harness,
        event: HarnessEvent,
        reported_at: datetime | None = None,
        agent_id: str | None = None,
    ) -> Reply:
        """Handle an event and return what the session and the person are told.

        ``reported_at`` is when the harness reported it, if not just now.
        """
        if (
            isinstance(event, IgnoredEvent)
            or _says_nothing(event)
            or await self._passes_by(harness, event, reported_at)
        ):
            return Reply("")
        limits = harness.limits
        session = await self._placed(harness, event, agent_id)
        match event:
            case SessionStart(source=source):
                is_lost = source == "resume" and await self._is_lost(session, event.origin)
                shown = await self.starts.show(
                    session,
                    LOST if is_lost else source,
                    limits.reply_chars,
                    has_tools=await self.tools.are_expected(harness.name, session.id),
                )
                notice = await start_notice(
                    self.starts.context, session, source, shown, self.issues()
                )
                return Reply(shown.whole, notice)
            case Prompt():
                text = clip(event.text, limits.prompt_chars)
                has_tools = await self.tools.are_connected(harness.name, session.id)
                prompted = PromptInput(
                    text,
                    event.prompt_id,
                    event.by_user,
                    has_tools,
                    partial(self._agent_said, session),
                )
                shown = await self.prompts.show(session, prompted, limits.reply_chars)
                return Reply(shown.whole)
            case TurnEnd():
                await self.capture(session, reported_at)
                self.prompts.reminders.turn_end(session)
            # What is compacted is captured before the agent loses it.
            case Compaction():
                await self.capture(session, reported_at)
                self.checkpoints.note(session, "pre_compaction")
                return Reply(await self.checkpoints.guidelines(session))
            case CompactionEnd(summary=summary):
                await self.capture(session, reported_at)
                self.checkpoints.note(session, "compaction", summary)
            case ToolUse(edited=path):
                self.checkpoints.note_edit(session, path)
                shown = await self.edits.show(session, path, limits.reply_chars)
                return Reply(shown.whole)
            # Nothing is injected into or captured from a subagent.
            case SubagentStart() | SubagentStop():
                pass
            case SessionEnd(reason=reason):
                await self._end(session, reason, reported_at)
        return Reply("")

    async def _passes_by(
        self, harness: Harness, event: SessionEvent, reported_at: datetime | None
    ) -> bool:
        """Whether the session is switched off; then only its end is recorded."""
        if not await self.ends.is_bypassed(harness.name, event.origin.session):
            return False
        if isinstance(event, SessionEnd):
            # Where it is or what it says doesn't matter any more.
            origin = replace(event.origin, cwd=None, transcript=None)
            await self.ends.session_end(_ref(harness, origin, None), event.reason, reported_at)
        return True

    async def _placed(
        self,
        harness: Harness,
        event: SessionEvent,
        agent_id: str | None = None,
    ) -> SessionRef:
        """Return the session of an event, with the directory that it was started in.

        That is what the harness says, or where the agent stands at the session's start. If nothing
        was seen of the start, it is where the transcript begins.
        """
        origin = event.origin
        session = _ref(harness, origin, agent_id)
        if session.subagent:
            return session
        reported = origin.started_in
        if isinstance(event, SessionStart):
            # What is compacted goes on where the agent stands.
            reported = reported or (None if event.source == "compact" else origin.cwd)
            # A session that is resumed in another directory keeps its transcript, but its start
            # names one there that will never be.
            if event.source == "resume" and await self._transcript(session, quiet=True) is None:
                session = replace(session, transcript=None)
        if reported is None and await self.open_sessions.directory(session) is None:
            reported = await self._first_directory(session) or origin.cwd
        return await self.open_sessions.placed(session, reported)

    async def _end(self, session: SessionRef, reason: str, reported_at: datetime | None) -> None:
        await self.capture(session, reported_at)
        await self.ends.session_end(session, reason, reported_at)
        # What the user clears isn't gone on with.
        if reason != "clear":
            self.checkpoints.note(session, "session_end")
        self.prompts.reminders.turn_end(session)

    async def _is_lost(self, session: SessionRef, origin: EventOrigin) -> bool:
        """Whether the conversation of a resumed session is gone.

        That is so if there is neither the transcript that its start names nor the one it had.
        """
        if session.transcript is not None or origin.transcript is None:
            return False
        known = await self.ends.transcript_of(session)
        return known is not None and not await asyncio.to_thread(Path(known).exists)

    async def _first_directory(self, session: SessionRef) -> str | None:
        """Return where the agent stood at the first message of the session's transcript."""
        found = await self._transcript(session, quiet=True)
        if found is None:
            return None
        messages = (await self._read(found, "", CONTEXT_BYTES)).messages
        # A continued session's transcript can begin with the messages of the former one.
        own = [each for each in messages if each.session == session.id]
        return next((each.cwd for each in (*own, *messages) if each.cwd), None)

    async def capture(
        self, session: SessionRef, reported_at: datetime | None = None
    ) -> CaptureResult:
        """Capture memories from the new part of the session's transcript.

        Transcripts outside the allowed folders aren't read, nor any while capture is paused: what
        was said before the pause is read after it.
        """
        if session.subagent or await self.ends.paused():
            return CaptureResult()
        found = await self._transcript(session)
        if found is None:
            return CaptureResult()
        # Turns can end faster than a long transcript is read; each one must not read it all again.
        lock = self.reading.setdefault((session.harness, session.id), asyncio.Lock())
        async with lock:
            return await self._capture(session, found, reported_at)

    async def _agent_said(self, session: SessionRef) -> str:
        """Return the agent's latest message of a session, as far as it is near the end."""
        found = await self._transcript(session, quiet=True)
        if found is None:
            return ""
        position = await self.ends.position(session)
        reading = await self._read(found, position, REPLY_BYTES, context_bytes=REPLY_BYTES)
        lines = (*reading.preceding, *reading.messages)
        return next((each.text for each in reversed(lines) if each.role == "assistant"), "")

    async def said(self, session: SessionRef) -> tuple[UserMessage, ...]:
        """Return what the user has said lately in a session, as far as its transcript was read.

        Nothing if the transcript isn't readable, as for a nested session.
        """
        found = None if session.subagent else await self._transcript(session, quiet=True)
        if found is None:
            return ()
        position = await self.ends.position(session)
        reading = await self._read(found, position, context_bytes=SAID_BYTES)
        return await self.ends.spoken(session, reading)

    async def read_again(self, key: SessionKey, until: datetime) -> bool:
        """Read what was said in a session until a time once more, if its transcript still exists.

        What is on record is left out, and what is new is only considered. How far the transcript
        was read stays. Returns False while nothing may be captured.
        """
        if await self.ends.paused():
            return False
        session = await self.ends.find(key)
        if session is None or await self.ends.is_bypassed(*key):
            return True
        found = await self._transcript(session, quiet=True)
        if found is not None:
            lock = self.reading.setdefault(key, asyncio.Lock())
            async with lock:
                position = await self.ends.position(session)
                await self._read_until(session, found, until)
                await self.ends.reset(session, position)
        return True

    async def _read_until(
        self, session: SessionRef, found: FoundTranscript, until: datetime
    ) -> None:
        reading = TranscriptReading((), "", more=True)
        while reading.more:
            report = TurnReport(harness=found.harness.name, limits=_ONLY_CONSIDERED)
            reading = await self._read(found, reading.position, context_bytes=CONTEXT_BYTES)
            said = tuple(
                each for each in reading.messages if each.time is None or each.time <= until
            )
            await self.ends.turn_end(session, replace(reading, messages=said), report)

    async def _capture(
        self, session: SessionRef, found: FoundTranscript, reported_at: datetime | None
    ) -> CaptureResult:
        total = CaptureResult()
        since = await self.ends.read_at(session)
        reading = TranscriptReading((), await self.ends.position(session), more=True)
        while reading.more:
            began = self.ends.clock()
            reading = await self._read(found, reading.position, context_bytes=CONTEXT_BYTES)
            report = TurnReport(since, reported_at, began, found.harness.name)
            total += await self.ends.turn_end(session, reading, report)
            since = reading.last_time or since
        return total

    async def drain(self) -> int:
        """Handle the spooled events, oldest first, and return how many there were.

        An event leaves the spool once its work is committed. If that isn't possible now, or while
        capture is paused, the rest stays for later. An event that fails unexpectedly doesn't block
        the others and is moved aside after `MAX_ATTEMPTS`.
        """
        done = 0
        if await self._is_blocked():
            return done
        for spooled in await asyncio.to_thread(
            lambda: list(spool.drain(self.spool, self.harnesses, self.log))
        ):
            if self.probes.has_spooled(spooled.harness.name, spooled.event):
                await asyncio.to_thread(spooled.file.unlink, missing_ok=True)
                continue
            try:
                event = self._attributed(spooled.harness, spooled.event)
                if isinstance(event, SessionStart):
                    await self._placed(spooled.harness, event)
                event = _replayed(event)
                await self.handle(spooled.harness, event, spooled.time)
            except UnavailableError as error:
                self.log.info("spool postponed", reason=error.detail)
                break
            except IntaglioError as error:
                self.log.warning("spooled event refused", file=spooled.file.name, reason=str(error))
            # Worker loop: one event must not block the others.
            except Exception as error:  # noqa: BLE001 - see above
                await self._failed(spooled.file, error)
                continue
            self.attempts.pop(spooled.file.name, None)
            await asyncio.to_thread(spooled.file.unlink, missing_ok=True)
            done += 1
        return done

    async def _failed(self, file: Path, error: Exception) -> None:
        self.attempts[file.name] += 1
        if self.attempts[file.name] < MAX_ATTEMPTS:
            self.log.error("spooled event failed", file=file.name, error=error_text(error))
            return
        del self.attempts[file.name]
        await asyncio.to_thread(spool.reject, file, error_text(error), self.log)

    async def catch_up(self, since: datetime | None = None) -> int:
        """Capture from transcripts that have grown since their session's last event.

        With ``since``, only from those that changed after it. Returns how many had new messages.
        A killed harness doesn't report the end, and one that writes late reports it too early.
        """
        done = 0
        if await self._is_blocked():
            return done
        try:
            known = await self.ends.unread()
            grown = await asyncio.to_thread(
                lambda: [one for one in known if self.transcripts.may_have_grown(one, since)]
            )
            for one in grown:
                done += await self._catch_up_one(one)
        except UnavailableError as error:
            self.log.info("transcripts postponed", reason=error.detail)
        return done

    async def _catch_up_one(self, known: KnownSession) -> bool:
        try:
            return await self._catch_up(known)
        except UnavailableError:
            raise
        # Worker loop: one transcript must not block the others.
        except Exception:
            self.log.exception("transcript failed", session=known.ref.id)
            return False

    async def _is_blocked(self) -> bool:
        """Whether nothing may be captured now."""
        try:
            return await self.ends.paused()
        except UnavailableError as error:
            self.log.info("catching up postponed", reason=error.detail)
            return True

    async def _catch_up(self, known: KnownSession) -> bool:
        found = await self._transcript(known.ref, quiet=True)
        if found is None:
            return False
        reading = await self._read(found, known.position)
        # The client's own closing lines must not reopen a session that has ended.
        if not reading.messages and not reading.more:
            return False
        await self.capture(known.ref)
        return True

    async def _transcript(
        self, session: SessionRef, *, quiet: bool = False
    ) -> FoundTranscript | None:
        if not session.transcript:
            return None
        found = await asyncio.to_thread(
            self.transcripts.find, session.harness, session.id, session.transcript
        )
        if found is None and not quiet:
            self.log.info("no readable transcript", session=session.id)
        return found

    async def _read(
        self,
        found: FoundTranscript,
        position: str,
        limit_bytes: int = READ_BYTES,
        context_bytes: int = 0,
    ) -> TranscriptReading:
        try:
            reading = await asyncio.to_thread(found.read, position, limit_bytes, context_bytes)
        except OSError as error:
            self.log.warning("couldn't read transcript", reason=str(error))
            return TranscriptReading((), position)
        if reading.skipped:
            self.log.info("skipped lines of a transcript", lines=reading.skipped)
        return reading


def reply_to(harness: Harness, event: HarnessEvent, reply: Reply) -> bytes:
    """Return the reply to an event in the harness's JSON, truncated to the harness's limit."""
    limit = harness.limits.reply_chars
    text, notice = (visible(_fit(part, limit)) for part in (reply.text, reply.notice))
    return harness.write_reply(event, Reply(text, notice))


def _says_nothing(event: SessionEvent) -> bool:
    """Whether an agent used a tool that changes no file, or a subagent did."""
    return isinstance(event, ToolUse) and (not event.edited or event.origin.agent_id is not None)


def _fit(text: str, max_units: int) -> str:
    """Truncate to UTF-16 units, keeping a closing fence tag at the end."""
    if units(text) <= max_units:
        return text
    body, newline, last = text.rpartition("\n")
    tail = newline + last if last.startswith("</") else ""
    body = body if tail else text
    limit = max_units - units(tail)
    while units(body) > limit:
        body = clip(body, len(body) - max(1, (units(body) - limit) // 2))
    return body + tail


def _ref(harness: Harness, origin: EventOrigin, agent_id: str | None) -> SessionRef:
    return SessionRef(
        harness=harness.name,
        id=origin.session,
        agent_id=agent_id or agent_in_session_key(origin.session) or DEFAULT_AGENT,
        project=origin.cwd,
        transcript=origin.transcript,
        subagent=origin.agent_id is not None,
    )


def _with_origin(event: HarnessEvent, change: Callable[[EventOrigin], EventOrigin]) -> HarnessEvent:
    match event:
        case IgnoredEvent():
            return event
        case _:
            return replace(event, origin=change(event.origin))


def _replayed(event: HarnessEvent) -> HarnessEvent:
    """Turn starts and prompts into a turn's end: only their transcript still matters."""
    match event:
        case SessionStart(origin=origin) | Prompt(origin=origin):
            return TurnEnd(origin)
        case _:
            return event

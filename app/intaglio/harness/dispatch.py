"""Takes what harnesses tell to the session services, live, from the spool, and after an absence."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Final
from weakref import WeakValueDictionary

from intaglio.base.agents.agent_id import DEFAULT_AGENT, agent_in_session_key
from intaglio.base.errors import IntaglioError, NotFoundError, UnavailableError
from intaglio.base.log import Logger
from intaglio.base.text import clip
from intaglio.harness import spool
from intaglio.harness.events import (
    EventOrigin,
    HarnessEvent,
    IgnoredEvent,
    Prompt,
    SessionEnd,
    SessionStart,
    TranscriptReading,
    TurnEnd,
)
from intaglio.harness.protocol import Harness
from intaglio.harness.transcript import transcript_allowed
from intaglio.sessions.context import units
from intaglio.sessions.prompt import PromptContexts, PromptInput
from intaglio.sessions.session_end import SessionEnds
from intaglio.sessions.session_start import SessionStarts
from intaglio.sessions.values import (
    CaptureResult,
    KnownSession,
    SessionRef,
    TranscriptBatch,
    TranscriptLine,
)

READ_BYTES: Final = 8_000_000
MAX_TRIES: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispatch:
    """The way from harnesses to sessions; ``roots`` lists where a harness's transcripts may lie.

    ``reading`` holds a lock for each session whose transcript is being read, ``tries`` how often a
    spooled event met a fault that nobody foresaw.
    """

    harnesses: Mapping[str, Harness]
    starts: SessionStarts
    prompts: PromptContexts
    ends: SessionEnds
    roots: Callable[[Harness], list[Path]]
    spool: Path
    log: Logger
    reading: "WeakValueDictionary[tuple[str, str], asyncio.Lock]" = field(
        default_factory=WeakValueDictionary[tuple[str, str], asyncio.Lock]
    )
    tries: Counter[str] = field(default_factory=Counter[str])

    async def answer(self, name: str, body: bytes) -> bytes:
        """Answer the hook payload of a harness in its own JSON; mostly with nothing.

        Raises NotFoundError for a harness that is not known, InvalidInputError for what is no
        payload of it, UnavailableError where it cannot be stored now.
        """
        harness = self.harnesses.get(name)
        if harness is None:
            raise NotFoundError(
                f"there is no harness {name!r}", hint=f"Known: {', '.join(self.harnesses)}."
            )
        event = harness.read_event(body)
        return reply_to(harness, event, await self.handle(harness, event))

    def name_at(self, path: str) -> str | None:
        """Name the harness that answers at an older path of its endpoint."""
        return next((name for name, one in self.harnesses.items() if path in one.older_paths), None)

    async def handle(
        self, harness: Harness, event: HarnessEvent, told: datetime | None = None
    ) -> str:
        """Do what an event asks for and return what the session is shown.

        ``told`` is when it was told, if that was not just now.
        """
        limits = harness.limits
        match event:
            case SessionStart(origin=origin, source=source):
                session = _ref(harness, origin)
                return (await self.starts.show(session, source, limits.reply_chars)).text
            case Prompt(origin=origin):
                text = clip(event.text, limits.prompt_chars)
                prompted = PromptInput(text, event.prompt_id, event.by_user)
                session = _ref(harness, origin)
                return (await self.prompts.show(session, prompted, limits.reply_chars)).text
            case TurnEnd(origin=origin):
                await self.capture(_ref(harness, origin), told)
            case SessionEnd(origin=origin, reason=reason):
                await self.capture(_ref(harness, origin), told)
                await self.ends.session_end(_ref(harness, origin), reason, told)
            case IgnoredEvent():
                pass
        return ""

    async def capture(self, session: SessionRef, told: datetime | None = None) -> CaptureResult:
        """Read what is new in the session's transcript and remember what matters in it.

        A transcript that lies elsewhere than transcripts may lie is not read, and none while
        capture is paused: what was said before the pause is read after it.
        """
        if session.subagent or await self.ends.paused():
            return CaptureResult()
        found = await self._transcript(session)
        if found is None:
            return CaptureResult()
        # Turns of a long transcript end faster than it is read; each must not read all of it anew.
        turn = self.reading.setdefault((session.harness, session.id), asyncio.Lock())
        async with turn:
            return await self._capture(session, found, told)

    async def _capture(
        self, session: SessionRef, found: "_Transcript", told: datetime | None
    ) -> CaptureResult:
        total = CaptureResult()
        since = await self.ends.read_at(session)
        reading = TranscriptReading((), await self.ends.offset(session), more=True)
        while reading.more:
            began = self.ends.services.clock()
            reading = await self._read(found, reading.offset)
            batch = replace(
                _batch(reading, since, told, None if reading.more else began),
                harness=found.harness.name,
            )
            total = _sum(total, await self.ends.turn_end(session, batch))
            since = batch.last_time
        return total

    async def drain(self) -> int:
        """Do what hooks left in the spool, oldest first, and return how many events there were.

        An event leaves the spool once its work is committed. Where that is not possible now, or
        while capture is paused, the rest stays for later. One that fails in a way that nobody
        foresaw holds up no other, and is set aside after its third try.
        """
        done = 0
        if await self._waits():
            return done
        for spooled in await asyncio.to_thread(
            lambda: list(spool.drain(self.spool, self.harnesses, self.log))
        ):
            try:
                await self.handle(spooled.harness, _replayed(spooled.event), spooled.time)
            except UnavailableError as error:
                self.log.info("the spool waits", reason=error.detail)
                break
            except IntaglioError as error:
                self.log.warning(
                    "a spooled event failed", file=spooled.file.name, reason=str(error)
                )
            # The worker loop of the spool: one event must not keep the others from being done.
            except Exception as error:  # noqa: BLE001 - see above
                await self._failed(spooled.file, error)
                continue
            self.tries.pop(spooled.file.name, None)
            await asyncio.to_thread(spooled.file.unlink, missing_ok=True)
            done += 1
        return done

    async def _failed(self, file: Path, error: Exception) -> None:
        self.tries[file.name] += 1
        if self.tries[file.name] < MAX_TRIES:
            self.log.error("a spooled event met a fault", file=file.name, error=repr(error))
            return
        del self.tries[file.name]
        await asyncio.to_thread(spool.reject, file, repr(error), self.log)

    async def catch_up(self, since: datetime | None = None) -> int:
        """Read what sessions said unseen: transcripts that grew since their last event.

        With ``since``, only those that changed after it. Returns how many had something new. A
        harness that was killed tells no end, and one that writes late tells a turn's end too early.
        """
        done = 0
        if await self._waits():
            return done
        try:
            known = await self.ends.unread()
            grown = await asyncio.to_thread(
                lambda: [one for one in known if _has_grown(one, since)]
            )
            for one in grown:
                done += await self._catch_up_one(one)
        except UnavailableError as error:
            self.log.info("transcripts wait", reason=error.detail)
        return done

    async def _catch_up_one(self, known: KnownSession) -> bool:
        try:
            return await self._catch_up(known)
        except UnavailableError:
            raise
        # The worker loop of transcripts: one must not keep the others from being read.
        except Exception:
            self.log.exception("a transcript met a fault", session=known.ref.id)
            return False

    async def _waits(self) -> bool:
        """Tell whether nothing may be captured now."""
        try:
            return await self.ends.paused()
        except UnavailableError as error:
            self.log.info("what was missed waits", reason=error.detail)
            return True

    async def _catch_up(self, known: KnownSession) -> bool:
        found = await self._transcript(known.ref, quiet=True)
        if found is None:
            return False
        reading = await self._read(found, known.offset)
        # The client's own closing lines are no news, and must not reopen a session that ended.
        if not reading.messages and not reading.more:
            return False
        await self.capture(known.ref)
        return True

    async def _transcript(
        self, session: SessionRef, *, quiet: bool = False
    ) -> "_Transcript | None":
        if not session.transcript:
            return None
        found = await asyncio.to_thread(self._find, session.harness, session.transcript)
        if found is None and not quiet:
            self.log.info("no transcript to read", session=session.id)
        return found

    def _find(self, name: str, path: str) -> "_Transcript | None":
        known = self.harnesses.get(name)
        # A client of the contract may call itself anything; where it lies tells whose it is.
        for harness in (known,) if known else self.harnesses.values():
            file = transcript_allowed(path, self.roots(harness), harness.transcript_suffix)
            if file is not None:
                return _Transcript(harness, file)
        return None

    async def _read(self, found: "_Transcript", offset: int) -> TranscriptReading:
        read = found.harness.read_transcript
        try:
            reading = await asyncio.to_thread(read, found.path, offset, READ_BYTES)
        except OSError as error:
            self.log.warning("a transcript cannot be read", reason=str(error))
            return TranscriptReading((), offset)
        if reading.skipped:
            self.log.info("lines of a transcript were passed over", lines=reading.skipped)
        return reading


@dataclass(frozen=True, slots=True)
class _Transcript:
    """A transcript that may be read, and the harness that can."""

    harness: Harness
    path: Path


def reply_to(harness: Harness, event: HarnessEvent, text: str) -> bytes:
    """Write the reply to an event, its text cut to what the harness takes."""
    return harness.write_reply(event, _fit(text, harness.limits.reply_chars))


def _fit(text: str, most: int) -> str:
    """Cut to UTF-16 units; a fence that closes the text still closes it afterwards."""
    if units(text) <= most:
        return text
    body, newline, last = text.rpartition("\n")
    tail = newline + last if last.startswith("</") else ""
    body = body if tail else text
    limit = most - units(tail)
    while units(body) > limit:
        body = clip(body, len(body) - max(1, (units(body) - limit) // 2))
    return body + tail


def _has_grown(known: KnownSession, since: datetime | None) -> bool:
    try:
        facts = Path(known.ref.transcript or "").stat()
    except (OSError, ValueError):
        return False
    changed = since is None or facts.st_mtime >= since.timestamp()
    return changed and facts.st_size != known.offset


def _ref(harness: Harness, origin: EventOrigin) -> SessionRef:
    return SessionRef(
        harness=harness.name,
        id=origin.session,
        agent_id=agent_in_session_key(origin.session) or DEFAULT_AGENT,
        project=origin.cwd,
        transcript=origin.transcript,
        subagent=origin.agent_id is not None,
    )


def _replayed(event: HarnessEvent) -> HarnessEvent:
    """Nobody waits any more for what a session would have been shown; its transcript remains."""
    match event:
        case SessionStart(origin=origin) | Prompt(origin=origin):
            return TurnEnd(origin)
        case _:
            return event


def _batch(
    reading: TranscriptReading,
    since: datetime | None,
    told: datetime | None,
    read_at: datetime | None,
) -> TranscriptBatch:
    said = tuple(
        TranscriptLine(message.message_id, message.role, message.text, message.time, message.cwd)
        for message in reading.messages
    )
    return TranscriptBatch(said, reading.offset, since, told, read_at)


def _sum(one: CaptureResult, other: CaptureResult) -> CaptureResult:
    return CaptureResult(
        one.saved + other.saved,
        one.known + other.known,
        one.forgotten + other.forgotten,
        one.refused + other.refused,
    )

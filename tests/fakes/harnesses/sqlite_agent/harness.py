"""The harness: events such as ``{"event": "turn_end", "session": "s1"}``, replies in JSON."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from intaglio.base.clock import parse_moment
from intaglio.base.errors import InvalidInputError
from intaglio.capture.transcripts import TranscriptMessage, TranscriptReading
from intaglio.domain.told_files import SessionPlace, ToldFile
from intaglio.fence.marks import strip_injected
from intaglio.harness.events import (
    Compaction,
    EventOrigin,
    HarnessEvent,
    IgnoredEvent,
    KeptTranscript,
    Prompt,
    SessionEnd,
    SessionStart,
    SubagentStart,
    SubagentStop,
    ToolUse,
    Transcript,
    TurnEnd,
)
from intaglio.harness.own_files import COMMON_FILES, MemoryFolder
from intaglio.harness.protocol import Harness, HarnessLimits, Reply

from .message_rows import MessageRow, messages_after, messages_until, past_sessions


class _Payload(msgspec.Struct):
    event: str
    session: str
    directory: str | None = None
    database: str | None = None
    prompt: str = ""


_PAYLOAD: Final = msgspec.json.Decoder(_Payload)
_EVENTS: Final[Mapping[str, Callable[[EventOrigin], HarnessEvent]]] = {
    "session_start": SessionStart,
    "compaction": Compaction,
    "tool_use": ToolUse,
    "subagent_start": SubagentStart,
    "subagent_stop": SubagentStop,
    "turn_end": TurnEnd,
}


class SqliteAgent:
    """Keeps the messages of all sessions in one database; a position is a message's id."""

    name = "sqlite-agent"
    label = "SQLite Agent"
    limits = HarnessLimits(reply_chars=2_000, prompt_chars=10_000)
    older_paths: tuple[str, ...] = ()
    transcript_suffix = ".db"
    tags = ("sqlite-agent-note",)

    def read_event(self, body: bytes) -> HarnessEvent:
        """Read a hook's JSON."""
        try:
            payload = _PAYLOAD.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise InvalidInputError(f"Not a payload of {self.label}: {error}") from error
        origin = EventOrigin(
            session=payload.session, cwd=payload.directory, transcript=payload.database
        )
        if payload.event == "prompt":
            return Prompt(origin, strip_injected(payload.prompt))
        return self.spooled_event(payload.event, origin, "")

    def spooled_event(self, name: str, origin: EventOrigin, reason: str) -> HarnessEvent:
        """Create an event by its name."""
        made = _EVENTS.get(name)
        if name == "session_end":
            return SessionEnd(origin, reason)
        return IgnoredEvent(name) if made is None else made(origin)

    def write_reply(self, event: HarnessEvent, reply: Reply) -> bytes:
        """Return the context of a start or prompt."""
        if not isinstance(event, SessionStart | Prompt):
            return b""
        return msgspec.json.encode({"context": reply.text})

    def transcript_roots(
        self, home: Path, env: Mapping[str, str], folders: Iterable[Path]
    ) -> list[Path]:
        """List the folders of its database."""
        del env
        return [base / "data" for base in (home / ".sqlite-agent", *folders)]

    def read_transcript(
        self, transcript: Transcript, position: str, limit_bytes: int, context_bytes: int = 0
    ) -> TranscriptReading:
        """Read a session's messages after the one whose id is the position."""
        of, after = transcript.session, int(position.removeprefix("message-") or 0)
        address = f"{transcript.path.as_uri()}?mode=ro"
        try:
            with closing(sqlite3.connect(address, uri=True)) as db:
                rows = messages_after(db, of, after)
                new = tuple(_first(rows, limit_bytes))
                more = next(rows, None) is not None
                before = tuple(_first(messages_until(db, of, after), context_bytes))[::-1]
        except sqlite3.OperationalError as error:
            raise OSError(str(error)) from error
        except sqlite3.DatabaseError:
            return TranscriptReading((), position, skipped=1)
        return TranscriptReading(
            messages=tuple(_message(of, row) for row in new),
            position=f"message-{new[-1][0]}" if new else position,
            more=more,
            preceding=tuple(_message(of, row) for row in before),
        )

    def may_have_grown(self, path: Path, position: str, since: datetime | None) -> bool:
        """Whether the database, or its log, was written after ``since``."""
        del position
        times = [file.stat().st_mtime for file in (path, _log(path)) if file.is_file()]
        return bool(times) and (since is None or max(times) >= since.timestamp())

    def past_sessions(self, roots: Sequence[Path]) -> Iterator[KeptTranscript]:
        """Iterate the sessions of the databases."""
        for file in (each for root in roots for each in root.glob("*.db") if each.is_file()):
            try:
                with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as db:
                    found = past_sessions(db)
            except sqlite3.DatabaseError as error:
                raise OSError(str(error)) from error
            for session, first, last, size in found:
                yield KeptTranscript(
                    transcript=Transcript(file, session),
                    size=size,
                    modified=parse_moment(last) or datetime.now(UTC),
                    started=parse_moment(first),
                )

    def told_files(
        self, home: Path, env: Mapping[str, str], place: SessionPlace
    ) -> Sequence[ToldFile]:
        """List the files that it tells its model by itself."""
        return COMMON_FILES.told(home, env, place)

    def memory_places(
        self, home: Path, env: Mapping[str, str], projects: tuple[str, ...]
    ) -> Sequence[MemoryFolder]:
        """List the folders of a memory of its own: it has none."""
        return COMMON_FILES.memory(home, env, projects)


HARNESS: Final[Harness] = SqliteAgent()


def _first(rows: Iterable[MessageRow], limit_bytes: int) -> Iterator[MessageRow]:
    """Yield rows until their texts reach the limit."""
    size = 0
    if limit_bytes <= 0:
        return
    for row in rows:
        yield row
        size += len(row[2].encode())
        if size >= limit_bytes:
            return


def _message(session: str, row: MessageRow) -> TranscriptMessage:
    number, role, text, at = row
    time = parse_moment(at) if at else None
    return TranscriptMessage(f"{session}-{number}", role, text, time, session=session)


def _log(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")

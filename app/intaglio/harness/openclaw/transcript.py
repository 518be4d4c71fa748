"""Reads OpenClaw's transcripts: those of an agent's sessions are in one database."""

import re
import sqlite3
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct, field

from intaglio.base.clock import parse_moment
from intaglio.base.json.tolerant import REFUSED, TolerantDecoder
from intaglio.base.text import scrub
from intaglio.capture.transcripts import TranscriptMessage, TranscriptReading
from intaglio.fence.marks import strip_injected
from intaglio.harness.events import KeptTranscript, Transcript
from intaglio.harness.kept_transcripts import allowed_files
from intaglio.harness.openclaw.connector import state_folder
from intaglio.harness.openclaw.transcript_rows import (
    EventRow,
    events_after,
    events_until,
    past_sessions,
    session_key,
)
from intaglio.harness.openclaw.typed_text import typed_text
from intaglio.harness.transcript import (
    MAX_ROW_BYTES,
    database_may_have_grown,
    open_database,
)

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_LAST: Final = 2**62
# What a schedule or another agent started has no words of the user.
_MACHINES: Final = re.compile(r"(?:^|:)(?:cron|subagent|acp|hook):")


class _Block(Struct):
    type: str = ""
    text: str = ""


class _Provenance(Struct):
    kind: str = ""


class _Own(Struct, rename={"is_owner": "senderIsOwner"}):
    is_owner: bool = False


class _Message(Struct, rename={"own": "__openclaw"}):
    role: str = ""
    content: str | list[_Block] = ""
    provenance: _Provenance | None = None
    own: _Own = field(default_factory=_Own)


class _Event(Struct):
    type: str = ""
    id: str = ""
    timestamp: str = ""
    message: _Message | None = None


_DECODER: Final = TolerantDecoder(_Event)


@dataclass(frozen=True, slots=True)
class AgentDatabases:
    """The databases ``agents/<agent>/agent/openclaw-agent.sqlite``; a position is a number."""

    suffix: str = ".sqlite"

    def roots(self, home: Path, env: Mapping[str, str], folders: Iterable[Path]) -> list[Path]:
        """List the folders that the databases may be in."""
        states = dict.fromkeys([state_folder(home, env), *folders])
        return [state / "agents" for state in states]

    def read(
        self, transcript: Transcript, position: str, limit_bytes: int, context_bytes: int
    ) -> TranscriptReading:
        """Read the messages of a session's events after the one whose number is the position."""
        after = int(position) if position.isdecimal() else -1
        # The daemon's id of a session begins with the agent's: ``agent:<agent>:<session>``.
        session = transcript.session.split(":", 2)[-1]
        try:
            with open_database(transcript.path) as db:
                if _MACHINES.search(session_key(db, session)):
                    return TranscriptReading((), position)
                rows = events_after(db, session, after)
                new = list(_first(rows, limit_bytes))
                more = next(rows, None) is not None
                before = list(_first(events_until(db, session, after), context_bytes))[::-1]
        except sqlite3.DatabaseError:
            return TranscriptReading((), position, skipped=1)
        messages, skipped = _messages(transcript.session, new)
        preceding, _ = _messages(transcript.session, before)
        end = str(new[-1][0]) if new else position
        return TranscriptReading(tuple(messages), end, more, skipped, tuple(preceding))

    def may_have_grown(self, path: Path, position: str, since: datetime | None) -> bool:
        """Whether the database, or its log, was written after ``since``."""
        del position
        return database_may_have_grown(path, since)

    def past(self, roots: Sequence[Path]) -> Iterator[KeptTranscript]:
        """Iterate the sessions of all agents that a person talked in."""
        for _, file in allowed_files(roots, "*/agent/openclaw-agent.sqlite", self.suffix):
            yield from _past_sessions(file)


def _past_sessions(file: Path) -> Iterator[KeptTranscript]:
    try:
        with open_database(file) as db:
            for session, key, size in past_sessions(db):
                if _MACHINES.search(key):
                    continue
                first = _time(next(events_after(db, session, -1), None))
                last = _time(next(events_until(db, session, _LAST), None))
                modified = datetime.fromtimestamp(file.stat().st_mtime, UTC)
                # Of ``agents/<agent>/agent/<file>``
                of = f"agent:{file.parts[-3]}:{session}"
                yield KeptTranscript(
                    transcript=Transcript(file, of),
                    size=size,
                    modified=last or modified,
                    started=first,
                )
    except sqlite3.DatabaseError as error:
        raise OSError(f"{file}: {error}") from error


def _time(row: EventRow | None) -> datetime | None:
    """Return when an event was written; None if it can't be read."""
    event = _event(row) if row is not None else None
    return parse_moment(event.timestamp) if event and event.timestamp else None


def _event(row: EventRow) -> _Event | None:
    """Return an event; None if it can't be read."""
    _, text, compressed = row
    try:
        return _DECODER.decode(text.encode() if text else _plain(compressed or b""))
    except (*REFUSED, zstd.ZstdError):
        return None


def _first(rows: Iterable[EventRow], limit_bytes: int) -> Iterator[EventRow]:
    """Yield rows until their events reach the limit."""
    size = 0
    for row in rows if limit_bytes > 0 else ():
        yield row
        size += len(row[1] or row[2] or b"")
        if size >= limit_bytes:
            return


def _messages(session: str, rows: Iterable[EventRow]) -> tuple[list[TranscriptMessage], int]:
    """Return the messages of events, and how many events couldn't be read."""
    found: list[TranscriptMessage] = []
    skipped = 0
    for row in rows:
        event = _event(row)
        if event is None:
            skipped += 1
            continue
        message = _message(session, event)
        if message is not None:
            found.append(message)
    return found, skipped


def _plain(compressed: bytes) -> bytes:
    """Decompress an event; raises ZstdError if it isn't one, or is larger than any may be."""
    reader = zstd.ZstdDecompressor()
    plain = reader.decompress(compressed, MAX_ROW_BYTES)
    if not reader.eof:
        raise zstd.ZstdError("the event is too large or incomplete")
    return plain


def _message(session: str, event: _Event) -> TranscriptMessage | None:
    """Return a message with its words; None for anything else.

    OpenClaw marks what the agent's owner said. All others are other people, schedules and agents.
    """
    message = event.message
    if event.type != "message" or message is None:
        return None
    role: Literal["user", "assistant"]
    match message.role:
        case "user" if message.own.is_owner and _is_external(message.provenance):
            role, text = "user", typed_text(strip_injected(_text(message)))
        case "assistant":
            role, text = "assistant", strip_injected(_text(message))
        case _:
            return None
    if not text.strip():
        return None
    return TranscriptMessage(
        message_id=scrub(event.id),
        role=role,
        text=text,
        time=parse_moment(event.timestamp) if event.timestamp else None,
        session=session,
    )


def _is_external(provenance: _Provenance | None) -> bool:
    return provenance is None or provenance.kind in {"", "external_user"}


def _text(message: _Message) -> str:
    if isinstance(message.content, str):
        return scrub(message.content)
    texts = (block.text for block in message.content if block.type == "text")
    return scrub("\n\n".join(text for text in texts if text))

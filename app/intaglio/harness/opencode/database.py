"""Reads the transcripts of sessions from OpenCode's database, which is never written to.

A position is ``time/`` with the time in ms and the id of the last message that was read, or
``number/`` with its number and id in version 2.
"""

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from intaglio.base.clock import moment_of_seconds
from intaglio.base.json.tolerant import REFUSED
from intaglio.capture.transcripts import HarnessTitle, TranscriptMessage, TranscriptReading
from intaglio.harness.events import KeptTranscript, Transcript
from intaglio.harness.kept_transcripts import allowed_files
from intaglio.harness.opencode import message_rows as rows
from intaglio.harness.opencode.message_rows import MessageColumns, MessagePlace, SessionColumns
from intaglio.harness.opencode.messages import SaidWords, is_unfinished, read_message
from intaglio.harness.transcript import database_may_have_grown, open_database

_POSITION: Final = re.compile(r"(time|number)/(\d{1,18})/(\w{1,200})", re.ASCII)
# What a session is called until its model has named it.
_UNNAMED: Final = re.compile(r"(?:New|Child) session - \d{4}-")


@dataclass(frozen=True, slots=True)
class SessionDatabase:
    """The database of all sessions, as a source of transcripts."""

    suffix: str = ".db"

    def roots(self, home: Path, env: Mapping[str, str], folders: Iterable[Path]) -> list[Path]:
        """List where the database may be; OpenCode's own environment may name another place."""
        del folders
        data = env.get("XDG_DATA_HOME", "").strip()
        bases = [home / ".local" / "share", *([Path(data)] if data else [])]
        named = Path(env.get("OPENCODE_DB", "").strip())
        return [*(base / "opencode" for base in bases), *([named] if named.is_absolute() else [])]

    def read(
        self, transcript: Transcript, position: str, limit_bytes: int, context_bytes: int
    ) -> TranscriptReading:
        """Read the messages from a position on; a subagent's session has none."""
        try:
            with open_database(transcript.path) as db:
                found = rows.session(db, transcript.session)
                if found is None or found[1]:
                    return TranscriptReading((), position)
                session = _Session(db, transcript.session, found)
                return session.read(position, limit_bytes, context_bytes)
        except sqlite3.DatabaseError:
            return TranscriptReading((), position, skipped=1)

    def may_have_grown(self, path: Path, position: str, since: datetime | None) -> bool:
        """Whether the database, or its log, was written after ``since``."""
        del position
        return database_may_have_grown(path, since)

    def past(self, roots: Sequence[Path]) -> Iterator[KeptTranscript]:
        """Iterate the sessions of the databases; their sizes are shares of the file's."""
        for _, file in allowed_files(roots, f"*{self.suffix}", self.suffix):
            yield from _past_sessions(file)


def _past_sessions(file: Path) -> Iterator[KeptTranscript]:
    try:
        with open_database(file) as db:
            found = rows.past_sessions(db)
    except sqlite3.DatabaseError as error:
        raise OSError(f"{file}: {error}") from error
    status = file.stat()
    size = status.st_size // max(1, sum(row[4] for row in found))
    written = datetime.fromtimestamp(status.st_mtime, UTC)
    for session, directory, first_ms, last_ms, messages in found:
        yield KeptTranscript(
            transcript=Transcript(file, session),
            size=size * messages,
            modified=moment_of_seconds(last_ms / 1_000) or written,
            started=moment_of_seconds(first_ms / 1_000),
            cwd=directory,
        )


class _Session:
    """One session's messages in an open database."""

    def __init__(self, db: sqlite3.Connection, of: str, found: SessionColumns) -> None:
        self.db, self.of = db, of
        self.directory, _, self.title = found
        self.is_numbered = rows.has_numbered_messages(db, of)
        self.skipped = 0

    def read(self, position: str, limit_bytes: int, context_bytes: int) -> TranscriptReading:
        """Read the messages after a position, and some before it."""
        place = self._place(position)
        after = rows.numbered_messages_after if self.is_numbered else rows.messages_after
        until = rows.numbered_messages_until if self.is_numbered else rows.messages_until
        new: list[TranscriptMessage] = []
        last, size, more = place, 0, False
        for row in self._finished(after(self.db, self.of, place)):
            if size >= limit_bytes:
                more = True
                break
            said = self._said(row)
            new += said
            last, size = row[:2], size + _bytes(row, said)
        skipped = self.skipped
        before: list[TranscriptMessage] = []
        size = 0
        for row in until(self.db, self.of, place) if context_bytes > 0 else ():
            said = self._said(row)
            before += reversed(said)
            size += _bytes(row, said)
            if size >= context_bytes:
                break
        return TranscriptReading(
            messages=tuple(new),
            position=position if last == place else self._position(last),
            more=more,
            skipped=skipped,
            preceding=tuple(reversed(before)),
            title=self._named() if new else None,
        )

    def _place(self, position: str) -> MessagePlace:
        found = _POSITION.fullmatch(position)
        if found is None or (found[1] == "number") is not self.is_numbered:
            return (-1, "")
        return (int(found[2]), found[3])

    def _position(self, place: MessagePlace) -> str:
        return f"{'number' if self.is_numbered else 'time'}/{place[0]}/{place[1]}"

    def _finished(self, found: Iterable[MessageColumns]) -> Iterator[MessageColumns]:
        """Yield the messages without the last one if it is still being written."""
        held: MessageColumns | None = None
        for row in found:
            if held is not None:
                yield held
            held = row
        if held is not None and not self._is_unfinished(held):
            yield held

    def _is_unfinished(self, row: MessageColumns) -> bool:
        # Version 1 stores a message first and its parts after it.
        if not self.is_numbered and not rows.has_parts(self.db, row[1]):
            return True
        try:
            return is_unfinished(row[3])
        except REFUSED:
            return False

    def _said(self, row: MessageColumns) -> list[TranscriptMessage]:
        _, message_id, created_ms, data = row
        try:
            parts = [] if self.is_numbered else rows.text_parts(self.db, message_id)
            said = list(read_message(data, parts))
        except REFUSED:
            self.skipped += 1
            return []
        return [self._message(message_id, created_ms, each, n) for n, each in enumerate(said)]

    def _message(
        self, message_id: str, created_ms: int, said: SaidWords, number: int
    ) -> TranscriptMessage:
        return TranscriptMessage(
            f"{message_id}-{number}" if number else message_id,
            said.role,
            said.text,
            moment_of_seconds(created_ms / 1_000),
            self.directory,
            question=said.question,
            is_choice=said.is_choice,
            session=self.of,
        )

    def _named(self) -> HarnessTitle | None:
        if not self.title or _UNNAMED.match(self.title):
            return None
        return HarnessTitle(self.title, session=self.of)


def _bytes(row: MessageColumns, messages: Iterable[TranscriptMessage]) -> int:
    """Return about how much was read: long messages may have no words, such as a tool's calls."""
    return len(row[3]) + sum(len(each.text.encode()) for each in messages)

"""What was read of an export, for the import: its conversations in a file, one a line.

The file holds texts without secrets, is readable by its owner only, and is deleted with its upload.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Literal, Self

import msgspec
from msgspec import Struct

from intaglio.base.paths import write_private
from intaglio.capture.transcripts import HarnessTitle, TranscriptMessage, TranscriptReading
from intaglio.harness.events import KeptTranscript, Transcript
from intaglio.history_import.exports.conversations import ExportedConversation

MAX_CONVERSATIONS: Final = 50_000
MAX_KEPT_BYTES: Final = 4_000_000_000

_CONVERSATIONS: Final = "conversations.jsonl"
_INDEX: Final = "index.jsonl"


class _Message(Struct, array_like=True):
    id: str
    role: Literal["user", "assistant"]
    text: str
    time: datetime | None


class _Line(Struct, array_like=True):
    title: str
    messages: list[_Message]


class _Entry(Struct, array_like=True):
    """A line of the index; a conversation with a ``problem`` couldn't be read and has no line."""

    id: str
    offset: int
    size: int
    started: datetime | None
    modified: datetime
    end: str = ""
    problem: str = ""


_LINE: Final = msgspec.json.Decoder(_Line)
_ENTRY: Final = msgspec.json.Decoder(_Entry)


class ExportTooLargeError(Exception):
    """There are more conversations, or longer ones, than are kept."""


@dataclass(slots=True)
class ExportWriter:
    """Writes an export's conversations; of two with one id, the one that goes on longer counts.

    ``now`` stands for times that aren't known.
    """

    folder: Path
    now: datetime
    _stream: BinaryIO = field(init=False)
    _entries: dict[str, _Entry] = field(default_factory=dict[str, _Entry])
    _size: int = 0

    def __enter__(self) -> Self:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        descriptor = os.open(self.folder / _CONVERSATIONS, flags, 0o600)
        self._stream = os.fdopen(descriptor, "wb")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stream.close()
        if error is not None:
            (self.folder / _CONVERSATIONS).unlink(missing_ok=True)
        else:
            lines = map(msgspec.json.encode, self._entries.values())
            write_private(self.folder / _INDEX, b"".join(b"%s\n" % line for line in lines))

    @property
    def size(self) -> int:
        """How many bytes are written."""
        return self._size

    @property
    def conversations(self) -> int:
        """How many conversations there are."""
        return sum(not each.problem for each in self._entries.values())

    def add(self, conversation: ExportedConversation) -> None:
        """Write a conversation; raises ExportTooLargeError if there are too many."""
        said = [_Message(m.id, m.role, m.text, m.time) for m in conversation.messages]
        line = msgspec.json.encode(_Line(conversation.title, said)) + b"\n"
        times = conversation.times
        entry = _Entry(
            id=conversation.id,
            offset=self._size,
            size=len(line),
            started=min(times, default=None),
            modified=max(times, default=self.now),
            end=conversation.messages[-1].id,
        )
        known = self._entries.get(conversation.id)
        if known is not None and known.modified > entry.modified:
            return
        self._check_room(len(line))
        self._stream.write(line)
        self._size += len(line)
        self._entries[conversation.id] = entry

    def add_problem(self, place: str, reason: str) -> None:
        """Note a conversation that can't be read."""
        self._check_room(0)
        self._entries[place] = _Entry(place, 0, 0, None, self.now, problem=reason)

    def _check_room(self, size: int) -> None:
        if len(self._entries) >= MAX_CONVERSATIONS or self._size + size > MAX_KEPT_BYTES:
            raise ExportTooLargeError


@dataclass(slots=True)
class StoredExport:
    """The conversations that were read of an export.

    ``name`` is that of its file, ``label`` that of the service.
    """

    folder: Path
    name: str
    label: str
    _index: dict[str, _Entry] | None = None

    def sessions(self) -> Iterator[KeptTranscript]:
        """Iterate the conversations, those that couldn't be read too. Raises OSError."""
        for each in self._entries().values():
            # The place is for people. It is the same in a newer export, where reading continues.
            place = f"{self.name}, {each.id}" if each.problem else self.label
            yield KeptTranscript(
                transcript=Transcript(Path(place), each.id),
                size=each.size,
                modified=each.modified,
                started=each.started,
                end=each.end or None,
            )

    def read(
        self, session: str, position: str, limit_bytes: int, context_bytes: int = 0
    ) -> TranscriptReading:
        """Read a conversation after the message with the id ``position``, or from its start.

        Raises OSError if it can't be read.
        """
        entry = self._entries().get(session)
        if entry is None:
            raise FileNotFoundError("The conversation isn't in the export.")
        if entry.problem:
            raise OSError(entry.problem)
        line = self._line(entry)
        messages = [_transcript_message(each) for each in line.messages]
        known = [each.message_id for each in messages]
        start = known.index(position) + 1 if position in known else 0
        new = _fitting(messages[start:], limit_bytes)
        before = _fitting(messages[:start][::-1], context_bytes)[::-1] if context_bytes else []
        return TranscriptReading(
            messages=tuple(new),
            position=new[-1].message_id if new else position,
            more=start + len(new) < len(messages),
            preceding=tuple(before),
            title=HarnessTitle(line.title) if line.title else None,
        )

    @property
    def _file(self) -> Path:
        return self.folder / _CONVERSATIONS

    def _entries(self) -> dict[str, _Entry]:
        if self._index is None:
            try:
                entries = map(_ENTRY.decode, (self.folder / _INDEX).read_bytes().splitlines())
                self._index = {each.id: each for each in entries}
            except msgspec.DecodeError as error:
                raise OSError(f"The list of conversations is broken: {error}") from error
        return self._index

    def _line(self, entry: _Entry) -> _Line:
        with self._file.open("rb") as stream:
            stream.seek(entry.offset)
            try:
                return _LINE.decode(stream.read(entry.size))
            except msgspec.DecodeError as error:
                raise OSError(f"The conversation is broken: {error}") from error


def _transcript_message(message: _Message) -> TranscriptMessage:
    return TranscriptMessage(message.id, message.role, message.text, message.time)


def _fitting(messages: Sequence[TranscriptMessage], limit_bytes: int) -> list[TranscriptMessage]:
    """Return the first messages that have about so many bytes together, at least one."""
    fitting: list[TranscriptMessage] = []
    size = 0
    for each in messages:
        if fitting and size >= limit_bytes:
            break
        fitting.append(each)
        size += len(each.text.encode())
    return fitting

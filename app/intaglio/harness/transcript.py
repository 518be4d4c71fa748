"""Shared transcript reading: which files may be read, and JSON lines from a position on.

The position in a file of JSON lines is the byte offset of a line, in decimal.
"""

import os
import sqlite3
import stat
from collections.abc import Callable, Generator, Iterable
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Generic, TypeVar

from intaglio.base.files.regular_file import open_regular
from intaglio.base.json.shortening import Shortener
from intaglio.base.json.tolerant import REFUSED, TolerantDecoder
from intaglio.capture.transcripts import TranscriptMessage, TranscriptReading

MAX_LINE_BYTES = 4_000_000
MAX_ROW_BYTES = 16_000_000
"""The longest row of a database that is read: a message may have a picture in it."""

_BUSY_S = 5.0
_PART_BYTES = 1_000_000
_LINE_END = b"\n"
_BLANKS = b" \t\r\n\x00\xef\xbb\xbf"
_TOO_LONG = b"-"

_Record = TypeVar("_Record")


def transcript_allowed(path: str, roots: Iterable[Path], suffix: str) -> Path | None:
    """Return the real path of a transcript if it may be read, else None.

    It must be absolute, end in ``suffix``, be in one of the roots after resolving links, and be a
    regular file owned by this user.
    """
    named = Path(path)
    if "\x00" in path or not named.is_absolute() or named.suffix != suffix:
        return None
    try:
        real = named.resolve(strict=True)
        status = real.stat()
        inside = any(real.is_relative_to(root.resolve()) for root in roots)
    except (OSError, RuntimeError, ValueError):
        return None
    owned = not hasattr(os, "getuid") or status.st_uid == os.getuid()
    allowed = inside and owned and real.suffix == suffix and stat.S_ISREG(status.st_mode)
    return real if allowed else None


def offset_of(position: str) -> int:
    """Return the byte offset of a position in a file of JSON lines; 0 for any other."""
    return int(position) if position.isdecimal() else 0


def file_may_have_grown(path: Path, position: str, since: datetime | None) -> bool:
    """Whether a file of JSON lines goes beyond a position and was written after ``since``."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return False
    changed = since is None or status.st_mtime >= since.timestamp()
    return changed and status.st_size != offset_of(position)


def database_may_have_grown(path: Path, since: datetime | None) -> bool:
    """Whether an SQLite database, or its log, was written after ``since``."""
    try:
        files = (path, path.with_name(f"{path.name}-wal"))
        times = [file.stat().st_mtime for file in files if file.is_file()]
    except (OSError, ValueError):
        return False
    return bool(times) and (since is None or max(times) >= since.timestamp())


@contextmanager
def open_database(path: Path) -> Generator[sqlite3.Connection]:
    """Open another program's SQLite database, which is never written to, while the block runs.

    Raises OSError if it is locked, or has other tables or columns than the block reads.
    """
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=_BUSY_S)) as db:
            yield db
    except sqlite3.OperationalError as error:
        raise OSError(f"{path}: {error}") from error


def start_of_line_before(path: Path, offset: int, size: int) -> int:
    """Return where a line begins, at most ``size`` bytes before ``offset``, which begins a line.

    Returns ``offset`` if none begins there, or if the file was replaced. Raises OSError if it can't
    be read.
    """
    with open_regular(path) as stream:
        return _start_before(stream, offset, size)


def _start_before(stream: BinaryIO, offset: int, size: int) -> int:
    if _begin(stream, offset) != offset:
        return offset
    if offset <= size:
        return 0
    stream.seek(offset - size - 1)
    stream.readline(size + 1)
    return min(stream.tell(), offset)


def read_json_lines(
    path: Path,
    position: str,
    limit_bytes: int,
    decoder: TolerantDecoder[_Record],
    messages_of: Callable[[_Record], Iterable[TranscriptMessage]],
    context_bytes: int = 0,
) -> TranscriptReading:
    """Read lines from ``position`` on, at most about ``limit_bytes``, and some of those before it.

    A line of any length is read in bounded memory. The last one may lack its end if it's a whole
    record. A file that is shorter than the position, or has no line that ends there, was replaced
    and is read from its start. Raises OSError if it can't be read.
    """
    with open_regular(path) as stream:
        lines = _JsonLines(stream, decoder, messages_of)
        offset = offset_of(position)
        preceding: list[TranscriptMessage] = []
        if context_bytes and offset:
            begin = _start_before(stream, offset, context_bytes)
            before, end, _ = lines.read(begin, offset - begin)
            preceding = before if end == offset else []
        start = _begin(stream, offset)
        messages, end, skipped = lines.read(start, limit_bytes)
        stream.seek(end)
        more = end - start >= limit_bytes and bool(stream.read(1))
    return TranscriptReading(
        tuple(messages), str(end) if end else "", more, skipped, tuple(preceding)
    )


@dataclass(frozen=True, slots=True)
class _JsonLines(Generic[_Record]):
    """Reads the records of a file."""

    stream: BinaryIO
    decoder: TolerantDecoder[_Record]
    messages_of: Callable[[_Record], Iterable[TranscriptMessage]]

    def read(self, start: int, limit_bytes: int) -> tuple[list[TranscriptMessage], int, int]:
        """Return the messages from a byte offset on, the offset after them, and lines skipped."""
        messages: list[TranscriptMessage] = []
        position, skipped = self.stream.seek(start), 0
        while position - start < limit_bytes:
            line, is_whole = _read_line(self.stream)
            if not line and not is_whole:
                break
            record = _decode(line, self.decoder)
            if record is None and not is_whole:
                break
            position = self.stream.tell()
            if record is not None:
                messages += self.messages_of(record)
            elif line.strip(_BLANKS):
                skipped += 1
        return messages, position, skipped


def _begin(stream: BinaryIO, offset: int) -> int:
    size = stream.seek(0, os.SEEK_END)
    if not 0 < offset <= size:
        return stream.seek(0)
    stream.seek(offset - 1)
    around = stream.read(2)
    # A last line without its end may have got it since.
    ends_line = around.startswith(_LINE_END) or around[1:] in {b"", _LINE_END, b"\r"}
    return stream.seek(offset) if ends_line else stream.seek(0)


def _read_line(stream: BinaryIO) -> tuple[bytes, bool]:
    """Read a line, shortened if it is long, and whether its end was there."""
    line = stream.readline(MAX_LINE_BYTES)
    if len(line) < MAX_LINE_BYTES or line.endswith(_LINE_END):
        return line, line.endswith(_LINE_END)
    shortener = Shortener()
    part = line
    while part and not part.endswith(_LINE_END):
        shortener.add(part)
        part = stream.readline(_PART_BYTES)
    shortener.add(part)
    # Something must be left: an empty line would be the end of the file.
    return shortener.text() or _TOO_LONG, bool(part)


def _decode(line: bytes, decoder: TolerantDecoder[_Record]) -> _Record | None:
    try:
        return decoder.decode(line)
    except REFUSED:
        return None

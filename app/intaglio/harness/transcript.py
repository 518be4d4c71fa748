"""Shared transcript reading: which files may be read, and JSON lines from an offset on."""

import os
import stat
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import BinaryIO, TypeVar

import msgspec

from intaglio.base.files.regular_file import open_regular
from intaglio.harness.events import TranscriptMessage, TranscriptReading

MAX_LINE_BYTES = 4_000_000

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


def start_of_line_before(path: Path, offset: int, size: int) -> int:
    """Return where a line begins, at most ``size`` bytes before ``offset``, which begins a line.

    Returns ``offset`` if none begins there, or if the file was replaced. Raises OSError if it can't
    be read.
    """
    with open_regular(path) as stream:
        if _begin(stream, offset) != offset:
            return offset
        if offset <= size:
            return 0
        stream.seek(offset - size - 1)
        stream.readline(size + 1)
        return min(stream.tell(), offset)


def read_json_lines(
    path: Path,
    offset: int,
    limit_bytes: int,
    decoder: msgspec.json.Decoder[_Record],
    message_of: Callable[[_Record], TranscriptMessage | None],
) -> TranscriptReading:
    """Read complete lines from ``offset`` (bytes) on, at most about ``limit_bytes``.

    ``message_of`` returns a record's message or None. A file that is shorter than the offset, or
    has no line end before it, was replaced and is read from its start. Raises OSError if it can't
    be read.
    """
    messages: list[TranscriptMessage] = []
    with open_regular(path) as stream:
        position = start = _begin(stream, offset)
        skipped = 0
        while position - start < limit_bytes:
            line = stream.readline(MAX_LINE_BYTES + 1)
            whole = line.endswith(b"\n")
            if not whole and (len(line) <= MAX_LINE_BYTES or not _skip_line(stream)):
                return TranscriptReading(tuple(messages), position, skipped=skipped)
            record = _decode(line, decoder) if whole else None
            skipped += record is None
            message = message_of(record) if record is not None else None
            if message:
                messages.append(message)
            position = stream.tell()
        more = bool(stream.read(1))
    return TranscriptReading(tuple(messages), position, more, skipped)


def _begin(stream: BinaryIO, offset: int) -> int:
    size = stream.seek(0, os.SEEK_END)
    if not 0 < offset <= size:
        return stream.seek(0)
    stream.seek(offset - 1)
    return offset if stream.read(1) == b"\n" else stream.seek(0)


def _skip_line(stream: BinaryIO) -> bool:
    """Skip to the next line end; False if there is none yet."""
    while part := stream.readline(1_000_000):
        if part.endswith(b"\n"):
            return True
    return False


def _decode(line: bytes, decoder: msgspec.json.Decoder[_Record]) -> _Record | None:
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None

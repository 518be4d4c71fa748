"""Shared transcript reading: which files may be read, and JSON lines from an offset on."""

import os
import stat
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import BinaryIO, TypeVar

from intaglio.base.files.regular_file import open_regular
from intaglio.base.json.shortening import Shortener
from intaglio.base.json.tolerant import REFUSED, TolerantDecoder
from intaglio.harness.events import TranscriptMessage, TranscriptReading

MAX_LINE_BYTES = 4_000_000
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
    decoder: TolerantDecoder[_Record],
    messages_of: Callable[[_Record], Iterable[TranscriptMessage]],
) -> TranscriptReading:
    """Read lines from ``offset`` (bytes) on, at most about ``limit_bytes``.

    A line of any length is read in bounded memory. The last one may lack its end if it's a whole
    record. A file that is shorter than the offset, or has no line that ends there, was replaced and
    is read from its start. Raises OSError if it can't be read.
    """
    messages: list[TranscriptMessage] = []
    with open_regular(path) as stream:
        position = start = _begin(stream, offset)
        skipped = 0
        while position - start < limit_bytes:
            line, is_whole = _read_line(stream)
            if not line and not is_whole:
                break
            record = _decode(line, decoder)
            if record is None and not is_whole:
                break
            position = stream.tell()
            if record is not None:
                messages += messages_of(record)
            elif line.strip(_BLANKS):
                skipped += 1
        stream.seek(position)
        more = position - start >= limit_bytes and bool(stream.read(1))
    return TranscriptReading(tuple(messages), position, more, skipped)


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

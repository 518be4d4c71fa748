"""What the transcripts of harnesses share: which may be read, and lines from an offset on."""

import os
import stat
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import BinaryIO, TypeVar

import msgspec

from intaglio.harness.events import TranscriptMessage, TranscriptReading

MAX_LINE_BYTES = 4_000_000

_Record = TypeVar("_Record")


def transcript_allowed(path: str, roots: Iterable[Path], suffix: str) -> Path | None:
    """Return the real path of a transcript that may be read, else None.

    It is absolute, ends in ``suffix``, lies in one of the roots after links are followed, and is
    a regular file of this user.
    """
    named = Path(path)
    if "\x00" in path or not named.is_absolute() or named.suffix != suffix:
        return None
    try:
        real = named.resolve(strict=True)
        facts = real.stat()
        inside = any(real.is_relative_to(root.resolve()) for root in roots)
    except (OSError, RuntimeError, ValueError):
        return None
    owned = not hasattr(os, "getuid") or facts.st_uid == os.getuid()
    fine = inside and owned and real.suffix == suffix and stat.S_ISREG(facts.st_mode)
    return real if fine else None


def read_json_lines(
    path: Path,
    offset: int,
    limit_bytes: int,
    decoder: msgspec.json.Decoder[_Record],
    message_of: Callable[[_Record], TranscriptMessage | None],
) -> TranscriptReading:
    """Read whole lines from ``offset`` (bytes), about ``limit_bytes`` of them at most.

    ``message_of`` gives what was said in a record, None where that is nothing. A file that became
    shorter, or has no line end before the offset, was replaced and is read from its start. Raises
    OSError when it cannot be read.
    """
    messages: list[TranscriptMessage] = []
    with path.open("rb") as stream:
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
    """Read to the next line end; False when there is none yet."""
    while part := stream.readline(1_000_000):
        if part.endswith(b"\n"):
            return True
    return False


def _decode(line: bytes, decoder: msgspec.json.Decoder[_Record]) -> _Record | None:
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None

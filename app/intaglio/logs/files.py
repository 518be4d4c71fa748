"""The files of a log as one sequence of lines, read in blocks from either end."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedReader
from os import fstat
from pathlib import Path
from typing import Final

from intaglio.base.files.regular_file import open_regular
from intaglio.base.log import KEPT_FILES
from intaglio.logs.values import LogPosition, NewLines, RawLine

_BLOCK: Final = 65_536
_LINE_BYTES: Final = 262_144
_HEAD: Final = 256
_MOST_BEHIND: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class _OpenFile:
    stream: BufferedReader
    identity: str
    size: int

    def has(self, position: LogPosition) -> bool:
        """Whether the position is in this file.

        A file that had no line yet was known by its inode alone.
        """
        is_same = self.identity == position.file
        if position.offset == 0:
            is_same = self.identity.partition(".")[0] == position.file.partition(".")[0]
        return is_same and position.offset <= self.size


def _identity(stream: BufferedReader, inode: int) -> str:
    head = stream.read(_HEAD)
    first, line_feed, _ = head.partition(b"\n")
    # A first line that may still grow identifies nothing.
    known = first if line_feed or len(head) == _HEAD else b""
    return f"{inode:x}.{zlib.crc32(known):08x}"


@dataclass(frozen=True, slots=True)
class LogFiles:
    """The log ``newest`` and the files that it was rotated into, which have numbers."""

    newest: Path

    def _opened(self) -> Iterator[_OpenFile]:
        """Open one file after the other, the newest first; those that can't be read are skipped."""
        seen = set[str]()
        for number in range(KEPT_FILES + 1):
            path = self.newest.with_name(f"{self.newest.name}.{number}") if number else self.newest
            try:
                stream = open_regular(path)
            except OSError:
                continue
            with stream:
                status = fstat(stream.fileno())
                file = _OpenFile(stream, _identity(stream, status.st_ino), status.st_size)
                # Rotated in between, a file comes twice.
                if file.identity not in seen:
                    seen.add(file.identity)
                    yield file

    def end(self) -> LogPosition | None:
        """Return where the last whole line of the log ends; None if there is no log."""
        for file in self._opened():
            last = next(_backwards(file.stream, file.size), None)
            return LogPosition(file.identity, last[0] if last else 0)
        return None

    def before(self, position: LogPosition) -> Iterator[RawLine]:
        """Yield the lines before a position, last first; none if it is no longer there."""
        is_found = False
        for file in self._opened():
            end = file.size
            if not is_found:
                if not file.has(position):
                    continue
                is_found, end = True, position.offset
            for start, text in _backwards(file.stream, end):
                if text:
                    yield RawLine(LogPosition(file.identity, start), text)

    def after(self, position: LogPosition | None) -> NewLines:
        """Return lines after a position, a few hundred at a time.

        More than a megabyte of them is left out, and so is all if the position is gone.
        """
        newer: str | None = None
        behind = 0
        for file in self._opened():
            if position is None:
                return NewLines((), LogPosition(file.identity, 0))
            if file.has(position):
                if behind + file.size - position.offset > _MOST_BEHIND:
                    break
                return _read_on(file, position.offset, newer)
            behind += file.size
            newer = file.identity
        end = self.end()
        return NewLines((), end, has_lost=None not in (position, end))


def _backwards(stream: BufferedReader, end: int) -> Iterator[tuple[int, bytes]]:
    """Yield the start and the text of each line that begins before ``end``, last first.

    The first one is what follows the last line feed: empty, or a line that isn't finished. Of a
    long line there is only its beginning.
    """
    rest = b""
    while end > 0:
        start = max(0, end - _BLOCK)
        stream.seek(start)
        pieces = (stream.read(end - start) + rest).split(b"\n")
        place = start + len(pieces[0]) + 1
        found: list[tuple[int, bytes]] = []
        for piece in pieces[1:]:
            found.append((place, piece[:_LINE_BYTES]))
            place += len(piece) + 1
        yield from reversed(found)
        rest, end = pieces[0][:_LINE_BYTES], start
    yield 0, rest


def _read_on(file: _OpenFile, offset: int, newer: str | None) -> NewLines:
    file.stream.seek(offset)
    block = file.stream.read(min(_LINE_BYTES, file.size - offset))
    is_rest = offset + len(block) == file.size
    # Without a line feed: the last line of a file that is finished, or a line without end.
    whole = block.rfind(b"\n") + 1
    if (newer is not None and is_rest) or (whole == 0 and len(block) == _LINE_BYTES):
        whole = len(block)
    lines: list[RawLine] = []
    place = offset
    for text in block[:whole].split(b"\n"):
        if text:
            lines.append(RawLine(LogPosition(file.identity, place), text))
        place += len(text) + 1
    end = LogPosition(file.identity, offset + whole)
    if newer is not None and end.offset == file.size:
        end = LogPosition(newer, 0)
    return NewLines(tuple(lines), end)

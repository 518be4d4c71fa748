"""The lines of a place in a file, and how many of them are left; pure."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final
from zlib import crc32

_HASH_BYTES: Final = 4
MOST_OF_FILE: Final = 400
MOST_OF_SYMBOL: Final = 200
_CLOSING: Final = (")", "]", "}", "end", "{", "else", "elif", "except", "finally", "catch")


def block(lines: Sequence[str], first: int) -> Sequence[str]:
    """Return the lines of what a line defines: those below it that are indented further.

    What closes a bracket, and a brace on a line of its own, is part of it.
    """
    width = _indent(lines[first])
    end = first + 1
    for number in range(first + 1, min(len(lines), first + MOST_OF_SYMBOL)):
        line = lines[number]
        if line.strip() and _indent(line) <= width and not _goes_on(line, width):
            break
        if line.strip():
            end = number + 1
    return lines[first:end]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _goes_on(line: str, width: int) -> bool:
    return _indent(line) == width and line.lstrip().startswith(_CLOSING)


def hashes(lines: Sequence[str], most: int) -> bytes:
    """Return the hashes of the first so many lines that say something."""
    found: list[bytes] = []
    for each in _hashes(lines):
        found.append(each.to_bytes(_HASH_BYTES, "big"))
        if len(found) >= most:
            break
    return b"".join(found)


def share_left(remembered: bytes, lines: Sequence[str]) -> float:
    """Return which part of the remembered lines is among these; 1 if none is remembered."""
    kept = Counter(
        int.from_bytes(remembered[start : start + _HASH_BYTES], "big")
        for start in range(0, len(remembered), _HASH_BYTES)
    )
    if not kept:
        return 1.0
    left = kept & Counter(_hashes(lines))
    return left.total() / kept.total()


def _hashes(lines: Sequence[str]) -> Iterator[int]:
    for line in lines:
        said = line.strip()
        # A lone bracket is everywhere.
        if any(map(str.isalnum, said)):
            yield crc32(said.encode("utf-8", "surrogatepass"))

"""Opens files that people or other programs may have replaced by something else.

Opening a named pipe waits until somebody writes to it, and reading a device may never end, so
anything but a regular file is refused before it is opened. Symbolic links are followed.
"""

import os
import stat
from collections.abc import Callable
from io import BufferedReader
from pathlib import Path
from typing import Final

_KINDS: Final[tuple[tuple[Callable[[int], bool], str], ...]] = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
# Windows has neither; there, nothing in a folder can be such a file.
_FLAGS: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class SpecialFileError(OSError):
    """The file isn't a regular one; the text names it and says what it is."""


def special_kind(file: Path) -> str | None:
    """Return what the file is ("a named pipe"), or None if it is regular or can't be examined."""
    try:
        return _kind(file.stat().st_mode)
    except (OSError, ValueError):
        return None


def _kind(mode: int) -> str | None:
    if stat.S_ISREG(mode):
        return None
    return next((name for is_kind, name in _KINDS if is_kind(mode)), "a special file")


def refuse_special(file: Path) -> None:
    """Raise SpecialFileError if the file exists and isn't a regular one."""
    kind = special_kind(file)
    if kind is not None:
        raise SpecialFileError(f"{file} is {kind}, not a regular file")


def open_regular(file: Path) -> BufferedReader:
    """Open a regular file for reading, never waiting.

    Raises SpecialFileError for anything else, and OSError if it can't be opened.
    """
    _refuse(file, file.stat().st_mode)
    # It may be replaced between the two calls, so neither waits.
    stream = os.fdopen(os.open(file, _FLAGS), "rb")
    try:
        _refuse(file, os.fstat(stream.fileno()).st_mode)
    except BaseException:
        stream.close()
        raise
    return stream


def _refuse(file: Path, mode: int) -> None:
    kind = _kind(mode)
    if kind is not None:
        raise SpecialFileError(f"{file} is {kind}, not a regular file")


def read_regular(file: Path, limit: int = -1) -> bytes:
    """Read a regular file, at most ``limit`` bytes of it; errors are as for `open_regular`."""
    with open_regular(file) as stream:
        return stream.read(limit)

"""File locks that the operating system releases when their process ends, even by a crash."""

import os
import sys
from pathlib import Path
from typing import IO

from intaglio.base.paths import make_private

if sys.platform == "win32":
    import msvcrt

    def _lock(stream: IO[bytes]) -> None:
        msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(stream: IO[bytes]) -> None:
        fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock_file(file: Path, *, lenient: bool = False) -> IO[bytes] | None:
    """Open the file (0600) and lock it without waiting; None if another process holds the lock.

    Closing the file releases the lock. On a file system without locks, the lock counts as held by
    another process, or as acquired if ``lenient``. Raises OSError if the file can't be opened.
    """
    make_private(file.parent)
    # Not "a": Windows locks the byte at the current position, which must be the same for everyone.
    stream = os.fdopen(os.open(file, os.O_RDWR | os.O_CREAT, 0o600), "r+b")
    try:
        _lock(stream)
    except OSError as error:
        if lenient and not isinstance(error, BlockingIOError | PermissionError):
            return stream
        stream.close()
        return None
    return stream

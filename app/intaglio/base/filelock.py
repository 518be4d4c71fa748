"""A lock on an open file, which the kernel drops when its holder dies, however it dies."""

import os
import sys
from pathlib import Path
from typing import IO

from intaglio.base.paths import make_private

if sys.platform == "win32":
    import msvcrt

    def _take(stream: IO[bytes]) -> None:
        msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(stream: IO[bytes]) -> None:
        fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock_file(file: Path, *, lenient: bool = False) -> IO[bytes] | None:
    """Open the file (0600) and take its lock without waiting; None when another process has it.

    Closing it gives the lock back. On a file system that knows no locks it counts as another's,
    or as ours if ``lenient``. Raises OSError when the file cannot be opened.
    """
    make_private(file.parent)
    # Not "a": Windows locks a byte at the position, which has to be the same for all.
    stream = os.fdopen(os.open(file, os.O_RDWR | os.O_CREAT, 0o600), "r+b")
    try:
        _take(stream)
    except OSError as error:
        if lenient and not isinstance(error, BlockingIOError | PermissionError):
            return stream
        stream.close()
        return None
    return stream

"""What only Linux has: exchanging two files in one step, and asking who is writing one."""

import ctypes
import errno
import os
import sys
import time
from pathlib import Path
from typing import Final

_AT_FDCWD: Final = -100
_RENAME_EXCHANGE: Final = 2
_WAIT_S: Final = 2.0
_LOOK_EVERY_S: Final = 0.01


def exchange(one: Path, other: Path) -> bool:
    """Exchange two files in one step; return False where the system can't.

    Raises FileNotFoundError if one isn't there.
    """
    renameat2 = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if renameat2 is None:
        return False
    ended = renameat2(
        *(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other)),
        ctypes.c_uint(_RENAME_EXCHANGE),
    )
    if ended == 0:
        return True
    code = ctypes.get_errno()
    if code in {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EPERM}:
        return False
    raise OSError(code, os.strerror(code), str(other))


if sys.platform == "linux":
    import fcntl
    import signal

    def _is_written(file: Path) -> bool:
        """Whether a program has the file open for writing; False if the system doesn't tell."""
        try:
            descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK)
        except OSError:
            return False
        try:
            # A lease is refused while somebody has the file open for writing. Should somebody open
            # it before the lease is given back, this signal, which does nothing, would tell us.
            fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
            fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
            fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        finally:
            os.close(descriptor)
        return False
else:

    def _is_written(file: Path) -> bool:
        del file
        return False


def wait_for_writers(file: Path) -> bool:
    """Wait until no program has the file open for writing; return False if that takes too long."""
    until = time.monotonic() + _WAIT_S
    while _is_written(file):
        if time.monotonic() > until:
            return False
        time.sleep(_LOOK_EVERY_S)
    return True

"""Stops the daemon when its parent process, which holds its standard input open, is gone.

It works on every platform and however the parent died: the OS closes a dead process's pipes.
"""

import os
import threading
import time
from collections.abc import Callable
from typing import Final

_STANDARD_INPUT: Final = 0
_BYTES: Final = 1024
_SHUTDOWN_TIMEOUT_S: Final = 30.0
_EXIT_PARENT_GONE: Final = 5


def watch_parent(
    on_parent_gone: Callable[[], None],
    *,
    descriptor: int = _STANDARD_INPUT,
    timeout_s: float = _SHUTDOWN_TIMEOUT_S,
    kill: Callable[[int], None] = os._exit,
) -> threading.Thread:
    """Call ``on_parent_gone`` from another thread at the end of input.

    If the process is still running after ``timeout_s``, ``kill`` ends it: acknowledged writes are
    on disk, and no parent is left to supervise it.
    """

    def wait() -> None:
        _read_until_end(descriptor)
        on_parent_gone()
        time.sleep(timeout_s)
        kill(_EXIT_PARENT_GONE)

    thread = threading.Thread(target=wait, name="intaglio-parent-watchdog", daemon=True)
    thread.start()
    return thread


def _read_until_end(descriptor: int) -> None:
    try:
        while os.read(descriptor, _BYTES):
            pass
    except OSError:
        # Without a standard input there is no parent holding it.
        return

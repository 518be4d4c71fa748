"""Stops the daemon when its parent exits: the parent holds the daemon's standard input open.

This works on every platform and however the parent exits: the kernel closes a dead process's pipes.
"""

import os
import threading
import time
from collections.abc import Callable
from typing import Final

_STANDARD_INPUT: Final = 0
_BYTES: Final = 1024
_EXIT_TIMEOUT_S: Final = 30.0
_EXIT_PARENT_GONE: Final = 5


def watch_parent(
    on_exit: Callable[[], None],
    *,
    descriptor: int = _STANDARD_INPUT,
    timeout_s: float = _EXIT_TIMEOUT_S,
    exit_process: Callable[[int], None] = os._exit,
) -> threading.Thread:
    """Call ``on_exit`` (from another thread) when the input ends.

    If the daemon still runs ``timeout_s`` later, its process exits immediately: acknowledged
    changes are on disk, and no supervisor is left.
    """

    def wait() -> None:
        _read_until_end(descriptor)
        on_exit()
        time.sleep(timeout_s)
        exit_process(_EXIT_PARENT_GONE)

    thread = threading.Thread(target=wait, name="intaglio-parent-watchdog", daemon=True)
    thread.start()
    return thread


def _read_until_end(descriptor: int) -> None:
    try:
        while os.read(descriptor, _BYTES):
            pass
    except OSError:
        # No standard input at all, so no parent holds it open.
        return

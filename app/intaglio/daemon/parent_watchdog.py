"""The leash: standard input, held open by whoever started this daemon, who takes it along.

It works on every platform and however the other end went: the kernel closes a dead process's pipes.
"""

import os
import threading
import time
from collections.abc import Callable
from typing import Final

_STANDARD_INPUT: Final = 0
_BYTES: Final = 1024
_LEAVE_WITHIN_S: Final = 30.0
_EXIT_LET_GO: Final = 5


def watch_parent(
    let_go: Callable[[], None],
    *,
    descriptor: int = _STANDARD_INPUT,
    within_s: float = _LEAVE_WITHIN_S,
    give_up: Callable[[int], None] = os._exit,
) -> threading.Thread:
    """Call ``let_go`` (from another thread) at the end of input.

    A daemon that is then not gone after ``within_s`` is ended hard: what was acknowledged is on
    disk, and nobody is left who would look after it.
    """

    def wait() -> None:
        _read_to_the_end(descriptor)
        let_go()
        time.sleep(within_s)
        give_up(_EXIT_LET_GO)

    thread = threading.Thread(target=wait, name="intaglio-leash", daemon=True)
    thread.start()
    return thread


def _read_to_the_end(descriptor: int) -> None:
    try:
        while os.read(descriptor, _BYTES):
            pass
    except OSError:
        # No standard input at all: there is nobody who could hold it.
        return

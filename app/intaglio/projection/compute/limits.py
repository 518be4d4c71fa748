"""The limits of the process that computes layouts: priority, memory, core files."""

import contextlib
import os
import sys
import threading
import time
from pathlib import Path
from typing import Final

import psutil

_NICENESS: Final = 19
_FIRST_TO_KILL: Final = "800"
_LOOK_S: Final = 0.1


def lower_priority() -> None:
    """Let everything else go first, and be what the system ends first when memory runs out."""
    if sys.platform == "win32":
        psutil.Process().nice(psutil.IDLE_PRIORITY_CLASS)
    else:
        os.nice(_NICENESS)
        with contextlib.suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text(_FIRST_TO_KILL, encoding="ascii")


def limit_memory(more_bytes: int) -> None:
    """Limit what this process may use in addition to what it has.

    Leaves no core file: it would hold the vectors.
    """
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - not on Windows

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        most = psutil.Process().memory_info().vms + more_bytes
        # A stricter limit of the system stays.
        with contextlib.suppress(ValueError):
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
    else:
        most = psutil.Process().memory_info().rss + more_bytes
        threading.Thread(target=_end_above, args=(most,), daemon=True).start()


def _end_above(most_bytes: int) -> None:
    """End the process once it uses more; for systems that have no limit for it."""
    process = psutil.Process()
    while process.memory_info().rss <= most_bytes:
        time.sleep(_LOOK_S)
    os.write(sys.stderr.fileno(), MemoryError.__name__.encode())
    os._exit(1)

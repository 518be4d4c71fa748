"""The limits of the process that computes layouts: priority, memory, core files."""

import contextlib
import os
import sys
from pathlib import Path
from typing import Final

import psutil

_NICENESS: Final = 19
_FIRST_TO_KILL: Final = "800"


def lower_priority() -> None:
    """Let everything else go first, and be what the system ends first when memory runs out."""
    if sys.platform == "win32":
        psutil.Process().nice(psutil.IDLE_PRIORITY_CLASS)
    else:
        os.nice(_NICENESS)
        with contextlib.suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text(_FIRST_TO_KILL, encoding="ascii")


def limit_memory(more_bytes: int) -> None:
    """Limit what this process may allocate in addition to what it has; Windows has no such limit.

    Leaves no core file: it would hold the vectors.
    """
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - not on Windows

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        most = psutil.Process().memory_info().vms + more_bytes
        # macOS refuses limits below what it reserves.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (most, most))

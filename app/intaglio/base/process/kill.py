"""Kills a program with all that it has started."""

import contextlib
import os
import signal
import sys

import psutil

MAX_PID = 2**31 - 1
"""The largest id of a process; a file may name any number, which the system's calls refuse."""


def kill_with_children(pid: int) -> None:
    """Kill a program that was started with a session of its own, and all that it has started.

    Except on Windows, what it has started is killed even if it has ended itself.
    """
    if sys.platform == "win32":
        with contextlib.suppress(psutil.Error, OSError):
            process = psutil.Process(pid)
            for each in (*process.children(recursive=True), process):
                with contextlib.suppress(psutil.Error, OSError):
                    each.kill()
    else:
        # The id of a session and its group is that of its first process.
        with contextlib.suppress(OSError):
            os.killpg(pid, signal.SIGKILL)

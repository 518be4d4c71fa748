"""Which processes are above another, and which of some holds a connection; as the system says."""

import contextlib
from collections.abc import Iterable

import psutil

_INIT = 1


def ancestors(pid: int, levels: int) -> tuple[int, ...]:
    """Return the ids of a process's parents, the nearest first; fewer if they can't be read."""
    found: list[int] = []
    with contextlib.suppress(psutil.Error, OSError):
        while len(found) < levels:
            pid = psutil.Process(pid).ppid()
            if pid <= _INIT:
                break
            found.append(pid)
    return tuple(found)


def holder_of_port(port: int, pids: Iterable[int]) -> int | None:
    """Return which of the processes has a TCP connection from this port of its own, or None."""
    for pid in pids:
        with contextlib.suppress(psutil.Error, OSError):
            if any(each.laddr.port == port for each in psutil.Process(pid).net_connections("tcp")):
                return pid
    return None

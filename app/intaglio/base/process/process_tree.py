"""Asks the system for the parents of a process, and for the process of a connection."""

import contextlib
from collections.abc import Iterable

import psutil

_INIT = 1
_LOOPBACK = frozenset({"127.0.0.1", "::1", "::ffff:127.0.0.1"})


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


def process_of_connection(port: int, pids: Iterable[int]) -> int | None:
    """Return which of the processes has a loopback TCP connection from this port, or None."""
    for pid in pids:
        with contextlib.suppress(psutil.Error, OSError):
            for each in psutil.Process(pid).net_connections("tcp"):
                if each.laddr.port == port and getattr(each.raddr, "ip", None) in _LOOPBACK:
                    return pid
    return None

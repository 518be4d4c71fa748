"""Resource usage of this process, read from the system at most once a second."""

import asyncio
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil

_FRESH_S = 1.0


@dataclass(frozen=True, slots=True)
class ProcessStats:
    """Bytes, counts and CPU seconds of this process; ``disk_free`` is of the workspace's disk."""

    rss: int
    threads: int
    handles: int
    children: int
    cpu_s: float
    disk_free: int


def _handles(process: psutil.Process) -> int:
    if sys.platform == "win32":
        return process.num_handles()
    return process.num_fds()


def _disk_free(folder: Path) -> int:
    existing = folder
    while not existing.exists() and existing != existing.parent:
        existing = existing.parent
    return psutil.disk_usage(str(existing)).free


def _measure(folder: Path) -> ProcessStats:
    # Made here: that reads the system's start time, for which no start should wait.
    process = psutil.Process()
    with process.oneshot():
        times = process.cpu_times()
        return ProcessStats(
            rss=process.memory_info().rss,
            threads=process.num_threads(),
            handles=_handles(process),
            children=len(process.children()),
            cpu_s=round(times.user + times.system, 3),
            disk_free=_disk_free(folder),
        )


class ProcessMeter:
    """Measures in a thread; calls within a second share one result."""

    def __init__(self, folder: Path, monotonic_s: Callable[[], float]) -> None:
        self._folder = folder
        self._monotonic_s = monotonic_s
        self._lock = asyncio.Lock()
        self._last: ProcessStats | None = None
        self._at = 0.0

    async def read(self) -> ProcessStats:
        """Return stats that are at most a second old."""
        async with self._lock:
            now = self._monotonic_s()
            if self._last is None or now - self._at > _FRESH_S:
                self._last = await asyncio.to_thread(_measure, self._folder)
                self._at = now
            return self._last

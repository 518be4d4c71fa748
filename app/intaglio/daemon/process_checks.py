"""Checks of the daemon's process and of the disk that it writes to."""

import asyncio
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from intaglio.api.status.process_stats import ProcessMeter, ProcessStats
from intaglio.base.files.writable import read_only_reason
from intaglio.base.installation import command
from intaglio.domain.health import Checked, Figure, HealthCheck
from intaglio.domain.issues import Issue
from intaglio.store.values import DatabaseState, Degraded

LOW_DISK_BYTES: Final = 2_000_000_000
FULL_DISK_BYTES: Final = 500_000_000
MUCH_MEMORY_BYTES: Final = 3_000_000_000
MANY_THREADS: Final = 300
FULL_SHARE: Final = 0.8
"""Of the file handles that the system allows the process."""
# Counting the children reads the system's list of processes.
_FRESH_S: Final = 15.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessChecks:
    """Reads what the process uses, and whether its disk can be written."""

    meter: ProcessMeter
    database: Path
    state: Callable[[], DatabaseState]

    def declare(self) -> tuple[HealthCheck, ...]:
        """Return the checks."""
        return (
            HealthCheck(
                name="disk",
                domain="disk",
                title="Disk",
                reads="The free space of the workspace's disk (low below 2 GB, full below 500 MB), "
                "and whether the workspace can be written.",
                run=self.disk,
                fresh_s=_FRESH_S,
            ),
            HealthCheck(
                name="process",
                domain="process",
                title="Process",
                reads="What the daemon uses: more than 3 GB of memory, more than 300 threads, or "
                "four fifths of the files that it may open are too much.",
                run=self.process,
                fresh_s=_FRESH_S,
            ),
        )

    async def disk(self) -> Checked:
        """Check the disk."""
        stats = await self.meter.read()
        reason = await asyncio.to_thread(read_only_reason, self.database)
        return judge_disk(stats.disk_free, reason, self.state())

    async def process(self) -> Checked:
        """Check the process."""
        return judge_process(await self.meter.read(), _handle_limit())


def judge_disk(free_bytes: int, read_only: str, state: DatabaseState) -> Checked:
    """Judge the disk; what the database's state says already isn't said again."""
    figures = (
        Figure("diskFreeBytes", "Free space on the disk", free_bytes, "bytes"),
        Figure("isWritable", "The workspace can be written", not read_only),
    )
    said = state.cause if isinstance(state, Degraded) else ""
    issues: list[Issue] = []
    if read_only and said not in {"read_only", "unwritable"}:
        issues.append(
            Issue(
                "read_only",
                "danger",
                "Nothing can be saved",
                f"{read_only} Make it writable for you. Nothing that was saved is lost.",
            )
        )
    if free_bytes < LOW_DISK_BYTES and said != "unwritable":
        issues.append(
            Issue(
                "disk",
                "danger" if free_bytes < FULL_DISK_BYTES else "warn",
                "Disk almost full",
                f"{free_bytes / 1e6:,.0f} MB left. Free up space, or new memories can't be saved.",
            )
        )
    is_useless = bool(read_only) or free_bytes < FULL_DISK_BYTES
    penalty = 1.0 if is_useless else 0.4 * (free_bytes < LOW_DISK_BYTES)
    line = f"{free_bytes / 1e9:,.0f} GB free"
    return Checked(issues=tuple(issues), figures=figures, penalty=penalty, line=line)


def judge_process(stats: ProcessStats, handle_limit: int | None) -> Checked:
    """Judge what the process uses; ``handle_limit`` is None where there is none."""
    limits = {
        f"{stats.rss / 1e9:.1f} GB of RAM": stats.rss > MUCH_MEMORY_BYTES,
        f"{stats.threads:,} threads": stats.threads > MANY_THREADS,
        f"{stats.handles:,} open files": handle_limit is not None
        and stats.handles > FULL_SHARE * handle_limit,
    }
    exceeded = [what for what, is_exceeded in limits.items() if is_exceeded]
    issue = Issue(
        "process",
        "warn",
        "The daemon uses too much",
        f"It has {' and '.join(exceeded)}. Nothing is lost if you restart it:",
        command=command("daemon restart"),
    )
    return Checked(
        issues=(issue,) if exceeded else (),
        figures=(
            Figure("rssBytes", "RAM", stats.rss, "bytes"),
            Figure("threads", "Threads", stats.threads),
            Figure("handles", "Open files", stats.handles),
            Figure("children", "Child processes", stats.children),
            Figure("cpuS", "CPU time since the start", stats.cpu_s, "s"),
        ),
        penalty=0.5 * len(exceeded),
        line=f"{stats.rss / 1e6:,.0f} MB of RAM",
    )


def _handle_limit() -> int | None:
    if sys.platform == "win32":
        return None
    import resource  # noqa: PLC0415 - Windows has none

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft

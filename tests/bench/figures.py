"""How figures are taken: a process's CPU nanoseconds, wall time, percentiles, a table."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil


def cpu_ms(pid: int) -> float:
    """Return the CPU milliseconds that a process has used, over all its threads.

    Linux tells it in nanoseconds for living threads; elsewhere the clock's ticks have to do.
    """
    tasks = Path(f"/proc/{pid}/task")
    if tasks.is_dir():
        total = 0
        for task in tasks.iterdir():
            try:
                total += int((task / "schedstat").read_text().split()[0])
            except OSError:
                continue
        return total / 1e6
    times = psutil.Process(pid).cpu_times()
    return (times.user + times.system) * 1000


def rss_mb(pid: int) -> float:
    """Return the megabytes of memory that a process holds."""
    return float(psutil.Process(pid).memory_info().rss) / 1e6


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value at a share (0 to 1) of the sorted values; 0 for none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


@dataclass(slots=True)
class Series:
    """Measured runs of one operation, in milliseconds."""

    name: str
    cpu: list[float] = field(default_factory=list[float])
    wall: list[float] = field(default_factory=list[float])

    def take(self, pid: int, work: Callable[[], object]) -> None:
        """Run the work once and note what it cost the process and the clock."""
        before, started = cpu_ms(pid), time.perf_counter()
        work()
        self.wall.append((time.perf_counter() - started) * 1000)
        self.cpu.append(cpu_ms(pid) - before)


_COLUMNS = (
    ("runs", 6),
    ("cpu p50", 9),
    ("cpu p95", 9),
    ("wall p50", 10),
    ("wall p95", 10),
    ("ratio", 7),
)
HEAD = f"{'operation':<44}" + "".join(f"{name:>{width}}" for name, width in _COLUMNS)


def row(series: Series, reference: Series) -> str:
    """Write a line of the table; the ratio is CPU p50 to that of the reference."""
    base = percentile(reference.cpu, 0.5) or 1.0
    half = percentile(series.cpu, 0.5)
    return (
        f"{series.name:<44}{len(series.wall):>6}{half:>9.2f}{percentile(series.cpu, 0.95):>9.2f}"
        f"{percentile(series.wall, 0.5):>10.2f}{percentile(series.wall, 0.95):>10.2f}"
        f"{half / base:>7.1f}"
    )

"""What diagnostics cost: each check, a reply, writes beside them, and a daemon that is idle."""

import argparse
import asyncio
import os
import threading
import time
from functools import partial
from pathlib import Path
from typing import Final

from bench.bulk_store import fill_in_bulk
from bench.corpus import Corpus
from bench.figures import HEAD, Series, cpu_ms, percentile, row
from bench.home import temporary_home
from bench.hook_caller import Caller, wait_until_idle
from fakes.api import running_api
from fakes.daemon import Daemon, running_daemon, write_settings
from intaglio.base.errors import UnavailableError
from intaglio.package import PackageChecks

_SETTINGS: Final = """
embedding: {provider: none}
memory: {pipelineV2: {graph: {enabled: false}}}
"""
_CHECK_RUNS: Final = 5
# Longer than a diagnosis is kept.
_STALE_S: Final = 2.1
_POLL_S: Final = 5.0
_WRITES: Final = 600


async def _checks(home: Path) -> None:
    """Print what each check costs, in a process without anything else."""
    print(f"\n{'check':<28}{'cpu p50':>9}{'fresh s':>9}{'of a core':>11}")
    total = 0.0
    async with running_api(home) as api:
        for check in api.kernel.get(PackageChecks).all:
            used: list[float] = []
            for _ in range(_CHECK_RUNS):
                before = cpu_ms(os.getpid())
                try:
                    await check.run()
                except UnavailableError:
                    continue
                used.append(cpu_ms(os.getpid()) - before)
            half = percentile(used, 0.5)
            share = half / 1_000 / check.fresh_s
            total += share
            print(f"{check.name:<28}{half:>9.2f}{check.fresh_s:>9.0f}{share:>11.3%}")
    print(f"{'all, asked for without a pause':<46}{total:>11.3%}")


def _replies(caller: Caller, pid: int, runs: int) -> None:
    """Print what a reply costs: checked anew, and from what is kept for two seconds."""
    print(f"\n{HEAD}")
    reference: Series | None = None
    for path in ("/health", "/api/diagnostics", "/api/health", "/api/status"):
        fresh, kept = Series(f"{path}, checked anew"), Series(f"{path}, kept")
        for _ in range(runs):
            time.sleep(_STALE_S)
            fresh.take(pid, partial(caller.get, path))
            kept.take(pid, partial(caller.get, path))
        reference = reference or kept
        for series in (fresh, kept):
            print(row(series, reference), flush=True)


def _writes(daemon: Daemon, *, polled: bool) -> None:
    """Print how long a memory takes to be written, while diagnostics are asked for or not."""
    stopping = threading.Event()

    def poll() -> None:
        caller = Caller(daemon.port)
        while not stopping.wait(_STALE_S):
            caller.get("/api/diagnostics")

    poller = threading.Thread(target=poll)
    if polled:
        poller.start()
    caller, walls = Caller(daemon.port), list[float]()
    for body in Corpus(seed=3 + polled).memories(_WRITES):
        started = time.perf_counter()
        caller.post("/api/memory/remember", body)
        walls.append((time.perf_counter() - started) * 1_000)
    stopping.set()
    if polled:
        poller.join()
    beside = "diagnostics checked anew every 2 s" if polled else "nothing beside"
    print(
        f"remember, {beside:<40} p50 {percentile(walls, 0.5):.1f} ms, "
        f"p95 {percentile(walls, 0.95):.1f} ms, max {max(walls):.1f} ms"
    )


def _idle(daemon: Daemon, seconds: float) -> None:
    """Print what share of a core the daemon uses when idle, alone and with a reader."""
    caller = Caller(daemon.port)
    for name, path in (("alone", ""), (f"/api/health every {_POLL_S:.0f} s", "/api/health")):
        before, started = cpu_ms(daemon.process.pid), time.perf_counter()
        while time.perf_counter() - started < seconds:
            if path:
                caller.get(path)
            time.sleep(_POLL_S)
        used = cpu_ms(daemon.process.pid) - before
        share = used / 1_000 / (time.perf_counter() - started)
        print(f"idle, {name:<30} {share:.2%} of a core", flush=True)


def main(arguments: list[str]) -> None:
    """Run the benchmark with these command-line arguments."""
    parser = argparse.ArgumentParser(prog="python3 app bench diagnostics", description=__doc__)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--idle", type=float, default=180.0, help="seconds")
    parser.add_argument("--cache", type=Path, required=True, help="where databases are kept")
    options = parser.parse_args(arguments)
    print(f"{options.memories:,} memories")
    with temporary_home() as home:
        fill_in_bulk(home, options.memories, options.cache, one_project=False)
        # Nothing of what is made in bulk is linked, and what does that would count as idle.
        write_settings(home, _SETTINGS)
        with running_daemon(home, fresh=True) as daemon:
            caller = Caller(daemon.port)
            wait_until_idle(caller)
            _replies(caller, daemon.process.pid, options.runs)
            for polled in (False, True):
                _writes(daemon, polled=polled)
            wait_until_idle(caller)
            time.sleep(_POLL_S)
            _idle(daemon, options.idle)
        asyncio.run(_checks(home))

"""Whether memory, threads, handles and log stay as they are under a mixed load, without alarm."""

import argparse
import json
import sqlite3
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import astuple
from pathlib import Path
from typing import Final

import psutil

from bench.corpus import Corpus
from bench.figures import cpu_ms, percentile
from bench.flatness import Sample, faults, growth, warm
from bench.home import switch_embedding, temporary_home
from bench.hook_caller import Caller, status, wait_until_embedded
from bench.mixed_load import Load, fill_caches
from bench.prefilled_home import database_of, fill_kept
from fakes.daemon import Daemon, run_command, running_daemon
from fakes.expired_rows import add_memories, count

_EVERY_S: Final = 10.0
_TOMBSTONES: Final = 3_000
# Tombstones whose time ends one after the other while the load runs.
_SPREAD: Final = (
    "UPDATE memories SET deleted_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-30 days', "
    "printf('+%d seconds', seq % 2400)) WHERE is_deleted = 1"
)
_HEAD: Final = ("RSS MB", "PSS MB", "own MB", "threads", "handles", "log MB", "rows")
_RATES: Final = ("CPU %", "calls/s", "p50 ms", "p95 ms", "longest")


class Watch:
    """Takes samples of a daemon's process."""

    def __init__(self, daemon: Daemon, load: Load) -> None:
        self._pid, self._load = daemon.process.pid, load
        self._process = psutil.Process(self._pid)
        self._file = daemon.paths.database
        self._log = daemon.paths.database.with_name(f"{daemon.paths.database.name}-wal")
        self._cpu, self._at, self._calls = cpu_ms(self._pid), time.monotonic(), 0
        self._begun = self._at
        self._caller, self._alarms = Caller(daemon.port), Counter[str]()

    def alarms(self) -> Counter[str]:
        """Return the issues that needed a person, and in how many samples."""
        return self._alarms

    def _look_at_health(self) -> None:
        issues = json.loads(self._caller.get("/api/health"))["issues"]
        self._alarms.update(each["title"] for each in issues if each["level"] != "info")

    def take(self) -> Sample:
        """Take one."""
        self._look_at_health()
        held = self._process.memory_full_info()
        cpu, at, calls = cpu_ms(self._pid), time.monotonic(), self._load.done.total()
        seconds = at - self._at
        shares = (cpu - self._cpu) / 10 / seconds, (calls - self._calls) / seconds
        self._cpu, self._at, self._calls = cpu, at, calls
        log = self._log.stat().st_size if self._log.exists() else 0
        handles = self._process.num_fds() if hasattr(self._process, "num_fds") else 0
        return Sample(
            second=at - self._begun,
            rss_mb=held.rss / 1e6,
            pss_mb=held.pss / 1e6,
            own_mb=held.uss / 1e6,
            threads=self._process.num_threads(),
            handles=handles,
            log_mb=log / 1e6,
            rows=count(self._file, "SELECT count(*) FROM memories"),
            cpu_share=shares[0],
            calls_s=shares[1],
        )


def _row(name: str, samples: Sequence[Sample], walls: Sequence[float]) -> str:
    _, *columns = zip(*(astuple(one) for one in samples), strict=True)
    shown = "".join(f"{statistics.median(column):>9.1f}" for column in columns)
    return (
        f"{name:<8}{shown}{percentile(walls, 0.5):>9.1f}{percentile(walls, 0.95):>9.1f}"
        f"{percentile(walls, 1):>9.0f}"
    )


def soak(daemon: Daemon, home: Path, minutes: float, rate: float) -> list[Sample]:
    """Print medians minute by minute while the load runs; return all samples."""
    samples: list[Sample] = []
    head = "".join(f"{name:>9}" for name in (*_HEAD, *_RATES))
    print(f"{'minute':<8}{head}", flush=True)
    a_minute = round(60 / _EVERY_S)
    with Load(daemon.port, home, rate) as load:
        watch, begun = Watch(daemon, load), time.monotonic()
        for number in range(1, round(minutes * a_minute) + 1):
            time.sleep(max(0, begun + number * _EVERY_S - time.monotonic()))
            samples.append(watch.take())
            if number % a_minute == 0:
                minute = str(number // a_minute)
                print(_row(minute, samples[-a_minute:], load.take_walls()), flush=True)
    print("done: " + ", ".join(f"{name} {count}" for name, count in load.done.most_common()))
    print("alarms: " + (str(dict(watch.alarms())) if watch.alarms() else "none"))
    print("failed: " + (str(dict(load.failed)) if load.failed else "nothing"))
    return samples


def verdict(samples: Sequence[Sample]) -> None:
    """Print how memory grew after the warm-up, all the time and late, and whether that is flat."""
    kept = warm(samples)
    print(f"after a warm-up of {kept[0].second / 60:.0f} min, by the median slope in MB an hour:")
    for name, field in (("RSS", "rss_mb"), ("PSS", "pss_mb"), ("own", "own_mb")):
        grew = growth(kept, field)
        print(
            f"{name}: {grew.mean_mb:.1f} MB, {grew.whole:+.1f}, in the second half "
            f"{grew.half:+.1f}, allowed {grew.allowed:.1f}; if it were the rows, "
            f"{grew.a_row_kb:+.2f} kB for each"
        )
    print(f"rows: {kept[0].rows:.0f} then, {kept[-1].rows:.0f} at the end")
    print(f"longest log: {max(one.log_mb for one in samples):.1f} MB")
    found = faults(samples)
    print(f"flat: {'no, because of ' + ', '.join(found) if found else 'yes'}")


def _tombstones(home: Path) -> None:
    corpus, file = Corpus(7), database_of(home)
    add_memories(file, (f"gone {n} {corpus.memory()}" for n in range(_TOMBSTONES)), expired=True)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(_SPREAD)
        connection.commit()


def main(arguments: list[str]) -> None:
    """Fill a fresh daemon, or take a kept database, and watch it under load."""
    parser = argparse.ArgumentParser(prog="python3 app bench soak")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--rate", type=float, default=15, help="calls a second")
    parser.add_argument("--cache", type=Path, required=True, help="where databases are kept")
    options = parser.parse_args(arguments)
    with temporary_home() as home:
        fill_kept(home, options.memories, options.cache)
        switch_embedding(home, on=True)
        (home / ".claude").mkdir()
        with running_daemon(home, fresh=True) as daemon:
            # The kept database may be of an older schema, and without an agent there is an alarm.
            run_command(
                "connect",
                "claude-code",
                "--yes",
                "--no-mcp",
                env=daemon.env,
                folder=home,
                fresh=True,
            )
        _tombstones(home)
        with running_daemon(home, fresh=True) as daemon:
            wait_until_embedded(Caller(daemon.port))
            fill_caches(daemon.port)
            before = status(Caller(daemon.port))["embedding"]["total"]
            samples = soak(daemon, home, options.minutes, options.rate)
            after = status(Caller(daemon.port))["embedding"]["total"]
            print(f"memories: {before} before, {after} after")
    verdict(samples)

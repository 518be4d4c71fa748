"""How long writes wait while a sweep purges: the figures of the purge beside those without."""

import argparse
import json
import sqlite3
import threading
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path

from bench.corpus import Corpus
from bench.figures import percentile
from bench.home import disk_bytes, switch_embedding, temporary_home
from bench.hook_caller import Caller, status
from fakes.daemon import Daemon, running_daemon
from fakes.expired_rows import add_memories

_WRITERS = 2
_PAUSE_S = 0.002
_BARE_EVERY_S = 0.05


def _write(daemon: Daemon, over: Callable[[], bool], walls: list[float], seed: int) -> None:
    caller, corpus = Caller(daemon.port), Corpus(seed)
    while not over():
        body = next(corpus.memories(1))
        started = time.perf_counter()
        caller.post("/api/memory/remember", body)
        walls.append((time.perf_counter() - started) * 1000)
        time.sleep(_PAUSE_S)


def writing(daemon: Daemon, work: Callable[[], None], seed: int) -> list[float]:
    """Remember over several connections while ``work`` runs; return each call's milliseconds."""
    done, walls = threading.Event(), list[float]()
    threads = [
        threading.Thread(target=_write, args=(daemon, done.is_set, walls, seed + number))
        for number in range(_WRITERS)
    ]
    for thread in threads:
        thread.start()
    work()
    done.set()
    for thread in threads:
        thread.join()
    return walls


@contextmanager
def bare_commits(file: Path) -> Generator[list[float]]:
    """Commit one row after the other to a file beside while the block runs: what the disk takes."""
    walls, over = list[float](), threading.Event()

    def work() -> None:
        with closing(sqlite3.connect(file)) as connection:
            for pragma in ("journal_mode = WAL", "synchronous = FULL", "wal_autocheckpoint = 0"):
                connection.execute(f"PRAGMA {pragma}").fetchall()
            connection.execute("CREATE TABLE IF NOT EXISTS marks(mark)")
            while not over.wait(_BARE_EVERY_S):
                started = time.perf_counter()
                connection.execute("INSERT INTO marks VALUES (1)")
                connection.commit()
                walls.append((time.perf_counter() - started) * 1000)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield walls
    finally:
        over.set()
        thread.join()


def _row(name: str, walls: list[float]) -> str:
    shares = "".join(f"{percentile(walls, share):>9.1f}" for share in (0.5, 0.95, 0.99, 1))
    return f"{name:<32}{len(walls):>7}{shares}"


def _batches(daemon: Daemon) -> dict[str, float]:
    """Return what the daemon noted of the sweep's batches."""
    lines = daemon.paths.log_file.read_text().splitlines()
    said = [json.loads(line) for line in lines]
    return next(line for line in reversed(said) if line.get("event") == "swept")


def _longest_log(daemon: Daemon, over: threading.Event, found: list[int]) -> None:
    log = daemon.paths.database.with_name(f"{daemon.paths.database.name}-wal")
    while not over.wait(0.1):
        found.append(log.stat().st_size)


def _fill(home: Path, expired: int, live: int) -> None:
    with running_daemon(home, fresh=True) as daemon:
        file = daemon.paths.database
    corpus = Corpus()
    gone = (f"gone {n} {corpus.memory()}" for n in range(expired))
    add_memories(file, gone, expired=True)
    add_memories(file, (f"{n} {corpus.memory()}" for n in range(live)), expired=False)


def main(arguments: list[str]) -> None:
    """Purge tombstones under writes and print what the writes waited."""
    parser = argparse.ArgumentParser(prog="python3 app bench retention")
    parser.add_argument("--tombstones", type=int, default=50_000)
    parser.add_argument("--live", type=int, default=50_000)
    options = parser.parse_args(arguments)
    with temporary_home() as home:
        switch_embedding(home, on=False)
        _fill(home, options.tombstones, options.live)
        before = disk_bytes(home)
        with running_daemon(home, fresh=True) as daemon:
            caller, over, logs = Caller(daemon.port), threading.Event(), list[int]()
            log_watch = (daemon, over, logs)
            threading.Thread(target=_longest_log, args=log_watch, daemon=True).start()
            with bare_commits(home / "beside.db") as bare_quiet:
                quiet = writing(daemon, lambda: time.sleep(10), 100)
            started = time.perf_counter()

            def sweep() -> None:
                caller.post("/api/repair/retention-sweep", {})
                while status(caller)["retention"]["running"]:
                    time.sleep(0.5)

            with bare_commits(home / "beside.db") as bare_busy:
                busy = writing(daemon, sweep, 200)
            seconds = time.perf_counter() - started
            last, batches = status(caller)["retention"]["last"], _batches(daemon)
            over.set()
        print(f"{'remember, wall ms':<32}{'calls':>7}{'p50':>9}{'p95':>9}{'p99':>9}{'longest':>9}")
        print(_row("without a sweep", quiet))
        print(_row("while a sweep purges", busy))
        print(_row("a bare commit beside, without", bare_quiet))
        print(_row("the same while it purges", bare_busy))
        print(
            f"the sweep: {seconds:.1f} s; {batches['batches']} batches held the writer, commit "
            f"included, p50 {batches['held_p50_ms']} p99 {batches['held_p99_ms']} longest "
            f"{last['longestMs']} ms, {batches['held_over_50_ms']} of them over 50 ms"
        )
        print(
            f"their own work: p50 {batches['worked_p50_ms']} longest "
            f"{batches['worked_longest_ms']} ms; longest log {max(logs) / 1e6:.1f} MB"
        )
        print(f"purged: {json.dumps({k: v for k, v in last['removed'].items() if v})}")
        given = last["givenBackBytes"] / 1e6
        print(f"file: {before / 1e6:.1f} MB before, {given:.1f} MB given back, "
              f"{disk_bytes(home) / 1e6:.1f} MB after")  # fmt: skip

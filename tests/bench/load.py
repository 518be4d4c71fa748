"""What the daemon costs with a given number of memories: speed, start, memory, disk."""

import argparse
import shutil
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import psutil

from bench.caller import Caller
from bench.corpus import Corpus
from bench.figures import HEAD, Series, cpu_ms, percentile, row
from fakes.daemon import Daemon, running_daemon, start_daemon

_FILLERS = 8
_IDLE_S = 3.0


def fill(daemon: Daemon, bodies: Iterator[Mapping[str, object]], callers: int) -> list[float]:
    """Remember all bodies over several connections and return each call's wall milliseconds."""
    lock, walls = threading.Lock(), list[float]()

    def work() -> None:
        caller = Caller(daemon.port)
        while True:
            with lock:
                body = next(bodies, None)
            if body is None:
                return
            started = time.perf_counter()
            caller.post("/api/memory/remember", body)
            walls.append((time.perf_counter() - started) * 1000)

    threads = [threading.Thread(target=work) for _ in range(callers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return walls


def measure_calls(daemon: Daemon, corpus: Corpus, runs: int) -> None:
    """Print what each kind of call costs, one at a time, with /health as the reference."""
    pid, caller = daemon.process.pid, Caller(daemon.port)
    health = Series("GET /health (reference)")
    remember = Series("remember, 1 at a time")
    recall = Series("recall by keywords, whole store")
    start = Series("session start (Claude Code)")
    prompt = Series("prompt hook (Claude Code)")
    for series in (health, remember, recall, start, prompt):
        for number in range(runs + 3):
            call = _call(series.name, caller, corpus, number)
            target = series if number >= 3 else Series("warm-up")
            target.take(pid, call)
        print(row(series, health))


def _call(name: str, caller: Caller, corpus: Corpus, number: int) -> "Call":
    body: dict[str, object] = {"session_id": f"bench-{number // 10}", "cwd": "/p/a"}
    match name.split(",", maxsplit=1)[0].split(" (", maxsplit=1)[0]:
        case "GET /health":
            return Call(caller, "/health", None)
        case "remember":
            return Call(caller, "/api/memory/remember", next(corpus.memories(1)))
        case "recall by keywords":
            return Call(caller, "/api/memory/recall", {"query": corpus.question()})
        case "session start":
            body |= {"hook_event_name": "SessionStart", "source": "startup"}
            body["session_id"] = f"bench-start-{number}"
        case _:
            body |= {"hook_event_name": "UserPromptSubmit", "prompt": corpus.question()}
    return Call(caller, "/api/hooks/claude-code", body)


class Call:
    """A request made when it is called."""

    def __init__(self, caller: Caller, path: str, body: Mapping[str, object] | None) -> None:
        self._caller, self._path, self._body = caller, path, body

    def __call__(self) -> bytes:
        if self._body is None:
            return self._caller.get(self._path)
        return self._caller.post(self._path, self._body)


def cold_start(home: Path, runs: int = 5) -> tuple[float, float]:
    """Return the median wall seconds until /health answers, and CPU seconds until it is ready."""
    walls, cpus = list[float](), list[float]()
    for _ in range(runs):
        started = time.perf_counter()
        daemon = start_daemon(home)
        while True:
            try:
                Caller(daemon.port).get("/health")
                break
            except OSError:
                time.sleep(0.005)
        walls.append(time.perf_counter() - started)
        daemon.wait_until("ready")
        cpus.append(cpu_ms(daemon.process.pid) / 1000)
        daemon.stop()
    return statistics.median(walls), statistics.median(cpus)


def disk_bytes(home: Path) -> int:
    """Return the size of the database after a clean stop."""
    return sum(file.stat().st_size for file in (home / "agents/memory").glob("intaglio.db*"))


def main(arguments: list[str]) -> None:
    """Fill a fresh daemon and print the table."""
    parser = argparse.ArgumentParser(prog="python3 app bench load")
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=200)
    options = parser.parse_args(arguments)
    home, corpus = Path(tempfile.mkdtemp(prefix="intaglio-bench-")), Corpus()
    try:
        empty_wall, empty_cpu = cold_start(home)
        empty_bytes = disk_bytes(home)
        with running_daemon(home) as daemon:
            before, started = cpu_ms(daemon.process.pid), time.perf_counter()
            walls = fill(daemon, corpus.memories(options.memories), _FILLERS)
            seconds = time.perf_counter() - started
            cpu = (cpu_ms(daemon.process.pid) - before) / options.memories
            print(f"remember, {_FILLERS} at a time: {options.memories / seconds:.0f} a second, "
                  f"{cpu:.2f} CPU ms each, wall p50 {percentile(walls, 0.5):.2f} "
                  f"p95 {percentile(walls, 0.95):.2f} ms")  # fmt: skip
        size = disk_bytes(home) - empty_bytes
        print(f"disk: {size / options.memories:.0f} bytes a memory (no vectors yet)")
        with running_daemon(home) as daemon:
            time.sleep(_IDLE_S)
            idle = psutil.Process(daemon.process.pid).memory_info().rss / 1e6
            print(HEAD)
            measure_calls(daemon, corpus, options.runs)
            used = psutil.Process(daemon.process.pid).memory_info().rss / 1e6
        print(f"RSS: {idle:.0f} MB idle after the start, {used:.0f} MB after the calls above")
        full_wall, full_cpu = cold_start(home)
        print("cold start to /health, wall s (CPU s until ready): "
              f"empty {empty_wall:.2f} ({empty_cpu:.2f}), "
              f"{options.memories} memories {full_wall:.2f} ({full_cpu:.2f})")  # fmt: skip
    finally:
        shutil.rmtree(home)

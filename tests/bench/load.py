"""What the daemon costs with a given number of memories: speed, memory, disk."""

import argparse
import json
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from bench.bulk_store import fill_in_bulk
from bench.corpus import Corpus
from bench.figures import HEAD, Series, cpu_ms, percentile, row, rss_mb
from bench.home import FILLERS, disk_bytes, switch_embedding, temporary_home
from bench.hook_caller import Caller, status, wait_until_embedded
from bench.prefilled_home import add_vectors, remember_all, remember_kept
from fakes.daemon import Daemon, running_daemon, start_daemon

_IDLE_S = 3.0
_WARM_UP = 3
_KNOWN = 20
_UNLOADED_WITHIN_S = 180.0
_RECALL = "/api/memory/recall"
_REMEMBER_PATH = "/api/memory/remember"
_HOOK = "/api/hooks/claude-code"
_REMEMBER = "remember (CPU with the embedding meanwhile)"

# From a run's number to a path and, for a POST, its body.
Request: TypeAlias = Callable[[int], tuple[str, Mapping[str, object] | None]]


def requests(corpus: Corpus, fresh: Callable[[], Mapping[str, object]]) -> dict[str, Request]:
    """Name the kinds of calls; known questions were asked before, so their vectors are kept."""
    known = [corpus.question() for _ in range(_KNOWN)]

    def ask(**wanted: object) -> Request:
        return lambda _: (_RECALL, {"query": corpus.question(), **wanted})

    def ask_known(**wanted: object) -> Request:
        return lambda run: (_RECALL, {"query": known[run % _KNOWN], **wanted})

    def hook(event: str, session: str, every: int, **told: object) -> Request:
        return lambda run: (
            _HOOK,
            {
                "hook_event_name": event,
                "session_id": f"{session}-{run // every}",
                "cwd": "/p/a",
                "prompt": corpus.question(),
                **told,
            },
        )

    return {
        "GET /health (reference)": lambda _: ("/health", None),
        "recall, whole store": ask(),
        "recall, one project": ask(project="/p/a"),
        "recall, one tag of 100": ask(tags="t7"),
        "recall, one project, who and tag": ask(project="/p/a", who="agent-3", tags="t7"),
        "recall, known question, whole store": ask_known(),
        "recall, known question, one project": ask_known(project="/p/a"),
        "recall, known question, one tag of 100": ask_known(tags="t7"),
        "session start (Claude Code)": hook("SessionStart", "bench-start", 1, source="startup"),
        "prompt hook (Claude Code)": hook("UserPromptSubmit", "bench", 10),
        "list, newest 100": lambda _: ("/api/memories?limit=100", None),
        _REMEMBER: lambda _: (_REMEMBER_PATH, fresh()),
    }


def measure(daemon: Daemon, named: Mapping[str, Request], runs: int) -> None:
    """Print what each kind of call costs, one at a time, with the first as the reference."""
    pid, caller = daemon.process.pid, Caller(daemon.port)
    reference: Series | None = None
    print(HEAD)
    for name, request in named.items():
        series = Series(name)
        warm_up = _KNOWN if "known" in name else _WARM_UP
        for run in range(-warm_up, runs):
            path, body = request(run)

            def call(path: str = path, body: Mapping[str, object] | None = body) -> bytes:
                return caller.get(path) if body is None else caller.post(path, body)

            (series if run >= 0 else Series("warm-up")).take(pid, call)
        reference = reference or series
        print(row(series, reference), flush=True)


@contextmanager
def writing(daemon: Daemon, writers: int) -> Generator[None]:
    """Have so many clients remember memories without a pause; prints how many they did."""
    done, stopped, began = [0] * writers, threading.Event(), time.perf_counter()

    def work(number: int) -> None:
        caller = Caller(daemon.port)
        for body in Corpus(seed=100 + number).memories(1_000_000):
            if stopped.is_set():
                return
            caller.post(_REMEMBER_PATH, body)
            done[number] += 1

    threads = [threading.Thread(target=work, args=(number,)) for number in range(writers)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stopped.set()
        for thread in threads:
            thread.join()
        print(f"{sum(done) / (time.perf_counter() - began):.0f} memories a second meanwhile")


def fill_home(home: Path, memories: int, cache: Path) -> None:
    """Fill the home, from the kept database of this size where there is one."""
    if remember_kept(home, memories, cache):
        print(f"{memories} memories, taken from {cache}")
        return
    started = time.perf_counter()
    walls = remember_all(home, memories)
    seconds = time.perf_counter() - started
    print(
        f"{memories} memories, {FILLERS} at a time: {memories / seconds:.0f} a second, "
        f"wall p50 {percentile(walls, 0.5):.2f} p95 {percentile(walls, 0.95):.2f} ms"
    )
    plain = disk_bytes(home)
    add_vectors(home, memories, cache)
    print(
        f"disk, bytes a memory: {plain / memories:.0f} without vectors, "
        f"{disk_bytes(home) / memories:.0f} with"
    )


def without_embedding(home: Path, named: Mapping[str, Request], runs: int) -> None:
    """Print what calls cost that no vector takes part in."""
    switch_embedding(home, on=False)
    with running_daemon(home, fresh=True) as daemon:
        print("\nwithout embedding")
        chosen = ("GET /health (reference)", "recall, whole store", "recall, one project")
        alone: dict[str, Request] = {name: named[name] for name in chosen}
        alone["remember"] = named[_REMEMBER]
        measure(daemon, alone, runs)


def with_embedding(
    home: Path, corpus: Corpus, named: Mapping[str, Request], runs: int, writers: int
) -> None:
    """Print what a start costs, the first question, every kind of call, and memory after each."""
    switch_embedding(home, on=True)
    started = time.perf_counter()
    daemon = start_daemon(home, fresh=True)
    try:
        daemon.wait_until("ready")
        pid, caller = daemon.process.pid, Caller(daemon.port)
        print(
            f"\nready after {(time.perf_counter() - started) * 1000:.0f} ms wall, "
            f"{cpu_ms(pid):.0f} ms CPU"
        )
        wait_until_embedded(caller)
        time.sleep(_IDLE_S)
        idle = rss_mb(pid)
        for turn in ("first", "second"):
            before, began = cpu_ms(pid), time.perf_counter()
            answer: dict[str, Any] = json.loads(caller.post(_RECALL, {"query": corpus.question()}))
            wall = (time.perf_counter() - began) * 1000
            print(
                f"{turn} recall: {wall:.0f} ms wall, {cpu_ms(pid) - before:.0f} ms CPU, "
                f"by {answer['method']}"
            )
        time.sleep(_IDLE_S)
        print(f"RSS idle {idle:.0f} MB, with the model and the mirror {rss_mb(pid):.0f} MB")
        print("\nwith embedding")
        measure(daemon, named, runs)
        if writers:
            print(f"\nwhile {writers} clients write; the CPU is that of all calls")
            with writing(daemon, writers):
                measure(daemon, {name: named[name] for name in named if name != _REMEMBER}, runs)
        used = rss_mb(pid)
        wait_until_unloaded(daemon)
        print(f"RSS after the calls above {used:.0f} MB, after the model left {rss_mb(pid):.0f} MB")
    finally:
        daemon.stop()


def wait_until_unloaded(daemon: Daemon) -> None:
    """Wait until the idle model has left memory; a kept connection would be closed meanwhile."""
    end = time.monotonic() + _UNLOADED_WITHIN_S
    while status(Caller(daemon.port))["embedding"]["phase"] != "idle":
        if time.monotonic() > end:
            raise TimeoutError("the model stays in memory")
        time.sleep(1)
    time.sleep(1)


def main(arguments: list[str]) -> None:
    """Fill fresh daemons and print the tables."""
    parser = argparse.ArgumentParser(prog="python3 app bench load")
    parser.add_argument("--memories", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--cache", type=Path, required=True, help="where vectors are kept")
    parser.add_argument("--bulk", action="store_true", help="write the store without the daemon")
    parser.add_argument("--one-project", action="store_true", help="in bulk, all in one project")
    parser.add_argument("--writers", type=int, default=0, help="measure while so many write, too")
    options = parser.parse_args(arguments)
    options.cache.mkdir(parents=True, exist_ok=True)
    for memories in options.memories:
        # Other memories than the store's own, so that none is known already.
        corpus, fresh = Corpus(seed=1), Corpus(seed=2).memories(1_000_000)
        named = requests(corpus, partial(next, fresh))
        with temporary_home() as home:
            if options.bulk or options.one_project:
                fill_in_bulk(home, memories, options.cache, one_project=options.one_project)
                print(f"{memories} memories, {disk_bytes(home) / memories:.0f} bytes each")
            else:
                fill_home(home, memories, options.cache)
            # In this order: what is remembered without embedding would be embedded at the start.
            with_embedding(home, corpus, named, options.runs, options.writers)
            without_embedding(home, named, options.runs)

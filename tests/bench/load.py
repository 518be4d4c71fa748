"""What the daemon costs with a given number of memories: speed, memory, disk."""

import argparse
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from bench.caller import Caller, wait_until_embedded
from bench.corpus import Corpus
from bench.figures import HEAD, Series, cpu_ms, percentile, row, rss_mb
from bench.home import FILLERS, disk_bytes, fill, switch_embedding, temporary_home
from fakes.daemon import Daemon, running_daemon

_IDLE_S = 3.0
_WARM_UP = 3
_KNOWN = 20
_RECALL = "/api/memory/recall"
_HOOK = "/api/hooks/claude-code"

# From a run's number to a path and, for a POST, its body.
Request: TypeAlias = Callable[[int], tuple[str, Mapping[str, object] | None]]


def requests(corpus: Corpus) -> dict[str, Request]:
    """Name the kinds of calls; known questions were asked before, so their vectors are kept."""
    known = [corpus.question() for _ in range(_KNOWN)]
    return {
        "GET /health (reference)": lambda _: ("/health", None),
        "recall, whole store": lambda _: (_RECALL, {"query": corpus.question()}),
        "recall, one project": lambda _: (
            _RECALL,
            {"query": corpus.question(), "project": "/p/a"},
        ),
        "recall, known question, whole store": lambda run: (
            _RECALL,
            {"query": known[run % _KNOWN]},
        ),
        "recall, known question, one project": lambda run: (
            _RECALL,
            {"query": known[run % _KNOWN], "project": "/p/a"},
        ),
        "session start (Claude Code)": lambda run: (
            _HOOK,
            {
                "hook_event_name": "SessionStart",
                "source": "startup",
                "session_id": f"bench-start-{run}",
                "cwd": "/p/a",
            },
        ),
        "prompt hook (Claude Code)": lambda run: (
            _HOOK,
            {
                "hook_event_name": "UserPromptSubmit",
                "prompt": corpus.question(),
                "session_id": f"bench-{run // 10}",
                "cwd": "/p/a",
            },
        ),
        "remember (CPU with the embedding meanwhile)": lambda _: (
            "/api/memory/remember",
            next(corpus.memories(1)),
        ),
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


def remember_all(home: Path, corpus: Corpus, memories: int, runs: int) -> None:
    """Fill the store without embedding, and print what remembering costs by itself."""
    switch_embedding(home, on=False)
    with running_daemon(home) as daemon:
        before, started = cpu_ms(daemon.process.pid), time.perf_counter()
        walls = fill(daemon, corpus.memories(memories))
        seconds = time.perf_counter() - started
        cpu = (cpu_ms(daemon.process.pid) - before) / memories
        print(f"remember, {FILLERS} at a time: {memories / seconds:.0f} a second, "
              f"{cpu:.2f} CPU ms each, wall p50 {percentile(walls, 0.5):.2f} "
              f"p95 {percentile(walls, 0.95):.2f} ms")  # fmt: skip
        print("\nwithout embedding")
        named = requests(corpus)
        chosen = ("GET /health (reference)", "recall, whole store", "recall, one project")
        alone: dict[str, Request] = {name: named[name] for name in chosen}
        alone["remember"] = lambda _: ("/api/memory/remember", next(corpus.memories(1)))
        measure(daemon, alone, runs)


def embed_all(home: Path, memories: int) -> None:
    """Give all memories their vectors and print what that costs."""
    switch_embedding(home, on=True)
    with running_daemon(home) as daemon:
        before, started = cpu_ms(daemon.process.pid), time.perf_counter()
        wait_until_embedded(Caller(daemon.port))
        seconds = time.perf_counter() - started
        cpu = (cpu_ms(daemon.process.pid) - before) / memories
        print(f"\nembedded: {memories / seconds:.0f} a second, {cpu:.2f} CPU ms each")


def main(arguments: list[str]) -> None:
    """Fill a fresh daemon and print the tables."""
    parser = argparse.ArgumentParser(prog="python3 app bench load")
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=200)
    options = parser.parse_args(arguments)
    corpus = Corpus()
    with temporary_home() as home:
        with running_daemon(home):
            pass
        empty = disk_bytes(home)
        remember_all(home, corpus, options.memories, options.runs)
        held = options.memories + options.runs + _WARM_UP
        plain = (disk_bytes(home) - empty) / held
        embed_all(home, held)
        full = (disk_bytes(home) - empty) / held
        print(f"disk, bytes a memory: {plain:.0f} without vectors, {full:.0f} with")
        with running_daemon(home) as daemon:
            wait_until_embedded(Caller(daemon.port))
            time.sleep(_IDLE_S)
            idle = rss_mb(daemon.process.pid)
            print("\nwith embedding")
            measure(daemon, requests(corpus), options.runs)
            used = rss_mb(daemon.process.pid)
        print(f"RSS: {idle:.0f} MB idle after the start, {used:.0f} MB after the calls above")

"""What a start costs, and the first question after it; memory then, and when the model left."""

import argparse
import json
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from bench.corpus import Corpus
from bench.figures import cpu_ms, rss_mb
from bench.generated_endpoints import write_daemon
from bench.home import fill, switch_embedding, temporary_home
from bench.hook_caller import Caller, status, wait_until_embedded
from fakes.daemon import Daemon, start_daemon

_IDLE_S = 3.0
_UNLOADED_WITHIN_S = 180.0


@dataclass(slots=True)
class Figures:
    """Values by the name of their line, one from each run."""

    values: dict[str, list[float]] = field(default_factory=dict[str, list[float]])

    def add(self, name: str, value: float) -> None:
        self.values.setdefault(name, []).append(value)

    def timed(self, name: str, daemon: Daemon, work: Callable[[], object]) -> None:
        """Note the wall and CPU milliseconds of a piece of work."""
        before, started = cpu_ms(daemon.process.pid), time.perf_counter()
        work()
        self.add(f"{name}, wall ms", (time.perf_counter() - started) * 1000)
        self.add(f"{name}, CPU ms", cpu_ms(daemon.process.pid) - before)


def until_health(daemon: Daemon) -> None:
    while True:
        try:
            Caller(daemon.port).get("/health")
        except OSError:
            time.sleep(0.005)
        else:
            return


def ask(caller: Caller, question: str, method: str) -> None:
    answer = json.loads(caller.post("/api/memory/recall", {"query": question}))
    if answer["method"] != method:
        raise SystemExit(f"the answer came by {answer['method']}, not {method}")


def begun(home: Path, figures: Figures, program: Path | None = None) -> Daemon:
    """Start a daemon, or a program that runs one, and note how long that takes."""
    started = time.perf_counter()
    daemon = start_daemon(home, program=program, fresh=True)
    until_health(daemon)
    figures.add("/health answers, wall ms", (time.perf_counter() - started) * 1000)
    figures.add("/health answers, CPU ms", cpu_ms(daemon.process.pid))
    daemon.wait_until("ready")
    figures.add("ready, wall ms", (time.perf_counter() - started) * 1000)
    figures.add("ready, CPU ms", cpu_ms(daemon.process.pid))
    return daemon


def by_words(home: Path, corpus: Corpus, figures: Figures) -> None:
    """Measure the first question of a daemon without a model."""
    switch_embedding(home, on=False)
    daemon = begun(home, Figures())
    caller = Caller(daemon.port)
    figures.timed(
        "first recall by words", daemon, lambda: ask(caller, corpus.question(), "keyword")
    )
    daemon.stop()


def by_meaning(home: Path, corpus: Corpus, figures: Figures, *, unload: bool) -> None:
    """Measure the start of a daemon as shipped, and its first questions where it has memories."""
    switch_embedding(home, on=True)
    daemon = begun(home, figures)
    caller = Caller(daemon.port)
    time.sleep(_IDLE_S)
    figures.add("RSS idle, MB", rss_mb(daemon.process.pid))
    if status(caller)["embedding"]["total"]:
        wait_until_embedded(caller)
        for name in ("first recall by meaning", "second recall by meaning"):
            figures.timed(name, daemon, lambda: ask(caller, corpus.question(), "hybrid"))
        figures.add("RSS with the model, MB", rss_mb(daemon.process.pid))
        if unload:
            wait_until_unloaded(caller)
            figures.add("RSS after the model left, MB", rss_mb(daemon.process.pid))
    daemon.stop()


def wait_until_unloaded(caller: Caller) -> None:
    end = time.monotonic() + _UNLOADED_WITHIN_S
    while status(caller)["embedding"]["phase"] != "idle":
        if time.monotonic() > end:
            raise TimeoutError("the model stays in memory")
        time.sleep(1)
    time.sleep(1)


def with_operations(operations: int, runs: int) -> None:
    """Print what a start costs with so many endpoints more, of which none is asked."""
    with temporary_home() as home:
        switch_embedding(home, on=True)
        program = write_daemon(home, operations) if operations else None
        begun(home, Figures(), program).stop()
        figures = Figures()
        for _ in range(runs):
            begun(home, figures, program).stop()
    cells = ", ".join(
        f"{name} {statistics.median(values):.0f}" for name, values in figures.values.items()
    )
    print(f"{operations:>4} generated endpoints more: {cells}", flush=True)


def measure(home: Path, memories: int, runs: int, *, unload: bool) -> Figures:
    """Fill the home, then start it again and again."""
    corpus, figures = Corpus(), Figures()
    switch_embedding(home, on=True)
    daemon = begun(home, Figures())
    fill(daemon, corpus.memories(memories))
    if memories:
        wait_until_embedded(Caller(daemon.port))
    daemon.stop()
    for run in range(runs):
        by_words(home, corpus, figures)
        by_meaning(home, corpus, figures, unload=unload and run == 0)
    return figures


def main(arguments: list[str]) -> None:
    """Print the medians, for an empty store and for one of the given size."""
    parser = argparse.ArgumentParser(prog="python3 app bench start")
    parser.add_argument("--memories", type=int, default=2_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument(
        "--unload", action="store_true", help="wait a minute until the idle model leaves memory"
    )
    parser.add_argument(
        "--operations", type=int, help="only the start, without and with so many endpoints more"
    )
    options = parser.parse_args(arguments)
    if options.operations is not None:
        for operations in (0, options.operations, 0, options.operations):
            with_operations(operations, options.runs)
        return
    sizes = (0, options.memories)
    columns: list[Figures] = []
    for size in sizes:
        with temporary_home() as home:
            columns.append(measure(home, size, options.runs, unload=options.unload))
    print(f"{'median of ' + str(options.runs) + ' starts':<36}", end="")
    print("".join(f"{f'{size} memories':>18}" for size in sizes))
    for name in columns[-1].values:
        cells = (column.values.get(name) for column in columns)
        shown = (f"{statistics.median(values):.0f}" if values else "-" for values in cells)
        print(f"{name:<36}" + "".join(f"{value:>18}" for value in shown))

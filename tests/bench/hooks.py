"""What hooks cost a person: time per session and per prompt in the real clients, and the server's.

Each client runs in two homes, with our hooks and without any; both take turns in one run.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final

from bench.bulk_store import fill_in_bulk
from bench.corpus import Corpus
from bench.figures import percentile
from bench.home import fill, switch_embedding, temporary_home
from bench.hook_caller import Caller, wait_until_embedded, wait_until_idle
from bench.load import Request, measure
from fakes.daemon import running_daemon
from fakes.every_agent import AGENTS, Agents, every_agent

_WARM_UP: Final = 2
_GOAL_MS: Final = 50.0


@dataclass(slots=True)
class Times:
    """Seconds of one thing, without hooks and with them."""

    off: list[float] = field(default_factory=list[float])
    on: list[float] = field(default_factory=list[float])

    def line(self, name: str) -> str:
        """Return a line of the table, in ms."""
        off, on = (statistics.median(each) * 1_000 for each in (self.off, self.on))
        added = f"{on - off:>+10.0f}{on / off:>8.2f}"
        p95 = percentile(self.on, 0.95) * 1_000
        return f"{name:<28}{len(self.on):>6}{off:>10.0f}{on:>10.0f}{added}{p95:>10.0f}"


_HEAD: Final = (
    f"{'ms, medians':<28}{'runs':>6}{'without':>10}{'with':>10}{'added':>10}{'ratio':>8}"
    f"{'with, p95':>10}"
)


def _compare(off: Agents, on: Agents, runs: int) -> None:
    """Print what hooks add to a session of one prompt, and to a prompt in an open session."""
    corpus, project = Corpus(), "shop"
    places = off.project(project), on.project(project)
    with off.sessions(places[0]) as off_open, on.sessions(places[1]) as on_open:
        print(_HEAD, flush=True)
        for name in AGENTS:
            session, prompt = Times(), Times()
            for run in range(-_WARM_UP, runs):
                text = corpus.question()
                calls: list[tuple[list[float], Callable[[], object]]] = [
                    (session.off, partial(off.ask, name, text, places[0])),
                    (session.on, partial(on.ask, name, text, places[1])),
                    (prompt.off, partial(off_open[name], text)),
                    (prompt.on, partial(on_open[name], text)),
                ]
                # Each is first as often as the other: what runs second finds warmer caches.
                for kept, call in calls if run % 2 else reversed(calls):
                    begun = time.perf_counter()
                    call()
                    if run >= 0:
                        kept.append(time.perf_counter() - begun)
            print(session.line(f"{name}: a session"))
            print(prompt.line(f"{name}: a prompt"), flush=True)


def _compare_clients(memories: int, runs: int) -> None:
    """Compare the clients in two homes; one has hooks, and a daemon with a store of this size."""
    with (
        temporary_home() as off_folder,
        temporary_home() as folder,
        every_agent(off_folder / "home") as off,
        every_agent(folder / "home") as on,
    ):
        switch_embedding(on.home, on=True)
        with running_daemon(on.home, on.port, fresh=True) as daemon:
            fill(daemon, Corpus(seed=2).memories(memories))
            wait_until_embedded(Caller(daemon.port))
            wait_until_idle(Caller(daemon.port))
            on.connect_all()
            _compare(off, on, runs)


def _requests(corpus: Corpus) -> Mapping[str, Request]:
    """Name the hooks of each harness that wait for the reply, each start of a session anew."""
    numbers = count()

    def told(
        harness: str, session: str, more: Mapping[str, object]
    ) -> tuple[str, dict[str, object]]:
        return f"/api/hooks/native/{harness}", {
            "session_id": session,
            "session": session,
            "cwd": "/p/a",
            **more,
        }

    def start(harness: str, event: str) -> Request:
        return lambda _: told(
            harness,
            f"{harness}-{next(numbers)}",
            {"hook_event_name": event, "event": event, "source": "startup"},
        )

    def prompt(harness: str, event: str) -> Request:
        return lambda run: told(
            harness,
            f"{harness}-prompts-{run // 10}",
            {"hook_event_name": event, "event": event, "prompt": corpus.question()},
        )

    return {
        "GET /health (reference)": lambda _: ("/health", None),
        "claude-code: start": start("claude-code", "SessionStart"),
        "claude-code: prompt": prompt("claude-code", "UserPromptSubmit"),
        "codex: start": start("codex", "SessionStart"),
        "codex: prompt": prompt("codex", "UserPromptSubmit"),
        "opencode: start": start("opencode", "session_start"),
        "opencode: prompt": prompt("opencode", "prompt"),
    }


def _measure_server(memories: int, cache: Path, runs: int) -> None:
    """Print the server's times with a large store."""
    corpus = Corpus(seed=1)
    with temporary_home() as home:
        fill_in_bulk(home, memories, cache, one_project=False)
        with running_daemon(home, fresh=True) as daemon:
            wait_until_embedded(Caller(daemon.port))
            wait_until_idle(Caller(daemon.port))
            print(f"\nthe server's ms with {memories} memories; the goal for wall p95: {_GOAL_MS}")
            measure(daemon, _requests(corpus), runs)


def main(arguments: list[str]) -> None:
    """Compare the clients with hooks and without, then measure the server with a large store."""
    parser = argparse.ArgumentParser(prog="python3 app bench hooks")
    parser.add_argument("--memories", type=int, default=1_000, help="while clients are compared")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--server", type=int, default=100_000, help="memories of the large store")
    parser.add_argument("--cache", type=Path, help="where the large store is kept")
    options = parser.parse_args(arguments)
    _compare_clients(options.memories, options.runs)
    if options.cache is not None:
        _measure_server(options.server, options.cache, 10 * options.runs)

"""What a daemon's users notice while it computes a map: its memory, /health and recall."""

import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import psutil

from bench.bulk_store import fill_in_bulk
from bench.corpus import Corpus
from bench.figures import percentile, rss_mb
from bench.home import switch_embedding, temporary_home
from bench.hook_caller import Caller, wait_until_embedded
from fakes.daemon import running_daemon

_WARM_UP: Final = 200
_QUIET: Final = 150
_PAUSE_S: Final = 0.05
_RUNS: Final = "/api/embeddings/projection/runs"
_STATE: Final = "/api/embeddings/projection/state"


@dataclass(slots=True)
class Beside:
    """Milliseconds of requests, and the daemon's memory between them."""

    health: list[float] = field(default_factory=list[float])
    recall: list[float] = field(default_factory=list[float])
    daemon_mb: list[float] = field(default_factory=list[float])

    def take(self, caller: Caller, pid: int, question: str) -> None:
        """Make one request of each kind."""
        started = time.perf_counter()
        caller.get("/health")
        between = time.perf_counter()
        caller.post("/api/memory/recall", {"query": question, "limit": 10})
        self.health.append((between - started) * 1000)
        self.recall.append((time.perf_counter() - between) * 1000)
        self.daemon_mb.append(rss_mb(pid))

    def told(self, name: str) -> str:
        """Describe them in a line."""
        return (
            f"{name:>12} {len(self.health):>6} {percentile(self.health, 0.5):>10.1f} "
            f"{percentile(self.health, 0.95):>6.1f} {percentile(self.recall, 0.5):>10.1f} "
            f"{percentile(self.recall, 0.95):>6.1f} {self.daemon_mb[0]:>10.0f} "
            f"{max(self.daemon_mb):>6.0f} {self.daemon_mb[-1]:>6.0f}"
        )


def measure(count: int, cache: Path) -> None:
    """Print a daemon's answers before, during and after a run of both layouts."""
    with temporary_home() as home:
        fill_in_bulk(home, count, cache, one_project=False)
        switch_embedding(home, on=True)
        with running_daemon(home, fresh=True) as daemon:
            caller, pid = Caller(daemon.port), daemon.process.pid
            wait_until_embedded(caller)
            corpus = Corpus(seed=3)
            for _ in range(_WARM_UP):
                Beside().take(caller, pid, corpus.question())
            user = daemon.client(headers={"cookie": daemon.sign_in(), "origin": daemon.url})
            print(f"\na daemon with {count} memories; milliseconds, and its memory in MB")
            print(
                "              calls  health p50    p95 recall p50    p95  RSS first   most   last"
            )
            print(_requests(caller, pid, corpus, _QUIET).told("before"))
            began, during, worker_mb = time.perf_counter(), Beside(), 0.0
            user.post(_RUNS, json={"dimensions": [2, 3]}).raise_for_status()
            while json.loads(user.get(_STATE).content)["run"] is not None:
                during.take(caller, pid, corpus.question())
                worker_mb = max(worker_mb, _children_mb(pid))
                time.sleep(_PAUSE_S)
            wall = time.perf_counter() - began
            print(during.told("during"))
            print(_requests(caller, pid, corpus, _QUIET).told("after"))
            state = json.loads(user.get(_STATE).content)
            print(f"the run took {wall:.1f} s, its process at most {worker_mb:.0f} MB")
            print(f"layouts: {state['layouts']}; failure: {state['failure']}")


def _requests(caller: Caller, pid: int, corpus: Corpus, runs: int) -> Beside:
    found = Beside()
    for _ in range(runs):
        found.take(caller, pid, corpus.question())
        time.sleep(_PAUSE_S)
    return found


def _children_mb(pid: int) -> float:
    try:
        children = psutil.Process(pid).children(recursive=True)
        return sum(child.memory_info().rss for child in children) / 1e6
    except psutil.Error:
        return 0.0

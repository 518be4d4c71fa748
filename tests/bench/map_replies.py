"""What the daemon's replies about a large map cost, and what /health waits meanwhile."""

import argparse
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import httpx

from bench.figures import HEAD, Series, percentile, row, rss_mb
from fakes.daemon import Daemon, running_daemon
from fakes.star_map import star_home

_PATH: Final = "/api/embeddings/projection"
_PAUSE_S: Final = 0.005


@contextmanager
def _asking_for_health(address: str, waits_ms: list[float]) -> Generator[None]:
    """Ask for /health again and again from another thread."""
    ended = threading.Event()

    def ask() -> None:
        with httpx.Client(base_url=address) as client:
            while not ended.wait(_PAUSE_S):
                began = time.perf_counter()
                client.get("/health").raise_for_status()
                waits_ms.append((time.perf_counter() - began) * 1000)

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@dataclass(frozen=True, slots=True)
class _Measuring:
    """A daemon with a map, and a signed-in browser that asks it."""

    daemon: Daemon
    client: httpx.Client
    runs: int

    def ask(self, below: str, **query: str) -> httpx.Response:
        reply = self.client.get(_PATH + below, params=query)
        assert reply.status_code == 200, reply.text
        return reply

    def change(self) -> None:
        """Remember something: it has no point, but the map is read again."""
        body = {"content": f"Measured at {time.time_ns()}"}
        self.client.post("/api/memory/remember", json=body).raise_for_status()

    def line(
        self,
        name: str,
        work: Callable[[], httpx.Response],
        prepare: Callable[[], object] = lambda: None,
    ) -> None:
        """Print what some runs of one request cost."""
        series, waits_ms = Series(name), list[float]()
        for _ in range(self.runs):
            prepare()
            with _asking_for_health(self.daemon.url, waits_ms):
                series.take(self.daemon.process.pid, work)
        size = len(work().content)
        waits = f"/health p95 {percentile(waits_ms, 0.95):.1f} ms"
        print(f"{row(series, series)}  {size:>10,} bytes  {waits}", flush=True)

    def all(self) -> None:
        """Print the costs of all requests about a map."""
        print(HEAD)
        self.line("points after a change", partial(self.ask, "/points"), self.change)
        before, etag = rss_mb(self.daemon.process.pid), self.ask("/points").headers["etag"]
        known, token = {"if-none-match": etag}, etag.strip('"')
        get = self.client.get
        self.line("points, unchanged", partial(get, f"{_PATH}/points", headers=known))
        self.line("edges", partial(self.ask, "/edges", token=token))
        self.line("labels", partial(self.ask, "/labels", token=token))
        self.line("matches of a type", partial(self.ask, "/matches", type="fact"))
        self.line("state", partial(self.ask, "/state"))
        self.line("5,000 memories as JSON", partial(self.ask, ""))
        self.line("entities with positions", partial(get, "/api/knowledge/constellation"))
        after = rss_mb(self.daemon.process.pid)
        print(f"RSS of the daemon: {before:.0f} MB after some maps, {after:.0f} MB at the end")


def main(arguments: list[str]) -> None:
    """Measure replies about maps of so many memories."""
    parser = argparse.ArgumentParser(prog="bench map", description=main.__doc__)
    parser.add_argument("--points", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--runs", type=int, default=9)
    options = parser.parse_args(arguments)
    for points in options.points:
        with TemporaryDirectory() as folder:
            home = Path(folder)
            star_home(home, points)
            with running_daemon(home) as daemon:
                print(f"\n{points:,} memories")
                headers = {"cookie": daemon.sign_in(), "origin": daemon.url}
                with httpx.Client(base_url=daemon.url, headers=headers, timeout=60) as client:
                    _Measuring(daemon, client, options.runs).all()

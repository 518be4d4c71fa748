"""What counting and timing costs: CPU of a request, and of a snapshot of full histograms."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from litestar import get

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.gate.guard import AccessRequest
from intaglio.api.gate.principal import PeerIdentity
from intaglio.api.gate.request_meter import RequestMeter
from intaglio.api.gate.routes import Routes
from intaglio.base.clock import monotonic_s
from intaglio.base.metrics.metrics import Metrics

_RUNS: Final = 5
_REQUESTS: Final = 200_000
_SNAPSHOTS: Final = 200
_PATH: Final = "/api/memory/recall"


@get(_PATH, opt=declare(Access.PROGRAM, kind="recall"))
async def _recall() -> None: ...


async def _never(*_: object) -> None: ...


def _us(work: Callable[[], None], count: int) -> float:
    """Return the least CPU of several runs, in microseconds for each of ``count``."""
    used: list[float] = []
    for _ in range(_RUNS):
        began = time.process_time()
        work()
        used.append((time.process_time() - began) / count * 1e6)
    return min(used)


def main(_: list[str]) -> None:
    """Print the figures."""
    metrics = Metrics.empty(lambda: datetime.now(UTC))
    meter = RequestMeter(metrics, monotonic_s)
    route = Routes([_recall], lambda _: _never).find("GET", _PATH)
    request = AccessRequest(
        method="GET",
        path=_PATH,
        query_bytes=0,
        peer="127.0.0.1",
        headers={"x-signet-actor": "ann", "host": "127.0.0.1"},
        repeated=frozenset(),
        identity=PeerIdentity.OWN,
    )

    def requests() -> None:
        for _ in range(_REQUESTS):
            measurement = meter.begin({"state": {}})
            measurement.route, measurement.request = route, request
            measurement.read()
            measurement.end(200)

    def snapshots() -> None:
        for _ in range(_SNAPSHOTS):
            metrics.latency.read()

    print(f"recording a request {_us(requests, _REQUESTS):8.1f} us CPU")
    print(f"a snapshot          {_us(snapshots, _SNAPSHOTS):8.1f} us CPU")

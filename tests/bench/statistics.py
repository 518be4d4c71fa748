"""What statistics cost at many memories: counting half a year, and a request of each range."""

import argparse
import asyncio
import resource
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from fakes.api import running_api
from fakes.counted_days import fill_days
from intaglio.domain.statistics_ranges import StatisticsRange
from intaglio.statistics.sampler import Sampler

_RUNS = 10


def _used_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


async def _bench(home: Path) -> None:
    async with running_api(home) as api:
        sampler = api.kernel.get(Sampler)
        used, began = _used_s(), time.monotonic()
        days = await sampler.catch_up()
        took = time.monotonic() - began
        print(f"counted {days} days: {took:.1f} s, {_used_s() - used:.2f} s of CPU")
        used = _used_s()
        await sampler.catch_up()
        print(f"nothing to count: {(_used_s() - used) * 1_000:.1f} ms of CPU")
        for range_ in get_args(StatisticsRange):
            for name in ("", ".csv"):
                address, query = f"/api/statistics{name}", {"range": range_}
                used = _used_s()
                reply = await api.client.get(address, params=query, headers=api.owner)
                reply.raise_for_status()
                first = (_used_s() - used) * 1_000
                used = _used_s()
                for _ in range(_RUNS):
                    await api.client.get(address, params=query, headers=api.owner)
                cpu = (_used_s() - used) * 1_000 / _RUNS
                size = len(reply.content) / 1_000
                print(f"{address} {range_}: {first:.1f} ms first, then {cpu:.1f} ms, {size:.0f} kB")


def main(arguments: Sequence[str]) -> None:
    """Fill a store, and measure."""
    parser = argparse.ArgumentParser(prog="bench statistics")
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--sessions", type=int, default=30, help="a day")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        fill_days(home, options.memories, options.sessions)
        asyncio.run(_bench(home))

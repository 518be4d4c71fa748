"""What checkpoints cost, and a start that tells where a session stood; how long the block is.

``--real FOLDER`` takes the sessions of that folder (`bench.capture.real_sessions`), whose texts
aren't part of the repository, in place of a made one.
"""

import argparse
import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from itertools import groupby, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bench.capture.labelled import LabelledSession
from bench.capture.real_sessions import read_real
from bench.figures import percentile
from bench.walk import write_memories
from fakes.sessions import House, session, talk
from fakes.store import bench
from intaglio.memory import operations
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor
from intaglio.sessions.values import SessionRef

_PROJECT: Final = "/p/a"
_OWN: Final = session("own", project=_PROJECT)
_ASKED: Final = "Please move part {} of the invoice cache from Redis to SQLite, and run the tests."
_DONE: Final = """Part {} of the cache is in SQLite now, and all tests pass.

Still open:
- The migration of part {} has no test yet."""
_RUNS: Final = 60
_TURNS: Final = 30
_LEAST_PROMPTS: Final = 4
_MESSAGES: Final = 40


async def _cpu(work: Callable[[], Awaitable[object]], runs: int = _RUNS) -> str:
    cpu: list[float] = []
    for _ in range(runs):
        began = time.process_time()
        await work()
        cpu.append((time.process_time() - began) * 1000)
    return f"p50 {percentile(cpu, 0.5):.1f}, p95 {percentile(cpu, 0.95):.1f}"


async def _hold(house: House, own: SessionRef, texts: list[str]) -> None:
    await house.start(own)
    await house.prompt(own, texts[0])
    await talk(house, own, *texts, day=30)


async def _block(house: House, own: SessionRef) -> str:
    shown = await house.start(own, "compact")
    told = shown.text.partition("## Where this session stood")[2]
    return told.removesuffix("</intaglio-memory>").strip()


async def _costs(count: int, checkpoints: int) -> None:
    with TemporaryDirectory() as folder:
        async with bench(Path(folder)) as opened:
            await write_memories(opened, count)
            house = House(opened)
            made = (text.format(n, n) for n in range(_TURNS) for text in (_ASKED, _DONE))
            await _hold(house, _OWN, list(made))
            service, starts = house.checkpoints, house.starts
            filters = await house.context.visibility.filters("default", _PROJECT)
            print(f"{count} memories; CPU in ms")
            print("a checkpoint:", await _cpu(lambda: service.write(_OWN, "periodic")))
            print("none is due:", await _cpu(service.write_due))
            for source in ("startup", "compact"):
                shown = await _cpu(partial(starts.compose, _OWN, source, filters))
                print(f"a start ({source}):", shown)
            print(f"the block: {len(await _block(house, _OWN))} characters")
            for number in range(checkpoints // 50):
                other = session(f"s{number}", project=_PROJECT)
                await _hold(house, other, [_ASKED.format(number), _DONE.format(number, number)])
                for _ in range(50):
                    await house.checkpoints.write(other, "periodic")
            ids = await house.rows("SELECT id FROM memories ORDER BY seq DESC LIMIT 20")
            left = iter([str(each) for (each,) in ids])
            audit = Audit(Actor("me"))

            def forget() -> Awaitable[object]:
                gone = next(left)
                return opened.db.write(
                    lambda tx: operations.forget(tx, gone, audit, opened.context)
                )

            print(f"forgetting, {checkpoints} checkpoints:", await _cpu(forget, len(ids)))


def _turns(found: LabelledSession) -> list[str]:
    """Return what both said in turns, the user first."""
    turns = [
        (role, "\n".join(each.text for each in said))
        for role, said in groupby(found.messages, key=lambda each: each.role)
    ]
    texts = [text for _, text in turns[turns[0][0] != "user" :]]
    return texts[-_MESSAGES + len(texts) % 2 :]


def _long(folder: Path) -> Iterator[LabelledSession]:
    for each in read_real([folder], print):
        if sum(said.role == "user" for said in each.session.messages) >= _LEAST_PROMPTS:
            yield each.session


async def _sizes(folder: Path, every: int, *, shows: bool) -> None:
    sizes: list[float] = []
    for found in islice(_long(folder), 0, None, every):
        with TemporaryDirectory() as place:
            async with bench(Path(place)) as opened:
                house = House(opened)
                await _hold(house, _OWN, _turns(found))
                await house.checkpoints.write(_OWN, "pre_compaction")
                told = await _block(house, _OWN)
        sizes.append(len(told))
        if shows:
            print(f"=== {found.id}\n{told}")
    print(
        f"{len(sizes)} sessions, {sizes.count(0)} without a block; characters: "
        f"p50 {percentile(sizes, 0.5):.0f}, p90 {percentile(sizes, 0.9):.0f}, "
        f"most {max(sizes, default=0):.0f}"
    )


def main(arguments: list[str]) -> None:
    """Run the benchmark with these command-line arguments."""
    parser = argparse.ArgumentParser(prog="python3 app bench continuity", description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--checkpoints", type=int, default=500, help="when memories are forgotten")
    parser.add_argument("--real", type=Path, metavar="FOLDER")
    parser.add_argument("--every", type=int, default=4, help="take each of so many sessions")
    parser.add_argument("--show", action="store_true", help="print what is told")
    options = parser.parse_args(arguments)
    if options.real:
        asyncio.run(_sizes(options.real, options.every, shows=options.show))
    else:
        asyncio.run(_costs(options.memories, options.checkpoints))

"""Runs with the process that computes layouts: killed, out of its limits, without its library."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import pytest

from fakes.maps import ALL, Maps, maps
from fakes.waiting import until
from intaglio.projection.compute.process import WorkerProgram, run_layouts, worker_program
from intaglio.projection.compute.values import LaidOut, RunPlan
from intaglio.projection.settings import ProjectionSettings
from intaglio.projection.values import MapState, RunPhase

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def children() -> list[int]:
    """Return the processes of this one that compute layouts."""
    found = list[int]()
    for task in Path("/proc/self/task").iterdir():
        # A thread may end while they are listed.
        with suppress(FileNotFoundError):
            found += map(int, (task / "children").read_text().split())
    return [pid for pid in found if b"compute-layouts" in command_of(pid)]


def command_of(pid: int) -> bytes:
    """Return a process's command line; empty once it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@dataclass
class Watched:
    """Runs the process; ``at`` is called at each phase that it reports."""

    at: Callable[[RunPhase], None] = lambda _: None
    program: WorkerProgram = field(default_factory=worker_program)

    async def __call__(
        self,
        plan: RunPlan,
        vectors: AsyncIterator[bytes],
        progress: Callable[[RunPhase, float], None],
    ) -> AsyncGenerator[LaidOut]:
        def told(phase: RunPhase, fraction: float) -> None:
            progress(phase, fraction)
            self.at(phase)

        async for each in run_layouts(plan, vectors, told, program=self.program):
            yield each


@pytest.fixture
def watched() -> Watched:
    return Watched()


@pytest.fixture
async def seen(tmp_path: Path, watched: Watched) -> AsyncGenerator[Maps]:
    async with maps(tmp_path, watched) as found:
        await found.remember(*(f"red apple {number}" for number in range(20)))
        yield found


def reason(state: MapState) -> str:
    assert state.run is None
    assert state.failure is not None
    assert state.failure.hint
    return state.failure.reason


@pytest.mark.parametrize("stage", ["reading", "neighbours", "layout"])
async def test_a_process_that_is_killed_is_a_failure_and_the_next_run_works(
    seen: Maps, watched: Watched, stage: RunPhase
) -> None:
    def kill(phase: RunPhase) -> None:
        if phase == stage:
            for pid in children():
                os.kill(pid, signal.SIGKILL)

    watched.at = kill
    state = await seen.lay_out()
    while state.failure is None:
        # The process had done all its work before its phase was read.
        state = await seen.lay_out()
    assert "ended from outside" in reason(state)
    watched.at = lambda _: None
    state = await seen.lay_out()
    assert (state.failure, state.layouts[0].points) == (None, 20)
    assert state.layouts[0].method == "umap"


async def test_a_run_that_is_cancelled_ends_its_process(seen: Maps, watched: Watched) -> None:
    reached = asyncio.Event()

    def hold(phase: RunPhase) -> None:
        if phase != "reading":
            for pid in children():
                os.kill(pid, signal.SIGSTOP)
            reached.set()

    watched.at = hold

    async def cancel_a_run() -> MapState:
        reached.clear()
        await seen.service.request(ALL, (2, 3))
        running = asyncio.create_task(seen.runner.run(await seen.take()))
        await reached.wait()
        state = await seen.service.cancel(ALL)
        await running
        return state

    state = await cancel_a_run()
    while state.failure is None:
        # The process had done all its work before its phase was read.
        state = await cancel_a_run()
    assert "cancelled" in reason(state)
    await until(lambda: not children(), "the process has ended")


async def test_a_run_stops_at_its_limits(seen: Maps) -> None:
    seen.settings = ProjectionSettings(memory_mb=1)
    assert "more memory" in reason(await seen.lay_out())
    seen.settings = ProjectionSettings(minutes=0)
    assert "too long" in reason(await seen.lay_out())
    seen.settings = ProjectionSettings()
    assert (await seen.lay_out()).layouts[0].points == 20


async def test_without_its_library_a_map_is_laid_out_by_principal_components(
    seen: Maps, watched: Watched, tmp_path: Path
) -> None:
    (tmp_path / "absent").mkdir()
    (tmp_path / "absent" / "umapers.py").write_text("raise ImportError('not installed')")
    environment = {**watched.program.environment, "PYTHONPATH": str(tmp_path / "absent")}
    watched.program = replace(watched.program, environment=environment)
    state = await seen.lay_out(2, 3)
    assert [(each.method, each.points) for each in state.layouts] == [("pca", 20), ("pca", 20)]


async def test_the_same_memories_are_laid_out_in_the_same_way(seen: Maps, tmp_path: Path) -> None:
    await seen.lay_out()
    async with maps(tmp_path / "other", partial(run_layouts)) as other:
        await other.remember(*(f"red apple {number}" for number in range(20)))
        await other.lay_out()
        assert await other.places() == await seen.places()

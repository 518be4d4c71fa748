"""Layouts are computed by a real process, whose end is always told and never leaves anything."""

import asyncio
import contextlib
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import psutil
import pytest

from fakes.layout_programs import without_umap
from fakes.waiting import PATIENCE_S, wait_for
from intaglio.projection.compute.process import WorkerProgram, run_layouts, worker_program
from intaglio.projection.compute.protocol import frame
from intaglio.projection.compute.values import LaidOut, LayoutRunError, RunPlan
from intaglio.projection.values import EXTENT, RunPhase

SIZE = 32
FLAT = RunPlan(
    points=60,
    vector_dimensions=SIZE,
    dimensions=(2,),
    seed=7,
    memory_bytes=500_000_000,
    timeout_s=PATIENCE_S,
)
BOTH = replace(FLAT, dimensions=(2, 3))
LONG = replace(FLAT, points=2_000)


def vectors(points: int) -> bytes:
    return np.random.default_rng(3).integers(-99, 99, (points, SIZE), np.int8).tobytes()


async def chunks(content: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(content), 1_000):
        yield content[start : start + 1_000]


def ignore(_: RunPhase, __: float) -> None:
    pass


async def computed(
    plan: RunPlan, content: bytes | None = None, program: WorkerProgram | None = None
) -> list[LaidOut]:
    source = chunks(vectors(plan.points) if content is None else content)
    async with aclosing(run_layouts(plan, source, ignore, program=program)) as run:
        return [each async for each in run]


def points_of(layout: LaidOut) -> npt.NDArray[np.float32]:
    return np.frombuffer(layout.coordinates, "<f4").reshape(-1, layout.dimensions)


def workers() -> list[psutil.Process]:
    """Return this process's processes that compute."""
    found: list[psutil.Process] = []
    for child in psutil.Process().children():
        with contextlib.suppress(psutil.NoSuchProcess):
            if "compute-layouts" in child.cmdline():
                found.append(child)
    return found


async def test_both_layouts_stay_in_the_extent_and_share_neighbours() -> None:
    phases: list[tuple[RunPhase, float]] = []

    def note(phase: RunPhase, done: float) -> None:
        phases.append((phase, done))

    source = chunks(vectors(BOTH.points))
    async with aclosing(run_layouts(BOTH, source, note)) as run:
        flat, deep = [each async for each in run]
    assert (flat.dimensions, deep.dimensions) == (2, 3)
    assert np.abs(points_of(flat)).max() <= EXTENT >= np.abs(points_of(deep)).max() > 0
    neighbours = np.frombuffer(flat.neighbours, "<i4").reshape(-1, 5)
    assert len(neighbours) == BOTH.points
    assert not (neighbours == np.arange(BOTH.points)[:, None]).any()
    assert not deep.neighbours
    names = [phase for phase, _ in phases]
    assert list(dict.fromkeys(names)) == ["reading", "neighbours", "layout"]
    assert [done for _, done in phases] == sorted(done for _, done in phases)


async def test_the_same_seed_gives_the_same_map_and_points_stay_where_they_were() -> None:
    first, second = (await computed(FLAT))[0], (await computed(FLAT))[0]
    assert first.method == ("umap" if sys.version_info < (3, 14) else "pca")
    assert second == first
    elsewhere = (points_of(first)[:, ::-1] * 0.9).astype("<f4").tobytes()
    again = (await computed(replace(FLAT, previous={2: elsewhere})))[0]
    assert np.allclose(points_of(again), points_of(first)[:, ::-1] * 0.9, atol=0.1)


@pytest.mark.parametrize("points", [0, 1, 2, 3, 4])
async def test_few_vectors_are_laid_out(points: int) -> None:
    flat, deep = await computed(replace(BOTH, points=points))
    assert points_of(flat).shape == (points, 2)
    assert points_of(deep).shape == (points, 3)
    assert np.isfinite(points_of(deep)).all()
    assert len(flat.neighbours) == points * 5 * 4


async def test_equal_vectors_and_vectors_without_length_are_laid_out() -> None:
    same = vectors(1) * 30 + bytes(SIZE) * 30
    layout = (await computed(FLAT, same))[0]
    assert np.abs(points_of(layout)).max() <= EXTENT


@pytest.mark.parametrize("stage", ["reading", "neighbours", "layout"])
async def test_a_process_killed_at_any_stage_is_told(stage: RunPhase) -> None:
    def kill(phase: RunPhase, _: float) -> None:
        for worker in workers() if phase == stage else []:
            worker.kill()

    with pytest.raises(LayoutRunError) as failed:
        async with aclosing(run_layouts(LONG, chunks(vectors(LONG.points)), kill)) as run:
            _ = [each async for each in run]
    assert failed.value.fault == "killed"
    assert failed.value.hint
    assert not workers()


async def test_a_cancelled_run_ends_its_process() -> None:
    reached = asyncio.Event()

    def notice(phase: RunPhase, _: float) -> None:
        if phase == "layout":
            reached.set()

    async def read() -> None:
        async with aclosing(run_layouts(LONG, chunks(vectors(LONG.points)), notice)) as run:
            _ = [each async for each in run]

    task = asyncio.create_task(read())
    await reached.wait()
    assert len(workers()) == 1
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not workers()


async def test_a_run_beyond_its_memory_or_its_time_is_told() -> None:
    with pytest.raises(LayoutRunError) as failed:
        await computed(replace(LONG, memory_bytes=200_000))
    assert failed.value.fault == "memory"
    with pytest.raises(LayoutRunError) as failed:
        await computed(replace(LONG, timeout_s=0.01))
    assert failed.value.fault == "time"


async def test_a_system_without_a_limit_of_memory_is_watched() -> None:
    script = (
        "import sys\n"
        "from intaglio.projection.compute import limits, worker\n"
        "limits.sys.platform, limits._LOOK_S = 'darwin', 0\n"
        "worker.main()\n"
    )
    usual = worker_program()
    program = replace(usual, arguments=(sys.executable, "-P", "-c", script))
    with pytest.raises(LayoutRunError) as failed:
        await computed(replace(LONG, memory_bytes=200_000), program=program)
    assert failed.value.fault == "memory"
    assert len(await computed(FLAT, program=program)) == 1


@pytest.mark.parametrize("fault", ["raise ImportError", "raise OSError('no such symbol')"])
async def test_without_the_library_principal_components_take_its_place(
    tmp_path: Path, fault: str
) -> None:
    flat, deep = await computed(BOTH, program=without_umap(tmp_path, fault))
    assert (flat.method, deep.method) == ("pca", "pca")
    assert len(flat.neighbours) == BOTH.points * 5 * 4


@pytest.mark.parametrize(
    "program",
    [
        ("/no/such/program",),
        (sys.executable, "-c", "print('what a surprise', flush=True)"),
        (sys.executable, "-c", "import sys; sys.stdout.buffer.write(bytes([1, 0, 0, 0, 255]))"),
        (sys.executable, "-c", "raise SystemExit(3)"),
    ],
)
async def test_a_process_that_answers_nonsense_is_told(program: tuple[str, ...]) -> None:
    with pytest.raises(LayoutRunError) as failed:
        await computed(FLAT, program=WorkerProgram(program, dict(os.environ)))
    assert failed.value.fault == "broken"


async def test_too_few_vectors_and_a_source_that_fails_end_the_run() -> None:
    with pytest.raises(LayoutRunError) as failed:
        await computed(FLAT, vectors(FLAT.points)[1:])
    assert failed.value.fault == "broken"

    async def failing() -> AsyncIterator[bytes]:
        yield vectors(1)
        raise LookupError("the store is closed")

    with pytest.raises(LookupError):
        async with aclosing(run_layouts(FLAT, failing(), ignore)) as run:
            _ = [each async for each in run]
    assert not workers()


def test_a_process_whose_daemon_is_gone_ends() -> None:
    program = worker_program()
    with subprocess.Popen(
        program.arguments,
        env=dict(program.environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        many = replace(BOTH, points=20_000)
        process.stdin.write(frame(many) + vectors(many.points))
        process.stdin.flush()
        assert process.stdout.read(4)
        process.stdin.close()
        wait_for(lambda: process.poll() is not None, "the process ends")
        assert process.returncode == 0

"""What layouts cost, how true they are, and how far points move between them."""

import asyncio
import resource
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import psutil

from bench.projection.real_vectors import as_stored
from bench.vectors import Floats
from intaglio.projection.compute.process import WorkerProgram, run_layouts
from intaglio.projection.compute.values import LaidOut, RunPlan
from intaglio.projection.placement import LOOKED_AT, place_among
from intaglio.projection.values import Dimensions, RunPhase

NEAREST: Final = 15
SHARE_OF_NEW: Final = 0.1

_SAMPLED: Final = 1_000
_CHUNK: Final = 1 << 20
_LOOK_S: Final = 0.02


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredRun:
    """A run's layout, and what its process took; ``peak_mb`` is the most that was seen."""

    method: str
    points: Floats
    wall_s: float
    cpu_s: float
    peak_mb: float


def measured(
    vectors: Floats,
    dimensions: Dimensions,
    *,
    previous: Floats | None = None,
    program: WorkerProgram | None = None,
) -> MeasuredRun:
    """Lay vectors out in a process of its own, as the daemon does."""
    former: Mapping[Dimensions, bytes] = (
        {} if previous is None else {dimensions: previous.astype("<f4").tobytes()}
    )
    plan = RunPlan(
        points=len(vectors),
        vector_dimensions=vectors.shape[1],
        dimensions=(dimensions,),
        previous=dict(former),
        seed=1,
        memory_bytes=2_000_000_000,
        timeout_s=3_600,
    )
    return asyncio.run(_measured(plan, as_stored(vectors).tobytes(), program))


async def _measured(plan: RunPlan, rows: bytes, program: WorkerProgram | None) -> MeasuredRun:
    peak = [0]

    async def chunks() -> AsyncIterator[bytes]:
        for start in range(0, len(rows), _CHUNK):
            yield rows[start : start + _CHUNK]

    async def watch() -> None:
        while True:
            with suppress(psutil.Error):
                for child in psutil.Process().children():
                    peak[0] = max(peak[0], child.memory_info().rss)
            await asyncio.sleep(_LOOK_S)

    def ignore(_: RunPhase, __: float) -> None:
        pass

    watching = asyncio.create_task(watch())
    cpu, began = _children_cpu_s(), time.perf_counter()
    async with aclosing(run_layouts(plan, chunks(), ignore, program=program)) as run:
        (layout,) = [each async for each in run]
    wall = time.perf_counter() - began
    watching.cancel()
    points = coordinates(layout)
    return MeasuredRun(layout.method, points, wall, _children_cpu_s() - cpu, peak[0] / 1e6)


def coordinates(layout: LaidOut) -> Floats:
    """Return a layout's points x dimensions."""
    return np.frombuffer(layout.coordinates, "<f4").reshape(-1, layout.dimensions)


def _children_cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def trustworthiness(vectors: Floats, points: Floats) -> float:
    """Return the trustworthiness of the NEAREST points of a sample, from 0 to 1.

    How few of a point's nearest in the layout are far from it by cosine (Venna and Kaski 2001).
    """
    count, penalty = len(vectors), 0
    sample = np.random.default_rng(5).permutation(count)[:_SAMPLED]
    for row in sample:
        rank = np.empty(count, np.int64)
        similarity = vectors @ vectors[row]
        similarity[row] = np.inf
        rank[np.argsort(-similarity, kind="stable")] = np.arange(count)
        near = nearest_points(points, int(row))
        penalty += int(np.maximum(rank[near] - NEAREST, 0).sum())
    worst = NEAREST * (2 * count - 3 * NEAREST - 1) / 2
    return float(1 - penalty / len(sample) / worst)


def nearest_points(points: Floats, row: int) -> npt.NDArray[np.int64]:
    """Return the NEAREST points to one of a layout, without itself."""
    distance = np.square(points - points[row]).sum(axis=1)
    distance[row] = np.inf
    return np.argpartition(distance, NEAREST)[:NEAREST].astype(np.int64)


def distances(points: Floats, others: Floats) -> Floats:
    """Return how far each point is from where it is in another layout."""
    apart: Floats = np.linalg.norm(points - others, axis=1)
    return apart


def placed_among(vectors: Floats, known: Floats) -> Floats:
    """Place the vectors after the known ones as the daemon places new memories."""
    made: list[tuple[float, ...]] = []
    for vector in vectors[len(known) :]:
        similarity = vectors[: len(known)] @ vector
        best = np.argsort(-similarity)[:LOOKED_AT]
        near = [(float(similarity[row]), tuple(known[row].tolist())) for row in best]
        made.append(place_among(near) or (0.0,) * known.shape[1])
    return np.array(made, np.float32)


def random_distance(points: Floats) -> float:
    """Return the mean distance of two random points."""
    other = np.random.default_rng(3).permutation(len(points))
    return float(distances(points, points[other]).mean())

"""The process that computes layouts: reads a plan and vectors, writes progress and layouts."""

import os
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import BinaryIO, Final

import numpy as np
import numpy.typing as npt

from intaglio.projection.compute.alignment import placed
from intaglio.projection.compute.arrays import FloatArray, Neighbours
from intaglio.projection.compute.limits import limit_memory, lower_priority
from intaglio.projection.compute.neighbours import nearest
from intaglio.projection.compute.pca import principal_components
from intaglio.projection.compute.protocol import (
    LENGTH_BYTES,
    EndMessage,
    LayoutMessage,
    ProgressMessage,
    WorkerMessage,
    frame,
    length_of,
    read_plan,
)
from intaglio.projection.compute.umap import FEWEST, UmapLayout, load_umap
from intaglio.projection.compute.values import KEPT_NEIGHBOURS, LaidOut, RunPlan
from intaglio.projection.values import Dimensions, Method, RunPhase

_NEIGHBOURS: Final = 15
_NEIGHBOURS_SHARE: Final = 0.35
_REPORT_S: Final = 0.25
# UMAP doesn't tell how far it is; so long it takes on a computer of 2020.
_EXPECTED_S: Final = 0.5
_EXPECTED_S_PER_POINT: Final = 0.0004


@dataclass(slots=True)
class _Output:
    """Writes messages, from any thread."""

    stream: BinaryIO
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _reported: float = 0.0

    def send(self, message: WorkerMessage) -> None:
        with self._lock:
            self.stream.write(frame(message))
            self.stream.flush()

    def report(self, phase: RunPhase, fraction: float, *, always: bool = False) -> None:
        """Send how much is done, unless that was told just now."""
        now = time.monotonic()
        if always or now - self._reported >= _REPORT_S:
            self._reported = now
            self.send(ProgressMessage(phase, fraction))


def main() -> None:
    """Compute what standard input asks for; ends when that ends, whatever it is doing."""
    lower_priority()
    stdin, output = sys.stdin.buffer, _Output(sys.stdout.buffer)
    plan = read_plan(stdin.read(length_of(stdin.read(LENGTH_BYTES))))
    umap = load_umap()
    limit_memory(plan.memory_bytes)
    vectors = _read_vectors(stdin, plan)
    threading.Thread(target=_end_with_input, daemon=True).start()
    output.report("neighbours", 0.0, always=True)

    def report(fraction: float) -> None:
        output.report("neighbours", _NEIGHBOURS_SHARE * fraction)

    neighbours = nearest(vectors, _NEIGHBOURS, plan.seed, report)
    share = (1 - _NEIGHBOURS_SHARE) / max(1, len(plan.dimensions))
    for number, dimensions in enumerate(plan.dimensions):
        with _expected_progress(output, _NEIGHBOURS_SHARE + share * number, share, plan.points):
            method, layout = _lay_out(vectors, neighbours, dimensions, plan.seed, umap)
            final = placed(layout, _previous(plan, dimensions))
        told = LaidOut(
            dimensions=dimensions,
            method=method,
            coordinates=final.astype("<f4").tobytes(),
            neighbours=b"" if number else _kept(neighbours),
        )
        output.send(LayoutMessage(told))
    output.send(EndMessage())


def _read_vectors(stdin: BinaryIO, plan: RunPlan) -> FloatArray:
    """Return unit vectors; ends the process if there are fewer than the plan says."""
    size = plan.points * plan.vector_dimensions
    content = stdin.read(size)
    if len(content) < size:
        os._exit(0)
    rows = np.frombuffer(content, np.int8).reshape(plan.points, plan.vector_dimensions)
    vectors = rows.astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    vectors /= np.maximum(lengths, 1)[:, None]
    return vectors


def _end_with_input() -> None:
    """Wait until the daemon closes this process's input or is gone, and end."""
    # Not through sys.stdin, whose lock the main thread may wait for at its end.
    while os.read(0, 1):
        pass
    os._exit(0)


def _lay_out(
    vectors: FloatArray,
    neighbours: Neighbours,
    dimensions: Dimensions,
    seed: int,
    umap: UmapLayout | None,
) -> tuple[Method, FloatArray]:
    if umap is None or len(vectors) < FEWEST:
        return "pca", principal_components(vectors, dimensions)
    layout = umap(neighbours, dimensions, seed)
    if not np.isfinite(layout).all():
        raise ValueError("the layout isn't finite")
    return "umap", layout


def _previous(plan: RunPlan, dimensions: Dimensions) -> FloatArray | None:
    found = plan.previous.get(dimensions)
    if found is None:
        return None
    return np.frombuffer(found, "<f4").reshape(plan.points, dimensions).astype(np.float32)


def _kept(neighbours: Neighbours) -> bytes:
    """Return the nearest of each point; -1 where there are fewer."""
    kept: npt.NDArray[np.int32] = np.full((len(neighbours.indexes), KEPT_NEIGHBOURS), -1, "<i4")
    found = neighbours.indexes[:, :KEPT_NEIGHBOURS]
    kept[:, : found.shape[1]] = found
    return kept.tobytes()


@contextmanager
def _expected_progress(output: _Output, start: float, share: float, points: int) -> Generator[None]:
    """Report progress while the block runs: as time passes, of the time that it usually takes."""
    ended = threading.Event()
    expected = _EXPECTED_S + _EXPECTED_S_PER_POINT * points
    began = time.monotonic()

    def report() -> None:
        while not ended.wait(2 * _REPORT_S):
            passed = (time.monotonic() - began) / expected
            output.report("layout", start + share * passed / (1 + passed))

    output.report("layout", start, always=True)
    reporting = threading.Thread(target=report, daemon=True)
    reporting.start()
    try:
        yield
    finally:
        ended.set()
        reporting.join()

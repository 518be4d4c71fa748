"""``bench projection``: what maps of memories cost, how true they are and how still they stand."""

import argparse
import tempfile
from pathlib import Path
from typing import Final

import numpy as np

from bench.projection import busy_daemon
from bench.projection.layouts import (
    SHARE_OF_NEW,
    distances,
    measured,
    placed_among,
    random_distance,
    trustworthiness,
)
from bench.projection.real_vectors import real_texts, vectors_of
from bench.vectors import Floats, grown
from fakes.layout_programs import without_umap
from intaglio.projection.compute.process import WorkerProgram
from intaglio.projection.values import Dimensions

_SIZES: Final = (1_000, 10_000, 50_000)
_STABILITY_AT: Final = (1_000, 10_000)
_DIMENSIONS: Final[tuple[Dimensions, ...]] = (2, 3)


def _measure_cost(vectors: Floats, program: WorkerProgram | None) -> None:
    for dimensions in _DIMENSIONS:
        run = measured(vectors, dimensions, program=program)
        truth = trustworthiness(vectors, run.points)
        print(
            f"{len(vectors):>7} {run.method:>5} {dimensions:>3}D {run.wall_s:>8.1f} "
            f"{run.cpu_s:>8.1f} {run.peak_mb:>8.0f} {truth:>8.3f}",
            flush=True,
        )


def _measure_stability(vectors: Floats, dimensions: Dimensions) -> None:
    """Print how far old points move when new ones come, and how well new ones are placed."""
    old = round(len(vectors) / (1 + SHARE_OF_NEW))
    before = measured(vectors[:old], dimensions).points
    known: Floats = np.full((len(vectors), dimensions), np.nan, np.float32)
    known[:old] = before
    aligned = measured(vectors, dimensions, previous=known).points
    alone = measured(vectors, dimensions).points
    placed = placed_among(vectors, before)
    print(
        f"{len(vectors):>7} {dimensions:>3}D {distances(alone[:old], before).mean():>9.1f} "
        f"{distances(aligned[:old], before).mean():>8.1f} "
        f"{np.median(distances(aligned[:old], before)):>8.1f} "
        f"{distances(placed, aligned[old:]).mean():>8.1f} "
        f"{np.median(distances(placed, aligned[old:])):>8.1f} "
        f"{random_distance(before):>8.1f}",
        flush=True,
    )


def main(arguments: list[str]) -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(prog="bench projection", description=__doc__)
    parser.add_argument("--real", type=Path, action="append", default=[], metavar="FOLDER")
    parser.add_argument("--data", type=Path, action="append", default=[], metavar="FILE")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "bench-cache")
    parser.add_argument("--sizes", type=int, nargs="+", default=list(_SIZES))
    parser.add_argument("--beside", type=int, default=0, metavar="MEMORIES")
    parser.add_argument("--only-beside", action="store_true")
    options = parser.parse_args(arguments)
    if not options.only_beside:
        _measure_layouts(options)
    if options.beside:
        busy_daemon.measure(options.beside, options.cache)


def _measure_layouts(options: argparse.Namespace) -> None:
    texts = real_texts(options.real, options.data)
    real = vectors_of(texts, options.cache)
    print(f"{len(real)} texts were embedded; larger sets are mixtures of their vectors")
    print("\n points method      wall s    CPU s  peak MB  trustworthiness")
    with tempfile.TemporaryDirectory() as folder:
        for size in options.sizes:
            vectors = grown(real, size)
            for program in (None, without_umap(Path(folder))):
                _measure_cost(vectors, program)
    print(f"\nafter {SHARE_OF_NEW:.0%} new points: mean distance (map of 420 x 420)")
    print("                old points moved            new ones placed  two random")
    print(" points     unaligned  aligned   median     mean   median   points")
    for size in _STABILITY_AT:
        for dimensions in _DIMENSIONS:
            if size in options.sizes:
                _measure_stability(grown(real, size), dimensions)

"""Nearest neighbours by cosine: exact for many points, among the nearest cells for very many."""

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from intaglio.projection.compute.arrays import FloatArray, IndexArray, Neighbours

EXACT_UP_TO: Final = 50_000
"""Up to this many points, all are compared with all: 14 s of CPU for so many."""

Report: TypeAlias = Callable[[float], None]

_BLOCK: Final = 256
_GROUP: Final = 16
_CELLS_SEARCHED: Final = 0.1
_ROUNDS: Final = 4
_SAMPLED_PER_CELL: Final = 40
_NOWHERE: Final = np.float32(-9)


def nearest(vectors: FloatArray, count: int, seed: int, report: Report) -> Neighbours:
    """Find the ``count`` nearest of each unit vector, or all others if there aren't so many.

    Exact up to EXACT_UP_TO. ``report`` gets how much is done, from 0 to 1.
    """
    points = len(vectors)
    count = max(0, min(count, points - 1))
    found = Neighbours(np.empty((points, count), np.int64), np.empty((points, count), np.float32))
    if not count:
        return found
    parts = _one_part(points) if points <= EXACT_UP_TO else _cells(vectors, count, seed)
    done = 0
    for rows, candidates in parts:
        among = vectors if candidates is None else vectors[candidates]
        for start in range(0, len(rows), _BLOCK):
            block = rows[start : start + _BLOCK]
            similarity = vectors[block] @ among.T
            itself = block if candidates is None else np.arange(start, start + len(block))
            similarity[np.arange(len(block)), itself] = _NOWHERE
            best, values = _largest(similarity, count)
            found.indexes[block] = best if candidates is None else candidates[best]
            found.distances[block] = np.sqrt(np.maximum(2 - 2 * values, 0))
            done += len(block)
            report(done / points)
    return found


def _one_part(points: int) -> Iterator[tuple[IndexArray, IndexArray | None]]:
    """Yield all rows, to be compared with all."""
    yield np.arange(points), None


def _largest(values: FloatArray, count: int) -> tuple[IndexArray, FloatArray]:
    """Return the columns of each row's largest values and these, largest first.

    The largest are in the groups with the largest maxima, so that only these are looked through.
    """
    rows, columns = values.shape
    width = columns // _GROUP
    if width <= count:
        return _sorted_largest(
            values, np.tile(np.arange(columns, dtype=np.int64), (rows, 1)), count
        )
    grouped = values[:, : width * _GROUP].reshape(rows, _GROUP, width)
    groups = np.argpartition(-grouped.max(axis=1), count - 1, axis=1)[:, :count]
    rest = np.tile(np.arange(width * _GROUP, columns, dtype=np.int64), (rows, 1))
    members = (groups[:, :, None] + np.arange(_GROUP) * width).reshape(rows, -1)
    candidates = np.concatenate([members, rest], axis=1)
    return _sorted_largest(np.take_along_axis(values, candidates, 1), candidates, count)


def _sorted_largest(
    values: FloatArray, columns: npt.NDArray[np.intp], count: int
) -> tuple[IndexArray, FloatArray]:
    best = np.argpartition(-values, count - 1, axis=1)[:, :count]
    # Equal ones by column, so that the order doesn't depend on how the values were grouped.
    order = np.lexsort(
        (np.take_along_axis(columns, best, 1), -np.take_along_axis(values, best, 1)), axis=1
    )
    best = np.take_along_axis(best, order, 1)
    return np.take_along_axis(columns, best, 1), np.take_along_axis(values, best, 1)


# --- cells ----------------------------------------------------------------------------------------


def _cells(vectors: FloatArray, count: int, seed: int) -> Iterator[tuple[IndexArray, IndexArray]]:
    """Yield the rows of each cell, and those of the nearest cells, among which to search.

    The candidates of a cell begin with its own rows.
    """
    centres = _centres(vectors, int(len(vectors) ** 0.5), seed)
    owner = _nearest_centre(vectors, centres)
    members = _members(owner, len(centres))
    order = np.argsort(-(centres @ centres.T), axis=1, kind="stable")
    fewest = int(len(centres) * _CELLS_SEARCHED)
    for cell, rows in enumerate(members):
        if not len(rows):
            continue
        near: list[IndexArray] = [rows]
        for rank, other in enumerate(order[cell]):
            if rank >= fewest and sum(len(each) for each in near) > count:
                break
            if other != cell:
                near.append(members[int(other)])
        yield rows, np.concatenate(near)


def _centres(vectors: FloatArray, cells: int, seed: int) -> FloatArray:
    """Return the unit centres of the cells, by spherical k-means on a sample."""
    random = np.random.default_rng(seed)
    sampled = min(len(vectors), cells * _SAMPLED_PER_CELL)
    sample = vectors[random.choice(len(vectors), sampled, replace=False)]
    centres = sample[:cells].copy()
    for _ in range(_ROUNDS):
        for cell, rows in enumerate(_members(_nearest_centre(sample, centres), cells)):
            total = sample[rows].sum(axis=0)
            length = np.linalg.norm(total)
            if length > 0:
                centres[cell] = total / length
    return centres


def _nearest_centre(vectors: FloatArray, centres: FloatArray) -> npt.NDArray[np.intp]:
    """Return the nearest centre of each vector, a block at a time."""
    found = [
        np.argmax(vectors[start : start + _BLOCK] @ centres.T, axis=1)
        for start in range(0, len(vectors), _BLOCK)
    ]
    return np.concatenate(found)


def _members(owner: npt.NDArray[np.intp], cells: int) -> list[IndexArray]:
    """Return the rows of each cell."""
    order = np.argsort(owner, kind="stable")
    bounds = np.searchsorted(owner[order], np.arange(1, cells))
    return np.split(order, bounds)

"""Finds the clusters of a layout at three levels of detail, by density; pure.

Points climb the density of the layout, blurred the less the finer the level, to its next peak;
the points that reach one peak are a cluster (mean shift, Comaniciu and Meer 2002, on a grid).
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from intaglio.projection.values import EXTENT

PointFloats: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
PointInts: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.int64]]
PointBools: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]

NO_CLUSTER: Final = 65_535
_GRID: Final = 256
# What is at the border is blurred beyond it, not to the other side.
_MARGIN: Final = 32
_CELL: Final = 2 * EXTENT / (_GRID - 2 * _MARGIN)
_WIDER: Final = 1.25
# A cluster with nearly all points of the coarser one tells nothing more.
_SAME_SHARE: Final = 0.8
_SIGMAS_OF_MIDDLE: Final = 2.563


@dataclass(frozen=True, slots=True)
class _Level:
    """How much the layout is blurred, and which clusters there are then.

    ``blur`` is in standard deviations of the layout, for one point; it falls with the sixth root
    of their number (Silverman 1986, in two dimensions). A cluster has at least ``least`` points
    and ``share`` of all. Where more than ``most`` would be so large, the layout is blurred more.
    """

    blur: float
    most: int
    least: int
    share: float

    def least_size(self, total: int) -> float:
        """Return how many of all points a cluster has at least."""
        return max(self.least, self.share * total)


_LEVELS: Final = (
    _Level(0.3, 12, 5, 0.02),
    _Level(0.18, 40, 10, 0.005),
    _Level(0.11, 120, 12, 0.001),
)


@dataclass(frozen=True, slots=True)
class Cluster:
    """A cluster: its level, 0 for the coarsest, the one it is in, and where it is densest.

    ``parts`` says by `Clusters.part_of` what it consists of.
    """

    id: int
    level: int
    parent: int | None
    count: int
    peak: tuple[float, float]
    parts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Clusters:
    """The clusters of a layout by their ids, the coarser ones first.

    ``members`` has for each level the cluster of each point, or `NO_CLUSTER`; a point stays in
    the coarser one where that isn't divided. ``part_of`` has for each point the part of the
    layout that it is in; each part is in at most one cluster of a level.
    """

    clusters: tuple[Cluster, ...]
    members: tuple[PointInts, ...]
    part_of: PointInts


def find_clusters(positions: PointFloats, counted: PointBools) -> Clusters:
    """Find the clusters of points by their two coordinates; only those ``counted`` make one.

    Takes about 100 ms for 100,000 points. The same points have the same clusters.
    """
    if not counted.any():
        none = np.full(len(positions), NO_CLUSTER, np.int64)
        return Clusters((), (none,) * len(_LEVELS), np.zeros(len(positions), np.int64))
    cells = _cells_of(positions)
    histogram = np.bincount(cells[counted], minlength=_GRID**2).astype(np.float64)
    spread = _spread(positions[counted])
    coarse, middle, fine = (_peaks(histogram, level, spread) for level in _LEVELS)
    finest, part_of = np.unique(fine[cells], return_inverse=True)
    # Each finer peak goes whole to the coarser one that it climbs to, so that clusters nest.
    of_middle = middle[finest]
    peaks = (coarse[of_middle], of_middle, finest)
    sizes = np.bincount(part_of[counted], minlength=len(finest))
    clusters, owners = _nest(peaks, sizes)
    return Clusters(clusters, tuple(owner[part_of] for owner in owners), part_of)


def _cells_of(positions: PointFloats) -> PointInts:
    steps = np.floor((positions + EXTENT) / _CELL).astype(np.int64)
    columns, rows = (np.clip(steps, 0, _GRID - 2 * _MARGIN - 1) + _MARGIN).T
    return np.asarray(rows * _GRID + columns, np.int64)


def _centre_of(cell: int) -> tuple[float, float]:
    row, column = divmod(cell, _GRID)
    x, y = ((step - _MARGIN + 0.5) * _CELL - EXTENT for step in (column, row))
    return x, y


def _spread(positions: PointFloats) -> float:
    """Return the standard deviation of the coordinates as if normal, outliers aside."""
    low, high = np.percentile(positions, (10, 90), axis=0)
    return float((high - low).mean()) / _SIGMAS_OF_MIDDLE


def _peaks(histogram: PointFloats, level: _Level, spread: float) -> PointInts:
    """Return for each cell the one at the peak that it climbs to."""
    spectrum = np.fft.rfft2(histogram.reshape(_GRID, _GRID))
    total = int(histogram.sum())
    least = level.least_size(total)
    blur = max(level.blur * spread * total ** (-1 / 6), _CELL)
    while True:
        peaks = _climb(_blurred(spectrum, blur / _CELL))
        sizes = np.bincount(peaks, weights=histogram)
        if np.count_nonzero(sizes >= least) <= level.most:
            return peaks
        blur *= _WIDER


def _blurred(
    spectrum: np.ndarray[tuple[int, ...], np.dtype[np.complex128]], sigma: float
) -> PointFloats:
    """Blur by a Gaussian of ``sigma`` cells."""
    rows, columns = np.fft.fftfreq(_GRID), np.fft.rfftfreq(_GRID)
    squares = rows[:, np.newaxis] ** 2 + columns**2
    response = np.exp(-2 * np.pi**2 * sigma**2 * squares)
    return np.asarray(np.fft.irfft2(spectrum * response, (_GRID, _GRID)), np.float64)


def _climb(density: PointFloats) -> PointInts:
    """Follow each cell to its densest neighbour, and on to a peak."""
    # Of cells that are as dense, the later one is higher, so that two can't be each a peak.
    order = np.empty(_GRID**2, np.int64)
    order[np.argsort(density, axis=None, kind="stable")] = np.arange(_GRID**2)
    heights = np.pad(order.reshape(_GRID, _GRID), 1, constant_values=-1)
    steps = [(row, column) for row in range(3) for column in range(3)]
    around = np.stack([heights[row : row + _GRID, at : at + _GRID] for row, at in steps])
    away = np.array([(row - 1) * _GRID + column - 1 for row, column in steps])
    up: PointInts = np.arange(_GRID**2) + away[around.argmax(axis=0).ravel()]
    while not np.array_equal(further := up[up], up):
        up = further
    return up


def _nest(
    peaks: Sequence[PointInts], sizes: PointInts
) -> tuple[tuple[Cluster, ...], tuple[PointInts, ...]]:
    """Make clusters of parts that have the same peak; return the parts' clusters by level, too."""
    total = int(sizes.sum())
    found: list[Cluster] = []
    owners: list[PointInts] = []
    within = np.full(len(sizes), NO_CLUSTER, np.int64)
    for number, level in enumerate(_LEVELS):
        owner = np.full(len(sizes), NO_CLUSTER, np.int64)
        groups: defaultdict[int, list[int]] = defaultdict(list)
        for part, peak in enumerate(peaks[number].tolist()):
            groups[peak].append(part)
        largest = sorted((-int(sizes[parts].sum()), peak) for peak, parts in groups.items())
        for size, peak in largest:
            parts = groups[peak]
            parent = int(within[parts[0]])
            outer = total if parent == NO_CLUSTER else found[parent].count
            if -size < level.least_size(total):
                continue
            if -size >= _SAME_SHARE * outer:
                owner[parts] = parent
                continue
            owner[parts] = len(found)
            inside = None if parent == NO_CLUSTER else parent
            found.append(Cluster(len(found), number, inside, -size, _centre_of(peak), tuple(parts)))
        within = np.where(owner == NO_CLUSTER, within, owner)
        owners.append(owner)
    return tuple(found), tuple(owners)

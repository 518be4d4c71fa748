"""Places a layout: within the map's extent, and where its points were in the previous layout."""

from typing import Final

import numpy as np

from intaglio.projection.compute.arrays import FloatArray, PointMask
from intaglio.projection.values import EXTENT

# A map that an earlier one holds in place may be smaller than a new one would be.
_SMALLEST: Final = 0.75
_ROUNDS: Final = 8
_LEAST_COMMON: Final = 4
# Distances below this, in units of the map, don't make a point count more.
_NEAR: Final = 1.0


def placed(layout: FloatArray, previous: FloatArray | None) -> FloatArray:
    """Return a layout within [-EXTENT, EXTENT], turned to the previous one if there is one.

    ``previous`` has a row for each point, NaN for new ones.
    """
    if not len(layout):
        return layout
    scaled = _scaled(layout - _middle(layout), 1.0)
    if previous is None:
        return scaled
    common: PointMask = np.all(np.isfinite(previous), axis=1)
    if common.sum() < _LEAST_COMMON:
        return scaled
    return _scaled(_aligned(scaled, previous, common), _SMALLEST)


def _middle(layout: FloatArray) -> FloatArray:
    ends: FloatArray = np.stack([layout.min(axis=0), layout.max(axis=0)])
    middle: FloatArray = np.mean(ends, axis=0)
    return middle


def _scaled(layout: FloatArray, smallest: float) -> FloatArray:
    """Scale a layout about the origin if it reaches beyond EXTENT, or less than a share of it."""
    reach = float(np.abs(layout).max(initial=0.0))
    if reach == 0 or smallest * EXTENT <= reach <= EXTENT:
        return layout
    # Rounding must not put a point beyond the extent.
    scaled: FloatArray = np.clip(layout * np.float32(EXTENT / reach), -EXTENT, EXTENT)
    return scaled


def _aligned(layout: FloatArray, previous: FloatArray, common: PointMask) -> FloatArray:
    """Turn, mirror, move and scale a layout so that common points are near where they were.

    Procrustes analysis (Schoenemann 1966; Gower 1975), weighted anew in rounds (Weiszfeld 1937), so
    that it minimizes the sum of distances and not of their squares: a cluster that moved across the
    map doesn't pull all others along. The scale is the ratio of both spreads: that of least squares
    shrinks whatever doesn't match, again with each run.
    """
    old, new = previous[common].astype(np.float64), layout[common].astype(np.float64)
    weights = np.ones((len(old), 1))
    turn, scale = np.eye(layout.shape[1]), 1.0
    old_middle = new_middle = np.zeros(layout.shape[1])
    for _ in range(_ROUNDS):
        weights = weights / weights.sum()
        old_middle, new_middle = (weights * old).sum(axis=0), (weights * new).sum(axis=0)
        from_middle, to_middle = new - new_middle, old - old_middle
        left, _, right = np.linalg.svd(from_middle.T @ (weights * to_middle))
        turn = left @ right
        spread = float((weights * from_middle**2).sum())
        scale = float(np.sqrt((weights * to_middle**2).sum() / spread)) if spread > 0 else 1.0
        distance = np.linalg.norm(scale * from_middle @ turn - to_middle, axis=1, keepdims=True)
        weights = 1 / np.maximum(distance, _NEAR)
    moved = (layout - new_middle) @ turn * scale + old_middle
    return moved.astype(np.float32)

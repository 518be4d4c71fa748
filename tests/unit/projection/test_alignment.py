"""A layout stays within the map's extent, and where its points were before."""

import numpy as np
import numpy.typing as npt
import pytest

from intaglio.projection.compute.alignment import placed
from intaglio.projection.values import EXTENT

Floats = npt.NDArray[np.float32]


def scattered(points: int, dimensions: int, seed: int = 1) -> Floats:
    return np.random.default_rng(seed).normal(size=(points, dimensions)).astype(np.float32)


def turned(layout: Floats) -> Floats:
    """Turn a layout, mirror it, move it and make it smaller."""
    turn, _ = np.linalg.qr(scattered(layout.shape[1], layout.shape[1], seed=5))
    turn[:, 0] *= -1
    return np.asarray(0.02 * layout @ turn + 3, np.float32)


@pytest.mark.parametrize("dimensions", [2, 3])
def test_a_first_layout_fills_the_extent(dimensions: int) -> None:
    layout = placed(5 + scattered(50, dimensions), None)
    assert np.abs(layout).max() == pytest.approx(EXTENT)
    assert layout.min() == pytest.approx(-EXTENT)


@pytest.mark.parametrize("dimensions", [2, 3])
def test_what_was_turned_mirrored_moved_and_scaled_comes_back(dimensions: int) -> None:
    before = placed(scattered(50, dimensions), None)
    assert np.allclose(placed(turned(before), before), before, atol=0.01)


def test_new_points_follow_the_common_ones() -> None:
    everything = placed(scattered(60, 2), None)
    known = everything.copy()
    known[40:] = np.nan
    assert np.allclose(placed(turned(everything), known), everything, atol=0.5)


def test_a_cluster_that_moved_across_the_map_does_not_pull_the_others_along() -> None:
    before = placed(scattered(100, 2), None)
    after = before.copy()
    after[:20] = after[:20] * 0.1 + 150
    moved = placed(turned(after), before)
    assert np.linalg.norm(moved[20:] - before[20:], axis=1).max() < 2


def test_repeated_alignment_to_what_does_not_match_never_shrinks_the_map() -> None:
    layout = placed(scattered(80, 2), None)
    for seed in range(2, 12):
        layout = placed(scattered(80, 2, seed), layout)
    assert 0.74 * EXTENT < np.abs(layout).max() <= EXTENT


def test_too_few_common_points_align_nothing() -> None:
    layout, previous = scattered(10, 2), np.full((10, 2), np.nan, np.float32)
    previous[:3] = 7
    assert np.array_equal(placed(layout, previous), placed(layout, None))


@pytest.mark.parametrize("points", [0, 1, 6])
def test_equal_points_stay_at_the_centre(points: int) -> None:
    same = np.full((points, 2), 4, np.float32)
    assert not placed(same, None).any()
    assert np.isfinite(placed(same, same)).all()

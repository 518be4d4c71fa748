"""Without UMAP, a layout shows the directions in which the vectors differ most."""

import numpy as np
import pytest

from intaglio.projection.compute.pca import principal_components


@pytest.mark.parametrize("points", [10, 200])
def test_the_widest_directions_are_kept_in_their_order(points: int) -> None:
    random = np.random.default_rng(2)
    spread = np.full(32, 0.01, np.float32)
    spread[[4, 1, 9]] = 25, 5, 1
    vectors = (random.normal(size=(points, 32)) * spread).astype(np.float32)
    layout = principal_components(vectors, 3)
    for column, original in zip(range(3), (4, 1, 9), strict=True):
        match = np.corrcoef(layout[:, column], vectors[:, original])[0, 1]
        assert abs(match) > 0.9
    assert np.array_equal(principal_components(vectors, 3), layout)


def test_what_vectors_lack_is_zero() -> None:
    assert principal_components(np.zeros((0, 8), np.float32), 2).shape == (0, 2)
    assert not principal_components(np.full((9, 8), 0.37, np.float32), 3).any()
    two = principal_components(np.eye(2, 8, dtype=np.float32), 3)
    assert np.ptp(two[:, 0]) == pytest.approx(2**0.5)
    assert not two[:, 1:].any()

"""The nearest vectors are found exactly up to a size, and nearly all of them above it."""

import numpy as np
import numpy.typing as npt
import pytest

from intaglio.projection.compute import neighbours
from intaglio.projection.compute.neighbours import nearest

Floats = npt.NDArray[np.float32]


def clustered(points: int) -> Floats:
    """Make unit vectors around a few centres."""
    random = np.random.default_rng(4)
    centres = random.normal(size=(max(1, points // 40), 24))
    found = centres[np.arange(points) % len(centres)] + 0.4 * random.normal(size=(points, 24))
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), np.float32)


def by_sorting(vectors: Floats, count: int) -> npt.NDArray[np.intp]:
    similarity = vectors @ vectors.T
    np.fill_diagonal(similarity, -9)
    return np.argsort(-similarity, axis=1, kind="stable")[:, :count]


def nothing(_: float) -> None:
    pass


@pytest.mark.parametrize("points", [5, 16, 240, 241, 700])
def test_neighbours_are_those_that_sorting_finds(points: int) -> None:
    vectors = clustered(points)
    found = nearest(vectors, 15, 1, nothing)
    expected = by_sorting(vectors, min(15, points - 1))
    assert np.array_equal(found.indexes, expected)
    between = np.linalg.norm(vectors[:, None] - vectors[expected], axis=2)
    assert np.allclose(found.distances, between, atol=1e-3)


@pytest.mark.parametrize(("points", "count"), [(0, 0), (1, 0), (2, 1), (3, 2)])
def test_few_vectors_have_all_others_as_neighbours(points: int, count: int) -> None:
    assert nearest(clustered(points), 15, 1, nothing).indexes.shape == (points, count)


def test_equal_vectors_are_at_no_distance_and_never_their_own_neighbours() -> None:
    found = nearest(np.repeat(clustered(1), 40, axis=0), 15, 1, nothing)
    assert not (found.indexes == np.arange(40)[:, None]).any()
    assert found.distances.max() < 1e-3


def test_among_very_many_nearly_all_neighbours_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "EXACT_UP_TO", 1_000)
    vectors = clustered(2_000)
    told: list[float] = []
    found = nearest(vectors, 15, 1, told.append).indexes
    expected = by_sorting(vectors, 15)
    shared = [len(set(a) & set(b)) for a, b in zip(found.tolist(), expected.tolist(), strict=True)]
    assert sum(shared) / (15 * 2_000) > 0.9
    assert told == sorted(told)
    assert told[-1] == 1
    assert np.array_equal(nearest(vectors, 15, 1, nothing).indexes, found)


def test_vectors_of_one_cell_still_have_enough_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "EXACT_UP_TO", 10)
    found = nearest(np.repeat(clustered(40), 3, axis=0), 15, 1, nothing).indexes
    assert all(len(set(row)) == 15 for row in found.tolist())

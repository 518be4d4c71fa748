"""Clusters of a layout at three levels."""

import numpy as np

from intaglio.projection.labels.clusters import (
    NO_CLUSTER,
    Clusters,
    PointFloats,
    PointInts,
    find_clusters,
)
from intaglio.projection.values import EXTENT


def _islands(centres: list[tuple[float, float]], each: int, width: float) -> PointFloats:
    random = np.random.default_rng(7)
    middle = np.repeat(np.array(centres), each, axis=0)
    return np.clip(middle + random.normal(0, width, middle.shape), -EXTENT, EXTENT)


def _all_of(positions: PointFloats) -> Clusters:
    return find_clusters(positions, np.ones(len(positions), np.bool_))


def _owners(members: PointInts, each: int) -> list[int]:
    """Return the cluster of most points of each island."""
    return [int(np.bincount(island).argmax()) for island in members.reshape(-1, each)]


FAR = [(-150.0, -150.0), (-150.0, 150.0), (150.0, -150.0), (150.0, 150.0)]


def test_islands_are_clusters_at_their_densest_places() -> None:
    found = _all_of(_islands(FAR, 200, 10))
    coarse = [cluster for cluster in found.clusters if cluster.level == 0]
    assert sorted(cluster.count for cluster in coarse) == [200] * 4
    owners = _owners(found.members[0], 200)
    for owner, centre in zip(owners, FAR, strict=True):
        assert np.abs(np.subtract(found.clusters[owner].peak, centre)).max() < 10


def test_finer_clusters_are_within_coarser_ones() -> None:
    near = [(x + dx, y + dy) for x, y in FAR for dx in (-22, 22) for dy in (-22, 22)]
    found = _all_of(_islands(near, 100, 4))
    assert {cluster.level for cluster in found.clusters} >= {0, 1}
    for cluster in found.clusters:
        if cluster.parent is not None:
            outer = found.clusters[cluster.parent]
            assert outer.level < cluster.level
            assert set(cluster.parts) < set(outer.parts)


def test_a_point_stays_in_a_cluster_that_no_finer_level_divides() -> None:
    found = _all_of(_islands(FAR, 30, 1))
    assert all(cluster.level == 0 for cluster in found.clusters)
    assert all(np.array_equal(each, found.members[0]) for each in found.members)


def test_a_few_points_are_no_cluster() -> None:
    found = _all_of(_islands([*FAR, (0.0, 0.0)], 200, 8)[:803])
    assert set(found.members[0][-3:].tolist()) == {NO_CLUSTER}


def test_points_that_do_not_count_make_no_cluster_but_are_in_one() -> None:
    positions = _islands(FAR, 200, 10)
    counted = np.ones(len(positions), np.bool_)
    counted[100:200] = False
    found = find_clusters(positions, counted)
    owner, *_ = _owners(found.members[0], 200)
    assert found.clusters[owner].count == 100
    assert np.count_nonzero(found.members[0][:200] == owner) > 190
    assert find_clusters(positions, np.zeros(len(positions), np.bool_)).clusters == ()


def test_many_islands_are_few_coarse_clusters() -> None:
    places = [(x, y) for x in range(-180, 181, 40) for y in range(-180, 181, 40)]
    found = _all_of(_islands([(float(x), float(y)) for x, y in places], 100, 4))
    levels = [sum(cluster.level == level for cluster in found.clusters) for level in range(3)]
    assert levels[0] <= 20
    assert 80 <= sum(levels) <= 140


def test_identical_points_and_none_at_all_have_no_clusters() -> None:
    assert _all_of(np.zeros((50, 2))).clusters == ()
    empty = _all_of(np.zeros((0, 2)))
    assert (empty.clusters, [len(each) for each in empty.members]) == ((), [0, 0, 0])


def test_the_same_points_have_the_same_clusters() -> None:
    positions = _islands(FAR, 100, 30)
    assert _all_of(positions).clusters == _all_of(positions).clusters

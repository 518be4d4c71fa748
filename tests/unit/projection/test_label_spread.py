"""Labels of a map are moved apart."""

import math

import numpy as np

from intaglio.projection.labels.spread import Position, spread
from intaglio.projection.values import EXTENT


def _crowd(count: int) -> list[Position]:
    places = np.random.default_rng(count).normal(0, 30, (count, 2))
    return [(float(x), float(y)) for x, y in places]


def _overlap(one: Position, other: Position, width: float, height: float) -> bool:
    return abs(one[0] - other[0]) < width - 1e-9 and abs(one[1] - other[1]) < height - 1e-9


def test_labels_that_are_apart_stay_where_they_are() -> None:
    positions = [(-100.0, 0.0), (100.0, 3.0), (0.0, -EXTENT)]
    assert spread(positions, ["alpha", "beta", "gamma"]) == positions


def test_of_two_labels_at_one_place_the_second_moves_a_little() -> None:
    first, second = spread([(7.0, 7.0), (7.0, 7.0)], ["PostgreSQL", "postgres"])
    assert first == (7.0, 7.0)
    assert 4 < math.dist(first, second) < 12


def test_no_box_of_a_crowd_covers_another() -> None:
    moved = spread(_crowd(60), ["database"] * 60)
    pairs = [(one, other) for at, one in enumerate(moved) for other in moved[:at]]
    assert not any(_overlap(one, other, 18, 5) for one, other in pairs)


def test_hundreds_of_labels_at_one_place_stay_in_the_map() -> None:
    moved = spread([(EXTENT, EXTENT)] * 300, ["a long name of a service"] * 300)
    assert len(set(moved)) == 300
    assert all(abs(value) <= EXTENT for position in moved for value in position)


def test_the_same_labels_get_the_same_places() -> None:
    assert spread(_crowd(80), ["名前"] * 80) == spread(_crowd(80), ["名前"] * 80)


def test_no_labels_need_no_places() -> None:
    assert spread([], []) == []

"""Which texts before a memory are embedded with it."""

import pytest

from intaglio.inference.context import context_of


@pytest.mark.parametrize(
    ("own", "before", "taken"),
    [
        (10, [], []),
        (0, [10], []),
        (10, [10], [0]),
        (10, [10, 20], [0, 1]),
        (10, [10, 20, 30], [1, 2]),
        (128, [10], [0]),
        (129, [10], []),
        (10, [129], []),
        (10, [10, 129], []),
        (60, [60, 60], [1]),
        (100, [61], []),
        (100, [10, 60], [1]),
        (100, [10, 61], []),
    ],
)
def test_the_nearest_short_texts_fill_the_context(
    own: int, before: list[int], taken: list[int]
) -> None:
    texts = [[number] * count for number, count in enumerate(before)]
    wanted = [piece for number in taken for piece in texts[number]]
    assert context_of([9] * own, texts) == wanted

"""Where a new memory is placed between full runs; pure functions."""

import math
from collections.abc import Sequence
from statistics import median_low
from typing import Final

LOOKED_AT: Final = 24
"""How many of a memory's nearest ones are looked at for some that have a point."""

_USED: Final = 15
_LEAST_DISTANCE: Final = 0.001


def place_among(
    nearest: Sequence[tuple[float, tuple[float, ...]]],
) -> tuple[float, ...] | None:
    """Return the weighted mean of where the nearest memories are; None if there are none.

    ``nearest`` are (cosine, coordinates), nearest first. Only the half of them counts that is
    closest together in the layout: the mean of several clusters would lie between them, among
    memories about something else.
    """
    used = nearest[:_USED]
    if not used:
        return None
    places = [place for _, place in used]
    centre = min(places, key=lambda each: math.fsum(math.dist(each, other) for other in places))
    gaps = [math.dist(centre, each) for each in places]
    reach = median_low(gaps)
    kept = [pair for pair, gap in zip(used, gaps, strict=True) if gap <= reach]
    weights = [1 / max(1 - cosine, _LEAST_DISTANCE) for cosine, _ in kept]
    whole = math.fsum(weights)
    columns = zip(*(place for _, place in kept), strict=True)
    return tuple(
        math.fsum(weight * value for weight, value in zip(weights, column, strict=True)) / whole
        for column in columns
    )

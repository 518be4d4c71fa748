"""Where a new memory is placed between full runs; pure functions."""

import math
from collections.abc import Sequence
from typing import Final

LOOKED_AT: Final = 24
"""How many of a memory's nearest ones are looked at for some that have a point."""

_USED: Final = 5


def weighted_mean(
    nearest: Sequence[tuple[float, Sequence[float]]],
) -> tuple[float, ...] | None:
    """Return the mean of the coordinates of the nearest points; None if there are none.

    ``nearest`` are (cosine, coordinates), nearest first. Weights fall off exponentially from the
    nearest one, as those of UMAP's graph do, so that one memory of another cluster doesn't draw a
    point out of its own.
    """
    used = nearest[:_USED]
    if not used:
        return None
    distances = [1.0 - cosine for cosine, _ in used]
    # The scale of this neighbourhood; all are equally near if there is none.
    scale = max(math.fsum(distances) / len(distances) - distances[0], 1e-6)
    weights = [math.exp(-(distance - distances[0]) / scale) for distance in distances]
    whole = math.fsum(weights)
    columns = zip(*(coordinates for _, coordinates in used), strict=True)
    return tuple(
        math.fsum(weight * value for weight, value in zip(weights, column, strict=True)) / whole
        for column in columns
    )

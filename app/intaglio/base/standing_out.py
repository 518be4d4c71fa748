"""By how much values stand out among the highest of them; pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest
from math import sqrt
from typing import Final

_AMONG: Final = 24
# Where all are alike, as if they differed half as much as elsewhere.
_LEAST_DEVIATION: Final = 0.5


@dataclass(frozen=True, slots=True)
class Typical:
    """Mean and standard deviation of the highest values where there are many.

    Fewer values than ``least`` are made up to it by typical ones: of five values, none is two
    deviations from their mean.
    """

    mean: float
    deviation: float
    least: int = 12


def standing_out(values: Sequence[float], typical: Typical) -> list[float]:
    """Return by how many standard deviations each value exceeds the mean of the highest 24."""
    highest = nlargest(_AMONG, values)
    added = max(0, typical.least - len(highest))
    count = len(highest) + added
    mean = (sum(highest) + added * typical.mean) / count
    squares = sum((each - mean) ** 2 for each in highest)
    squares += added * (typical.deviation**2 + (typical.mean - mean) ** 2)
    deviation = max(sqrt(squares / count), typical.deviation * _LEAST_DEVIATION)
    return [(value - mean) / deviation for value in values]

"""The arrays of a run."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

FloatArray: TypeAlias = npt.NDArray[np.float32]
IndexArray: TypeAlias = npt.NDArray[np.int64]
PointMask: TypeAlias = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """The nearest points of each point (points x k), nearest first, without itself.

    ``distances`` are Euclidean, between unit vectors.
    """

    indexes: IndexArray
    distances: FloatArray

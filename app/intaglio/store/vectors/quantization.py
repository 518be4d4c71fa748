"""Pure rules on vectors as they are stored: checked, of unit length, 8 bits a dimension."""

import math
from array import array
from collections.abc import Sequence
from typing import Final

LEVELS: Final = 127
# Where a model's largest components lie: 99.99 % of MiniLM's |x| are below 0.25, 4.9 / sqrt(384).
_TYPICAL_SPREAD: Final = 4.9
# A single vector with an odd component must not make the steps of all others coarse.
_WIDEST_SPREAD: Final = 2 * _TYPICAL_SPREAD
_SHARE: Final = 0.9999


def fault(vector: Sequence[float], dimensions: int) -> str:
    """Say what makes a vector useless (wrong size, not finite, no length), or nothing."""
    if len(vector) != dimensions:
        return f"{len(vector)} dimensions instead of {dimensions}"
    squares = math.fsum(value * value for value in vector)
    if not math.isfinite(squares):
        return "a component that is no finite number"
    return "" if squares > 0 else "a vector of length zero"


def unit(vector: Sequence[float]) -> "array[float]":
    """Return the vector with length one, as 32-bit floats."""
    length = math.sqrt(math.fsum(value * value for value in vector))
    return array("f", [value / length for value in vector])


def scale_for(vectors: Sequence[Sequence[float]]) -> float:
    """Choose the magnitude that the largest level stands for: 99.99 % of |x| of unit vectors.

    It is bounded by what is typical of the size, since the first few vectors say little; it is
    chosen once for a model and kept with its identity.
    """
    magnitudes = sorted(abs(value) for vector in vectors for value in vector)
    typical = _TYPICAL_SPREAD / math.sqrt(len(vectors[0]))
    seen = magnitudes[min(len(magnitudes) - 1, int(_SHARE * len(magnitudes)))]
    widest = _WIDEST_SPREAD / math.sqrt(len(vectors[0]))
    return min(1.0, max(typical, min(seen, widest)))


def quantise(vector: Sequence[float], scale: float) -> bytes:
    """Write a unit vector as signed bytes; components beyond ``scale`` are cut off."""
    step = LEVELS / scale
    return array(
        "b", [max(-LEVELS, min(LEVELS, round(value * step))) for value in vector]
    ).tobytes()


def restore(row: bytes, scale: float) -> "array[float]":
    """Return the vector that a stored row stands for, off by at most half a step a component."""
    step = scale / LEVELS
    return array("f", [level * step for level in array("b", row)])


def cosine(vector: Sequence[float], row: bytes) -> float:
    """Return the cosine of a unit vector and a stored row; 0 for a row without length."""
    levels = array("b", row)
    length = math.sqrt(sum(level * level for level in levels))
    if length == 0:
        return 0.0
    return sum(a * b for a, b in zip(vector, levels, strict=True)) / length

"""Checks, normalizes and quantizes vectors to 8 bits per dimension; pure functions."""

import math
from array import array
from collections.abc import Sequence
from typing import Final

LEVELS: Final = 127
# The usual size of a model's largest components: 99.99 % of MiniLM's |x| are below 0.25, 4.9 /
# sqrt(384).
_TYPICAL_SPREAD: Final = 4.9
# One vector with an outlier must not coarsen the steps of all others.
_WIDEST_SPREAD: Final = 2 * _TYPICAL_SPREAD
_SHARE: Final = 0.9999


def fault(vector: Sequence[float], dimensions: int) -> str:
    """Describe what makes a vector unusable (size, non-finite values, zero length), if anything."""
    if len(vector) != dimensions:
        return f"{len(vector)} dimensions instead of {dimensions}"
    squares = math.fsum(value * value for value in vector)
    if not math.isfinite(squares):
        return "a component isn't a finite number"
    return "" if squares > 0 else "the vector has length zero"


def unit(vector: Sequence[float]) -> "array[float]":
    """Return the vector scaled to length one, as 32-bit floats."""
    length = math.sqrt(math.fsum(value * value for value in vector))
    return array("f", [value / length for value in vector])


def scale_for(vectors: Sequence[Sequence[float]]) -> float:
    """Choose the magnitude of the largest level: 99.99 % of |x| of unit vectors.

    It is bounded by what is typical of the size, since the first few vectors aren't representative;
    it is chosen once per model and stored with its identity.
    """
    magnitudes = sorted(abs(value) for vector in vectors for value in vector)
    typical = _TYPICAL_SPREAD / math.sqrt(len(vectors[0]))
    seen = magnitudes[min(len(magnitudes) - 1, int(_SHARE * len(magnitudes)))]
    widest = _WIDEST_SPREAD / math.sqrt(len(vectors[0]))
    return min(1.0, max(typical, min(seen, widest)))


def quantise(vector: Sequence[float], scale: float) -> bytes:
    """Quantize a unit vector to signed bytes; components beyond ``scale`` are clipped."""
    step = LEVELS / scale
    return array(
        "b", [max(-LEVELS, min(LEVELS, round(value * step))) for value in vector]
    ).tobytes()


def restore(row: bytes, scale: float) -> "array[float]":
    """Return the vector that a stored row represents, accurate to half a step per component."""
    step = scale / LEVELS
    return array("f", [level * step for level in array("b", row)])


def cosine(vector: Sequence[float], row: bytes) -> float:
    """Return the cosine of a unit vector and a stored row; 0 for a row without length."""
    levels = array("b", row)
    length = math.sqrt(sum(level * level for level in levels))
    if length == 0:
        return 0.0
    return sum(a * b for a, b in zip(vector, levels, strict=True)) / length

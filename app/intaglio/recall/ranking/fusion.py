"""Combines the signals of several retrievers into one score; pure functions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Signal:
    """One retriever's values for all candidates, and their weight.

    A ``relative`` signal has no fixed scale: a value counts as a share of the largest one.
    """

    values: Mapping[int, float]
    weight: float
    relative: bool = False

    @property
    def scale(self) -> float:
        """The divisor of the values; 0 if the signal carries no information."""
        if not self.relative:
            return 1.0 if self.values else 0.0
        return max(0.0, *self.values.values()) if self.values else 0.0


def fuse(signals: Sequence[Signal]) -> dict[int, float]:
    """Combine the signals of each candidate into scores of 0 to 1, best first.

    score = Σ weight · max(value, 0) / scale / Σ weight, over the union of candidates. Each signal
    must contain the value of every candidate that has one: a candidate without a vector has no
    cosine, one without any of the words has no bm25. Signals without information are left out.
    """
    informative = [each for each in signals if each.scale > 0]
    total_weight = sum(each.weight for each in informative)
    scores = dict.fromkeys((seq for each in signals for seq in each.values), 0.0)
    for each in informative:
        weight = each.weight / total_weight if total_weight > 0 else 1 / len(informative)
        scale = each.scale
        for seq, value in each.values.items():
            scores[seq] += weight * (max(value, 0.0) / scale)
    # Ties: the newer memory first, so that the order is deterministic.
    return dict(sorted(scores.items(), key=lambda pair: (-pair[1], -pair[0])))

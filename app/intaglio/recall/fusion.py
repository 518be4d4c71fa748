"""Pure: how the signals of several retrievers become one score."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Signal:
    """What one retriever says of each candidate of any, and what that weighs.

    A ``relative`` signal has no scale of its own: it counts as a share of the best one.
    """

    values: Mapping[int, float]
    weight: float
    relative: bool = False

    @property
    def scale(self) -> float:
        """What a value is divided by; 0 where the signal tells nothing."""
        if not self.relative:
            return 1.0 if self.values else 0.0
        return max(0.0, *self.values.values()) if self.values else 0.0


def fuse(signals: Sequence[Signal]) -> dict[int, float]:
    """Blend the signals of each candidate, best first; scores are 0 to 1.

    score = Σ weight · max(value, 0) / scale / Σ weight, over the union of candidates. Each signal
    has to hold the value of every candidate that has one: a candidate without a vector has no
    cosine, one without any of the words has no bm25. Where a signal tells nothing, the others
    alone decide.
    """
    telling = [each for each in signals if each.scale > 0]
    whole = sum(each.weight for each in telling)
    scores = dict.fromkeys((seq for each in signals for seq in each.values), 0.0)
    for each in telling:
        weight = each.weight / whole if whole > 0 else 1 / len(telling)
        scale = each.scale
        for seq, value in each.values.items():
            scores[seq] += weight * (max(value, 0.0) / scale)
    # Equal scores: the newer memory first, so that the order does not depend on chance.
    return dict(sorted(scores.items(), key=lambda pair: (-pair[1], -pair[0])))

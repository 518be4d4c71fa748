"""What a set of questions reached: recall at depths, MRR, confidence intervals, table rows."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

DEPTHS: Final = (1, 5, 10, 20)
_RESAMPLES: Final = 2000
_SEED: Final = 17
_INTERVAL: Final = (2.5, 97.5)
"""Percentiles: the interval that holds 95 of 100 resampled means."""

_FIGURES: Final = (*(f"R@{depth}" for depth in DEPTHS), "MRR")
HEAD: Final = (
    f"{'questions':<24}{'n':>6}"
    + "".join(f"{name:>7}" for name in _FIGURES)
    + f"{'R@5 95 %':>13}{'R@10 95 %':>13}{'MRR 95 %':>13}{'results':>9}"
)
EMPTY_HEAD: Final = f"{'no answer exists':<24}{'n':>6}{'nothing':>9}{'95 %':>13}{'results':>9}"


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the bootstrap's 95 % interval of the mean; the same values give the same one."""
    drawn = np.random.default_rng(_SEED).integers(0, len(values), (_RESAMPLES, len(values)))
    means = np.asarray(values, dtype=np.float64)[drawn].mean(axis=1)
    low, high = np.percentile(means, _INTERVAL)
    return float(low), float(high)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _range(values: Sequence[float]) -> str:
    low, high = interval(values)
    return f"{low:>7.3f}-{high:.3f}"


@dataclass(slots=True)
class Tally:
    """How the gold memories of a set of questions rank."""

    reached: dict[int, list[float]] = field(
        default_factory=lambda: {depth: list[float]() for depth in DEPTHS}
    )
    reciprocal: list[float] = field(default_factory=list[float])
    returned: list[int] = field(default_factory=list[int])

    def add(self, gold: Collection[str], found: Sequence[str]) -> None:
        """Note one question: the share of its gold in the first results, and the first's rank."""
        wanted = set(gold)
        for depth, shares in self.reached.items():
            shares.append(len(wanted & set(found[:depth])) / len(wanted))
        ranks = [rank for rank, memory in enumerate(found, 1) if memory in wanted]
        self.reciprocal.append(1 / ranks[0] if ranks else 0.0)
        self.returned.append(len(found))

    def row(self, name: str) -> str:
        """Write a line of the table, as `HEAD` names its columns."""
        figures = [*self.reached.values(), self.reciprocal]
        ranges = (self.reached[5], self.reached[10], self.reciprocal)
        return (
            f"{name:<24}{len(self.reciprocal):>6}"
            + "".join(f"{_mean(values):>7.3f}" for values in figures)
            + "".join(map(_range, ranges))
            + f"{_mean(self.returned):>9.1f}"
        )


def difference_row(name: str, before: Tally, after: Tally) -> str:
    """Write how much more the same questions reached, with the interval of the paired means."""
    pairs = {
        "R@5": (before.reached[5], after.reached[5]),
        "R@10": (before.reached[10], after.reached[10]),
        "MRR": (before.reciprocal, after.reciprocal),
    }
    cells: list[str] = []
    for figure, (was, now) in pairs.items():
        gains = [new - old for old, new in zip(was, now, strict=True)]
        low, high = interval(gains)
        cells.append(f"{figure} {_mean(gains):+.4f} ({low:+.4f} to {high:+.4f})")
    return f"{name:<24}{len(before.reciprocal):>6}  " + "  ".join(cells)


@dataclass(slots=True)
class EmptyTally:
    """How many results came back for questions that no memory answers."""

    returned: list[int] = field(default_factory=list[int])

    def add(self, found: Sequence[str]) -> None:
        """Note one question."""
        self.returned.append(len(found))

    def row(self, name: str) -> str:
        """Write a line of the table, as `EMPTY_HEAD` names its columns."""
        silent = [float(not count) for count in self.returned]
        return (
            f"{name:<24}{len(silent):>6}{_mean(silent):>9.3f}{_range(silent)}"
            f"{_mean(self.returned):>9.1f}"
        )

"""Fits the score that tells which pairs are worth asking about: boosted trees over `features`.

Contradictions and broken constraints of all open writers are what to find; the nearest earlier
statements of the labelled sessions, and of others if their folder is named, are nearly all true
beside each other. Each writer is left out in turn to see how the score does on one it hasn't seen.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from intaglio.language.frames.comparison import compare
from intaglio.language.frames.decision import asks_by_rules
from intaglio.language.frames.features import features
from intaglio.language.frames.frame import frame
from intaglio.language.frames.score import FILE, Split, Tree

Floats: TypeAlias = npt.NDArray[np.float64]
Places: TypeAlias = npt.NDArray[np.int64]

_TREES: Final = 150
_RATE: Final = 0.1
_DEPTH: Final = 3
_RIDGE: Final = 3.0
_LEAST: Final = 1.0
_CUTS: Final = 16
_NEAR_WEIGHT: Final = 0.15


@dataclass(frozen=True, slots=True)
class Example:
    """A pair to fit on: who wrote it, and whether the newer contradicts the older."""

    writer: str
    older: str
    newer: str
    contradicts: bool
    is_near: bool = False


@dataclass(frozen=True, slots=True)
class Fit:
    """The trees, and the names of the features that they split by."""

    names: tuple[str, ...]
    trees: tuple[Tree, ...]

    def scores(self, rows: Floats) -> Floats:
        """Return the log odds of each row of features."""
        found = np.zeros(len(rows))
        for tree in self.trees:
            found += _leaves(tree, rows)
        return found

    def write(self) -> None:
        """Write the trees where the program reads them."""
        lines = [
            "# Fitted by `python3 app bench relations --fit`; see frames/score.py.",
            "[features]",
        ]
        lines += [*self.names, "[trees]", *(" ".join(_words(tree)) for tree in self.trees)]
        FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def table(examples: Sequence[Example]) -> tuple[tuple[str, ...], Floats]:
    """Return the names of the features, and a row of them for each example."""
    found = [compare(frame(each.newer), frame(each.older)) for each in examples]
    given = [
        features(each, asked=asks_by_rules(each), constraint="constraint" in each.older.marks)
        for each in found
    ]
    return tuple(given[0]), np.array([list(each.values()) for each in given])


def fit(names: tuple[str, ...], rows: Floats, examples: Sequence[Example]) -> Fit:
    """Fit the trees one after the other, each to what the ones before leave (log loss)."""
    wanted = np.array([float(each.contradicts) for each in examples])
    weights = np.array([_NEAR_WEIGHT if each.is_near else 1.0 for each in examples])
    columns: list[Floats] = [rows[:, at] for at in range(len(names))]
    cuts = [_cuts(column) for column in columns]
    bins: list[Places] = [
        np.searchsorted(cut, column, side="right")
        for cut, column in zip(cuts, columns, strict=True)
    ]
    share = float(np.average(wanted, weights=weights))
    trees: list[Tree] = [float(np.log(share / (1 - share)))]
    odds = np.full(len(rows), trees[0], np.float64)
    for _ in range(_TREES):
        chances = 1 / (1 + np.exp(-odds))
        grower = _Grower(
            bins, cuts, weights * (wanted - chances), weights * chances * (1 - chances)
        )
        trees.append(grower.grow(np.arange(len(rows)), _DEPTH))
        odds += _leaves(trees[-1], rows)
    return Fit(names, tuple(trees))


def without_each(
    examples: Sequence[Example], rows: Floats, make: Callable[[Floats, list[Example]], Fit]
) -> Iterator[tuple[str, list[tuple[int, float]]]]:
    """Yield each writer, and the place and score of its pairs by a fit on all others."""
    writers = dict.fromkeys(each.writer for each in examples if not each.is_near)
    for writer in writers:
        own = [at for at, each in enumerate(examples) if each.writer == writer]
        others = [at for at, each in enumerate(examples) if each.writer != writer]
        scores = make(rows[others], [examples[at] for at in others]).scores(rows[own])
        yield writer, [(at, float(scores[place])) for place, at in enumerate(own)]


@dataclass(frozen=True, slots=True)
class _Grower:
    bins: Sequence[Places]
    cuts: Sequence[Floats]
    slopes: Floats
    curves: Floats

    def grow(self, rows: Places, depth: int) -> Tree:
        slope, curve = float(self.slopes[rows].sum()), float(self.curves[rows].sum())
        best = self._best(rows, slope, curve) if depth else None
        if best is None:
            return round(_RATE * slope / (curve + _RIDGE), 4)
        feature, at = best
        below = self.bins[feature][rows] <= at
        return Split(
            feature,
            round(float(self.cuts[feature][at]), 4),
            self.grow(rows[below], depth - 1),
            self.grow(rows[~below], depth - 1),
        )

    def _best(self, rows: Places, slope: float, curve: float) -> tuple[int, int] | None:
        """Return the feature and the cut that lower the loss most."""
        found: tuple[float, int, int] | None = None
        whole = slope**2 / (curve + _RIDGE)
        for feature, bins in enumerate(self.bins):
            count = len(self.cuts[feature])
            if not count:
                continue
            own = bins[rows]
            slopes = np.bincount(own, self.slopes[rows], count + 1).cumsum()[:-1]
            curves = np.bincount(own, self.curves[rows], count + 1).cumsum()[:-1]
            gains = slopes**2 / (curves + _RIDGE)
            gains += (slope - slopes) ** 2 / (curve - curves + _RIDGE) - whole
            gains[(curves < _LEAST) | (curve - curves < _LEAST)] = -1.0
            at = int(gains.argmax())
            if gains[at] > (found[0] if found else 1e-3):
                found = (float(gains[at]), feature, at)
        return found[1:] if found else None


def _cuts(column: Floats) -> Floats:
    values = np.unique(column)
    if len(values) > _CUTS:
        values = np.unique(np.quantile(column, np.linspace(0, 1, _CUTS + 1)))
    return (values[:-1] + values[1:]) / 2


def _leaves(tree: Tree, rows: Floats) -> Floats:
    if not isinstance(tree, Split):
        return np.full(len(rows), tree)
    below, above = _leaves(tree.below, rows), _leaves(tree.above, rows)
    return np.where(rows[:, tree.feature] < tree.cut, below, above)


def _words(tree: Tree) -> Iterator[str]:
    if isinstance(tree, Split):
        yield f"{tree.feature}<{tree.cut:g}"
        yield from _words(tree.below)
        yield from _words(tree.above)
    else:
        yield f"{tree:g}"

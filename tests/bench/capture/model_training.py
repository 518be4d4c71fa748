"""Trains the classifier's models: one for the product, and one per fold to judge it by."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from bench.capture.examples import LabelledTurn
from bench.capture.real_sessions import FOLDS, fold_of
from bench.capture.training import Examples, Flags, Recipe, calibrate, train
from intaglio.capture.model import (
    Calibration,
    ClauseModel,
    FloatMatrix,
    FloatRow,
    Network,
    network_inputs,
    score,
)

FULL: Final = Recipe()
PLAIN: Final = Recipe(kept=0.6)


@dataclass(frozen=True, slots=True)
class LabelledTurns:
    """Messages with the vectors of their sentences."""

    turns: Sequence[LabelledTurn]
    vectors: Sequence[FloatMatrix]

    def examples(self, *, use_vectors: bool) -> Examples:
        """Return all sentences as arrays."""
        used = [pair for pair in zip(self.turns, self.vectors, strict=True) if pair[0].targets]
        targets = [target for turn, _ in used for target in turn.targets]
        features = [turn.turn.features for turn, _ in used]
        if use_vectors:
            features = [
                network_inputs(rows, vectors)
                for rows, (_, vectors) in zip(features, used, strict=True)
            ]
        return Examples(
            inputs=np.concatenate([rows.astype(np.float16) for rows in features]),
            keep=np.array([one.keep for one in targets], dtype=np.float32),
            any=np.array([one.any for one in targets], dtype=np.float32),
            classes=np.array([one.number for one in targets]),
            own=np.array([not turn.owner for turn, _ in used for _ in turn.targets]),
        )

    def folds(self) -> FloatRow:
        """Return the fold of each sentence; a self-written one is in none."""
        return np.array(
            [
                fold_of(turn.owner) if turn.owner else FOLDS
                for turn in self.turns
                for _ in turn.targets
            ]
        )


@dataclass(frozen=True, slots=True)
class Trained:
    """The product's model, and for each fold one that its owners' words didn't train."""

    model: ClauseModel
    by_fold: Mapping[int, ClauseModel]


def train_all(data: LabelledTurns, encoder: str, seeds: Sequence[int]) -> Trained:
    """Train on everything, and on everything but each fold; all are calibrated out of fold."""
    folds = data.folds()
    networks: dict[tuple[int, bool], tuple[Network, ...]] = {}
    calibrations: dict[bool, Calibration] = {}
    for use_vectors in (True, False):
        examples = data.examples(use_vectors=use_vectors)
        scores = np.zeros(len(folds), dtype=np.float32)
        for fold in range(FOLDS + 1):
            # Without any fold: the product's.
            left_out = folds == fold if fold < FOLDS else np.zeros(len(folds), dtype=np.bool_)
            found = _train(examples, ~left_out, FULL if use_vectors else PLAIN, seeds)
            networks[fold, use_vectors] = found
            tested = examples.inputs[left_out].astype(np.float32)
            if len(tested):
                outputs = np.mean([each.outputs(tested) for each in found], axis=0)
                scores[left_out] = score(outputs)
        real = folds < FOLDS
        calibrations[use_vectors] = _rounded(calibrate(scores[real], examples.any[real]))
    models = {
        fold: ClauseModel(
            encoder,
            networks[fold, True],
            networks[fold, False],
            calibrations[True],
            calibrations[False],
        )
        for fold in range(FOLDS + 1)
    }
    return Trained(models.pop(FOLDS), models)


def _train(
    examples: Examples, chosen: Flags, recipe: Recipe, seeds: Sequence[int]
) -> tuple[Network, ...]:
    part = Examples(
        inputs=examples.inputs[chosen],
        keep=examples.keep[chosen],
        any=examples.any[chosen],
        classes=examples.classes[chosen],
        own=examples.own[chosen],
    )
    return tuple(train(part, seed=seed, recipe=recipe) for seed in seeds)


def _rounded(calibration: Calibration) -> Calibration:
    return Calibration(round(calibration.slope, 4), round(calibration.intercept, 4))

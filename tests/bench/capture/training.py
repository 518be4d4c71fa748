"""Trains the classifier's networks in numpy, the same on every run.

Three losses are summed: whether all people would keep it, whether some would, and its class. People
write as they write, and self-written sessions are only an addition: they weigh a quarter, and a
bias of their own takes up how they differ.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from bench.capture.examples import UNUSED
from intaglio.capture.model import (
    ANY,
    CLASSES,
    FIRST_CLASS,
    KEEP,
    Calibration,
    FloatMatrix,
    FloatRow,
    Network,
    standardized,
)

# Of any shape.
Floats: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.float32]]
Halves: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.float16]]
Indexes: TypeAlias = np.ndarray[tuple[int], np.dtype[np.int64]]
Flags: TypeAlias = np.ndarray[tuple[int], np.dtype[np.bool_]]

_BATCH: Final = 128
_DECAYED: Final = ("hidden", "output")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How a network is trained; ``kept`` is the share of inputs and units that dropout leaves.

    Each real clause comes ``repeats`` times in an epoch; a self-written one once, with a weight.
    """

    hidden: int = 64
    epochs: int = 4
    rate: float = 1.2e-3
    decay: float = 1.0
    kept: float = 0.5
    repeats: int = 6
    own_weight: float = 0.25


@dataclass(frozen=True, slots=True)
class Examples:
    """n clauses: inputs (n, inputs), targets and classes (n), and which are self-written."""

    inputs: Halves
    keep: FloatRow
    any: FloatRow
    classes: Indexes
    own: Flags


def train(examples: Examples, *, seed: int, recipe: Recipe) -> Network:
    """Train a network; its scores aren't calibrated."""
    random = np.random.default_rng(seed)
    real = examples.inputs[~examples.own]
    mean: FloatRow = np.asarray(np.nanmean(real.astype(np.float32), axis=0), dtype=np.float32)
    spread = np.nanstd(real.astype(np.float32), axis=0)
    scale: FloatRow = np.asarray(1 / (spread + 0.05), dtype=np.float32)
    standard = np.concatenate(
        [
            standardized(examples.inputs[at : at + 4096].astype(np.float32), mean, scale)
            for at in range(0, len(examples.inputs), 4096)
        ]
    )
    size, outputs = standard.shape[1], FIRST_CLASS + len(CLASSES)
    weights: dict[str, Floats] = {
        "hidden": (random.standard_normal((size, recipe.hidden)) / size**0.5).astype(np.float32),
        "hidden_bias": np.zeros(recipe.hidden, dtype=np.float32),
        "own_bias": np.zeros(recipe.hidden, dtype=np.float32),
        "output": (random.standard_normal((recipe.hidden, outputs)) * 0.1).astype(np.float32),
        "bias": np.zeros(outputs, dtype=np.float32),
    }
    order = np.concatenate(
        [np.repeat(np.flatnonzero(~examples.own), recipe.repeats), np.flatnonzero(examples.own)]
    )
    adam = _Adam(weights, recipe.decay)
    steps = recipe.epochs * (len(order) // _BATCH)
    step = 0
    for _ in range(recipe.epochs):
        random.shuffle(order)
        for at in range(0, len(order) - _BATCH + 1, _BATCH):
            rows = order[at : at + _BATCH]
            step += 1
            gradients = _gradients(weights, examples, rows, standard[rows], random, recipe)
            adam.step(gradients, recipe.rate * (1 - step / steps) + 1e-6)
    del weights["own_bias"]
    return Network(mean=mean, scale=scale, **weights)


def _gradients(
    weights: Mapping[str, Floats],
    examples: Examples,
    rows: Indexes,
    shown: FloatMatrix,
    random: np.random.Generator,
    recipe: Recipe,
) -> dict[str, Floats]:
    own = examples.own[rows].astype(np.float32)[:, None]
    shown = shown * _dropout(random, shown.shape, recipe.kept)
    raw = shown @ weights["hidden"] + weights["hidden_bias"] + own * weights["own_bias"]
    mask = _dropout(random, raw.shape, recipe.kept)
    hidden = np.maximum(raw, 0) * mask
    error = _errors(hidden @ weights["output"] + weights["bias"], examples, rows)
    error *= np.where(own > 0, recipe.own_weight, 1) / len(rows)
    back = (error @ weights["output"].T) * mask * (raw > 0)
    return {
        "hidden": shown.T @ back,
        "hidden_bias": back.sum(axis=0),
        "own_bias": (back * own).sum(axis=0),
        "output": hidden.T @ error,
        "bias": error.sum(axis=0),
    }


def _errors(outputs: Floats, examples: Examples, rows: Indexes) -> Floats:
    """Return the gradients of the losses with respect to the outputs."""
    error = np.empty_like(outputs)
    for column, wanted in ((KEEP, examples.keep), (ANY, examples.any)):
        error[:, column] = 1 / (1 + np.exp(-outputs[:, column])) - wanted[rows]
    logits = outputs[:, FIRST_CLASS:]
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    classes = examples.classes[rows]
    classed = np.flatnonzero(classes != UNUSED)
    shares[classed, classes[classed]] -= 1
    shares[classes == UNUSED] = 0
    error[:, FIRST_CLASS:] = shares
    return error


def _dropout(random: np.random.Generator, shape: tuple[int, ...], kept: float) -> Floats:
    chosen = random.integers(0, 256, shape, dtype=np.uint8) < round(256 * kept)
    return chosen.astype(np.float32) / np.float32(kept)


class _Adam:
    """AdamW over named arrays, updated in place."""

    def __init__(self, weights: dict[str, Floats], decay: float) -> None:
        self._weights = weights
        self._decay = decay
        self._first = {name: np.zeros_like(value) for name, value in weights.items()}
        self._second = {name: np.zeros_like(value) for name, value in weights.items()}
        self._count = 0

    def step(self, gradients: Mapping[str, Floats], rate: float) -> None:
        self._count += 1
        for name, gradient in gradients.items():
            first, second = self._first[name], self._second[name]
            first += 0.1 * (gradient - first)
            second += 0.001 * (gradient * gradient - second)
            up = first / (1 - 0.9**self._count)
            down = np.sqrt(second / (1 - 0.999**self._count)) + 1e-8
            value = self._weights[name]
            value -= rate * (up / down + (self._decay * value if name in _DECAYED else 0.0))


def calibrate(scores: FloatRow, wanted: FloatRow) -> Calibration:
    """Fit a logistic regression of ``wanted`` on ``scores`` by Newton's method."""
    inputs = np.stack([scores, np.ones_like(scores)], axis=1).astype(np.float64)
    weights = np.array([1.0, 0.0])
    for _ in range(30):
        probability = 1 / (1 + np.exp(-(inputs @ weights)))
        spread = probability * (1 - probability) + 1e-9
        curve = inputs.T @ (inputs * spread[:, None])
        weights -= np.linalg.solve(curve, inputs.T @ (probability - wanted))
    return Calibration(float(weights[0]), float(weights[1]))

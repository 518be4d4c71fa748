"""Trains the clause classifier: a small network in numpy, the same on every run."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from intaglio.capture.features import BUCKETS
from intaglio.capture.model import CLASSES, Calibration, FloatMatrix, FloatRow, Network

# Of any shape.
Floats: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.float32]]

_BATCH: Final = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How a network is trained; ``keep_...`` are the shares that dropout leaves."""

    hidden: int = 64
    epochs: int = 12
    rate: float = 1.2e-3
    decay: float = 0.03
    gram_decay: float = 0.0005
    keep_inputs: float = 0.6
    keep_hidden: float = 0.6


def train(
    inputs: FloatMatrix,
    grams: Sequence[Sequence[int]],
    classes: Sequence[int],
    *,
    seed: int,
    recipe: Recipe,
) -> Network:
    """Train a network on (n, inputs), n lists of buckets and n class indexes; not calibrated."""
    random = np.random.default_rng(seed)
    mean = inputs.mean(axis=0)
    scale = (1 / (inputs.std(axis=0) + 0.05)).astype(np.float32)
    standard = np.clip((inputs - mean) * scale, -6, 6).astype(np.float32)
    size, outputs = standard.shape[1], len(CLASSES)
    parameters: dict[str, Floats] = {
        "hidden": (random.standard_normal((size, recipe.hidden)) / size**0.5).astype(np.float32),
        "hidden_bias": np.zeros(recipe.hidden, dtype=np.float32),
        "output": (random.standard_normal((recipe.hidden, outputs)) * 0.1).astype(np.float32),
        "bias": np.zeros(outputs, dtype=np.float32),
        "grams": np.zeros((BUCKETS, outputs), dtype=np.float32),
    }
    target = np.eye(outputs, dtype=np.float32)[list(classes)]
    adam = _Adam(parameters, recipe)
    steps = recipe.epochs * (len(standard) // _BATCH)
    step = 0
    for _ in range(recipe.epochs):
        order = random.permutation(len(standard))
        for at in range(0, len(order) - _BATCH + 1, _BATCH):
            rows: list[int] = order[at : at + _BATCH].tolist()
            gradients = _gradients(
                parameters,
                standard[rows],
                [grams[row] for row in rows],
                target[rows],
                random,
                recipe,
            )
            step += 1
            adam.step(gradients, recipe.rate * (1 - step / steps) + 1e-5)
    return Network(mean=mean.astype(np.float32), scale=scale, **parameters)


def _gradients(
    parameters: dict[str, Floats],
    rows: FloatMatrix,
    grams: Sequence[Sequence[int]],
    target: FloatMatrix,
    random: np.random.Generator,
    recipe: Recipe,
) -> dict[str, Floats]:
    shown = rows * ((random.random(rows.shape) < recipe.keep_inputs) / recipe.keep_inputs).astype(
        np.float32
    )
    raw = shown @ parameters["hidden"] + parameters["hidden_bias"]
    mask = ((random.random(raw.shape) < recipe.keep_hidden) / recipe.keep_hidden).astype(np.float32)
    hidden = np.maximum(raw, 0) * mask
    logits = hidden @ parameters["output"] + parameters["bias"]
    shares = [1 / max(1, len(buckets)) ** 0.5 for buckets in grams]
    flat = np.fromiter((bucket for one in grams for bucket in one), dtype=np.int64)
    owner = np.repeat(np.arange(len(grams)), [len(one) for one in grams])
    each = np.asarray(shares, dtype=np.float32)[owner][:, None]
    np.add.at(logits, owner, parameters["grams"][flat] * each)
    spread = np.exp(logits - logits.max(axis=1, keepdims=True))
    error = (spread / spread.sum(axis=1, keepdims=True) - target) / len(rows)
    back = (error @ parameters["output"].T) * mask * (raw > 0)
    gram_error = np.zeros_like(parameters["grams"])
    np.add.at(gram_error, flat, error[owner] * each)
    return {
        "hidden": shown.T @ back,
        "hidden_bias": back.sum(axis=0),
        "output": hidden.T @ error,
        "bias": error.sum(axis=0),
        "grams": gram_error,
    }


class _Adam:
    """AdamW over named arrays, updated in place."""

    def __init__(self, parameters: dict[str, Floats], recipe: Recipe) -> None:
        self._parameters = parameters
        self._decay = {
            "hidden": recipe.decay,
            "output": recipe.decay,
            "grams": recipe.gram_decay,
        }
        self._first = {name: np.zeros_like(value) for name, value in parameters.items()}
        self._second = {name: np.zeros_like(value) for name, value in parameters.items()}
        self._count = 0

    def step(self, gradients: dict[str, Floats], rate: float) -> None:
        self._count += 1
        for name, gradient in gradients.items():
            first, second = self._first[name], self._second[name]
            first += 0.1 * (gradient - first)
            second += 0.001 * (gradient * gradient - second)
            up = first / (1 - 0.9**self._count)
            down = np.sqrt(second / (1 - 0.999**self._count)) + 1e-8
            value = self._parameters[name]
            value -= rate * (up / down + self._decay.get(name, 0.0) * value * 10)


def calibrate(odds: FloatRow, wanted: FloatRow) -> Calibration:
    """Fit a logistic regression of ``wanted`` on ``odds`` by Newton's method."""
    inputs = np.stack([odds, np.ones_like(odds)], axis=1).astype(np.float64)
    weights = np.array([1.0, 0.0])
    for _ in range(30):
        probability = 1 / (1 + np.exp(-(inputs @ weights)))
        spread = probability * (1 - probability) + 1e-9
        curve = inputs.T @ (inputs * spread[:, None])
        weights -= np.linalg.solve(curve, inputs.T @ (probability - wanted))
    return Calibration(float(weights[0]), float(weights[1]))

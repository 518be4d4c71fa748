"""Trains the clause classifier with numpy alone; the same data gives the same model."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from bench.capture.examples import Turn, wanted_of
from intaglio.capture import model
from intaglio.capture.values import ClauseVector

Array: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.float32]]"
Mask: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.bool_]]"
Network: TypeAlias = list[Array]

_TYPE_OF = {"procedure": "procedural"}


@dataclass(frozen=True, slots=True)
class Examples:
    """Rows for training: features, vectors, 1 for a statement (-1: counts neither way), type."""

    features: Array
    vectors: Array
    wanted: Array
    types: list[str]
    groups: list[str]


def examples(
    turns: Iterable[tuple[str, Turn]], vectors: Sequence[Sequence[ClauseVector]]
) -> Examples:
    """Label the clauses of turns; each turn comes with its group and its clauses' vectors."""
    features: list[Array] = []
    rows: list[Array] = []
    wanted: list[float] = []
    types: list[str] = []
    groups: list[str] = []
    for (group, turn), given in zip(turns, vectors, strict=True):
        if turn.read.features is None:
            continue
        features.append(turn.read.features)
        at: list[ClauseVector | None] = [None] * len(turn.read.clauses)
        for row, vector in zip(turn.read.embedded, given, strict=True):
            at[row] = vector
        rows.append(model.vector_rows(at))
        for clause in turn.read.clauses:
            label = wanted_of(clause.start, clause.end, turn.labels)
            found = label.wanted if label else "none"
            wanted.append({"kept": 1, "withdrawn": 1, "either": -1, "none": 0}[found])
            kind = label.type if label else ""
            types.append(_TYPE_OF.get(kind, kind))
            groups.append(group)
    return Examples(
        np.concatenate(features),
        np.concatenate(rows),
        np.array(wanted, dtype=np.float32),
        types,
        groups,
    )


def train(data: Examples, chosen: Mask, encoder: str) -> dict[str, Array]:
    """Train on the chosen rows (booleans); calibration is left at the identity."""
    use = np.logical_and(chosen, data.wanted >= 0)
    features, vectors, wanted = data.features[use], data.vectors[use], data.wanted[use]
    arrays: dict[str, Array] = {
        "mean": features.mean(0),
        "scale": features.std(0) + np.float32(0.05),
        "vector_mean": vectors.mean(0),
        "vector_scale": vectors.std(0) + np.float32(1e-3),
    }
    plain = model.scaled(features, arrays)
    both = model.joined(features, vectors, arrays)
    kinds = [kind for kind, flag in zip(data.types, use.tolist(), strict=True) if flag]
    for variant, rows in (("f", plain), ("v", both)):
        for number in range(model.NETWORKS):
            for name, values in zip(
                ("w1", "b1", "w2", "b2"), _network(rows, wanted, number), strict=True
            ):
                arrays[f"{variant}{number}_{name}"] = values
        positive = wanted == 1
        of_type = np.array([kind for kind in kinds if kind in model.TYPES])
        arrays[f"{variant}_type_w"], arrays[f"{variant}_type_b"] = _softmax(rows[positive], of_type)
        arrays[f"{variant}_calibration"] = np.array([1, 0], dtype=np.float32)
    arrays["encoder"] = np.array(encoder)
    return arrays


def _network(rows: Array, wanted: Array, seed: int) -> Network:
    """Train one network with dropout by Adam, with weights decaying."""
    random = np.random.RandomState(seed)
    count, width = rows.shape
    hidden, epochs, batch, rate = 48, 16, 256, 2e-3
    values: Network = [
        random.randn(width, hidden).astype(np.float32) * np.float32(width**-0.5),
        np.zeros(hidden, np.float32),
        random.randn(hidden).astype(np.float32) * np.float32(hidden**-0.5),
        np.zeros(1, np.float32),
    ]
    moments = [(np.zeros_like(value), np.zeros_like(value)) for value in values]
    steps = epochs * -(-count // batch)
    step = 0
    for _ in range(epochs):
        order = random.permutation(count)
        for at in range(0, count, batch):
            chosen = order[at : at + batch]
            keep = (random.rand(len(chosen), width) > 0.3).astype(np.float32) / np.float32(0.7)
            kept = (random.rand(len(chosen), hidden) > 0.5).astype(np.float32) * 2
            gradients = _gradients(
                values, (rows[chosen] * keep).astype(np.float32), wanted[chosen], kept
            )
            step += 1
            speed = rate * (1 - step / (steps + 1))
            for index, gradient in enumerate(gradients):
                first, second = moments[index]
                first += 0.1 * (gradient - first)
                second += 0.001 * (gradient * gradient - second)
                change = first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
                decay = 0.03 * values[index] if index in (0, 2) else 0
                values[index] = (values[index] - speed * (change + decay)).astype(np.float32)
    return values


def _gradients(values: Network, rows: Array, wanted: Array, kept: Array) -> Network:
    first, offset, second, last = values
    inner = rows @ first + offset
    shown = np.maximum(inner, 0) * kept
    error = (1 / (1 + np.exp(-(shown @ second + last[0]))) - wanted) / np.float32(len(rows))
    back = np.outer(error, second) * kept * (inner > 0)
    return [rows.T @ back, back.sum(0), shown.T @ error, np.array([error.sum()], np.float32)]


def _softmax(rows: Array, kinds: "np.ndarray[tuple[int, ...], np.dtype[np.str_]]") -> Network:
    """Fit a linear choice of the type by gradient descent."""
    target = np.stack([kinds == name for name in model.TYPES], axis=1).astype(np.float32)
    weights = np.zeros((rows.shape[1], len(model.TYPES)), np.float32)
    offset = np.zeros(len(model.TYPES), np.float32)
    for _ in range(300):
        chances = rows @ weights + offset
        chances = np.exp(chances - chances.max(1, keepdims=True))
        error = (chances / chances.sum(1, keepdims=True) - target) / np.float32(len(rows))
        weights -= np.float32(0.3) * (rows.T @ error + np.float32(0.003) * weights)
        offset -= np.float32(0.3) * error.sum(0)
    return [weights, offset]


def calibration(scores: Array, wanted: Array) -> Array:
    """Fit the slope and offset that turn scores into probabilities."""
    slope, offset = 1.0, 0.0
    for _ in range(2000):
        error = 1 / (1 + np.exp(-(slope * scores + offset))) - wanted
        slope -= 0.05 * float((error * scores).mean())
        offset -= 0.2 * float(error.mean())
    return np.array([slope, offset], dtype=np.float32)


def cross_validate(data: Examples, encoder: str, folds: int = 5) -> dict[str, Array]:
    """Return scores of models that haven't seen the row's file, for each variant."""
    files = sorted(set(data.groups))
    fold = np.array([files.index(group) % folds for group in data.groups])
    scores: dict[str, Array] = {variant: np.zeros(len(fold), np.float32) for variant in ("f", "v")}
    for number in range(folds):
        arrays = train(data, fold != number, encoder)
        unseen = fold == number
        features, vectors = data.features[unseen], data.vectors[unseen]
        scores["f"][unseen] = model.score(model.scaled(features, arrays), arrays, "f")
        scores["v"][unseen] = model.score(model.joined(features, vectors, arrays), arrays, "v")
    return scores

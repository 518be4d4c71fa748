"""The trained classifier: from a clause's features to the probability of each class.

A small network, once with the encoder's clause vectors and once without: standardized inputs, one
hidden layer, and a weight per class for each hashed n-gram. `python3 app bench capture --train`
writes its file.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

FloatMatrix: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.float32]]
FloatRow: TypeAlias = np.ndarray[tuple[int], np.dtype[np.float32]]

MODEL_FILE: Final = Path(__file__).with_name("classifier.npz")
VECTOR_SIZE: Final = 5 * 384
# The sentence vector itself says what a clause is about, not what kind of clause it is.
_FIRST_USED: Final = 384
_NEIGHBOUR: Final = slice(768, 1152)

CLASSES: Final = (
    *("decision", "preference", "rule", "fact", "procedure"),
    *("pasted_document", "pasted_log", "other_team", "hypothetical", "question", "third_party"),
    *("sarcasm", "task", "tentative", "past", "quote", "echo", "talk", "plain"),
)
STATEMENT_CLASSES: Final = 5


@dataclass(frozen=True, slots=True)
class Network:
    """One trained network; shapes: n inputs, h hidden units, c classes, b buckets.

    ``mean`` and ``scale`` (n) standardize; ``hidden`` (n, h), ``hidden_bias`` (h), ``output``
    (h, c), ``direct`` (n, c) and ``bias`` (c) are weights; ``grams`` (b, c) those of n-grams.
    ``slope`` and ``intercept`` calibrate the log-odds of a statement.
    """

    mean: FloatRow
    scale: FloatRow
    hidden: FloatMatrix
    hidden_bias: FloatRow
    output: FloatMatrix
    bias: FloatRow
    grams: FloatMatrix
    slope: float
    intercept: float

    def logits(self, inputs: FloatMatrix, grams: Sequence[Sequence[int]]) -> FloatMatrix:
        """Return (clauses, classes); ``inputs`` are not standardized yet."""
        standard = np.clip((inputs - self.mean) * self.scale, -6, 6)
        hidden = np.maximum(standard @ self.hidden + self.hidden_bias, 0)
        result = hidden @ self.output + self.bias
        for row, buckets in enumerate(grams):
            if buckets:
                result[row] += self.grams[list(buckets)].sum(axis=0) / len(buckets) ** 0.5
        return result


@dataclass(frozen=True, slots=True)
class ClauseModel:
    """The networks that vote, with and without clause vectors; ``encoder`` is a file's SHA-256."""

    encoder: str
    with_vectors: tuple[Network, ...]
    without_vectors: tuple[Network, ...]


@cache
def load_model() -> ClauseModel:
    """Load the checked-in classifier."""
    with np.load(MODEL_FILE, allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    return ClauseModel(
        encoder=str(arrays["encoder"]),
        with_vectors=_networks(arrays, "with"),
        without_vectors=_networks(arrays, "without"),
    )


def _networks(arrays: dict[str, np.ndarray], name: str) -> tuple[Network, ...]:
    count = int(arrays[f"{name}.count"])
    return tuple(_network(arrays, f"{name}.{number}") for number in range(count))


def _network(arrays: dict[str, np.ndarray], name: str) -> Network:
    def row(field: str) -> FloatRow:
        return np.asarray(arrays[f"{name}.{field}"], dtype=np.float32)

    def matrix(field: str) -> FloatMatrix:
        return np.asarray(arrays[f"{name}.{field}"], dtype=np.float32)

    slope, intercept = row("calibration")
    return Network(
        mean=row("mean"),
        scale=row("scale"),
        hidden=matrix("hidden"),
        hidden_bias=row("hidden_bias"),
        output=matrix("output"),
        bias=row("bias"),
        grams=matrix("grams"),
        slope=float(slope),
        intercept=float(intercept),
    )


def network_inputs(features: FloatMatrix, vectors: FloatMatrix | None) -> FloatMatrix:
    """Join the features of a message's clauses with their vectors and their neighbours'.

    ``vectors`` has a row per clause; a row of zeros counts as missing.
    """
    if vectors is None:
        return features
    near = vectors[:, _NEIGHBOUR]
    earlier, later = np.zeros_like(near), np.zeros_like(near)
    earlier[1:], later[:-1] = near[:-1], near[1:]
    return np.concatenate([features, vectors[:, _FIRST_USED:], earlier, later], axis=1)


def class_probabilities(
    networks: Sequence[Network], inputs: FloatMatrix, grams: Sequence[Sequence[int]]
) -> FloatMatrix:
    """Return (clauses, classes) with rows that sum to 1: the mean of the networks' votes."""
    votes = [_calibrated(network, network.logits(inputs, grams)) for network in networks]
    return np.asarray(sum(votes) / len(votes), dtype=np.float32)


def _calibrated(network: Network, logits: FloatMatrix) -> FloatMatrix:
    spread = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares = spread / spread.sum(axis=1, keepdims=True)
    statement = np.clip(shares[:, :STATEMENT_CLASSES].sum(axis=1), 1e-7, 1 - 1e-7)
    odds = np.log(statement / (1 - statement))
    wanted = 1 / (1 + np.exp(-(network.slope * odds + network.intercept)))
    result = np.empty_like(shares)
    within = shares[:, :STATEMENT_CLASSES] / statement[:, None]
    result[:, :STATEMENT_CLASSES] = within * wanted[:, None]
    rest = shares[:, STATEMENT_CLASSES:] / (1 - statement)[:, None]
    result[:, STATEMENT_CLASSES:] = rest * (1 - wanted)[:, None]
    return result

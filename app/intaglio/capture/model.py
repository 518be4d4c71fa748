"""The trained classifier: from a clause's features to the probability of each class.

A small network, once with the encoder's clause vectors and once without: standardized inputs, one
hidden layer, and a weight per class for each hashed n-gram. `python3 app bench capture --train`
writes its file.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

import numpy as np

FloatMatrix: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.float32]]
FloatRow: TypeAlias = np.ndarray[tuple[int], np.dtype[np.float32]]

MODEL_FILE: Final = Path(__file__).with_name("classifier.npz")
VECTOR_SIZE: Final = 5 * 384
# The sentence vector itself says what a clause is about, not what kind of clause it is.
_FIRST_USED: Final = 384
_FULL_SHARE: Final = 0.7
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
    (h, c) and ``bias`` (c) are weights; ``grams`` (b, c) those of n-grams.
    """

    mean: FloatRow
    scale: FloatRow
    hidden: FloatMatrix
    hidden_bias: FloatRow
    output: FloatMatrix
    bias: FloatRow
    grams: FloatMatrix

    def shares(self, inputs: FloatMatrix, grams: Sequence[Sequence[int]]) -> FloatMatrix:
        """Return (clauses, classes) with rows that sum to 1; ``inputs`` aren't standardized yet."""
        standard = np.clip((inputs - self.mean) * self.scale, -6, 6)
        hidden = np.maximum(standard @ self.hidden + self.hidden_bias, 0)
        logits = hidden @ self.output + self.bias
        for row, buckets in enumerate(grams):
            if buckets:
                logits[row] += self.grams[list(buckets)].sum(axis=0) / len(buckets) ** 0.5
        spread = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(spread / spread.sum(axis=1, keepdims=True), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Calibration:
    """Turns log-odds into a probability: ``1 / (1 + exp(-(slope * odds + intercept)))``."""

    slope: float
    intercept: float

    def probability(self, odds: FloatRow) -> FloatRow:
        """Return the probabilities of a row of log-odds."""
        return np.asarray(1 / (1 + np.exp(-(self.slope * odds + self.intercept))), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class ClauseModel:
    """The trained networks: ``full`` ones take clause vectors, ``plain`` ones features alone.

    ``encoder`` is the SHA-256 of the file that the vectors come from.
    """

    encoder: str
    full: tuple[Network, ...]
    plain: tuple[Network, ...]
    with_vectors: Calibration
    without_vectors: Calibration


@cache
def load_model() -> ClauseModel:
    """Load the checked-in classifier."""
    with np.load(MODEL_FILE, allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    return ClauseModel(
        encoder=str(arrays["encoder"]),
        full=_networks(arrays, "full"),
        plain=_networks(arrays, "plain"),
        with_vectors=Calibration(*arrays["with_vectors"].tolist()),
        without_vectors=Calibration(*arrays["without_vectors"].tolist()),
    )


def save_model(model: ClauseModel, file: Path) -> None:
    """Write the classifier, its weights as 16-bit floats."""
    arrays: dict[str, np.ndarray] = {
        "encoder": np.array(model.encoder),
        "with_vectors": np.array([model.with_vectors.slope, model.with_vectors.intercept]),
        "without_vectors": np.array([model.without_vectors.slope, model.without_vectors.intercept]),
    }
    for name, networks in (("full", model.full), ("plain", model.plain)):
        for number, network in enumerate(networks):
            for each in fields(Network):
                value = np.asarray(getattr(network, each.name))
                arrays[f"{name}.{number}.{each.name}"] = value.astype(np.float16)
    # Its stub takes the names for options.
    cast("Any", np.savez_compressed)(file, **arrays)


def _networks(arrays: Mapping[str, np.ndarray], name: str) -> tuple[Network, ...]:
    found: list[Network] = []
    while f"{name}.{len(found)}.bias" in arrays:
        prefix = f"{name}.{len(found)}."
        found.append(
            Network(
                **{
                    each.name: arrays[prefix + each.name].astype(np.float32)
                    for each in fields(Network)
                }
            )
        )
    return tuple(found)


def network_inputs(features: FloatMatrix, vectors: FloatMatrix) -> FloatMatrix:
    """Join the features of a message's clauses with their vectors and their neighbours'.

    ``vectors`` has a row per clause; a row of zeros counts as missing.
    """
    near = vectors[:, _NEIGHBOUR]
    earlier, later = np.zeros_like(near), np.zeros_like(near)
    earlier[1:], later[:-1] = near[:-1], near[1:]
    return np.concatenate([features, vectors[:, _FIRST_USED:], earlier, later], axis=1)


def statement_odds(shares: FloatMatrix) -> FloatRow:
    """Return the log-odds that a clause is a statement to keep, (clauses)."""
    statement = np.clip(shares[:, :STATEMENT_CLASSES].sum(axis=1), 1e-7, 1 - 1e-7)
    return np.asarray(np.log(statement / (1 - statement)), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Verdicts:
    """For each clause: the probability that it is to be kept, and its likeliest statement class."""

    probabilities: FloatRow
    types: tuple[int, ...]


def judge_features(
    model: ClauseModel, features: FloatMatrix, grams: Sequence[Sequence[int]]
) -> Verdicts:
    """Judge clauses by their features alone."""
    shares = [network.shares(features, grams) for network in model.plain]
    odds = _mean([statement_odds(one) for one in shares])
    return Verdicts(model.without_vectors.probability(odds), _types(shares))


def judge_vectors(
    model: ClauseModel,
    features: FloatMatrix,
    vectors: FloatMatrix,
    grams: Sequence[Sequence[int]],
) -> Verdicts:
    """Judge clauses by features and vectors, (clauses, `VECTOR_SIZE`)."""
    inputs = network_inputs(features, vectors)
    full = [network.shares(inputs, grams) for network in model.full]
    plain = [network.shares(features, grams) for network in model.plain]
    odds = combined_odds(
        _mean([statement_odds(one) for one in full]), _mean([statement_odds(one) for one in plain])
    )
    return Verdicts(model.with_vectors.probability(odds), _types(full))


def combined_odds(full: FloatRow, plain: FloatRow) -> FloatRow:
    """Combine the votes; the plain networks help where the encoder doesn't know the language."""
    return np.asarray(_FULL_SHARE * full + (1 - _FULL_SHARE) * plain, dtype=np.float32)


def _mean(rows: Sequence[FloatRow]) -> FloatRow:
    return np.asarray(np.mean(rows, axis=0), dtype=np.float32)


def _types(shares: Sequence[FloatMatrix]) -> tuple[int, ...]:
    total = np.sum([one[:, :STATEMENT_CLASSES] for one in shares], axis=0)
    return tuple(total.argmax(axis=1).tolist())

"""The trained classifier: from a clause's features to how surely it is to be kept.

Small networks, with the encoder's clause vectors and without: standardized inputs and one hidden
layer. `python3 app bench capture --train` writes their file; they are taught by other people's
sessions, so it needs those.
"""

import math
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
# The sentence vector says what a clause is about, not what kind of clause it is; the token states'
# means after layers 3 and 4 do, and the former of its neighbours.
_USED: Final = slice(768, 1536)
_NEIGHBOUR: Final = slice(768, 1152)
_LIMIT: Final = 6

CLASSES: Final = (
    *("decision", "preference", "rule", "fact", "procedure"),
    *("pasted_document", "pasted_log", "other_team", "hypothetical", "question", "third_party"),
    *("sarcasm", "task", "tentative", "past", "quote", "echo", "talk", "plain"),
)
STATEMENT_CLASSES: Final = 5
# Output columns: to be kept by all people, by some, and then the classes.
KEEP: Final = 0
ANY: Final = 1
FIRST_CLASS: Final = 2


@dataclass(frozen=True, slots=True)
class Network:
    """One trained network; shapes: n inputs, h hidden units, o outputs.

    ``mean`` and ``scale`` (n) standardize; ``hidden`` (n, h), ``hidden_bias`` (h), ``output``
    (h, o) and ``bias`` (o) are weights.
    """

    mean: FloatRow
    scale: FloatRow
    hidden: FloatMatrix
    hidden_bias: FloatRow
    output: FloatMatrix
    bias: FloatRow

    def outputs(self, inputs: FloatMatrix) -> FloatMatrix:
        """Return (clauses, outputs) log-odds; a missing input, NaN, counts as the mean."""
        standard = standardized(inputs, self.mean, self.scale)
        hidden = np.maximum(standard @ self.hidden + self.hidden_bias, 0)
        return np.asarray(hidden @ self.output + self.bias, dtype=np.float32)


def standardized(inputs: FloatMatrix, mean: FloatRow, scale: FloatRow) -> FloatMatrix:
    """Return the inputs around zero, within limits; missing ones, NaN, are zero."""
    standard = np.clip((inputs - mean) * scale, -_LIMIT, _LIMIT)
    return np.asarray(np.nan_to_num(standard), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Calibration:
    """Turns scores into the log-odds of a probability: ``slope * score + intercept``."""

    slope: float
    intercept: float

    def odds(self, scores: FloatRow) -> FloatRow:
        """Return the log-odds of a row of scores."""
        return np.asarray(self.slope * scores + self.intercept, dtype=np.float32)


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

    ``vectors`` has a row per clause; a row of NaN is missing.
    """
    near = vectors[:, _NEIGHBOUR]
    earlier, later = np.full_like(near, np.nan), np.full_like(near, np.nan)
    earlier[1:], later[:-1] = near[:-1], near[1:]
    return np.concatenate([features, vectors[:, _USED], earlier, later], axis=1)


@dataclass(frozen=True, slots=True)
class Verdicts:
    """For each clause: the calibrated log-odds that it matters, and its likeliest type."""

    odds: FloatRow
    types: tuple[int, ...]


def judge_features(model: ClauseModel, features: FloatMatrix) -> Verdicts:
    """Judge clauses by their features alone."""
    return _verdicts(model.plain, features, model.without_vectors)


def judge_vectors(model: ClauseModel, features: FloatMatrix, vectors: FloatMatrix) -> Verdicts:
    """Judge clauses by features and vectors, (clauses, `VECTOR_SIZE`); NaN where missing."""
    return _verdicts(model.full, network_inputs(features, vectors), model.with_vectors)


def score(outputs: FloatMatrix) -> FloatRow:
    """Return each clause's log-odds, not calibrated: between kept by all and by some."""
    return np.asarray((outputs[:, KEEP] + outputs[:, ANY]) / 2, dtype=np.float32)


def probability(odds: float) -> float:
    """Return the probability of log-odds."""
    return 1 / (1 + math.exp(-odds))


def _verdicts(
    networks: Sequence[Network], inputs: FloatMatrix, calibration: Calibration
) -> Verdicts:
    outputs = np.mean([each.outputs(inputs) for each in networks], axis=0)
    types = outputs[:, FIRST_CLASS : FIRST_CLASS + STATEMENT_CLASSES].argmax(axis=1)
    return Verdicts(calibration.odds(score(outputs)), tuple(types.tolist()))

"""The trained classifier: small networks over a clause's features and its vector.

Loaded on first use; `python3 app bench capture --train` writes ``model.npz``. It needs numpy alone.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from intaglio.capture.values import ClauseVector, StatementType

if TYPE_CHECKING:
    Floats: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.float32]]

TYPES: Final[tuple[StatementType, ...]] = ("decision", "preference", "rule", "fact", "procedural")
MODEL_FILE: Final = Path(__file__).parent / "model.npz"
NETWORKS: Final = 3
# A clause's vector holds the sentence vector (384), then the means after layers 2, 3, 4 and 5.
_WIDTH: Final = 384
_LAYERS: Final = slice(2 * _WIDTH, 4 * _WIDTH)
_NEIGHBOUR: Final = slice(2 * _WIDTH, 3 * _WIDTH)
_FACTOR: Final = 0.5
_CLIP: Final = 4.0


@cache
def load() -> "Mapping[str, Floats]":
    """Return the stored arrays as float32; raises OSError if the file is missing."""
    with np.load(MODEL_FILE) as stored:
        return {name: stored[name].astype(np.float32) for name in stored.files if name != "encoder"}


@cache
def encoder() -> str:
    """Return the SHA-256 of the encoder's file that the model was trained with."""
    with np.load(MODEL_FILE) as stored:
        return str(stored["encoder"])


def scaled(features: "Floats", arrays: "Mapping[str, Floats]") -> "Floats":
    """Scale feature rows for a network."""
    found = np.clip((features - arrays["mean"]) / arrays["scale"], -_CLIP, _CLIP)
    rows: Floats = (found * _FACTOR).astype(np.float32)
    return rows


def vector_rows(vectors: "Sequence[ClauseVector | None]") -> "Floats":
    """Return one row per clause: its own vector and those of its neighbours; None counts as 0."""
    own = np.zeros((len(vectors), 2 * _WIDTH), dtype=np.float32)
    beside = np.zeros((len(vectors) + 2, _WIDTH), dtype=np.float32)
    for row, vector in enumerate(vectors):
        if vector is not None:
            own[row] = vector[_LAYERS]
            beside[row + 1] = vector[_NEIGHBOUR]
    rows: Floats = np.concatenate([own, beside[:-2], beside[2:]], axis=1)
    return rows


def joined(features: "Floats", vectors: "Floats", arrays: "Mapping[str, Floats]") -> "Floats":
    """Return the rows of a network that takes vectors too."""
    shown = (vectors - arrays["vector_mean"]) / arrays["vector_scale"]
    shown = np.clip(shown, -_CLIP, _CLIP) * np.float32(_FACTOR / 2)
    rows: Floats = np.concatenate([scaled(features, arrays), shown], axis=1)
    return rows


def score(rows: "Floats", arrays: "Mapping[str, Floats]", variant: str) -> "Floats":
    """Return the networks' mean log odds for each row; ``variant`` is ``v`` or ``f``."""
    total = np.zeros(len(rows), dtype=np.float32)
    for number in range(NETWORKS):
        name = f"{variant}{number}"
        hidden = np.maximum(rows @ arrays[f"{name}_w1"] + arrays[f"{name}_b1"], 0)
        total += hidden @ arrays[f"{name}_w2"] + arrays[f"{name}_b2"][0]
    return (total / NETWORKS).astype(np.float32)


def probability(scores: "Floats", arrays: "Mapping[str, Floats]", variant: str) -> "Floats":
    """Turn scores into calibrated probabilities."""
    slope, offset = arrays[f"{variant}_calibration"]
    return np.asarray(1 / (1 + np.exp(-(slope * scores + offset))), dtype=np.float32)


def type_of(rows: "Floats", arrays: "Mapping[str, Floats]", variant: str) -> list[StatementType]:
    """Return the likeliest type for each row."""
    chances = rows @ arrays[f"{variant}_type_w"] + arrays[f"{variant}_type_b"]
    return [TYPES[int(best)] for best in np.argmax(chances, axis=1)]

"""Computes the static table behind late interaction from the model and the fitted maps.

Runs inside the virtual environment (numpy, onnx). ``late_interaction.npz`` holds the maps ``We``,
``Wv`` (384 x 384) and ``b`` (384) as float16: a token's state is about
``E[piece] @ We + vector @ Wv + b``. `python3 app bench fit` fits them; the reasons are in
assets/docs/decisions/0050-late-interaction-table.md.
"""

import sys
from pathlib import Path

import numpy as np
from onnx import ModelProto, numpy_helper

from boot.minilm import Floats, quantise

_LIMIT = 127
_NAMES = {"rows": "tokens.rows.npy", "scales": "tokens.scales.npy", "map": "tokens.context.npy"}


def word_rows(model: Path) -> Floats:
    """Read the table of words (pieces x 384) out of the built model."""
    graph = ModelProto.FromString(model.read_bytes()).graph
    held = {each.name: each for each in graph.initializer}
    whole, scale = (numpy_helper.to_array(held[f"words.{name}"]) for name in ("whole", "scale"))
    return np.asarray(whole * scale.reshape(-1, 1), np.float32)


def write_table(model: Path, maps: Path, folder: Path) -> None:
    """Write the table's rows as signed bytes with a scale each, and the map of the vector."""
    with np.load(maps) as fitted:
        we, wv, b = (fitted[name].astype(np.float32) for name in ("We", "Wv", "b"))
    whole, scales = quantise(word_rows(model) @ we + b, _LIMIT)
    np.save(folder / _NAMES["rows"], whole)
    np.save(folder / _NAMES["scales"], scales)
    np.save(folder / _NAMES["map"], wv)


if __name__ == "__main__":
    write_table(*(Path(argument) for argument in sys.argv[1:4]))

"""Builds the cross-encoder, which reads two statements together, as an ONNX graph.

It is the embedding model with corrections of low rank to its matrices (Hu et al. 2021), which were
fitted on pairs of statements (``python3 app bench relations --train``; the reasons are in
assets/docs/decisions/0126-a-cross-encoder-for-statements.md). ``cross_encoder.npz`` holds them as
float16. Runs inside the virtual environment (numpy, onnx).
"""

import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto

from boot.minilm import (
    LAYERS,
    Graph,
    Weights,
    embeddings,
    encoder_layer,
    read_safetensors,
    serialise,
)

_SEPARATOR = 102
_CLASSES = 3


def corrected(weights: Weights, fitted: Mapping[str, NDArray[np.float16]]) -> Weights:
    """Return the original weights with what was fitted added to them.

    To the matrix ``N.weight`` is added ``N.up @ N.down``; to a vector ``N`` is added ``N.added``.
    """
    found = dict(weights)
    for name, values in fitted.items():
        base, _, part = name.rpartition(".")
        if part == "added":
            found[base] = np.asarray(weights[base] + values.astype(np.float32), np.float32)
        elif part == "up":
            # In double precision, the last bits don't depend on the machine's way of adding up.
            product = values.astype(np.float64) @ fitted[f"{base}.down"].astype(np.float64)
            merged = weights[f"{base}.weight"].astype(np.float64) + product
            found[f"{base}.weight"] = merged.astype(np.float32)
        elif part != "down":
            found[name] = values.astype(np.float32)
    return found


def build(weights: Weights) -> bytes:
    """Build the graph: ``ids`` to ``relation`` (texts, 3).

    ``ids`` are [CLS] older [SEP] newer [SEP]. The three numbers are logits: both contradict each
    other, both say the same, neither.
    """
    graph = Graph(weights)
    state = embeddings(graph, _segments(graph))
    for number in range(LAYERS):
        state = encoder_layer(graph, state, number)
    first = graph.node("Gather", state, graph.constant("first", np.array(0)), axis=1)
    axis = graph.constant("tokens.axis", np.array([1]))
    mean: str = graph.node("ReduceMean", state, axis, keepdims=0)
    hidden = graph.node("Add", _linear(graph, mean, "relation.hidden"), first)
    read = graph.node("Tanh", hidden)
    _linear(graph, read, "relation.output", "relation")
    return serialise(graph, "relations", {"relation": ["texts", _CLASSES]})


def _segments(graph: Graph) -> str:
    """Mark which statement each token belongs to: what is added to its embedding."""
    separator = graph.constant("separator", np.array([_SEPARATOR]))
    ends = graph.node("Cast", graph.node("Equal", "ids", separator), to=TensorProto.FLOAT)
    before = graph.node("CumSum", ends, graph.constant("length.axis", np.array(1)), exclusive=1)
    second = graph.node("Unsqueeze", before, graph.constant("last.axis", np.array([2])))
    older, newer = graph.weights["relation.segments"]
    added = graph.node("Mul", second, graph.constant("segments.newer", newer - older))
    return graph.node("Add", added, graph.constant("segments.older", older))


def _linear(graph: Graph, source: str, name: str, output: str = "") -> str:
    rows = graph.weights[f"{name}.weight"].T
    product = graph.node("MatMul", source, graph.constant(f"{name}.weight", rows))
    return graph.node("Add", product, graph.weight(f"{name}.bias"), name=output)


def read_fitted(file: Path) -> Mapping[str, NDArray[np.float16]]:
    """Read what was fitted, by name."""
    with np.load(file) as held:
        return {name: held[name] for name in held.files}


if __name__ == "__main__":
    original, fitted_file, target = (Path(argument) for argument in sys.argv[1:4])
    fitted_weights: Weights = corrected(read_safetensors(original), read_fitted(fitted_file))
    target.write_bytes(build(fitted_weights))

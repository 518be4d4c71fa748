"""Builds the ONNX graph of all-MiniLM-L6-v2, node by node, from its original weights.

Runs inside the virtual environment (numpy, onnx). ``model.py`` downloads the weights. The reasons
are in assets/docs/decisions/0006-the-embedded-model.md.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

Floats: TypeAlias = NDArray[np.float32]
Weights: TypeAlias = Mapping[str, Floats]

LAYERS = 6
_FIRST_MIDDLE = 2
_HEADS = 12
DIMENSIONS = 384
_POSITIONS = 256
_EPSILON = 1e-12
_FUSED = "com.microsoft"
_OPSET, _FUSED_OPSET, _IR = 20, 1, 10

# 8 bits for the word embeddings, 7 for the matrices: the sum of two products of a byte and a 7-bit
# weight fits into 16 bits, so processors without VNNI compute the same integers.
_TABLE_LIMIT = 127
_MATRIX_LIMIT = 64


def read_safetensors(file: Path) -> Weights:
    """Read all float32 tensors of a safetensors file, by name."""
    data = file.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    header: dict[str, Any] = json.loads(data[8:start])
    found: dict[str, Floats] = {}
    for name, entry in header.items():
        if entry.get("dtype") == "F32":
            first, end = (start + offset for offset in entry["data_offsets"])
            flat = np.frombuffer(data[first:end], dtype="<f4").astype(np.float32)
            found[name] = flat.reshape(entry["shape"])
    return found


def quantise(rows: Floats, limit: int) -> tuple[NDArray[np.int8], Floats]:
    """Round each row to integers up to ``limit``; returns them and one scale per row."""
    scale = (np.abs(rows).max(axis=1) / np.float32(limit)).astype(np.float32)
    scale[scale == 0] = 1
    whole = np.clip(np.rint(rows / scale[:, None]), -limit, limit).astype(np.int8)
    return whole, scale


class Graph:
    """A graph under construction; each method adds a node or constant and returns its name."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.nodes: list[NodeProto] = []
        self.constants: list[TensorProto] = []

    def constant(self, name: str, value: NDArray[Any]) -> str:
        """Add a constant."""
        self.constants.append(numpy_helper.from_array(np.asarray(value, order="C"), name))
        return name

    def weight(self, name: str) -> str:
        """Add an original tensor unchanged."""
        return self.constant(name, self.weights[name])

    def node(self, kind: str, *inputs: str, name: str = "", **attributes: Any) -> str:  # noqa: ANN401 - ONNX attributes are of many types
        """Add an operation with one output."""
        output = name or f"{kind}.{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def matrix(self, source: str, name: str, rows: Floats) -> str:
        """Multiply by a quantised matrix, given as one row per output."""
        whole, scale = quantise(rows, _MATRIX_LIMIT)
        return self.node(
            "DynamicQuantizeMatMul",
            source,
            self.constant(f"{name}.whole", whole.T),
            self.constant(f"{name}.scale", scale),
            domain=_FUSED,
        )

    def dense(self, source: str, name: str) -> str:
        """Multiply by a layer's weights; the next operation adds its bias."""
        return self.matrix(source, name, self.weights[f"{name}.weight"])

    def join(self, source: str, beside: str, bias: str, norm: str, name: str = "") -> str:
        """Add bias and residual, then normalise."""
        return self.node(
            "SkipLayerNormalization",
            source,
            beside,
            self.weight(f"{norm}.weight"),
            self.weight(f"{norm}.bias"),
            self.weight(f"{bias}.bias"),
            name=name,
            domain=_FUSED,
            epsilon=_EPSILON,
        )


def embeddings(graph: Graph, beside: str = "") -> str:
    """Look up the token embeddings, converting only the rows in use to floats.

    ``beside`` names what is added to them, if anything.
    """
    whole, scale = quantise(graph.weights["embeddings.word_embeddings.weight"], _TABLE_LIMIT)
    rows = graph.node("Gather", graph.constant("words.whole", whole), "ids", axis=0)
    scales = graph.node("Gather", graph.constant("words.scale", scale[:, None]), "ids", axis=0)
    words = graph.node("Mul", graph.node("Cast", rows, to=TensorProto.FLOAT), scales)
    # Every token has type 0, so that row is added to the positions.
    kind = graph.weights["embeddings.token_type_embeddings.weight"][0]
    places = graph.weights["embeddings.position_embeddings.weight"][:_POSITIONS] + kind
    length = graph.node(
        "Slice",
        graph.node("Shape", "ids"),
        graph.constant("one", np.array([1])),
        graph.constant("two", np.array([2])),
    )
    first = graph.constant("zero", np.array([0]))
    used = graph.node("Slice", graph.constant("positions", places), first, length)
    state = graph.node("Add", words, used)
    if beside:
        state = graph.node("Add", state, beside)
    return graph.node(
        "LayerNormalization",
        state,
        graph.weight("embeddings.LayerNorm.weight"),
        graph.weight("embeddings.LayerNorm.bias"),
        axis=-1,
        epsilon=_EPSILON,
    )


def _attention(graph: Graph, state: str, layer: str) -> str:
    """Add attention; one multiplication for query, key and value rounds the state only once."""
    parts = [f"{layer}.attention.self.{part}" for part in ("query", "key", "value")]
    rows = np.concatenate([graph.weights[f"{part}.weight"] for part in parts])
    biases = np.concatenate([graph.weights[f"{part}.bias"] for part in parts])
    together = graph.matrix(state, f"{layer}.attention.self", rows)
    names = [f"{part}.out" for part in parts]
    graph.nodes.append(helper.make_node("Split", [together], names, axis=-1, num_outputs=3))
    bias = graph.constant(f"{layer}.attention.self.bias", biases)
    seen = graph.node("MultiHeadAttention", *names, bias, domain=_FUSED, num_heads=_HEADS)
    output = f"{layer}.attention.output"
    dense = graph.dense(seen, f"{output}.dense")
    return graph.join(dense, state, f"{output}.dense", f"{output}.LayerNorm")


def encoder_layer(graph: Graph, state: str, number: int, name: str = "") -> str:
    """Add a layer, the first of which has number 0, and return its states."""
    layer = f"encoder.layer.{number}"
    state = _attention(graph, state, layer)
    up, down = f"{layer}.intermediate.dense", f"{layer}.output.dense"
    wide = graph.node("BiasGelu", graph.dense(state, up), graph.weight(f"{up}.bias"), domain=_FUSED)
    return graph.join(graph.dense(wide, down), state, down, f"{layer}.output.LayerNorm", name)


def build(weights: Weights) -> bytes:
    """Build the model: ``ids`` (texts, tokens) to ``vector``, ``tokens`` and ``middle``.

    ``vector`` (texts, 384) is the mean of the last token states, scaled to length 1; ``middle``
    (texts, 4 * 384) the means of the token states after layers 2 to 5, which tell what kind of
    sentence a text is. There is no mask: the texts of one run must have the same length.
    """
    graph = Graph(weights)
    state = embeddings(graph)
    tokens_axis = graph.constant("tokens.axis", np.array([1]))
    means: list[str] = []
    for number in range(1, LAYERS + 1):
        name = "tokens" if number == LAYERS else ""
        state = encoder_layer(graph, state, number - 1, name)
        means.append(graph.node("ReduceMean", state, tokens_axis, keepdims=0))
    graph.node("LpNormalization", means[-1], name="vector", axis=-1, p=2)
    graph.node("Concat", *means[_FIRST_MIDDLE - 1 : LAYERS - 1], name="middle", axis=-1)
    outputs: dict[str, list[str | int]] = {
        "vector": ["texts", DIMENSIONS],
        "tokens": ["texts", "length", DIMENSIONS],
        "middle": ["texts", (LAYERS - _FIRST_MIDDLE) * DIMENSIONS],
    }
    return serialise(graph, "all-MiniLM-L6-v2", outputs)


def serialise(graph: Graph, name: str, outputs: Mapping[str, Sequence[str | int]]) -> bytes:
    """Return the file of a graph that computes these outputs, with their shapes, of ``ids``."""
    floats, whole = TensorProto.FLOAT, TensorProto.INT64
    model: ModelProto = helper.make_model(
        helper.make_graph(
            graph.nodes,
            name,
            [helper.make_tensor_value_info("ids", whole, ["texts", "length"])],
            [
                helper.make_tensor_value_info(output, floats, shape)
                for output, shape in outputs.items()
            ],
            graph.constants,
        ),
        opset_imports=[
            helper.make_opsetid("", _OPSET),
            helper.make_opsetid(_FUSED, _FUSED_OPSET),
        ],
        ir_version=_IR,
    )
    written: bytes = model.SerializeToString(deterministic=True)
    return written


if __name__ == "__main__":
    source, target = (Path(argument) for argument in sys.argv[1:3])
    target.write_bytes(build(read_safetensors(source)))

"""Wraps onnxruntime and tokenizers, whose types are incomplete.

It is imported by the model's own threads on first use, never at start: that takes 0.25 s of CPU and
50 MB.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np

# onnxruntime sends telemetry unless it is disabled before loading; nothing leaves this machine.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import onnxruntime  # type: ignore[import-untyped]  # it has no types
from tokenizers import Tokenizer

from intaglio.base.text import scrub
from intaglio.domain.statement_pairs import StatementPair
from intaglio.inference.context import context_of
from intaglio.inference.malloc_tuning import return_memory
from intaglio.inference.manifest import CROSS_ENCODER_FILE, MODEL_FILE
from intaglio.inference.ports import (
    Matrix,
    MemoryVector,
    QuestionTokens,
    QuestionVector,
    TextInContext,
    Vector,
)
from intaglio.inference.token_table import TokenTable

# Far more than the longest text that the model can process; the rest would only take time.
_MAX_CHARS = 16_384
_UNKNOWN, _START, _END = 100, 101, 102
# The first of the cross-encoder's classes: `boot.cross_encoder`.
_CONTRADICT = 0
# Of a longer statement, the beginning is read: the cross-encoder was fitted on single sentences.
_MAX_STATEMENT = 60

_ort = cast("Any", onnxruntime)
_ort.disable_telemetry_events()

# The native errors have no common base class but Exception.
_NATIVE: tuple[type[Exception], ...] = tuple(
    cast("type[Exception]", getattr(_ort.capi.onnxruntime_pybind11_state, name))
    for name in ("Fail", "RuntimeException", "InvalidGraph", "InvalidProtobuf", "NotImplemented")
)


def _options() -> Any:  # noqa: ANN401 - onnxruntime has no types
    options: Any = _ort.SessionOptions()
    # A second thread costs twice the CPU for little gain; one text per run uses one thread well.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # An arena would keep the memory of the longest text forever.
    options.enable_cpu_mem_arena = False
    options.enable_mem_pattern = False
    # The graph is stored optimized; optimizing it again only makes loading slower.
    options.graph_optimization_level = _ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    return options


def _session(file: Path) -> Any:  # noqa: ANN401 - onnxruntime has no types
    """Load a graph; raises RuntimeError if that fails."""
    try:
        return _ort.InferenceSession(str(file), _options(), providers=["CPUExecutionProvider"])
    except _NATIVE as error:
        raise RuntimeError(str(error)) from error


class CrossEncoderRuntime:
    """The loaded cross-encoder, which reads two statements together; any thread may use it.

    Raises RuntimeError if onnxruntime fails.
    """

    def __init__(self, folder: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        cast("Any", self._tokenizer).enable_truncation(_MAX_STATEMENT)
        self._tokenizer.no_padding()
        self._run = _session(folder / CROSS_ENCODER_FILE).run
        return_memory()

    def contradiction(self, pair: StatementPair) -> float:
        """Return the probability (0 to 1) that two statements contradict each other."""
        older, newer = self._pieces(pair.older), self._pieces(pair.newer)
        ids = np.array([[_START, *older, _END, *newer, _END]], dtype=np.int64)
        try:
            ((logits,),) = self._run(["relation"], {"ids": ids})
        except _NATIVE as error:
            raise RuntimeError(str(error)) from error
        shares = np.exp(logits - logits.max())
        return float(shares[_CONTRADICT] / shares.sum())

    def return_memory(self) -> None:
        """Return memory that runs left behind."""
        return_memory()

    def _pieces(self, text: str) -> list[int]:
        found = self._tokenizer.encode(scrub(text[:_MAX_CHARS]), add_special_tokens=False).ids
        # "[SEP]" in a statement would end it.
        return [each for each in found if each not in {_START, _END}]


class Runtime:
    """A loaded model; any thread may use it, several at a time.

    Raises RuntimeError if onnxruntime fails.
    """

    def __init__(self, folder: Path, max_tokens: int) -> None:
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        # The published file truncates and pads everything to 128 tokens.
        cast("Any", self._tokenizer).enable_truncation(max_tokens)
        self._tokenizer.no_padding()
        self._run = _session(folder / MODEL_FILE).run
        self._table = TokenTable(folder)
        self._max_own = max_tokens - 2
        # Reading the file leaves the same amount of freed memory behind.
        return_memory()

    def vector(self, text: str) -> Vector:
        """Embed one text.

        Each text runs alone: in a batch, its activations would be rounded by the batch's range, and
        the same text wouldn't always give the same vector.
        """
        (vector,) = self._outputs(["vector"], text)
        # A copy: the output lies among the run's activations, and vectors that are kept would
        # prevent the heap from shrinking (14 MB for a thousand).
        return vector.copy()

    def clause_vector(self, text: str) -> Vector:
        """Return the vector of 384 numbers, then the token states' means after layers 2 to 5.

        The middle layers tell what kind of sentence it is: order, question, statement, report.
        """
        return cast("Vector", np.concatenate(self._outputs(["vector", "middle"], text)))

    def memory(self, text: TextInContext) -> MemoryVector:
        """Embed a memory in its context; without context, its vector is that of its text."""
        own = self._pieces(text.text)
        before = context_of(own, [self._pieces(each) for each in text.before])
        short = own[: self._max_own]
        pieces = np.unique(np.array(short, "<u2")).tobytes()
        if not before:
            (vector,) = self._run_ids(["vector"], short)
            return MemoryVector(vector.copy(), pieces, len(own))
        (states,) = self._run_ids(["tokens"], [*before, *short])
        mean = states[1 + len(before) : -1].mean(axis=0)
        return MemoryVector(mean / np.linalg.norm(mean), pieces, len(own))

    def question(self, text: str) -> QuestionVector:
        """Embed a question with its token states."""
        clean = scrub(text[:_MAX_CHARS])
        found = self._tokenizer.encode(clean, add_special_tokens=False)
        vector, states = self._run_ids(["vector", "tokens"], found.ids[: self._max_own])
        own = cast("Matrix", states)[1:-1]
        lengths = np.linalg.norm(own, axis=1, keepdims=True)
        words = _words(clean, found.word_ids, found.offsets)
        # A sign that the model doesn't know would match every other unknown one.
        known = zip(words, found.ids[: self._max_own], strict=False)
        words = tuple("" if piece == _UNKNOWN else word for word, piece in known)
        tokens = QuestionTokens(own / np.maximum(lengths, 1e-9), words, self._table)
        return QuestionVector(vector.copy(), tokens)

    def return_memory(self) -> None:
        """Return memory that runs left behind, and that of the table's rows."""
        self._table.release_pages()
        return_memory()

    def _pieces(self, text: str) -> list[int]:
        clean = scrub(text[:_MAX_CHARS])
        return self._tokenizer.encode(clean, add_special_tokens=False).ids

    def _outputs(self, names: list[str], text: str) -> list[Vector]:
        """Run the model; the arrays are only valid as long as the returned list."""
        return self._run_ids(names, self._pieces(text)[: self._max_own])

    def _run_ids(self, names: list[str], own: list[int]) -> list[Vector]:
        ids = np.array([[_START, *own, _END]], dtype=np.int64)
        try:
            found = self._run(names, {"ids": ids})
        except _NATIVE as error:
            raise RuntimeError(str(error)) from error
        return [each[0] for each in found]


def _words(
    text: str, word_ids: Sequence[int | None], offsets: Sequence[tuple[int, int]]
) -> tuple[str, ...]:
    """Return the word of each word piece, in lower case."""
    start: dict[int | None, int] = {}
    end: dict[int | None, int] = {}
    for word, (first, last) in zip(word_ids, offsets, strict=True):
        start.setdefault(word, first)
        end[word] = last
    return tuple(text[start[word] : end[word]].lower() for word in word_ids)

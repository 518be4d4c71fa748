"""``python3 app bench fit``: fits the maps that predict token states, and prints how true they are.

Ridge regression without labels: the state of a token is taken for a linear function of its row in
the model's table of words and of the whole text's vector. The texts are the messages of the
sessions in ``capture/sessions/train``, the proof those in ``held``.
"""

import argparse
import hashlib
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from bench.capture.command import SESSIONS
from bench.capture.labelled import read_sessions
from boot.model import BUILT_MODEL
from boot.token_table import word_rows

MAPS: Final = Path(__file__).resolve().parents[2] / "app" / "boot" / "late_interaction.npz"

Floats = npt.NDArray[np.float32]

_TEXTS: Final = 6_000
_PROOFS: Final = 300
_LEAST_CHARS: Final = 40
_MAX_PIECES: Final = 254
_START, _END = 101, 102
_RIDGE: Final = 1.0


class _Model:
    """The built model's token states, and its table of words."""

    def __init__(self) -> None:
        import onnxruntime  # type: ignore[import-untyped]  # noqa: PLC0415 - only this bench needs it

        self._tokenizer = Tokenizer.from_file(str(BUILT_MODEL / "tokenizer.json"))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        ort = cast("Any", onnxruntime)
        options: Any = ort.SessionOptions()
        # More threads would wait for each other, busily: twice the CPU.
        options.intra_op_num_threads = 1
        self._session: Any = ort.InferenceSession(
            str(BUILT_MODEL / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )
        self.words = word_rows(BUILT_MODEL / "model.onnx")

    def example(self, text: str) -> tuple[Floats, Floats]:
        """Return the inputs (pieces x 769: word, vector, 1) and the unit states of a text."""
        own = self._tokenizer.encode(text, add_special_tokens=False).ids[:_MAX_PIECES]
        ids = [_START, *own, _END]
        (found,) = self._session.run(["tokens"], {"ids": np.array([ids], np.int64)})
        states = found[0]
        vector = states[1:-1].mean(axis=0)
        vector /= np.linalg.norm(vector)
        inputs = np.concatenate(
            [self.words[ids], np.tile(vector, (len(ids), 1)), np.ones((len(ids), 1))], axis=1
        )
        unit = states / np.linalg.norm(states, axis=1, keepdims=True)
        return np.asarray(inputs, np.float32), np.asarray(unit, np.float32)


def _texts(folder: Path) -> list[str]:
    """Return the messages of a folder's sessions in a fixed order."""
    found = [
        " ".join(message.text.split())
        for file in sorted(folder.glob("*.txt"))
        for session in read_sessions(file)
        for message in session.messages
    ]
    long_enough = [text for text in found if len(text) > _LEAST_CHARS]
    random.Random(1).shuffle(long_enough)  # noqa: S311 - the choice has to be repeatable
    return long_enough


def _examples(model: _Model, texts: Sequence[str]) -> Iterator[tuple[Floats, Floats]]:
    for text in texts:
        yield model.example(text)


def fit(model: _Model, texts: Sequence[str]) -> npt.NDArray[np.float64]:
    """Return the weights (769 x 384) of the regression: We, Wv and b, one below the other."""
    size = 2 * model.words.shape[1] + 1
    squares, products = np.zeros((size, size)), np.zeros((size, model.words.shape[1]))
    for inputs, states in _examples(model, texts):
        wide = inputs.astype(np.float64)
        squares += wide.T @ wide
        products += wide.T @ states
    solved = np.linalg.solve(squares + _RIDGE * np.eye(size), products)
    return np.asarray(solved, np.float64)


def truth(model: _Model, weights: npt.NDArray[np.float64], texts: Sequence[str]) -> float:
    """Return the mean cosine of predicted and true states."""
    cosines: list[float] = []
    for inputs, states in _examples(model, texts):
        predicted = inputs @ weights
        lengths = np.linalg.norm(predicted, axis=1)
        cosines += (np.einsum("ij,ij->i", predicted, states) / lengths).tolist()
    return float(np.mean(cosines))


def main(arguments: list[str]) -> None:
    """Fit on the training sessions, print the truth on both, and write the maps if asked to."""
    parser = argparse.ArgumentParser(prog="python3 app bench fit")
    parser.add_argument("--write", action="store_true", help="replace the checked-in maps")
    options = parser.parse_args(arguments)
    model = _Model()
    texts, proofs = _texts(SESSIONS / "train")[:_TEXTS], _texts(SESSIONS / "held")[:_PROOFS]
    print(f"{len(texts)} texts, SHA-256 {hashlib.sha256(chr(10).join(texts).encode()).hexdigest()}")
    weights = fit(model, texts)
    print(f"mean cosine to true states: {truth(model, weights, texts[:_PROOFS]):.3f} on the texts")
    print(f"                            {truth(model, weights, proofs):.3f} on others")
    stored = weights.astype(np.float16)
    print(f"{truth(model, stored.astype(np.float64), proofs):.3f} on others, as 16-bit floats")
    print(f"maps: SHA-256 {hashlib.sha256(stored.tobytes()).hexdigest()}")
    if options.write:
        size = model.words.shape[1]
        we, wv, b = np.split(stored, [size, 2 * size], axis=0)
        np.savez(MAPS, We=we, Wv=wv, b=b[0])
        print(f"wrote {MAPS.name}: {MAPS.stat().st_size} bytes")

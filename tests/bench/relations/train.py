"""Trains the cross-encoder for pairs of statements: ``python3 app bench relations --train``.

The embedding model's matrices get corrections of low rank (LoRA, Hu et al. 2021), fitted by AdamW
(Loshchilov and Hutter 2019) on pairs that writers made up for it, on those of the open writers, and
on near statements of labelled sessions, which nearly always hold side by side. Needs JAX, which
set-up doesn't install, the original weights (model.safetensors of the package that
``requirements-model.txt`` names), and two hours on two cores.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from boot.minilm import DIMENSIONS, LAYERS, read_safetensors
from boot.model import BUILT_MODEL

FITTED: Final = Path(__file__).resolve().parents[3] / "app" / "boot" / "cross_encoder.npz"
PAIRS: Final = Path(__file__).with_name("train")
PARAPHRASES: Final = PAIRS / "paraphrases.jsonl"

CLASS: Final[Mapping[str, int]] = {
    "replaces": 0,
    "constraint_conflict": 0,
    "duplicate": 1,
    "refines": 1,
    "both_true": 2,
    "tentative": 2,
    "unrelated": 2,
}
"""What the cross-encoder tells apart: contradict each other, say the same, neither."""

_EPOCHS: Final = 5
_BATCH: Final = 32
_RATE: Final = 1e-3
_RANK: Final = 16
_WARM_UP: Final = 0.06
_DECAY: Final = 0.01
_SMOOTHING: Final = 0.05
_DROPOUT: Final = 0.1
_SCALE: Final = 2.0
_LESS: Final = 0.4
_MAX_PIECES: Final = 60
_LENGTHS: Final = (32, 48, 64, 96, 128)
_HEADS: Final = 12
_START, _END = 101, 102
_CLASSES: Final = 3
_LARGEST_SLOPE: Final = 1.0
_MATRICES: Final = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
_NORMS: Final = ("attention.output.LayerNorm", "output.LayerNorm")

T = TypeVar("T")
Values: TypeAlias = dict[str, Any]
"""Arrays of JAX by name."""


@dataclass(frozen=True, slots=True)
class TrainingPair:
    """A pair with its class, and how much it counts."""

    older: str
    newer: str
    wanted: int
    weight: float = 1.0


def made_up() -> Iterator[TrainingPair]:
    """Yield the pairs that writers made up for this, also with the older one in other words."""
    others = {each["older"]: each for each in _lines(PARAPHRASES)}
    for file in sorted(PAIRS.glob("[0-9]*.jsonl")):
        for each in _lines(file):
            older, other = each["older"], others.get(each["older"])
            wordings = [older] if other is None else [older, other["far"]]
            for relation, _, newer in each["newer"]:
                for wording in wordings:
                    yield TrainingPair(wording, newer, CLASS[relation])
            if other is not None:
                far, near = other["far"], other["near"]
                for one, same in ((older, far), (far, older), (older, near)):
                    yield TrainingPair(one, same, CLASS["duplicate"])


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def pairs_of(given: Iterable[tuple[str, str, str]]) -> Iterator[TrainingPair]:
    """Yield pairs, given as older, newer and relation, that count less."""
    for older, newer, relation in given:
        yield TrainingPair(older, newer, CLASS[relation], _LESS)


class Trainer:
    """The cross-encoder in JAX; ``weights`` are the file of the original ones."""

    def __init__(self, weights: Path, seed: int = 0) -> None:
        self.jax: Any = import_module("jax")
        self.np: Any = self.jax.numpy
        self.base: Values = {
            name: self.np.asarray(each) for name, each in read_safetensors(weights).items()
        }
        self.tokenizer = Tokenizer.from_file(str(BUILT_MODEL / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.chance = np.random.default_rng(seed)
        self.key: Any = self.jax.random.PRNGKey(seed)

    def train(self, pairs: Sequence[TrainingPair]) -> Values:
        """Return what was fitted; prints the loss of each epoch."""
        fitted, epochs = self._begin(), [self._batches(pairs) for _ in range(_EPOCHS)]
        mean = {name: self.np.zeros_like(each) for name, each in fitted.items()}
        square = dict(mean)
        steps, step = sum(map(len, epochs)), 0
        slope = self.jax.jit(self.jax.value_and_grad(self._loss))
        move = self.jax.jit(self._move)
        for number, batches in enumerate(epochs, start=1):
            total = 0.0
            for batch in batches:
                step += 1
                self.key, key = self.jax.random.split(self.key)
                loss, slopes = slope(fitted, batch, key)
                rate = _RATE * min(1.0, step / (_WARM_UP * steps))
                rate *= 0.01 + 0.99 * 0.5 * (1 + np.cos(np.pi * step / steps))
                fitted, mean, square = move(fitted, mean, square, slopes, rate, step)
                total += float(loss)
            print(f"epoch {number}: loss {total / len(batches):.3f}", flush=True)
        return fitted

    def write(self, fitted: Values, file: Path = FITTED) -> None:
        """Write what was fitted as `boot.cross_encoder` reads it."""
        found: dict[str, npt.NDArray[np.float16]] = {}
        for name, values in fitted.items():
            whole = np.asarray(values) * (_SCALE if name.endswith(".up") else 1.0)
            found[name] = whole.astype(np.float16)
        np.savez_compressed(file, **found)  # type: ignore[arg-type]  # its types don't fit names

    def _begin(self) -> Values:
        found: Values = {}
        for layer in range(LAYERS):
            for part in _MATRICES:
                name = f"encoder.layer.{layer}.{part}"
                outputs, inputs = self.base[f"{name}.weight"].shape
                down = self.chance.normal(0, inputs**-0.5, (_RANK, inputs))
                found[f"{name}.down"] = self.np.asarray(down, "float32")
                found[f"{name}.up"] = self.np.zeros((outputs, _RANK))
                found[f"{name}.bias.added"] = self.np.zeros(outputs)
            for part in _NORMS:
                for name in ("weight", "bias"):
                    found[f"encoder.layer.{layer}.{part}.{name}.added"] = self.np.zeros(DIMENSIONS)
        hidden = self.chance.normal(0, 0.02, (DIMENSIONS, DIMENSIONS))
        output = self.chance.normal(0, 0.02, (_CLASSES, DIMENSIONS))
        return found | {
            "relation.segments": self.np.zeros((2, DIMENSIONS)),
            "relation.hidden.weight": self.np.asarray(hidden, "float32"),
            "relation.hidden.bias": self.np.zeros(DIMENSIONS),
            "relation.output.weight": self.np.asarray(output, "float32"),
            "relation.output.bias": self.np.zeros(_CLASSES),
        }

    def _batches(self, pairs: Sequence[TrainingPair]) -> list[Values]:
        """Return all pairs in random order, those of a batch nearly as long as each other."""
        by_length: dict[int, list[tuple[list[int], int, TrainingPair]]] = {}
        for pair in self._shuffled(pairs):
            ids, newer_at = self._ids(pair)
            length = next(each for each in _LENGTHS if len(ids) <= each)
            by_length.setdefault(length, []).append((ids, newer_at, pair))
        found = [
            self._batch(length, some[at : at + _BATCH])
            for length, some in by_length.items()
            for at in range(0, len(some), _BATCH)
        ]
        return self._shuffled(found)

    def _shuffled(self, given: Sequence[T]) -> list[T]:
        order: list[int] = self.chance.permutation(len(given)).tolist()
        return [given[at] for at in order]

    def _ids(self, pair: TrainingPair) -> tuple[list[int], int]:
        older, newer = (
            self.tokenizer.encode(text, add_special_tokens=False).ids[:_MAX_PIECES]
            for text in (pair.older, pair.newer)
        )
        return [_START, *older, _END, *newer, _END], len(older) + 2

    def _batch(self, length: int, some: Sequence[tuple[list[int], int, TrainingPair]]) -> Values:
        found: Values = {
            "ids": np.zeros((_BATCH, length), np.int32),
            "second": np.zeros((_BATCH, length), np.float32),
            # What there is too little of is filled up with empty texts that count nothing.
            "used": np.ones((_BATCH, length), np.bool_),
            "wanted": np.zeros(_BATCH, np.int32),
            "weight": np.zeros(_BATCH, np.float32),
        }
        for row, (ids, newer_at, pair) in enumerate(some):
            found["ids"][row, : len(ids)] = ids
            found["second"][row, newer_at : len(ids)] = 1
            found["used"][row, len(ids) :] = False
            found["wanted"][row] = pair.wanted
            found["weight"][row] = pair.weight
        return found

    def _loss(self, fitted: Values, batch: Values, key: Any) -> Any:  # noqa: ANN401 - JAX's arrays
        odds = self._odds(fitted, batch, key)
        wanted = self.jax.nn.one_hot(batch["wanted"], _CLASSES)
        wanted = wanted * (1 - _SMOOTHING) + _SMOOTHING / _CLASSES
        each = -(wanted * self.jax.nn.log_softmax(odds)).sum(-1)
        return (each * batch["weight"]).sum() / self.np.maximum(batch["weight"].sum(), 1e-6)

    def _move(
        self, fitted: Values, mean: Values, square: Values, slopes: Values, rate: float, step: int
    ) -> tuple[Values, Values, Values]:
        """Take a step of AdamW, with slopes of a limited length."""
        length = self.np.sqrt(sum((each**2).sum() for each in slopes.values()))
        slopes = {
            name: each * self.np.minimum(1.0, _LARGEST_SLOPE / length)
            for name, each in slopes.items()
        }
        mean = {name: 0.9 * each + 0.1 * slopes[name] for name, each in mean.items()}
        square = {name: 0.999 * each + 0.001 * slopes[name] ** 2 for name, each in square.items()}
        moved: Values = {}
        for name, each in fitted.items():
            change = mean[name] / (1 - 0.9**step)
            change = change / (self.np.sqrt(square[name] / (1 - 0.999**step)) + 1e-8)
            moved[name] = each - rate * (change + _DECAY * each)
        return moved, mean, square

    def _odds(self, fitted: Values, batch: Values, key: Any) -> Any:  # noqa: ANN401 - JAX's arrays
        keys = iter(self.jax.random.split(key, 2 * LAYERS + 2))
        words, places, kinds = (
            self.base[f"embeddings.{name}_embeddings.weight"]
            for name in ("word", "position", "token_type")
        )
        older, newer = fitted["relation.segments"]
        second = batch["second"][..., None]
        state = words[batch["ids"]] + places[: batch["ids"].shape[1]] + kinds[0]
        state = state + older * (1 - second) + newer * second
        state = self._dropped(self._norm(fitted, "embeddings.LayerNorm", state), next(keys))
        hidden = self.np.where(batch["used"], 0, -1e9)[:, None, None, :]
        for number in range(LAYERS):
            layer = f"encoder.layer.{number}"
            seen = self._attention(fitted, layer, state, hidden)
            seen = self._dense(fitted, f"{layer}.attention.output.dense", seen)
            seen = state + self._dropped(seen, next(keys))
            state = self._norm(fitted, f"{layer}.attention.output.LayerNorm", seen)
            wide = self._dense(fitted, f"{layer}.intermediate.dense", state)
            wide = self.jax.nn.gelu(wide, approximate=False)
            narrow = self._dense(fitted, f"{layer}.output.dense", wide)
            state = state + self._dropped(narrow, next(keys))
            state = self._norm(fitted, f"{layer}.output.LayerNorm", state)
        used = batch["used"][..., None]
        mean = (state * used).sum(1) / used.sum(1)
        read = mean @ fitted["relation.hidden.weight"].T + fitted["relation.hidden.bias"]
        read = self._dropped(self.np.tanh(read + state[:, 0]), next(keys))
        return read @ fitted["relation.output.weight"].T + fitted["relation.output.bias"]

    def _attention(self, fitted: Values, layer: str, state: Any, hidden: Any) -> Any:  # noqa: ANN401 - JAX's arrays
        texts, length, _ = state.shape
        query, key, value = (
            self._dense(fitted, f"{layer}.{part}", state)
            .reshape(texts, length, _HEADS, -1)
            .transpose(0, 2, 1, 3)
            for part in _MATRICES[:3]
        )
        near = query @ key.transpose(0, 1, 3, 2) * (DIMENSIONS // _HEADS) ** -0.5
        seen = self.jax.nn.softmax(near + hidden, -1) @ value
        return seen.transpose(0, 2, 1, 3).reshape(texts, length, DIMENSIONS)

    def _dense(self, fitted: Values, name: str, state: Any) -> Any:  # noqa: ANN401 - JAX's arrays
        bias = self.base[f"{name}.bias"] + fitted[f"{name}.bias.added"]
        correction = (state @ fitted[f"{name}.down"].T) @ fitted[f"{name}.up"].T
        return state @ self.base[f"{name}.weight"].T + bias + _SCALE * correction

    def _norm(self, fitted: Values, name: str, state: Any) -> Any:  # noqa: ANN401 - JAX's arrays
        weight, bias = (
            self.base[f"{name}.{part}"] + fitted.get(f"{name}.{part}.added", 0.0)
            for part in ("weight", "bias")
        )
        mean = state.mean(-1, keepdims=True)
        spread = ((state - mean) ** 2).mean(-1, keepdims=True)
        return (state - mean) / self.np.sqrt(spread + 1e-12) * weight + bias

    def _dropped(self, state: Any, key: Any) -> Any:  # noqa: ANN401 - JAX's arrays
        keep = self.jax.random.bernoulli(key, 1 - _DROPOUT, state.shape)
        return self.np.where(keep, state / (1 - _DROPOUT), 0)

"""Vectors of real text by the included model, embedded once and kept; and more like them."""

import asyncio
import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from bench.capture.real_sessions import read_real
from bench.corpus import Corpus
from bench.vectors import Floats, embedded
from intaglio.base.paths import built_folder
from intaglio.inference.onnx import OnnxEmbedder
from intaglio.store.vectors import quantization

Bytes = npt.NDArray[np.int8]

_SHORTEST: Final = 25
_LONGEST: Final = 400
_MADE_UP: Final = 10_000


def real_texts(folders: Sequence[Path], data: Sequence[Path]) -> list[str]:
    """Return the distinct lines of labelled sessions and the memories of data sets.

    Without either, those that the bench makes up.
    """
    lines = (
        line.strip()
        for each in read_real(folders, lambda _: None)
        for message in each.session.messages
        for line in message.text.splitlines()
    )
    texts = list(_distinct([*lines, *(text for file in data for text in _memories(file))]))
    return texts or [str(body["content"]) for body in Corpus().memories(_MADE_UP)]


def _memories(file: Path) -> Iterator[str]:
    for space in json.loads(file.read_text(encoding="utf-8"))["spaces"]:
        yield from (str(memory["content"]) for memory in space["memories"])


def _distinct(texts: Iterable[str]) -> Iterator[str]:
    usable = (text[:_LONGEST] for text in texts if len(text) >= _SHORTEST)
    yield from dict.fromkeys(usable)


def vectors_of(texts: Sequence[str], cache: Path) -> Floats:
    """Return the texts' unit vectors in a shuffled order, the same each time."""
    embedder = OnnxEmbedder(built_folder("model"))
    digest = hashlib.sha256("\n".join(texts).encode()).hexdigest()[:8]
    kept = cache / f"texts-{embedder.identity.sha256[:16]}-{digest}.npy"
    if not kept.exists():
        cache.mkdir(parents=True, exist_ok=True)
        np.save(kept, asyncio.run(embedded(embedder, list(texts))))
    made: Floats = np.load(kept)
    return made[np.random.default_rng(11).permutation(len(made))]


def as_stored(vectors: Floats) -> Bytes:
    """Return the rows as the store keeps them."""
    scale = quantization.scale_for(vectors[:32].tolist())
    levels = np.rint(vectors * (quantization.LEVELS / scale))
    rows: Bytes = np.clip(levels, -quantization.LEVELS, quantization.LEVELS).astype(np.int8)
    return rows

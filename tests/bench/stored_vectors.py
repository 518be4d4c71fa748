"""Vectors of the bench's memories: made once by the real model, kept outside the repository."""

import asyncio
import hashlib
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from bench.corpus import Corpus
from intaglio.base.paths import built_folder
from intaglio.inference.onnx import OnnxEmbedder
from intaglio.inference.ports import Embedded

Floats = npt.NDArray[np.float32]

_BATCH: Final = 64
_SAMPLE: Final = 200


def kept_file(cache: Path, embedder: OnnxEmbedder) -> Path:
    """Name the file by the model's hash and by what the corpus writes."""
    corpus = Corpus()
    sample = "\n".join(corpus.memory() for _ in range(_SAMPLE)).encode()
    texts = hashlib.sha256(sample).hexdigest()[:8]
    return cache / f"load-{embedder.identity.sha256[:16]}-{texts}.f32"


def made(texts: Sequence[str], cache: Path) -> Floats:
    """Return the texts' vectors; those that the file lacks are made and appended, batch by batch.

    A run that was stopped goes on where it was: the file's length says how far it is.
    """
    embedder = OnnxEmbedder(built_folder("model"), idle_s=3_600)
    size = embedder.identity.dimensions
    cache.mkdir(parents=True, exist_ok=True)
    file = kept_file(cache, embedder)
    done = file.stat().st_size // (size * 4) if file.exists() else 0
    if done < len(texts):
        asyncio.run(_append(embedder, file, texts, done))
    return np.fromfile(file, np.float32, len(texts) * size).reshape(len(texts), size)


async def _append(embedder: OnnxEmbedder, file: Path, texts: Sequence[str], done: int) -> None:
    size, began, first = embedder.identity.dimensions, time.monotonic(), done
    with file.open("ab") as stream:
        # A batch that was cut off is made anew.
        stream.truncate(done * size * 4)
        while done < len(texts):
            # Two calls at once keep both of the model's threads busy.
            parts = [texts[done : done + _BATCH], texts[done + _BATCH : done + 2 * _BATCH]]
            for outcome in await asyncio.gather(
                *(embedder.embed(part, timeout_s=600) for part in parts if part)
            ):
                if not isinstance(outcome, Embedded):
                    raise SystemExit(outcome.detail)
                stream.write(np.array(outcome.vectors, np.float32).tobytes())
            done = min(done + 2 * _BATCH, len(texts))
            if done % 6_400 < 2 * _BATCH:
                stream.flush()
                rate = (done - first) / (time.monotonic() - began)
                print(f"vectors: {done} of {len(texts)}, {rate:.0f} a second", flush=True)
    await embedder.close()

"""Embeds new contents while the caller waits, up to a deadline; otherwise the queue does."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.embedding import rows
from intaglio.embedding.runner import EmbeddingRunner
from intaglio.embedding.values import NewVector
from intaglio.inference.guarded_embedder import guarded_embed
from intaglio.inference.ports import NotEmbedded
from intaglio.store.tx import WriteTx
from intaglio.store.vectors import quantization
from intaglio.store.vectors.values import Model

WITHIN_S: Final = 2.0
# More than this takes too long for a waiting caller; the rest is queued.
_MOST: Final = 32


@dataclass(frozen=True, slots=True)
class InlineVectors:
    """Quantized vectors by content, all of one model."""

    model: Model
    by_content: dict[str, bytes]

    def write(self, tx: WriteTx, memory_id: str) -> bool:
        """Write the vector of a memory's current content; False if there is none."""
        found = rows.texts(tx, [memory_id], self.model)
        vector = self.by_content.get(found[0].content) if found else None
        if vector is None:
            return False
        rows.put(tx, self.model, NewVector(found[0].seq, vector))
        return True


@dataclass(frozen=True, slots=True)
class InlineEmbedding:
    """Embeds with the queue's model, unless that is resting after a failure."""

    runner: EmbeddingRunner
    within_s: float = WITHIN_S

    async def embed(self, contents: Sequence[str]) -> InlineVectors | None:
        """Return the vectors of the first contents; None if they aren't ready in time.

        A model without any vectors yet is left to the queue, which determines its scale.
        """
        texts = list(dict.fromkeys(contents))[:_MOST]
        embedder, model = self.runner.embedder, self.runner.model
        if not texts or model is None or self.runner.rest_s > 0:
            return None
        outcome = await guarded_embed(embedder, texts, timeout_s=self.within_s, grace_s=0.1)
        if isinstance(outcome, NotEmbedded) or len(outcome.vectors) != len(texts):
            return None
        vectors = [vector.tolist() for vector in outcome.vectors]
        if any(quantization.fault(vector, model.dimensions) for vector in vectors):
            return None
        stored = await asyncio.to_thread(_stored, vectors, model)
        return InlineVectors(model, dict(zip(texts, stored, strict=True)))


def _stored(vectors: Sequence[Sequence[float]], model: Model) -> list[bytes]:
    return [quantization.quantise(quantization.unit(vector), model.scale) for vector in vectors]

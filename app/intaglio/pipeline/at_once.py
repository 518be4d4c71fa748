"""Vectors for new contents while the asker waits, within a deadline; else the queue makes them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.base.text import content_hash
from intaglio.inference.contained import contained
from intaglio.inference.ports import NotEmbedded
from intaglio.memory.embeddings import rows
from intaglio.pipeline.embed import Embed
from intaglio.store.tx import WriteTx
from intaglio.store.vectors import quantise
from intaglio.store.vectors.values import Model

WITHIN_S: Final = 2.0
# More than this takes longer than anybody waits; the rest is queued.
_MOST: Final = 32


@dataclass(frozen=True, slots=True)
class Vectors:
    """Stored forms of vectors by content, all of one model."""

    model: Model
    by_content: dict[str, bytes]

    def keep(self, tx: WriteTx, content: str) -> bool:
        """Write the vector of a content that a memory has now; False where there is none."""
        vector = self.by_content.get(content)
        if vector is None:
            return False
        digest = content_hash(content)
        rows.put(tx, self.model, digest, vector)
        rows.mark(tx, self.model, digest)
        return True


@dataclass(frozen=True, slots=True)
class AtOnce:
    """Asks the model that the queue asks, unless that is resting after a failure."""

    stage: Embed
    within_s: float = WITHIN_S

    async def embed(self, contents: Sequence[str]) -> Vectors | None:
        """Return the vectors of the first contents; None where there is none in time.

        A model that made no vector before is left to the queue, which finds its scale.
        """
        texts = list(dict.fromkeys(contents))[:_MOST]
        embedder, model = self.stage.embedder, self.stage.model
        if not texts or model is None or self.stage.rest_s > 0:
            return None
        outcome = await contained(embedder, texts, timeout_s=self.within_s, grace_s=0.1)
        if isinstance(outcome, NotEmbedded) or len(outcome.vectors) != len(texts):
            return None
        vectors = [vector.tolist() for vector in outcome.vectors]
        if any(quantise.fault(vector, model.dimensions) for vector in vectors):
            return None
        stored = await asyncio.to_thread(_stored, vectors, model)
        return Vectors(model, dict(zip(texts, stored, strict=True)))


def _stored(vectors: Sequence[Sequence[float]], model: Model) -> list[bytes]:
    return [quantise.quantise(quantise.unit(vector), model.scale) for vector in vectors]

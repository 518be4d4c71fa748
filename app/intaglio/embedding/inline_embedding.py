"""Embeds new contents while the caller waits, up to a deadline; otherwise the queue does."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from intaglio.embedding import rows
from intaglio.embedding.made_vectors import MadeVector, NotMade, uses_context
from intaglio.embedding.runner import EmbeddingRunner
from intaglio.embedding.values import EmbeddableText, MemoryContext, NewVector
from intaglio.store.tx import WriteTx
from intaglio.store.vectors.values import Model

WITHIN_S: Final = 2.0
# More than this takes too long for a waiting caller; the rest is queued.
_MOST: Final = 32
_GRACE_S: Final = 0.1


@dataclass(frozen=True, slots=True)
class InlineVectors:
    """Quantized vectors by the text that they were made of, all of one model."""

    model: Model
    by_text: dict[EmbeddableText, NewVector]
    in_context: bool

    def write(self, tx: WriteTx, memory_id: str) -> bool:
        """Write the vector of a memory's current content and context; False if there is none."""
        found = rows.texts(tx, [memory_id], self.model, in_context=self.in_context)
        vector = self.by_text.get(found[0]) if found else None
        if vector is None:
            return False
        rows.put(tx, self.model, vector)
        return True


@dataclass(frozen=True, slots=True)
class NewVectors:
    """Quantized vectors of memories that aren't written yet, by their contents."""

    model: Model
    by_content: dict[str, NewVector]
    in_context: bool

    def write(self, tx: WriteTx, memory_id: str) -> bool:
        """Write the vector of a new memory; False if there is none, or if it has a context."""
        found = rows.texts(tx, [memory_id], self.model, in_context=self.in_context)
        if not found or found[0].context != MemoryContext():
            return False
        vector = self.by_content.get(found[0].content)
        if vector is None:
            return False
        rows.put(tx, self.model, replace(vector, memory=found[0].seq))
        return True


@dataclass(frozen=True, slots=True)
class InlineEmbedding:
    """Embeds with the queue's model, unless that is resting after a failure."""

    runner: EmbeddingRunner
    within_s: float = WITHIN_S

    async def embed(self, contents: Sequence[tuple[str, str]]) -> InlineVectors | None:
        """Return the vectors of memories, by id, with new contents; None if not ready in time.

        Only the first ones are embedded. A model without any vectors yet is left to the queue,
        which determines its scale.
        """
        embedder, model = self.runner.embedder, self.runner.model
        if not contents or model is None or self.runner.rest_s > 0:
            return None
        in_context = uses_context(embedder)
        wanted = list(dict.fromkeys(contents))[:_MOST]
        ids = [memory_id for memory_id, _ in wanted]
        stored = await self.runner.db.read(
            lambda tx: rows.texts(tx, ids, model, in_context=in_context)
        )
        by_id = {text.id: text for text in stored}
        texts = [
            replace(by_id[memory_id], content=content)
            for memory_id, content in wanted
            if memory_id in by_id
        ]
        if not texts:
            return None
        made = await self.runner.embed(embedder, texts, timeout_s=self.within_s, grace_s=_GRACE_S)
        if isinstance(made, NotMade):
            return None
        vectors = await asyncio.to_thread(_quantised, made, model)
        return InlineVectors(model, dict(zip(texts, vectors, strict=True)), in_context)

    async def embed_new(self, contents: Sequence[str]) -> NewVectors | None:
        """Return the vectors of memories to be written, without contexts; None if not in time."""
        embedder, model = self.runner.embedder, self.runner.model
        if not contents or model is None or self.runner.rest_s > 0:
            return None
        texts = [
            EmbeddableText("", 0, each, known=False)
            for each in list(dict.fromkeys(contents))[:_MOST]
        ]
        made = await self.runner.embed(embedder, texts, timeout_s=self.within_s, grace_s=_GRACE_S)
        if isinstance(made, NotMade):
            return None
        vectors = await asyncio.to_thread(_quantised, made, model)
        by_content = {text.content: each for text, each in zip(texts, vectors, strict=True)}
        return NewVectors(model, by_content, uses_context(embedder))


def _quantised(made: Sequence[MadeVector], model: Model) -> list[NewVector]:
    return [each.quantised(model) for each in made]

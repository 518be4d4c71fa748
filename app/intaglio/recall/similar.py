"""Finds memories that mean nearly the same as a given one, whatever was said around them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import mul
from typing import Final, TypeAlias

from intaglio.domain.reader import may_read
from intaglio.embedding import rows as vector_rows
from intaglio.embedding.runner import EmbeddingRunner
from intaglio.inference.guarded_embedder import guarded_embed
from intaglio.inference.ports import NotEmbedded
from intaglio.memory import rows
from intaglio.memory.filters import Filter, vector_filter
from intaglio.memory.values import Memory
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx
from intaglio.store.vectors import quantization
from intaglio.store.vectors.index import VectorIndex
from intaglio.store.vectors.values import Model, VectorQuery

# Vectors made in context rank memories of one conversation too high. With so many candidates more
# than are asked for, 91 % of the five nearest by the texts alone are found (0052).
_MORE: Final = 25
_WITHIN_S: Final = 2.0


@dataclass(frozen=True, slots=True)
class SimilarMemories:
    """A memory and its cosine (-1 to 1) to the given one."""

    memory: Memory
    cosine: float


@dataclass(frozen=True, slots=True)
class NoVector:
    """The given memory doesn't exist, or has no vector yet."""


SimilarOutcome: TypeAlias = tuple[SimilarMemories, ...] | NoVector


@dataclass(frozen=True, slots=True)
class _Given:
    """The given memory, its vector, and whether that was made in a context."""

    memory: Memory
    model: Model
    vector: Sequence[float]
    in_context: bool


@dataclass(frozen=True, slots=True)
class Similar:
    """The similar-memories use case.

    Memories are compared by vectors of their own texts. Vectors that were made in a context are
    stored, so those of the given memory and of its nearest candidates are made anew.
    """

    db: Database
    vectors: VectorIndex
    runner: EmbeddingRunner

    async def find(self, memory_id: str, limit: int, filters: Filter) -> SimilarOutcome:
        """Return at most ``limit`` other memories that match the filter, nearest first.

        If the model can't be used, or is too slow, the stored vectors are compared.
        """
        given = await self.db.read(lambda tx: self._given(tx, memory_id, filters))
        if given is None:
            return NoVector()
        own = await self._plain([given.memory] if given.in_context else [], given.model)
        vector = own.get(given.memory.seq, given.vector)
        found, contextual = await self.db.read(
            lambda tx: self._nearest(tx, given, vector, limit + _MORE, filters)
        )
        plain = await self._plain(contextual, given.model)
        similar = [
            SimilarMemories(each.memory, _cosine(vector, plain[each.memory.seq]))
            if each.memory.seq in plain
            else each
            for each in found
        ]
        similar.sort(key=lambda each: -each.cosine)
        return tuple(similar[:limit])

    def _given(self, tx: ReadTx, memory_id: str, filters: Filter) -> _Given | None:
        model = self.vectors.model
        memory = rows.get(tx, memory_id)
        # The neighbours of a memory would reveal its content to an agent that may not read it.
        if memory is None or not may_read(
            filters.reader, memory.scope.agent_id, memory.scope.visibility
        ):
            return None
        stored = vector_rows.vector_of(tx, memory_id, model) if model else None
        if model is None or stored is None:
            return None
        vector = quantization.unit(quantization.restore(stored, model.scale))
        in_context = vector_rows.made_in_context(tx, model, [memory.seq])
        return _Given(memory, model, vector, in_context=bool(in_context))

    def _nearest(
        self, tx: ReadTx, given: _Given, vector: Sequence[float], limit: int, filters: Filter
    ) -> tuple[list[SimilarMemories], list[Memory]]:
        """Return the candidates, and those of them whose vectors were made in a context."""
        probe = VectorQuery(
            vector=vector, limit=limit + 1, model=given.model, filter=vector_filter(filters)
        )
        cosines = self.vectors.search(tx, probe).cosines
        memories = rows.by_seq(tx, list(cosines))
        contextual = vector_rows.made_in_context(tx, given.model, list(memories))
        found = [
            SimilarMemories(memories[seq], cosine)
            for seq, cosine in cosines.items()
            if seq in memories and seq != given.memory.seq
        ]
        return found, [each.memory for each in found if each.memory.seq in contextual]

    async def _plain(
        self, memories: Sequence[Memory], model: Model
    ) -> Mapping[int, Sequence[float]]:
        """Return vectors of the memories' own texts; none if the model isn't the stored one's."""
        if not memories or self.runner.model != model or self.runner.rest_s > 0:
            return {}
        texts = [memory.content for memory in memories]
        outcome = await guarded_embed(self.runner.embedder, texts, timeout_s=_WITHIN_S)
        if isinstance(outcome, NotEmbedded) or len(outcome.vectors) != len(texts):
            return {}
        vectors: list[list[float]] = [vector.tolist() for vector in outcome.vectors]
        if any(quantization.fault(vector, model.dimensions) for vector in vectors):
            return {}
        return {
            memory.seq: quantization.unit(vector)
            for memory, vector in zip(memories, vectors, strict=True)
        }


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the product of two unit vectors."""
    return math.fsum(map(mul, one, other))

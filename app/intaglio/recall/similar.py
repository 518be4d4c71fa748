"""Finds memories that mean nearly the same as a given one."""

from dataclasses import dataclass
from typing import TypeAlias

from intaglio.base.agents.reader import may_read
from intaglio.embedding import rows as vector_rows
from intaglio.memory import rows
from intaglio.memory.filters import Filter, vector_filter
from intaglio.memory.values import Memory
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx
from intaglio.store.vectors import quantization
from intaglio.store.vectors.index import VectorIndex
from intaglio.store.vectors.values import VectorQuery


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
class Similar:
    """The similar-memories use case."""

    db: Database
    vectors: VectorIndex

    async def find(self, memory_id: str, limit: int, filters: Filter) -> SimilarOutcome:
        """Return at most ``limit`` other memories that match the filter, nearest first."""
        return await self.db.read(lambda tx: self._find(tx, memory_id, limit, filters))

    def _find(self, tx: ReadTx, memory_id: str, limit: int, filters: Filter) -> SimilarOutcome:
        model = self.vectors.model
        given = rows.get(tx, memory_id)
        # The neighbours of a memory would reveal its content to an agent that may not read it.
        if given is None or not may_read(
            filters.reader, given.scope.agent_id, given.scope.visibility
        ):
            return NoVector()
        stored = vector_rows.vector_of(tx, memory_id, model) if model else None
        if model is None or stored is None:
            return NoVector()
        probe = VectorQuery(
            vector=quantization.unit(quantization.restore(stored, model.scale)),
            limit=limit + 1,
            model=model,
            filter=vector_filter(filters),
        )
        cosines = self.vectors.search(tx, probe).cosines
        memories = rows.by_seq(tx, list(cosines))
        similar = [
            SimilarMemories(memories[seq], cosine)
            for seq, cosine in cosines.items()
            if seq in memories and memories[seq].id != memory_id
        ]
        return tuple(similar[:limit])

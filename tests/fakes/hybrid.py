"""Recall with both legs over a real database, with a deterministic embedder, step by step."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from fakes.embedder import HashEmbedder, MoodyEmbedder, words
from fakes.semantic_index import Index, indexed
from intaglio.inference.cache import QueryVectors
from intaglio.memory.filters import Filter
from intaglio.recall.query import Recall
from intaglio.recall.recall_counts import RecallCounts
from intaglio.recall.retrievers import SemanticRetriever
from intaglio.recall.similar import Similar, SimilarOutcome
from intaglio.recall.values import Answer, Question

# Words that the embedder takes for one and the index of words does not.
ALIKE = {"car": "vehicle", "automobile": "vehicle", "doctor": "physician", "medic": "physician"}


@dataclass
class Thesaurus(MoodyEmbedder):
    """Words that mean the same have the same vector."""

    def vector(self, text: str) -> list[float]:
        return super().vector(" ".join(ALIKE.get(word, word) for word in words(text)))


@dataclass
class Hybrid:
    """Both legs, and the counts of use."""

    index: Index
    recall: Recall
    use: RecallCounts
    told: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])

    @property
    def embedder(self) -> MoodyEmbedder:
        assert isinstance(self.index.embedder, MoodyEmbedder)
        return self.index.embedder

    async def keep(self, *contents: str, **fields: object) -> list[str]:
        """Remember and embed; the index is in step afterwards."""
        kept = [await self.index.remember(content, **fields) for content in contents]
        await self.index.work(rounds=len(contents))
        await self.index.follow()
        return kept

    async def ask(self, text: str, wanted: Filter | None = None, **more: object) -> Answer:
        question = Question(text=text, filters=wanted or Filter(), **more)  # type: ignore[arg-type]  # fields are those of Question
        return await self.recall.recall(question)

    async def similar(self, id_: str, limit: int = 10, **wanted: object) -> SimilarOutcome:
        similar = Similar(self.index.store.db, self.index.vectors, self.index.embed)
        return await similar.find(id_, limit, Filter(**wanted))  # type: ignore[arg-type]  # fields are those of Filter


def contents(answer: Answer) -> list[str]:
    """Return what was found, best first."""
    return [found.memory.content for found in answer.hits]


@asynccontextmanager
async def hybrid(folder: Path, embedder: HashEmbedder | None = None) -> AsyncGenerator[Hybrid]:
    """Open a database in the folder with both legs; nothing runs by itself."""
    async with indexed(folder, embedder or Thesaurus()) as index:
        use = RecallCounts(index.store.db, index.store.clock)
        told: list[tuple[str, ...]] = []

        def answered(ids: Sequence[str]) -> None:
            told.append(tuple(ids))
            use.add(ids)

        recall = Recall(
            index.store.db,
            lambda: index.store.search,
            other_retrievers=(SemanticRetriever(QueryVectors(index.embedder), index.vectors),),
            on_answer=answered,
        )
        yield Hybrid(index, recall, use, told)

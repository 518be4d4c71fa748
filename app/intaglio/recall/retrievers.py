"""Retrievers: the ways to find candidates for an answer. A new one is added to the list.

A retriever first prepares for a question, which may take time (embedding it, searching an index).
Its signals are then read in the snapshot that ranks, for its own candidates and all others.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Protocol

from intaglio.base.settings.schema import SearchSettings
from intaglio.inference.cache import QueryVectors
from intaglio.inference.ports import NotEmbedded
from intaglio.memory.filters import vector_filter
from intaglio.memory.values import Memory
from intaglio.recall import keywords
from intaglio.recall.keywords import VocabularyCache
from intaglio.recall.values import Question
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx
from intaglio.store.vectors.index import VectorIndex
from intaglio.store.vectors.values import Model, VectorQuery

KEYWORDS: Final = "keywords"
SEMANTIC: Final = "semantic"
_MAX_EMBEDDED_CHARS: Final = 2_000


class RetrieverSearch(Protocol):
    """One retriever's search for a question."""

    def candidates(self, tx: ReadTx, /) -> Mapping[int, float]:
        """Return what was found, with its signal, higher for better."""
        ...

    def signals(
        self, tx: ReadTx, own: Mapping[int, float], memories: Mapping[int, Memory], /
    ) -> Mapping[int, float]:
        """Return the signal of each memory that has one: its ``own`` candidates and all others."""
        ...

    def merit(self, tx: ReadTx, memory: Memory, signal: float | None, /) -> float:
        """Return how well (0 to 1) a memory answers on its own, regardless of other results."""
        ...


class Retriever(Protocol):
    """One way to find candidates."""

    @property
    def name(self) -> str:
        """The name that identifies its signals."""
        ...

    @property
    def relative(self) -> bool:
        """Whether a signal counts as a share of the largest one."""
        ...

    def weight(self, settings: SearchSettings, /) -> float:
        """Return the weight of this retriever's signal in the score."""
        ...

    async def search(
        self, question: Question, settings: SearchSettings, limit: int, /
    ) -> RetrieverSearch | None:
        """Prepare the search; None if this retriever isn't available now."""
        ...


@dataclass(frozen=True, slots=True)
class KeywordRetrieverSearch:
    """What the keyword index found."""

    found: keywords.KeywordHits

    def candidates(self, _: ReadTx) -> Mapping[int, float]:
        """Return what the index found; it was searched in an earlier snapshot."""
        return self.found.scores

    def signals(
        self, tx: ReadTx, _: Mapping[int, float], memories: Mapping[int, Memory]
    ) -> Mapping[int, float]:
        """Score each memory by its words.

        The index ranks by word frequencies in the whole store; for combining with other signals,
        frequencies in the question's project are used.
        """
        return {seq: self.found.scorer.bm25(tx, memory) for seq, memory in memories.items()}

    def merit(self, tx: ReadTx, memory: Memory, _: float | None) -> float:
        """Return the share of the question's weight that the memory's words cover."""
        return self.found.scorer.coverage(tx, memory)


@dataclass(frozen=True, slots=True)
class KeywordRetriever:
    """Finds memories that contain the question's words."""

    db: Database
    vocabulary: VocabularyCache = field(default_factory=VocabularyCache)
    name: str = KEYWORDS
    relative: bool = True

    def weight(self, settings: SearchSettings) -> float:
        """Return the weight that semantic search leaves."""
        return 1 - settings.alpha

    async def search(
        self, question: Question, settings: SearchSettings, limit: int
    ) -> KeywordRetrieverSearch:
        """Search the full-text index."""
        search = partial(
            keywords.find,
            question=question,
            cache=self.vocabulary,
            budget=settings.postings_budget,
            limit=limit,
        )
        return KeywordRetrieverSearch(await self.db.read(search))


@dataclass(frozen=True, slots=True)
class SemanticRetrieverSearch:
    """A question's vector, and the model that made it."""

    vectors: VectorIndex
    question: Question
    limit: int
    vector: list[float]
    model: Model

    def candidates(self, tx: ReadTx) -> Mapping[int, float]:
        """Return the nearest memories that match the filter, with their cosines."""
        probe = VectorQuery(
            vector=self.vector,
            model=self.model,
            limit=self.limit,
            filter=vector_filter(self.question.filters),
        )
        return self.vectors.search(tx, probe).cosines

    def signals(
        self, tx: ReadTx, own: Mapping[int, float], memories: Mapping[int, Memory]
    ) -> Mapping[int, float]:
        """Add the cosines of other retrievers' candidates; some may not have a vector yet."""
        known = {seq: cosine for seq, cosine in own.items() if seq in memories}
        rest = sorted(memories.keys() - known.keys())
        return known | self.vectors.cosines(tx, self.vector, rest, self.model) if rest else known

    def merit(self, _: ReadTx, __: Memory, signal: float | None) -> float:
        """Return the cosine; 0 if there is none."""
        return signal or 0.0


@dataclass(frozen=True, slots=True)
class SemanticRetriever:
    """Finds memories with a similar meaning: embeds the question and searches the vectors."""

    questions: QueryVectors
    vectors: VectorIndex
    name: str = SEMANTIC
    relative: bool = False

    def weight(self, settings: SearchSettings) -> float:
        """Return the weight from the settings."""
        return settings.alpha

    async def search(
        self, question: Question, _: SearchSettings, limit: int
    ) -> SemanticRetrieverSearch | None:
        """Embed the question, within its time limit."""
        # Taken before embedding: if the model changes meanwhile, this vector matches nothing.
        model = self.vectors.model
        text = question.text[:_MAX_EMBEDDED_CHARS]
        if model is None or not text.strip():
            return None
        # Lets the index build while the model loads.
        self.vectors.request_build()
        outcome = await self.questions.ask(text, timeout_s=question.embed_within_s)
        if isinstance(outcome, NotEmbedded):
            return None
        return SemanticRetrieverSearch(
            self.vectors, question, limit, outcome.vector.tolist(), model
        )

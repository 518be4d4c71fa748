"""Retrievers: the ways to find candidates for an answer. A new one is added to the list.

A retriever first prepares for a question, which may take time (embedding it). It then searches in
the snapshot that ranks, and tells its signals for its own candidates and all others.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from intaglio.inference.cache import QueryVectors
from intaglio.inference.ports import NotEmbedded, QuestionVector
from intaglio.memory.filters import vector_filter
from intaglio.memory.values import MemoryText
from intaglio.recall.keywords import KeywordScorer
from intaglio.recall.settings import SearchSettings
from intaglio.recall.values import NotReady, Question
from intaglio.store.tx import ReadTx
from intaglio.store.vectors.index import VectorIndex
from intaglio.store.vectors.values import Model, VectorQuery

SEMANTIC: Final = "semantic"
_MAX_EMBEDDED_CHARS: Final = 2_000


class RetrieverSearch(Protocol):
    """One retriever's search for a question."""

    def candidates(self, tx: ReadTx, words: KeywordScorer, /) -> Mapping[int, float]:
        """Return what was found, with its signal, higher for better."""
        ...

    def signals(
        self, tx: ReadTx, own: Mapping[int, float], memories: Mapping[int, MemoryText], /
    ) -> Mapping[int, float]:
        """Return the signal of each memory that has one: its ``own`` candidates and all others."""
        ...

    def merit(self, tx: ReadTx, memory: MemoryText, signal: float | None, /) -> float:
        """Return how well (0 to 1) a memory answers on its own, regardless of other results."""
        ...


class Retriever(Protocol):
    """One way to find candidates, in addition to keywords."""

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

    async def prepare(
        self, question: Question, settings: SearchSettings, limit: int, /
    ) -> RetrieverSearch | NotReady | None:
        """Prepare the search; None if this retriever isn't used for the question."""
        ...


@dataclass(frozen=True, slots=True)
class SemanticSearchOfQuestion:
    """An embedded question, and the model that embedded it."""

    vectors: VectorIndex
    question: Question
    limit: int
    asked: QuestionVector
    model: Model

    def nearest(
        self, tx: ReadTx, probe: list[float], *, rough: bool = False
    ) -> Mapping[int, float]:
        """Return the memories nearest to a vector that match the filter, with their cosines."""
        query = VectorQuery(
            vector=probe,
            model=self.model,
            limit=self.limit,
            filter=vector_filter(self.question.filters),
            rough=rough,
        )
        return self.vectors.search(tx, query).cosines

    def candidates(self, tx: ReadTx, _: KeywordScorer) -> Mapping[int, float]:
        """Return the nearest memories to the question's own vector."""
        return self.nearest(tx, self.asked.vector.tolist())

    def signals(
        self, tx: ReadTx, own: Mapping[int, float], memories: Mapping[int, MemoryText]
    ) -> Mapping[int, float]:
        """Add the cosines of other retrievers' candidates; some may not have a vector yet."""
        known = {seq: cosine for seq, cosine in own.items() if seq in memories}
        rest = sorted(memories.keys() - known.keys())
        vector = self.asked.vector.tolist()
        return known | self.vectors.cosines(tx, vector, rest, self.model) if rest else known

    def merit(self, _: ReadTx, __: MemoryText, signal: float | None) -> float:
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

    async def prepare(
        self, question: Question, _: SearchSettings, limit: int
    ) -> SemanticSearchOfQuestion | NotReady | None:
        """Embed the question, within its time limit."""
        # Taken before embedding: if the model changes meanwhile, this vector matches nothing.
        model = self.vectors.model
        text = question.text[:_MAX_EMBEDDED_CHARS]
        if not self.questions.identity.dimensions or not text.strip():
            return None
        if model is None:
            return NotReady("")
        # Lets the index build while the model loads.
        self.vectors.request_build()
        outcome = await self.questions.ask(text, timeout_s=question.embed_within_s)
        if isinstance(outcome, NotEmbedded):
            return NotReady(self._reason(outcome))
        return SemanticSearchOfQuestion(self.vectors, question, limit, outcome, model)

    def _reason(self, failure: NotEmbedded) -> str:
        if failure.reason != "timeout":
            return f"The embedding model isn't available: {failure.detail.rstrip('.')}."
        if self.questions.is_loading:
            return "The embedding model is still loading. Try again in a few seconds."
        return "The embedding model didn't answer in time. Try again in a few seconds."

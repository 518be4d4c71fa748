"""Retrievers: the ways in which candidates of an answer are found; another one joins the list.

A retriever gets ready for a question, which may take time (embedding it, searching an index). What
it then says is read in the one snapshot that ranks, of its own candidates and of all others'.
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
    """A question as one retriever asks it."""

    def candidates(self, tx: ReadTx, /) -> Mapping[int, float]:
        """Return what was found, with its signal, higher for better."""
        ...

    def signals(
        self, tx: ReadTx, own: Mapping[int, float], memories: Mapping[int, Memory], /
    ) -> Mapping[int, float]:
        """Return the signal of each memory that has one: its ``own`` candidates and all others."""
        ...

    def merit(self, tx: ReadTx, memory: Memory, signal: float | None, /) -> float:
        """Return how well (0 to 1) a memory answers by itself, whatever else was found."""
        ...


class Retriever(Protocol):
    """One way to find candidates."""

    @property
    def name(self) -> str:
        """The name by which its signals are known."""
        ...

    @property
    def relative(self) -> bool:
        """Whether a signal counts as a share of the best one."""
        ...

    def weight(self, settings: SearchSettings, /) -> float:
        """Return the share of this retriever's signal in the score."""
        ...

    async def search(
        self, question: Question, settings: SearchSettings, limit: int, /
    ) -> RetrieverSearch | None:
        """Get ready to answer; None where this retriever cannot now."""
        ...


@dataclass(frozen=True, slots=True)
class KeywordRetrieverSearch:
    """What the keyword index found."""

    found: keywords.Keywords

    def candidates(self, _: ReadTx) -> Mapping[int, float]:
        """Return what the index found; it was searched in an earlier snapshot."""
        return self.found.scores

    def signals(
        self, tx: ReadTx, _: Mapping[int, float], memories: Mapping[int, Memory]
    ) -> Mapping[int, float]:
        """Weigh each by its words.

        The index ranks by the whole store; what is weighed against other signals is weighed here,
        by how common the words are where it is asked.
        """
        return {seq: self.found.weigh.bm25(tx, memory) for seq, memory in memories.items()}

    def merit(self, tx: ReadTx, memory: Memory, _: float | None) -> float:
        """Return the share of the question's weight that the memory's words cover."""
        return self.found.weigh.coverage(tx, memory)


@dataclass(frozen=True, slots=True)
class KeywordRetriever:
    """Finds memories that hold the question's words."""

    db: Database
    vocabulary: VocabularyCache = field(default_factory=VocabularyCache)
    name: str = KEYWORDS
    relative: bool = True

    def weight(self, settings: SearchSettings) -> float:
        """Return what is left beside meaning."""
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
        """Return the nearest memories that pass the filter, with their cosines."""
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
        """Compute the cosines of what others found; a vector may not be made yet."""
        known = {seq: cosine for seq, cosine in own.items() if seq in memories}
        rest = sorted(memories.keys() - known.keys())
        return known | self.vectors.cosines(tx, self.vector, rest, self.model) if rest else known

    def merit(self, _: ReadTx, __: Memory, signal: float | None) -> float:
        """Return the cosine; 0 without one."""
        return signal or 0.0


@dataclass(frozen=True, slots=True)
class SemanticRetriever:
    """Finds memories that mean what the question means: embeds it, and searches the vectors."""

    questions: QueryVectors
    vectors: VectorIndex
    name: str = SEMANTIC
    relative: bool = False

    def weight(self, settings: SearchSettings) -> float:
        """Return the setting."""
        return settings.alpha

    async def search(
        self, question: Question, _: SearchSettings, limit: int
    ) -> SemanticRetrieverSearch | None:
        """Embed the question, within the time that it gives."""
        # Another model's vectors may be searched by then; this one means nothing among them.
        model = self.vectors.model
        text = question.text[:_MAX_EMBEDDED_CHARS]
        if model is None or not text.strip():
            return None
        # The index is built, where it is not, while the model loads.
        self.vectors.need()
        outcome = await self.questions.embed(text, timeout_s=question.embed_within_s)
        if isinstance(outcome, NotEmbedded):
            return None
        return SemanticRetrieverSearch(self.vectors, question, limit, outcome.tolist(), model)

"""recall: both legs, their signals for the union of what they found, and one ranking.

The question is embedded while the index is searched; without a vector, keywords answer alone.
"""

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from intaglio.base.agents.reader import may_read
from intaglio.base.settings.values import SearchSettings
from intaglio.inference.cache import QueryVectors
from intaglio.inference.ports import NotEmbedded
from intaglio.memory import rows
from intaglio.memory.filters import narrowing
from intaglio.recall import keywords
from intaglio.recall.fuse import fuse
from intaglio.recall.keywords import Keywords, VocabularyCache
from intaglio.recall.values import Answer, Found, Question, Reading, Signals, Source
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx
from intaglio.store.vectors.index import Vectors
from intaglio.store.vectors.values import Model, Probe

_MIN_CANDIDATES: Final = 50
_MAX_EMBEDDED_CHARS: Final = 2_000


@dataclass(frozen=True, slots=True)
class Meaning:
    """The leg of meaning: what embeds questions, and the index of the memories' vectors."""

    questions: QueryVectors
    vectors: Vectors


@dataclass(frozen=True, slots=True)
class Recall:
    """The recall use case with what it depends on; without ``meaning``, keywords answer alone.

    ``answered`` is told the ids of each answer, so that their use is counted later.
    """

    db: Database
    settings: Callable[[], SearchSettings]
    meaning: Meaning | None = None
    answered: Callable[[Sequence[str]], None] = lambda _: None
    vocabulary: VocabularyCache = field(default_factory=VocabularyCache)

    async def recall(self, question: Question) -> Answer:
        """Answer a question; nothing found is an empty answer, never an error."""
        settings = self.settings()
        search = partial(
            keywords.find,
            question=question,
            cache=self.vocabulary,
            budget=settings.postings_budget,
            limit=max(question.limit, _MIN_CANDIDATES),
        )
        searched = self.meaning.vectors.model if self.meaning else None
        vector, found = await asyncio.gather(self._embed(question), self.db.read(search))
        # Another model's vectors may be searched by now; this one means nothing among them.
        asked = None if vector is None or searched is None else _Asked(vector, searched)
        answer = await self.db.read(lambda tx: self._rank(tx, question, found, asked))
        if question.counts_as_use:
            self.answered([each.memory.id for each in answer.found])
        return answer

    async def _embed(self, question: Question) -> list[float] | None:
        if self.meaning is None or self.meaning.vectors.model is None:
            return None
        text = question.text[:_MAX_EMBEDDED_CHARS]
        if not text.strip():
            return None
        # The index is built, where it is not, while the model loads.
        self.meaning.vectors.need()
        outcome = await self.meaning.questions.embed(text, timeout_s=question.embed_within_s)
        return None if isinstance(outcome, NotEmbedded) else outcome.tolist()

    def _rank(
        self, tx: ReadTx, question: Question, found: Keywords, asked: "_Asked | None"
    ) -> Answer:
        settings = self.settings()
        near = self._near(tx, question, asked) if asked else {}
        memories = {
            seq: memory
            for seq, memory in rows.by_seq(tx, [*found.scores.keys(), *near.keys()]).items()
            # The words were found in an earlier snapshot; it may have become private since.
            if may_read(question.wanted.reader, memory.scope.agent_id, memory.scope.visibility)
        }
        # The index ranks by the whole store; what is weighed against meaning is weighed here, by
        # how common the words are where it is asked.
        bm25 = {seq: found.weigh.bm25(tx, memory) for seq, memory in memories.items()}
        cosines = near | self._other_cosines(tx, asked, memories.keys() - near.keys())
        signals = _Sources(found.scores.keys(), near.keys())
        minimum = settings.min_score if question.min_score is None else question.min_score
        results: list[Found] = []
        for seq, score in fuse(bm25, cosines, settings.alpha).items():
            if len(results) == question.limit:
                break
            memory = memories[seq]
            covered = found.weigh.coverage(tx, memory)
            # A blended score is relative to its own answer; whether a memory answers at all is
            # seen in the raw signals (decision record 0008).
            if max(covered, cosines.get(seq, 0.0)) >= minimum:
                raw = Signals(bm25[seq], covered, found.weigh.matched(tx, memory), cosines.get(seq))
                results.append(Found(memory, round(min(score, 1.0), 4), raw, signals.of(seq)))
        reading = Reading(
            found.plan.terms,
            found.plan.dropped,
            found.plan.postings,
            len(memories),
            found.timed_out,
        )
        return Answer(tuple(results), reading, "hybrid" if near else "keyword")

    def _near(self, tx: ReadTx, question: Question, asked: "_Asked") -> dict[int, float]:
        if self.meaning is None:
            return {}
        probe = Probe(
            vector=asked.vector,
            model=asked.model,
            limit=max(question.limit, _MIN_CANDIDATES),
            among=narrowing(question.wanted),
        )
        return self.meaning.vectors.search(tx, probe).cosines

    def _other_cosines(
        self, tx: ReadTx, asked: "_Asked | None", seqs: set[int]
    ) -> dict[int, float]:
        """Compute the meaning of what only keywords found; a vector may not be made yet."""
        if asked is None or self.meaning is None or not seqs:
            return {}
        return self.meaning.vectors.cosines(tx, asked.vector, sorted(seqs), asked.model)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question's vector and the model that made it."""

    vector: list[float]
    model: Model


@dataclass(frozen=True, slots=True)
class _Sources:
    by_words: Collection[int]
    by_meaning: Collection[int]

    def of(self, seq: int) -> Source:
        if seq in self.by_words and seq in self.by_meaning:
            return "hybrid"
        return "vector" if seq in self.by_meaning else "keyword"

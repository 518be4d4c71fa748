"""The recall use case: runs all retrievers, collects their signals and ranks the union.

All retrievers run concurrently; if one isn't available, the others answer alone.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from intaglio.base.agents.reader import may_read
from intaglio.base.settings.schema import SearchSettings
from intaglio.memory import rows
from intaglio.memory.values import Memory
from intaglio.recall.fusion import Signal, fuse
from intaglio.recall.keywords import VocabularyCache
from intaglio.recall.retrievers import (
    KEYWORDS,
    SEMANTIC,
    KeywordRetriever,
    KeywordRetrieverSearch,
    Retriever,
    RetrieverSearch,
)
from intaglio.recall.values import Answer, Hit, HitSource, QueryPlan, Question, Signals
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx

_MIN_CANDIDATES: Final = 50
_NOTHING: Final[Mapping[int, float]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Recall:
    """The recall use case; keywords answer with or without ``other_retrievers``.

    ``on_answer`` receives the ids of each answer, so that their use is counted later.
    """

    db: Database
    settings: Callable[[], SearchSettings]
    other_retrievers: tuple[Retriever, ...] = ()
    on_answer: Callable[[Sequence[str]], None] = lambda _: None
    vocabulary: VocabularyCache = field(default_factory=VocabularyCache)

    async def recall(self, question: Question) -> Answer:
        """Answer a question; an answer without hits is empty, not an error."""
        settings = self.settings()
        limit = max(question.limit, _MIN_CANDIDATES)
        words = KeywordRetriever(self.db, self.vocabulary)
        retrievers: list[Retriever] = [words, *self.other_retrievers]
        keyword_search, others = await asyncio.gather(
            words.search(question, settings, limit),
            asyncio.gather(
                *(each.search(question, settings, limit) for each in self.other_retrievers)
            ),
        )
        searches = list(zip(retrievers, [keyword_search, *others], strict=True))
        answer = await self.db.read(lambda tx: self._rank(tx, question, keyword_search, searches))
        if question.counts_as_use:
            self.on_answer([each.memory.id for each in answer.hits])
        return answer

    def _rank(
        self,
        tx: ReadTx,
        question: Question,
        keyword_search: KeywordRetrieverSearch,
        searches: Sequence[tuple[Retriever, RetrieverSearch | None]],
    ) -> Answer:
        settings = self.settings()
        found = {
            each.name: search.candidates(tx) if search else _NOTHING for each, search in searches
        }
        memories = {
            seq: memory
            for seq, memory in rows.by_seq(
                tx, [seq for own in found.values() for seq in own]
            ).items()
            # The words were found in an earlier snapshot; the memory may have become private since.
            if may_read(question.filters.reader, memory.scope.agent_id, memory.scope.visibility)
        }
        signals = {
            each.name: _signals(tx, search, found[each.name], memories) for each, search in searches
        }
        score_of = fuse(
            [
                Signal(signals[each.name], each.weight(settings), relative=each.relative)
                for each, _ in searches
            ]
        )
        minimum = settings.min_score if question.min_score is None else question.min_score
        results: list[Hit] = []
        for seq, score in score_of.items():
            if len(results) == question.limit:
                break
            memory = memories[seq]
            # A combined score is relative to its own answer; the raw signals show whether a memory
            # answers at all (decision record 0008).
            merits = {
                each.name: search.merit(tx, memory, signals[each.name].get(seq))
                for each, search in searches
                if search is not None
            }
            if max(merits.values()) >= minimum:
                raw = Signals(
                    signals[KEYWORDS][seq],
                    merits[KEYWORDS],
                    keyword_search.found.scorer.matched_terms(tx, memory),
                    signals[SEMANTIC].get(seq) if SEMANTIC in signals else None,
                )
                source = _source([name for name, own in found.items() if seq in own])
                results.append(Hit(memory, round(min(score, 1.0), 4), raw, source))
        plan = keyword_search.found.plan
        reading = QueryPlan(
            plan.terms,
            keyword_search.found.words,
            plan.dropped,
            plan.postings,
            len(memories),
            keyword_search.found.timed_out,
        )
        by_others = any(own for name, own in found.items() if name != KEYWORDS)
        return Answer(tuple(results), reading, "hybrid" if by_others else "keyword")


def _signals(
    tx: ReadTx,
    search: RetrieverSearch | None,
    own: Mapping[int, float],
    memories: Mapping[int, Memory],
) -> Mapping[int, float]:
    """Return a retriever's signal for every candidate of all retrievers."""
    if search is None:
        return _NOTHING
    return search.signals(tx, own, memories)


def _source(names: Sequence[str]) -> HitSource:
    if KEYWORDS in names:
        return "hybrid" if len(names) > 1 else "keyword"
    return "vector" if names else "keyword"

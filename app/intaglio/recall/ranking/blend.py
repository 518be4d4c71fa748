"""Ranks candidates without token states: a blend of BM25 and the other retrievers' signals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from intaglio.memory import rows
from intaglio.recall.keywords import KeywordScorer
from intaglio.recall.ranking.fusion import Signal, fuse
from intaglio.recall.ranking.values import RankedMemory, Ranking
from intaglio.recall.retrievers import SEMANTIC, Retriever, RetrieverSearch
from intaglio.recall.settings import SearchSettings
from intaglio.recall.values import Signals
from intaglio.store.tx import ReadTx


@dataclass(frozen=True, slots=True)
class Searched:
    """A retriever, its search, and its own candidates with their signals."""

    retriever: Retriever
    search: RetrieverSearch
    own: Mapping[int, float]


def rank_by_blend(
    tx: ReadTx,
    scorer: KeywordScorer,
    searched: Sequence[Searched],
    candidates: Sequence[int],
    settings: SearchSettings,
) -> Ranking:
    """Return the candidates that are still live, best first.

    A combined score is relative to its own answer; the raw signals show whether a memory answers at
    all (0008-hybrid-recall.md).
    """
    memories = rows.texts_by_seq(tx, candidates)
    bm25 = {seq: scorer.bm25(tx, memory) for seq, memory in memories.items()}
    signals = {
        each.retriever.name: each.search.signals(tx, each.own, memories) for each in searched
    }
    scores = fuse(
        [
            Signal(bm25, 1 - settings.alpha, relative=True),
            *(
                Signal(
                    signals[each.retriever.name],
                    each.retriever.weight(settings),
                    relative=each.retriever.relative,
                )
                for each in searched
            ),
        ]
    )
    ranked: list[RankedMemory] = []
    explained: dict[int, Signals] = {}
    for seq, score in scores.items():
        coverage = scorer.coverage(tx, memories[seq])
        merits = [
            each.search.merit(tx, memories[seq], signals[each.retriever.name].get(seq))
            for each in searched
        ]
        explained[seq] = Signals(
            bm25[seq],
            coverage,
            scorer.matched_terms(tx, memories[seq]),
            signals[SEMANTIC].get(seq) if SEMANTIC in signals else None,
        )
        merit = max([coverage, *merits])
        shown = round(min(score, 1.0), 4)
        ranked.append(RankedMemory(seq, shown, merit >= settings.min_score, merit))
    return Ranking(ranked, explained.__getitem__)

"""Recall in the daemon: keyword and semantic search, and the counts of recalled memories."""

import asyncio
import contextlib
import random
from typing import Final

from intaglio.base.errors import UnavailableError
from intaglio.commits.search import CommitWords
from intaglio.commits.vectors.embedding import CommitEmbedding
from intaglio.domain.health import HealthCheck
from intaglio.embedding.semantic_search import SemanticSearch
from intaglio.hints.settings import HintSettings
from intaglio.kernel import Kernel
from intaglio.package import Loop, Package, Part
from intaglio.pauses.service import Pauses
from intaglio.recall.canary import Canary
from intaglio.recall.commits.commit_recall import CommitRecall
from intaglio.recall.hints import HintRetriever
from intaglio.recall.past.session_recall import SessionRecall
from intaglio.recall.query import Recall
from intaglio.recall.recall_counts import RecallCounts
from intaglio.recall.retrievers import Retriever, SemanticRetriever
from intaglio.recall.settings import SearchSettings
from intaglio.recall.similar import Similar
from intaglio.transcripts.embedding import TranscriptEmbedding
from intaglio.transcripts.past_sessions import PastSessions

_WRITE_EVERY_S: Final = 2.0


def part(kernel: Kernel) -> Part:
    """Wire recall, and write the counts of recalled memories every two seconds."""
    recall_counts = RecallCounts(kernel.database, kernel.clock)
    search = kernel.get(SemanticSearch)
    # In addition to the keyword retriever, which is always available.
    retrievers: list[Retriever] = [
        SemanticRetriever(search.questions, search.vectors),
        HintRetriever(lambda: kernel.settings().of(HintSettings).enabled),
    ]
    recall = Recall(
        kernel.database,
        lambda: kernel.settings().of(SearchSettings),
        tuple(retrievers),
        recall_counts.add,
    )

    async def write() -> None:
        # While capture is paused, nothing is counted.
        if recall_counts.has_counts and (await kernel.get(Pauses).state()).paused:
            recall_counts.discard()
        await recall_counts.write()

    async def write_often() -> None:
        while True:
            await asyncio.sleep(_WRITE_EVERY_S)
            with contextlib.suppress(UnavailableError):
                await write()

    async def close() -> None:
        with contextlib.suppress(UnavailableError):
            await write()

    sessions = SessionRecall(
        kernel.get(PastSessions), search.questions, kernel.get(TranscriptEmbedding).model
    )
    commits = CommitRecall(CommitWords(), kernel.get(CommitEmbedding).model)
    canary = Canary(
        db=kernel.database,
        recall=recall,
        is_loaded=lambda: search.embed.embedder.state.phase == "ready",
        random=random.SystemRandom().random,
        clock=kernel.clock,
        seconds=kernel.monotonic_s,
    )
    return Part(
        services=(
            canary,
            recall_counts,
            recall,
            sessions,
            commits,
            Similar(kernel.database, search.vectors, search.embed),
        ),
        loops=(Loop("recall counts", write_often), Loop("recall canary", canary.run)),
        checks=(
            HealthCheck(
                name="recall_canary",
                domain="index",
                title="Recall of a known memory",
                reads="Each hour, whether a memory is found by its own words; something is wrong "
                "if none of three is, twice in a row.",
                run=canary.check,
            ),
        ),
        close=close,
    )


PACKAGE = Package(name="recall", make=part)

"""Finds the memories that may say the same as a fact: a focused hybrid search in its scope."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.domain.reader import GLOBAL, IsolatedReader
from intaglio.fence.outgoing import Fence
from intaglio.graph.link_memory import NOT_FACTS
from intaglio.memory.filters import Filter
from intaglio.memory.values import Memory
from intaglio.pipeline.extraction.marks import is_marked
from intaglio.pipeline.extraction.values import ReadFact
from intaglio.recall.query import Recall
from intaglio.recall.values import Question
from intaglio.store.database import Database

MOST_CANDIDATES: Final = 5
# Some of what is found can't be a candidate, such as the memory that the fact was read in.
_FOUND: Final = 12
_EMBED_WITHIN_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class CandidateSearch:
    """The search for candidates; nothing of it counts as use."""

    db: Database
    recall: Recall
    fence: Fence

    async def find(
        self, source: Memory, facts: Sequence[ReadFact], without: Collection[str]
    ) -> list[list[Memory]]:
        """Return the candidates of each fact, best first, none of those ``without``.

        They are memories of the source's agent, in its project or in none, that a reader of the
        source may read.
        """
        if not facts:
            return []
        filters = _scope_of(source)
        prepared = await asyncio.gather(
            *(
                self.recall.prepare(
                    Question(
                        text=each.fact.content,
                        limit=_FOUND,
                        filters=filters,
                        embed_within_s=_EMBED_WITHIN_S,
                        counts_as_use=False,
                    )
                )
                for each in facts
            )
        )
        return await self.db.read(
            lambda tx: [
                [
                    hit.memory
                    for hit in self.recall.answer(tx, each).hits
                    if hit.memory.id not in without and self._may_be_target(source, hit.memory)
                ][:MOST_CANDIDATES]
                for each in prepared
            ]
        )

    def _may_be_target(self, source: Memory, found: Memory) -> bool:
        return (
            found.id != source.id
            and found.status != "replaced"
            and found.type not in NOT_FACTS
            and found.scope.visibility in {GLOBAL, source.scope.visibility}
            and not is_marked(found.content, self.fence)
        )


def _scope_of(source: Memory) -> Filter:
    agent, project = source.scope.agent_id, source.scope.project
    return Filter(
        reader=IsolatedReader(agent), agent=agent, project=project, global_only=project is None
    )

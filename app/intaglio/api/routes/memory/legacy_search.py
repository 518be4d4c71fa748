"""GET /memory/search: Signet's older search by words alone, and what a writer's memories are."""

from dataclasses import replace
from typing import Annotated, Final

from litestar import Controller, get
from litestar.params import FromQuery, QueryParameter

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.request_context import AnyRequest, counts_as_use, reader_of
from intaglio.api.routes.memory.filters import Share, TextQuery, filters_of
from intaglio.api.serializers import tags_text
from intaglio.api.services import Services
from intaglio.base.clock import iso
from intaglio.base.errors import InvalidInputError
from intaglio.memory import rows
from intaglio.memory.filters import Filter
from intaglio.memory.values import Memory
from intaglio.recall.query import Recall
from intaglio.recall.values import Question
from intaglio.store.tx import ReadTx
from intaglio.wire.views import LegacyReply, LegacyResult, LegacyValues

_WITH_QUERY: Final = 20
_WITHOUT: Final = 50
LegacySearchLimit = Annotated[int | None, QueryParameter(ge=1, le=200)]


def _result(memory: Memory, score: float) -> LegacyResult:
    return LegacyResult(
        id=memory.id,
        content=memory.content,
        created_at=memory.created_at,
        who=memory.who,
        importance=memory.importance,
        tags=tags_text(memory.tags),
        type=memory.type,
        pinned=int(memory.pinned),
        score=round(score, 4),
    )


class LegacyController(Controller):
    """The older search."""

    tags = ("memory",)

    @get("/memory/search", operation_id="searchByWords", opt=declare(Access.PROGRAM))
    async def search(  # noqa: PLR0913 - the contract's query parameters
        self,
        services: Services,
        request: AnyRequest,
        *,
        q: Annotated[str, QueryParameter(max_length=10_000)] = "",
        limit: LegacySearchLimit = None,
        type: TextQuery = None,  # noqa: A002 - the contract's name
        tags: TextQuery = None,
        who: TextQuery = None,
        pinned: FromQuery[bool | None] = None,
        importance_min: Share = None,
        since: TextQuery = None,
        distinct: TextQuery = None,
    ) -> LegacyReply | LegacyValues:
        """Find memories by words, or by filters alone; `distinct=who` lists who wrote any.

        `score` is BM25, higher for better, or without words what a memory still matters.
        """
        everything = Filter(reader=await reader_of(services, request))
        asked = {
            "type": type or None,
            "tags": tags,
            "who": who or None,
            "pinned": pinned,
            "importance_min": importance_min,
            "since": since or None,
        }
        wanted = replace(everything, **filters_of(asked))
        if distinct is not None:
            return await self._distinct(services, distinct, wanted)
        if q.strip():
            question = Question(
                text=q,
                limit=limit or _WITH_QUERY,
                filters=wanted,
                counts_as_use=counts_as_use(request),
            )
            answer = await replace(services.get(Recall), other_retrievers=()).recall(question)
            return LegacyReply(
                results=[_result(found.memory, found.signals.bm25) for found in answer.hits]
            )
        if wanted == everything:
            return LegacyReply(results=[])
        aging, most = services.aging, limit or _WITHOUT

        def work(tx: ReadTx) -> list[Memory]:
            seqs = rows.strongest(tx, wanted, aging.rate, iso(aging.now), most)
            return list(rows.by_seq(tx, seqs).values())

        found = await services.database.read(work)
        found.sort(
            key=lambda memory: (aging.effective_importance(memory), memory.seq), reverse=True
        )
        return LegacyReply(
            results=[_result(memory, aging.effective_importance(memory)) for memory in found]
        )

    async def _distinct(self, services: Services, field: str, filters: Filter) -> LegacyValues:
        if field != "who":
            raise InvalidInputError("distinct must be who")
        return LegacyValues(
            values=await services.database.read(lambda tx: rows.authors(tx, filters))
        )

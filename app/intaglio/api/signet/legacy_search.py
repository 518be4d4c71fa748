"""GET /memory/search: Signet's older keyword search, and the list of authors."""

from dataclasses import replace
from typing import Annotated, Final

from litestar import Controller, get
from litestar.params import QueryParameter

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import AnyRequest, counts_as_use
from intaglio.api.routes.memory.filters import (
    FILTERS,
    ExactProject,
    RequestedFilter,
    TextQuery,
    what_holds,
)
from intaglio.api.serializers.convert import convert
from intaglio.api.serializers.memory import tags_text
from intaglio.api.services import Services
from intaglio.api.signet.view_structs import LegacyReply, LegacyResult, LegacyValues
from intaglio.base.clock import iso
from intaglio.base.errors import InvalidInputError
from intaglio.memory import rows
from intaglio.memory.filters import Filter
from intaglio.memory.values import Memory
from intaglio.recall.query import Recall
from intaglio.recall.values import Question
from intaglio.store.tx import ReadTx

_WITH_QUERY: Final = 20
_WITHOUT: Final = 50
LegacySearchLimit = Annotated[int | None, QueryParameter(ge=1, le=200)]


def _result(memory: Memory, score: float) -> LegacyResult:
    return convert(
        memory,
        LegacyResult,
        tags=tags_text(memory.tags),
        pinned=int(memory.pinned),
        score=round(score, 4),
    )


class LegacyController(Controller):
    """The older keyword search."""

    tags = ("memory",)
    dependencies = FILTERS

    @get(
        "/memory/search",
        operation_id="searchByWords",
        opt=declare(Access.PROGRAM, Principal.AGENT, kind="recall"),
    )
    async def search(  # noqa: PLR0913 - the contract's query parameters
        self,
        services: Services,
        request: AnyRequest,
        filters: RequestedFilter,
        *,
        q: Annotated[str, QueryParameter(max_length=10_000)] = "",
        limit: LegacySearchLimit = None,
        distinct: TextQuery = None,
        exact_project: ExactProject = False,
    ) -> LegacyReply | LegacyValues:
        """Find memories by keywords or only by filters; `distinct=who` lists the authors.

        The filters are those of the list; `project` as in `/api/memory/search`. `score` is BM25
        (higher is better) or, without keywords, the effective importance.
        """
        wanted = replace(filters, exact_project=exact_project)
        if distinct is not None:
            return await self._distinct(services, distinct, wanted)
        if q.strip():
            question = Question(
                text=q,
                limit=limit or _WITH_QUERY,
                filters=what_holds(wanted, request.query_params.get("status")),
                counts_as_use=counts_as_use(request),
            )
            answer = await replace(services.get(Recall), other_retrievers=()).recall(question)
            return LegacyReply(
                results=[_result(found.memory, found.signals.bm25) for found in answer.hits]
            )
        if wanted == Filter(reader=wanted.reader, exact_project=exact_project):
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

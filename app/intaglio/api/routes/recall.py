"""Many memories: answers to a question, and the list, newest first."""

from dataclasses import replace
from typing import Annotated

from litestar import Controller, get, post
from litestar.params import FromQuery, JSONBody, QueryParameter
from msgspec import structs

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.request_context import AnyRequest, counts_as_use, in_project, reader_of
from intaglio.api.routes.memory.filters import FILTERS, RequestedFilter, filters_of
from intaglio.api.serializers import memory_row, recall_reply
from intaglio.api.services import Services
from intaglio.base.errors import InvalidInputError
from intaglio.memory import rows
from intaglio.memory.facet_index.index import FacetIndex
from intaglio.memory.filters import Filter
from intaglio.memory.values import MemoryPage, Stats
from intaglio.recall.query import Recall
from intaglio.recall.values import Question
from intaglio.store.tx import ReadTx
from intaglio.wire.memory import MemoryList, MemoryStats, RecallReply, RecallRequest

SearchLimit = Annotated[int, QueryParameter(ge=1, le=200)]
ListLimit = Annotated[int, QueryParameter(ge=1, le=1_000)]
Offset = Annotated[int, QueryParameter(ge=0, le=10_000_000)]
ExactProject = Annotated[bool, QueryParameter(name="exactProject")]
Cursor = Annotated[str | None, QueryParameter(pattern=r"^[0-9TZ:.-]{1,40}~[0-9]{1,18}$")]


async def _asked(services: Services, request: AnyRequest, asked: RecallRequest) -> Filter:
    filters = Filter(
        reader=await reader_of(services, request, asked.agent_id),
        **filters_of(structs.asdict(asked)),
    )
    return await in_project(services, filters, asked.project)


async def _answer(
    services: Services, request: AnyRequest, question: Question, *, explain: bool
) -> RecallReply:
    if not question.text.strip():
        raise InvalidInputError("query is required")
    asked = replace(question, counts_as_use=counts_as_use(request))
    answer = await services.get(Recall).recall(asked)
    cut = services.settings().search.truncate_chars
    return recall_reply(answer, question.text, cut, explain=explain)


class RecallController(Controller):
    """Search and list."""

    tags = ("memory",)
    dependencies = FILTERS

    @post("/api/memory/recall", operation_id="recall", status_code=200, opt=declare(Access.PROGRAM))
    async def recall(
        self, services: Services, request: AnyRequest, data: JSONBody[RecallRequest]
    ) -> RecallReply:
        """Answer a question in plain words with memories, best first."""
        question = Question(
            text=data.query,
            keywords=data.keyword_query,
            limit=data.limit,
            min_score=data.min_score,
            filters=await _asked(services, request, data),
        )
        return await _answer(services, request, question, explain=data.explain)

    @get("/api/memory/search", operation_id="searchMemories", opt=declare(Access.PROGRAM))
    async def search(  # noqa: PLR0913 - each is a query parameter
        self,
        services: Services,
        request: AnyRequest,
        filters: RequestedFilter,
        *,
        q: Annotated[str, QueryParameter(max_length=10_000)] = "",
        limit: SearchLimit = 10,
        explain: FromQuery[bool] = False,
        exact_project: ExactProject = False,
    ) -> RecallReply:
        """Answer a question as recall does, by query parameters; filters are those of the list.

        `project` asks for that project's memories and the global ones, with `exactProject` for
        its own alone, as the list does.
        """
        question = Question(
            text=q, limit=limit, filters=replace(filters, exact_project=exact_project)
        )
        return await _answer(services, request, question, explain=explain)

    @get("/api/memories", operation_id="listMemories", opt=declare(Access.PROGRAM))
    async def memories(
        self,
        services: Services,
        filters: RequestedFilter,
        *,
        limit: ListLimit = 100,
        offset: Offset = 0,
        cursor: Cursor = None,
        deleted: FromQuery[bool] = False,
    ) -> MemoryList:
        """List live memories, newest first; `project` asks for that project's own alone.

        `agentId` says who reads, `agent` whose memories are wanted. With `deleted` the forgotten
        ones that can still be recovered are listed, in the order of their forgetting.
        """
        asked = replace(filters, forgotten=deleted)

        def work(tx: ReadTx) -> tuple[MemoryPage, Stats]:
            page = rows.page(tx, asked, limit, cursor, offset)
            return page, services.get(FacetIndex).stats(tx, filters.reader)

        page, stats = await services.database.read(work)
        aging = services.aging
        return MemoryList(
            memories=[memory_row(memory, aging) for memory in page.memories],
            stats=MemoryStats(
                total=stats.total,
                with_embeddings=stats.with_embeddings,
                critical=stats.critical,
            ),
            next_cursor=page.next_cursor,
        )

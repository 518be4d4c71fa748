"""Recalls memories for a question, and lists them in a chosen order."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, TypeAlias

from litestar import Controller, get, post
from litestar.params import FromQuery, JSONBody, QueryParameter
from msgspec import structs

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import AnyRequest, counts_as_use, in_project, reader_of
from intaglio.api.routes.memory.filters import (
    FILTERS,
    ExactProject,
    RequestedFilter,
    filters_of,
    what_holds,
)
from intaglio.api.serializers.memory import memory_row, recall_reply
from intaglio.api.services import Services
from intaglio.base.errors import InvalidInputError
from intaglio.domain.context_groups import ConstraintBasis
from intaglio.graph.constraint_basis import constraint_bases
from intaglio.memory import rows
from intaglio.memory.facet_index.grouping import SectionRows, grouped_page, sections
from intaglio.memory.facet_index.index import FacetIndex
from intaglio.memory.filters import Filter
from intaglio.memory.listing.paging import GroupField, LiveSort, default_sort, read_cursor
from intaglio.memory.values import MemoryPage, Stats
from intaglio.recall.query import Recall
from intaglio.recall.settings import SearchSettings
from intaglio.recall.values import Question
from intaglio.sessions.transcript_excerpts import excerpts, transcript_filter
from intaglio.store.tx import ReadTx
from intaglio.wire.memory import ListGroup, MemoryList, MemoryStats, RecallReply, RecallRequest

SearchLimit = Annotated[int, QueryParameter(ge=1, le=200)]
ListLimit = Annotated[int, QueryParameter(ge=1, le=1_000)]
Offset = Annotated[int, QueryParameter(ge=0, le=10_000_000)]
Cursor = Annotated[str | None, QueryParameter(max_length=8_000)]
Bases: TypeAlias = Mapping[str, ConstraintBasis]


async def _filter(services: Services, request: AnyRequest, data: RecallRequest) -> Filter:
    filters = Filter(
        reader=await reader_of(services, request),
        **filters_of(structs.asdict(data)),
    )
    held = what_holds(filters, data.memory_status)
    return await in_project(services, held, data.project)


async def _answer(
    services: Services,
    request: AnyRequest,
    question: Question,
    *,
    explain: bool,
    expand: bool = False,
) -> RecallReply:
    if not question.text.strip():
        raise InvalidInputError(
            "query is required", hint="GET /api/memories lists memories without a query."
        )
    counted = replace(question, counts_as_use=counts_as_use(request))
    answer = await services.get(Recall).recall(counted)
    cut = services.settings().of(SearchSettings).truncate_chars
    memories = [hit.memory for hit in answer.hits]
    readable = transcript_filter(question.filters)
    said, bases = await services.database.read(
        lambda tx: (
            excerpts(tx, memories, readable) if expand else {},
            constraint_bases(tx, memories),
        )
    )
    return recall_reply(answer, question.text, cut, said, bases, explain=explain)


class RecallController(Controller):
    """Search and list."""

    tags = ("memory",)
    dependencies = FILTERS

    @post(
        "/api/memory/recall",
        operation_id="recall",
        status_code=200,
        opt=declare(Access.PROGRAM, Principal.AGENT, kind="recall"),
    )
    async def recall(
        self, services: Services, request: AnyRequest, data: JSONBody[RecallRequest]
    ) -> RecallReply:
        """Return the memories that best answer a question in natural language.

        What was replaced or is disputed is left out, unless `status` or `as_of` asks for it. With
        `expand`, results have the messages around the one that they come from, as far as the
        transcript is stored and the agent may read it. What was replaced or taken back since is
        marked there; what was forgotten or dropped is left out.
        """
        question = Question(
            text=data.query,
            keywords=data.keyword_query,
            limit=data.limit,
            min_score=data.min_score_camel if data.min_score is None else data.min_score,
            filters=await _filter(services, request, data),
        )
        return await _answer(services, request, question, explain=data.explain, expand=data.expand)

    @get(
        "/api/memory/search",
        operation_id="searchMemories",
        opt=declare(Access.PROGRAM, Principal.AGENT, kind="recall"),
    )
    async def search(  # noqa: PLR0913 - each is a query parameter
        self,
        services: Services,
        request: AnyRequest,
        filters: RequestedFilter,
        *,
        q: Annotated[str, QueryParameter(max_length=10_000)] = "",
        limit: SearchLimit = 10,
        explain: FromQuery[bool] = False,
        min_score: Annotated[float | None, QueryParameter(ge=0, le=1)] = None,
        exact_project: ExactProject = False,
    ) -> RecallReply:
        """Recall by query parameters; the filters are those of the list.

        Results that don't answer the query are left out; `min_score=0` lists them too.
        `project` selects that project's memories and those for all projects; `exactProject=true`
        selects only its own, as in the list. Unlike the list, it leaves out what was replaced or is
        disputed, unless `status` or `as_of` is given; `status=all` searches everything.
        """
        held = what_holds(filters, request.query_params.get("status"))
        question = Question(
            text=q,
            limit=limit,
            min_score=min_score,
            filters=replace(held, exact_project=exact_project),
        )
        return await _answer(services, request, question, explain=explain)

    @get("/api/memories", operation_id="listMemories", opt=declare(Access.PROGRAM, Principal.AGENT))
    async def memories(  # noqa: PLR0913 - each is a query parameter
        self,
        services: Services,
        filters: RequestedFilter,
        *,
        limit: ListLimit = 100,
        offset: Offset = 0,
        cursor: Cursor = None,
        deleted: FromQuery[bool] = False,
        sort: FromQuery[LiveSort | None] = None,
        group: FromQuery[GroupField | None] = None,
    ) -> MemoryList:
        """List live memories, newest first; `project` selects only that project's own.

        `agentId` is the reading agent, `agent` selects an agent's memories. `sort` chooses another
        order, and `group` lists one project or type after the other. `deleted=true` lists the
        forgotten memories that can still be restored, most recently forgotten first. Replaced and
        disputed memories are listed too, unless `status` selects; `as_of` lists what held then.
        """
        wanted = replace(filters, forgotten=deleted)
        order = sort or default_sort(wanted)
        start = read_cursor(cursor, order, group)
        if group is not None and offset:
            raise InvalidInputError("A grouped list has no offset", hint="Use the cursor instead.")
        merged = await services.projects.merged() if group else dict[str, str]()
        facets = services.get(FacetIndex)

        def work(tx: ReadTx) -> tuple[MemoryPage, list[SectionRows], Stats, Bases]:
            stats = facets.stats(tx, filters.reader)
            if group is None:
                few = facets.few(tx, wanted)
                page = rows.page(tx, wanted, limit, start, offset, sort=order, among=few)
                return page, [], stats, constraint_bases(tx, page.memories)
            listed = sections(wanted, group, facets.groups(tx, wanted, group), merged)
            page, groups = grouped_page(tx, listed, order, limit, start)
            return page, groups, stats, constraint_bases(tx, page.memories)

        page, groups, stats, bases = await services.database.read(work)
        aging = services.aging
        return MemoryList(
            memories=[memory_row(each, aging, bases.get(each.id)) for each in page.memories],
            stats=MemoryStats(
                total=stats.total,
                with_embeddings=stats.with_embeddings,
                critical=stats.critical,
            ),
            next_cursor=page.next_cursor,
            groups=None
            if group is None
            else [
                ListGroup(value=each.section.value, count=each.section.group.count, rows=each.rows)
                for each in groups
            ],
        )

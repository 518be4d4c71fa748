"""Many memories: answers to a question, and the list, newest first."""

from typing import Annotated, Literal

from litestar import Controller, get, post
from litestar.params import FromQuery, JSONBody, QueryParameter

from intaglio.api.asking import AnyRequest, moment_of, reader_of
from intaglio.api.gate.asker import Role
from intaglio.api.gate.permissions import role_of
from intaglio.api.problems.describe import REFUSALS
from intaglio.api.services import Needs
from intaglio.api.shapes import memory_row, recall_reply
from intaglio.base.errors import InvalidInputError
from intaglio.memory import forms, rows
from intaglio.memory.values import Filter, Page, Stats
from intaglio.recall.values import Question
from intaglio.store.tx import ReadTx
from intaglio.wire.memory import MemoryList, MemoryStats, RecallReply, RecallRequest

Text = Annotated[str | None, QueryParameter(max_length=1_000)]
SearchLimit = Annotated[int, QueryParameter(ge=1, le=200)]
ListLimit = Annotated[int, QueryParameter(ge=1, le=1_000)]
Offset = Annotated[int, QueryParameter(ge=0, le=10_000_000)]
Cursor = Annotated[str | None, QueryParameter(pattern=r"^[0-9TZ:.-]{1,40}~[0-9]{1,18}$")]
Share = Annotated[float | None, QueryParameter(ge=0, le=1)]
AgentId = Annotated[str | None, QueryParameter(name="agentId", max_length=1_000)]
Visible = Annotated[Literal["global", "private"] | None, QueryParameter()]
GlobalOnly = Annotated[bool, QueryParameter(name="globalOnly")]


async def _answer(services: Needs, request: AnyRequest, asked: RecallRequest) -> RecallReply:
    if not asked.query.strip():
        raise InvalidInputError("query is required")
    question = Question(
        text=asked.query,
        keywords=asked.keyword_query,
        limit=asked.limit,
        min_score=asked.min_score,
        counts_as_use=role_of(request) is not Role.BROWSER,
        wanted=Filter(
            reader=await reader_of(services, request, asked.agent_id),
            agent=asked.agent,
            visibility=asked.visibility,
            project=await services.project_key(asked.project),
            type=asked.type,
            tags=forms.read_tags(asked.tags),
            who=asked.who,
            pinned=asked.pinned,
            importance_min=asked.importance_min,
            since=moment_of("since", asked.since),
            until=moment_of("until", asked.until),
        ),
    )
    answer = await services.recall.recall(question)
    cut = services.settings().search.truncate_chars
    return recall_reply(answer, asked.query, cut, explain=asked.explain)


class RecallController(Controller):
    """Search and list."""

    tags = ("memory",)

    @post("/api/memory/recall", operation_id="recall", status_code=200, responses=REFUSALS)
    async def recall(
        self, services: Needs, request: AnyRequest, data: JSONBody[RecallRequest]
    ) -> RecallReply:
        """Answer a question in plain words with memories, best first."""
        return await _answer(services, request, data)

    @get("/api/memory/search", operation_id="searchMemories", responses=REFUSALS)
    async def search(  # noqa: PLR0913 - the contract's query parameters
        self,
        services: Needs,
        request: AnyRequest,
        *,
        q: Annotated[str, QueryParameter(max_length=10_000)] = "",
        limit: SearchLimit = 10,
        type: Text = None,  # noqa: A002 - the contract's name
        tags: Text = None,
        who: Text = None,
        pinned: FromQuery[bool | None] = None,
        importance_min: Share = None,
        since: Text = None,
        until: Text = None,
        project: Text = None,
        agent_id: AgentId = None,
        agent: Text = None,
        visibility: Visible = None,
        explain: FromQuery[bool] = False,
    ) -> RecallReply:
        """Answer a question as recall does, by query parameters."""
        asked = RecallRequest(
            query=q,
            limit=limit,
            type=type,
            tags=tags,
            who=who,
            pinned=pinned,
            importance_min=importance_min,
            since=since,
            until=until,
            project=project,
            agent_id=agent_id,
            agent=agent,
            visibility=visibility,
            explain=explain,
        )
        return await _answer(services, request, asked)

    @get("/api/memories", operation_id="listMemories", responses=REFUSALS)
    async def memories(  # noqa: PLR0913 - each filter is a query parameter
        self,
        services: Needs,
        request: AnyRequest,
        *,
        limit: ListLimit = 100,
        offset: Offset = 0,
        cursor: Cursor = None,
        type: Text = None,  # noqa: A002 - the contract's name
        tags: Text = None,
        project: Text = None,
        global_only: GlobalOnly = False,
        pinned: FromQuery[bool | None] = None,
        who: Text = None,
        agent_id: AgentId = None,
        agent: Text = None,
        visibility: Visible = None,
        deleted: FromQuery[bool] = False,
    ) -> MemoryList:
        """List live memories, newest first; `project` asks for that project's own alone.

        `agentId` says who reads, `agent` whose memories are wanted. With `deleted` the forgotten
        ones that can still be recovered are listed, in the order of their forgetting.
        """
        reader = await reader_of(services, request, agent_id)
        wanted = Filter(
            reader=reader,
            agent=agent,
            visibility=visibility,
            project=await services.project_key(project),
            exact_project=True,
            global_only=global_only,
            type=type,
            tags=forms.read_tags(tags),
            pinned=pinned,
            who=who,
            forgotten=deleted,
        )

        def work(tx: ReadTx) -> tuple[Page, Stats]:
            page = rows.page(tx, wanted, limit, cursor, offset)
            return page, rows.stats(tx, Filter(reader=reader))

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

"""Entities: the list, and where memories name one."""

from itertools import groupby
from typing import Annotated, Final

from litestar import Controller, get
from litestar.params import FromQuery, QueryParameter

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import (
    AnyRequest,
    MomentText,
    moment_of,
    project_of,
    reader_of,
)
from intaglio.api.routes.knowledge.lookup import (
    EntityPath,
    PageLimit,
    PageOffset,
    ProjectName,
    RowCursor,
    SearchText,
    require_entity,
    row_before,
)
from intaglio.api.serializers.convert import convert
from intaglio.api.serializers.knowledge import list_item
from intaglio.api.serializers.places import place_marks
from intaglio.api.services import Services
from intaglio.base.errors import InvalidInputError
from intaglio.domain.entity_kinds import ENTITY_TYPES, entity_type
from intaglio.graph import mention_rows, query_rows
from intaglio.graph.constraint_basis import constraint_bases
from intaglio.graph.values import EntityCounts, EntityQuery
from intaglio.graph.visibility_rows import as_seen
from intaglio.memory import rows as memories
from intaglio.store.tx import ReadTx
from intaglio.wire import knowledge as wire

_NONE: Final = EntityCounts()
_MOST_PINNED: Final = 200
EntityTypeQuery = Annotated[str | None, QueryParameter(max_length=40)]
MemoryIdQuery = Annotated[str | None, QueryParameter(name="memoryId", max_length=200)]


class EntitiesController(Controller):
    """The entities that memories name."""

    tags = ("knowledge",)

    @get(
        "/api/knowledge/entities",
        operation_id="listEntities",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def entities(  # noqa: PLR0913 - one for each query parameter
        self,
        services: Services,
        request: AnyRequest,
        *,
        q: SearchText = "",
        type: EntityTypeQuery = None,  # noqa: A002 - the contract's name
        project: ProjectName = None,
        pinned: FromQuery[bool | None] = None,
        memory_id: MemoryIdQuery = None,
        limit: PageLimit = 50,
        offset: PageOffset = 0,
    ) -> wire.EntityList:
        """List entities: pinned ones first, then the most mentioned.

        `q` searches names and aliases. `project` selects a project's own entities and the shared
        ones that its memories name, `memoryId` those that one memory names or is about.
        """
        wanted = None if type is None else entity_type(type)
        if type is not None and wanted is None:
            raise InvalidInputError("Unknown type", hint=f"One of {', '.join(ENTITY_TYPES)}.")
        key = await project_of(services, project)
        query = EntityQuery(
            reader=await reader_of(services, request),
            text=q,
            type=wanted,
            projects=(key, *await services.projects.aliases(key)) if key else (),
            pinned=pinned,
            memory_id=memory_id,
            limit=limit,
            offset=offset,
        )

        def work(tx: ReadTx) -> wire.EntityList:
            found = as_seen(tx, query_rows.page(tx, query), query.reader)
            counts = query_rows.counts(tx, [each.seq for each in found], query.reader)
            types = query_rows.count_types(tx, query)
            total = sum(types.values()) if wanted is None else types.get(wanted, 0)
            return wire.EntityList(
                items=[list_item(each, counts.get(each.seq, _NONE)) for each in found],
                limit=limit,
                offset=offset,
                total=total,
                types=[
                    wire.EntityTypeCount(type=name, count=count) for name, count in types.items()
                ],
            )

        return await services.database.read(work)

    @get(
        "/api/knowledge/entities/pinned",
        operation_id="listPinnedEntities",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def pinned_entities(
        self, services: Services, request: AnyRequest
    ) -> list[wire.PinnedEntity]:
        """List the pinned entities, the latest first."""
        query = EntityQuery(
            reader=await reader_of(services, request), pinned=True, limit=_MOST_PINNED
        )
        found = await services.database.read(
            lambda tx: as_seen(tx, query_rows.page(tx, query), query.reader)
        )
        return [
            wire.PinnedEntity(
                id=each.id,
                name=each.name,
                pinned_at=each.pinned_at or each.updated_at,
                entity_type=each.type,
                project=each.project,
            )
            for each in found
        ]

    @get(
        "/api/knowledge/entities/health",
        operation_id="listEntityHealth",
        opt=declare(Access.PROGRAM),
    )
    async def health(
        self,
        *,
        agent_id: Annotated[str | None, QueryParameter(max_length=200)] = None,  # noqa: ARG002 - of the contract
        since: MomentText = None,
        min_comparisons: Annotated[int, QueryParameter(ge=1, le=1_000)] = 3,  # noqa: ARG002 - of the contract
    ) -> list[wire.EntityHealth]:
        """List how often each entity's memories helped; empty, as nothing predicts it yet."""
        moment_of("since", since)
        return []

    @get(
        "/api/knowledge/entities/{entity_id:str}/mentions",
        operation_id="listMentions",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def mentions(
        self,
        services: Services,
        request: AnyRequest,
        entity_id: EntityPath,
        *,
        limit: Annotated[int, QueryParameter(ge=1, le=1_000)] = 1_000,
        cursor: RowCursor = None,
    ) -> wire.MentionList:
        """List where memories name an entity; `limit` counts memories, newest first."""
        reader = await reader_of(services, request)

        def work(tx: ReadTx) -> wire.MentionList:
            found = require_entity(tx, entity_id, reader)
            rows = mention_rows.mentions(tx, found.seq, reader, row_before(cursor), limit)
            numbers = [number for number, _ in groupby(row for row, _ in rows)]
            return wire.MentionList(
                items=[convert(each, wire.MentionRow) for _, each in rows],
                cursor=str(numbers[-1]) if len(numbers) == limit else None,
            )

        return await services.database.read(work)

    @get(
        "/api/knowledge/entities/{entity_id:str}/memories",
        operation_id="listEntityMemories",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def memories(
        self,
        services: Services,
        request: AnyRequest,
        entity_id: EntityPath,
        *,
        limit: PageLimit = 50,
        cursor: RowCursor = None,
    ) -> wire.EntityMemoryList:
        """List the memories that name an entity or are about it, newest first."""
        reader = await reader_of(services, request)

        def work(tx: ReadTx) -> wire.EntityMemoryList:
            found = require_entity(tx, entity_id, reader)
            facts = mention_rows.facts(tx, found.seq, reader, row_before(cursor), limit)
            spans = mention_rows.mentions_in(tx, found.seq, [each.seq for each in facts])
            marks = place_marks(tx, (each.id for each in facts))
            stored = memories.by_seq(tx, [each.seq for each in facts])
            bases = constraint_bases(tx, stored.values())
            return wire.EntityMemoryList(
                items=[
                    convert(
                        each,
                        wire.EntityMemory,
                        mentions=[
                            wire.MentionSpan(start=start, end=end)
                            for start, end in spans.get(each.seq, ())
                        ],
                        basis=bases.get(each.id),
                        mark=marks.get(each.id, ""),
                    )
                    for each in facts
                ],
                cursor=str(facts[-1].seq) if len(facts) == limit else None,
            )

        return await services.database.read(work)

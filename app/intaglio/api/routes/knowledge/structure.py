"""Aspects, facts and dependencies of an entity, and figures of the whole graph."""

from litestar import Controller, get
from litestar.params import FromQuery

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import AnyRequest, reader_of
from intaglio.api.routes.knowledge.lookup import (
    EntityPath,
    PageLimit,
    PageOffset,
    require_entity,
)
from intaglio.api.serializers.knowledge import aspect_item, attribute_row, dependency_row
from intaglio.api.serializers.knowledge_stats import knowledge_stats
from intaglio.api.serializers.places import place_marks
from intaglio.api.services import Services
from intaglio.base.errors import NotFoundError
from intaglio.domain.entity_kinds import AttributeKind, AttributeStatus, Direction
from intaglio.domain.reader import Reader
from intaglio.graph import query_rows, stats_rows
from intaglio.graph.background.rows import assigned_facts
from intaglio.graph.background.telemetry import GraphTelemetry
from intaglio.graph.link_memory import NOT_FACTS
from intaglio.graph.linking.canonical import canonical_name
from intaglio.graph.name_lookup import USER_NAME
from intaglio.graph.query_rows import AttributeQuery
from intaglio.store.tx import ReadTx
from intaglio.wire import knowledge as wire


def _require_aspect(tx: ReadTx, entity: int, aspect_id: str, reader: Reader) -> None:
    """Raise NotFoundError unless the entity has the aspect, with a fact that the reader sees."""
    if not query_rows.attributes(tx, AttributeQuery(entity, aspect_id, None, None, 1, 0), reader):
        raise NotFoundError(
            "Aspect not found", hint="Use an id of the entity's aspects, or `unclassified`."
        )


class EntityStructureController(Controller):
    """Aspects, attributes and dependencies of entities."""

    tags = ("knowledge",)

    @get(
        "/api/knowledge/entities/{entity_id:str}/aspects",
        operation_id="listAspects",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def aspects(
        self, services: Services, request: AnyRequest, entity_id: EntityPath
    ) -> wire.AspectList:
        """List the aspects of an entity, weightiest first."""
        reader = await reader_of(services, request)

        def work(tx: ReadTx) -> wire.AspectList:
            found = require_entity(tx, entity_id, reader)
            return wire.AspectList(
                items=[aspect_item(each) for each in query_rows.aspects(tx, found, reader)],
                unclassified=query_rows.unclassified(tx, found.seq, reader),
            )

        return await services.database.read(work)

    @get(
        "/api/knowledge/entities/{entity_id:str}/aspects/{aspect_id:str}/attributes",
        operation_id="listAttributes",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def attributes(  # noqa: PLR0913 - one for each parameter
        self,
        services: Services,
        request: AnyRequest,
        entity_id: EntityPath,
        aspect_id: EntityPath,
        *,
        kind: FromQuery[AttributeKind | None] = None,
        status: FromQuery[AttributeStatus | None] = None,
        limit: PageLimit = 50,
        offset: PageOffset = 0,
    ) -> wire.AttributeList:
        """List the facts and constraints of an aspect, constraints first.

        The aspect `unclassified` has those that await classification. 404 for an aspect that the
        entity doesn't have.
        """
        reader = await reader_of(services, request)
        of_aspect = None if aspect_id == "unclassified" else aspect_id

        def work(tx: ReadTx) -> wire.AttributeList:
            found = require_entity(tx, entity_id, reader)
            query = AttributeQuery(found.seq, of_aspect, kind, status, limit, offset)
            rows = query_rows.attributes(tx, query, reader)
            if not rows and of_aspect is not None:
                _require_aspect(tx, found.seq, of_aspect, reader)
            marks = place_marks(tx, (each.memory_id for each in rows))
            return wire.AttributeList(
                items=[attribute_row(each, marks) for each in rows], limit=limit, offset=offset
            )

        return await services.database.read(work)

    @get(
        "/api/knowledge/entities/{entity_id:str}/dependencies",
        operation_id="listDependencies",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def dependency_list(
        self,
        services: Services,
        request: AnyRequest,
        entity_id: EntityPath,
        *,
        direction: FromQuery[Direction] = "both",
    ) -> wire.DependencyList:
        """List what an entity depends on, and what depends on it; strongest first."""
        reader = await reader_of(services, request)

        def work(tx: ReadTx) -> wire.DependencyList:
            found = require_entity(tx, entity_id, reader)
            rows = query_rows.dependencies(tx, found.seq, direction, reader)
            return wire.DependencyList(items=[dependency_row(way, each) for way, each in rows])

        return await services.database.read(work)

    @get(
        "/api/knowledge/stats",
        operation_id="getKnowledgeStats",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def stats(self, services: Services, request: AnyRequest) -> wire.KnowledgeStats:
        """Count the graph, and which share of the facts has a place in it."""
        reader = await reader_of(services, request)
        counted, assigned = await services.database.read(
            lambda tx: (
                stats_rows.stats(tx, reader, sorted(NOT_FACTS)),
                assigned_facts(tx, reader, canonical_name(USER_NAME)),
            )
        )
        return knowledge_stats(counted, assigned, services.get(GraphTelemetry))

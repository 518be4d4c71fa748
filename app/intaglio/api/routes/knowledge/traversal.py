"""What is known about one entity, and the last walk of the graph."""

from typing import Final

from litestar import Controller, get, post
from litestar.params import JSONBody

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import AnyRequest, in_project, reader_of
from intaglio.api.serializers.convert import convert
from intaglio.api.services import Services
from intaglio.base.errors import InvalidInputError, NotFoundError
from intaglio.graph import query_rows
from intaglio.graph.settings import GraphSettings
from intaglio.graph.traversal.expand import EntityQuestion, ExpandedKnowledge, expand
from intaglio.graph.traversal.last_walk import LastWalk
from intaglio.graph.traversal.walk import budget_of
from intaglio.memory.filters import Filter
from intaglio.store.tx import ReadTx
from intaglio.wire import knowledge as wire

_UNCLASSIFIED: Final = "unclassified"


class GraphTraversalController(Controller):
    """Walks of the graph."""

    tags = ("knowledge",)

    @get(
        "/api/knowledge/traversal/status",
        operation_id="getTraversalStatus",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def traversal_status(
        self, services: Services, request: AnyRequest
    ) -> wire.TraversalStatus:
        """Describe the last walk since the daemon started; names only what the reader sees."""
        report = services.get(LastWalk).report
        if report is None:
            return wire.TraversalStatus(status=None)
        reader = await reader_of(services, request)

        def work(tx: ReadTx) -> list[str]:
            found = [query_rows.find(tx, each, reader) for each in report.focal]
            return [each.name for each in found if each is not None]

        return wire.TraversalStatus(
            status=convert(
                report,
                wire.TraversalReport,
                focal_entity_names=await services.database.read(work),
                focal_entities=len(report.focal),
                traversed_entities=report.traversed,
                memory_count=report.memories,
                constraint_count=report.constraints,
            )
        )

    @post(
        "/api/knowledge/expand",
        operation_id="expandEntity",
        status_code=200,
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def expand(
        self, services: Services, request: AnyRequest, data: JSONBody[wire.ExpandRequest]
    ) -> wire.ExpandReply:
        """Return what is known about an entity, constraints first.

        `question` puts the facts first that share words with it. `maxTokens` limits facts;
        constraints are never left out. With `project`, only what is known there and everywhere.
        """
        if not data.entity.strip():
            raise InvalidInputError("entity name is required", hint="Name an entity.")
        filters = Filter(reader=await reader_of(services, request), memory_status="current")
        wanted = EntityQuestion(
            entity=data.entity,
            filters=await in_project(services, filters, data.project) if data.project else filters,
            aspect=data.aspect,
            question=data.question,
            max_tokens=data.max_tokens,
        )
        budget = budget_of(services.settings().of(GraphSettings))
        found = await services.database.read(
            lambda tx: expand(tx, wanted, budget, services.monotonic_s)
        )
        if found is None:
            # The contract has all keys in this reply, too.
            raise NotFoundError(
                "Entity not found",
                hint="Look for its name in the list of entities.",
                entity=None,
                constraints=[],
                aspects=[],
                dependencies=[],
                memoryCount=0,
                memories=[],
            )
        return _expanded(found)


def _expanded(found: ExpandedKnowledge) -> wire.ExpandReply:
    entity = found.entity
    return wire.ExpandReply(
        entity=convert(entity, wire.ExpandedEntity),
        constraints=[
            wire.ExpandedConstraint(
                entity_name=each.name, content=each.memory.content, importance=each.importance
            )
            for each in found.constraints
        ],
        aspects=[
            wire.ExpandedAspect(
                name=each.name or _UNCLASSIFIED,
                weight=each.weight,
                attributes=[
                    wire.ExpandedAttribute(
                        content=fact.memory.content,
                        kind="attribute",
                        importance=fact.importance,
                        confidence=fact.confidence,
                    )
                    for fact in each.facts
                ],
            )
            for each in found.aspects
        ],
        dependencies=[
            wire.ExpandedDependency(
                target=each.entity.name, type=each.dependency, strength=each.strength
            )
            for each in found.dependencies
            if each.dependency is not None
        ],
        memory_count=found.memory_count,
        memories=[wire.ExpandedMemory(id=each.id, content=each.content) for each in found.memories],
    )

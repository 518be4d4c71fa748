"""The graph as a picture: around one entity, and of the most important ones."""

from itertools import groupby
from typing import Annotated, Final

from litestar import Controller, get
from litestar.params import QueryParameter

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import AnyRequest, reader_of
from intaglio.api.routes.knowledge.lookup import EntityPath, require_entity
from intaglio.api.routes.projection.requested_map import MapAgent, MapProject, requested_map
from intaglio.api.serializers.convert import convert
from intaglio.api.services import Services
from intaglio.graph.network import constellation_rows, neighbor_rows
from intaglio.graph.network.constellation_rows import ConstellationFact
from intaglio.graph.network.neighborhood import local_graph
from intaglio.graph.visibility_rows import as_seen
from intaglio.projection.entity_places import entity_places
from intaglio.store.tx import ReadTx
from intaglio.wire import knowledge as wire

_MOST_ENTITIES: Final = 500
Depth = Annotated[int, QueryParameter(ge=1, le=2)]


class GraphNetworkController(Controller):
    """Entities and the edges between them."""

    tags = ("knowledge",)

    @get(
        "/api/knowledge/entities/{entity_id:str}/neighbors",
        operation_id="listNeighbors",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def neighbors(
        self,
        services: Services,
        request: AnyRequest,
        entity_id: EntityPath,
        *,
        depth: Depth = 1,
    ) -> wire.Neighborhood:
        """Return the local graph around an entity, which comes first: at most 40 entities.

        Edges are dependencies, and `mentioned_with` between entities that memories name together.
        """
        reader = await reader_of(services, request)

        def work(tx: ReadTx) -> wire.Neighborhood:
            found = local_graph(tx, require_entity(tx, entity_id, reader), depth, reader)
            return wire.Neighborhood(
                nodes=[
                    convert(
                        each.entity,
                        wire.NeighborNode,
                        entity_type=each.entity.type,
                        depth=each.depth,
                    )
                    for each in found.nodes
                ],
                edges=[convert(each, wire.NeighborEdge) for each in found.edges],
            )

        return await services.database.read(work)

    @get(
        "/api/knowledge/constellation",
        operation_id="getConstellation",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def constellation(
        self,
        services: Services,
        request: AnyRequest,
        *,
        project: MapProject = None,
        agent: MapAgent = None,
    ) -> wire.Constellation:
        """Return the most important entities: at most 500, of 10 aspects, of 20 facts each.

        `project` or `agent` name the map that they have positions in; without, that of all
        memories.
        """
        wanted = await requested_map(services, request, project, agent)
        reader = wanted.filters.reader

        def work(tx: ReadTx) -> wire.Constellation:
            found = as_seen(tx, constellation_rows.entities(tx, reader, _MOST_ENTITIES), reader)
            ids = {each.seq: each.id for each in found}
            facts = constellation_rows.facts(tx, ids, reader)
            places = entity_places(tx, wanted.scope, wanted.filters, found)
            aspects = {
                seq: _aspects(list(of)) for seq, of in groupby(facts, lambda each: each.entity)
            }
            return wire.Constellation(
                entities=[
                    convert(
                        each,
                        wire.ConstellationEntity,
                        entity_type=each.type,
                        position=places.flat.get(each.seq),
                        position_3d=places.solid.get(each.seq),
                        aspects=aspects.get(each.seq, []),
                    )
                    for each in found
                ],
                dependencies=[
                    wire.ConstellationDependency(
                        source_entity_id=ids[each.source],
                        target_entity_id=ids[each.target],
                        dependency_type=each.type,
                        strength=each.strength,
                    )
                    for each in neighbor_rows.dependencies_between(tx, ids, reader)
                ],
            )

        return await services.database.read(work)


def _aspects(facts: list[ConstellationFact]) -> list[wire.ConstellationAspect]:
    return [
        wire.ConstellationAspect(
            id=aspect_id,
            name=of[0].aspect,
            weight=of[0].weight,
            attributes=[convert(each, wire.ConstellationAttribute) for each in of],
        )
        for aspect_id, group in groupby(facts, lambda each: each.aspect_id)
        if (of := list(group))
    ]

"""The points of a map for drawing, the edges between them, and which of them match filters."""

import contextlib
from typing import Annotated, Final

from litestar import Controller, Response, get
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import QueryParameter

from intaglio.api.gate.declaration import BYTES, Access, Principal, declare
from intaglio.api.request_context import AnyRequest
from intaglio.api.routes.memory.filters import FILTERS, RequestedFilter
from intaglio.api.routes.projection.requested_map import (
    CONFLICT,
    DimensionsQuery,
    MapAgent,
    MapProject,
    MapToken,
    no_layout,
    requested_map,
    require_view,
)
from intaglio.api.serializers.projection import map_bytes
from intaglio.api.services import Services
from intaglio.base.errors import ConflictError, UnavailableError
from intaglio.projection import reading_rows
from intaglio.projection.map_views import MapViews
from intaglio.projection.reading_rows import PointSelection, layout_of
from intaglio.projection.service import Projections
from intaglio.projection.values import Dimensions
from intaglio.store.tx import ReadTx
from intaglio.wire.projection import MapMatches

_READ: Final = declare(Access.PROGRAM, Principal.AGENT)
_UNCHANGED: Final = {
    304: ResponseSpec(None, description="Not changed since.", generate_examples=False)
}
MatchLimit = Annotated[int, QueryParameter(ge=1, le=100_000)]


class MapPointsController(Controller):
    """What the constellation draws."""

    tags = ("embeddings",)

    @get(
        "/api/embeddings/projection/points",
        operation_id="getMapPoints",
        opt=_READ,
        media_type=BYTES,
        responses=_UNCHANGED,
    )
    async def points(
        self,
        services: Services,
        request: AnyRequest,
        *,
        project: MapProject = None,
        agent: MapAgent = None,
        dimensions: DimensionsQuery = 2,
    ) -> Response[bytes]:
        """Return all points of a map in binary form, of each layout that there is.

        "INTAMAP1", the length of the header (u32), the header as JSON (`MapHeader`), and the
        columns, all little-endian. The ETag is the token for edges and labels. `dimensions=3` asks
        for the layout in three dimensions, too.
        """
        wanted = await requested_map(services, request, project, agent)
        view = await require_view(services, wanted)
        asked: tuple[Dimensions, ...] = (2, 3) if dimensions == 3 else (2,)  # noqa: PLR2004 - see above
        # What is there is shown, even if nothing can be computed.
        with contextlib.suppress(ConflictError, UnavailableError):
            await services.get(Projections).touch(wanted.scope, asked)
        headers = {"etag": f'"{view.token}"', "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == headers["etag"]:
            return Response(b"", status_code=304, media_type=BYTES, headers=headers)
        return Response(map_bytes(view), media_type=BYTES, headers=headers)

    @get(
        "/api/embeddings/projection/edges",
        operation_id="getMapEdges",
        opt=_READ,
        media_type=BYTES,
        responses=CONFLICT,
    )
    async def edges(
        self,
        services: Services,
        request: AnyRequest,
        *,
        token: MapToken,
        project: MapProject = None,
        agent: MapAgent = None,
    ) -> Response[bytes]:
        """Return pairs of points that are near each other, as little-endian u32.

        At most three for each point, first those to its nearest. 409 if the map has changed since
        `token`.
        """
        wanted = await requested_map(services, request, project, agent)
        view = await require_view(services, wanted, token)
        return Response(await services.get(MapViews).edges(view), media_type=BYTES)


class MapMatchesController(Controller):
    """Which points of a map match filters."""

    tags = ("embeddings",)
    dependencies = FILTERS

    @get(
        "/api/embeddings/projection/matches",
        operation_id="listMapMatches",
        opt=_READ,
    )
    async def matches(
        self,
        services: Services,
        request: AnyRequest,
        filters: RequestedFilter,
        *,
        limit: MatchLimit = 5_000,
    ) -> MapMatches:
        """List the ids of the memories in a map that match filters, newest first.

        `project` or `agent` name the map, all others select from it.
        """
        whole = await requested_map(
            services, request, request.query_params.get("project"), filters.agent
        )

        def work(tx: ReadTx) -> MapMatches | None:
            layout = layout_of(tx, whole.scope, 2)
            if layout is None or not reading_rows.shows_any(tx, whole.filters):
                return None
            found = reading_rows.page(tx, layout.number, PointSelection(filters), limit, 0)
            return MapMatches(ids=[each.id for each in found.places], total=found.total)

        reply = await services.database.read(work)
        if reply is None:
            raise no_layout()
        return reply

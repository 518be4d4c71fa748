"""The clusters of a map and their words."""

from litestar import Controller, get

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import AnyRequest
from intaglio.api.routes.projection.requested_map import (
    CONFLICT,
    MapAgent,
    MapProject,
    MapToken,
    requested_map,
    require_view,
)
from intaglio.api.serializers.projection import labels_reply
from intaglio.api.services import Services
from intaglio.projection.labels.labeller import MapLabeller
from intaglio.wire.projection import MapLabels


class MapLabelsController(Controller):
    """What the clusters of a map are about."""

    tags = ("embeddings",)

    @get(
        "/api/embeddings/projection/labels",
        operation_id="getMapLabels",
        opt=declare(Access.PROGRAM, Principal.AGENT),
        responses=CONFLICT,
    )
    async def labels(
        self,
        services: Services,
        request: AnyRequest,
        *,
        token: MapToken,
        project: MapProject = None,
        agent: MapAgent = None,
    ) -> MapLabels:
        """Return the clusters of a map at three levels, with their most distinctive words.

        The words are of memories that the caller may read. 409 if the map has changed since
        `token`.
        """
        wanted = await requested_map(services, request, project, agent)
        view = await require_view(services, wanted, token)
        return labels_reply(token, await services.get(MapLabeller).labels(view))

"""The state of a map, and its runs: what is computed, how far it is, starting and cancelling."""

from litestar import Controller, delete, get, post
from litestar.params import JSONBody

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import AnyRequest, is_user, project_of, session_reader_of
from intaglio.api.routes.projection.requested_map import (
    MapAgent,
    MapProject,
    map_scope,
    requested_map,
)
from intaglio.api.serializers.projection import state_reply
from intaglio.api.services import Services
from intaglio.base.errors import InvalidInputError, NotFoundError
from intaglio.projection.reader_state import state_for, state_for_user
from intaglio.projection.service import Projections
from intaglio.projection.values import MapScope
from intaglio.wire.projection import MapRunRequest, ProjectionState


class MapRunsController(Controller):
    """The state of maps, and their runs."""

    tags = ("embeddings",)

    @get(
        "/api/embeddings/projection/state",
        operation_id="getMapState",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def state(
        self,
        services: Services,
        request: AnyRequest,
        *,
        project: MapProject = None,
        agent: MapAgent = None,
    ) -> ProjectionState:
        """Return which layouts a map has, and what is being computed. Nothing is started."""
        wanted = await requested_map(services, request, project, agent)
        state = await services.get(Projections).state(wanted.scope)
        if is_user(await session_reader_of(services, request)):
            return state_reply(state_for_user(state))
        return state_reply(
            await services.database.read(lambda tx: state_for(tx, state, wanted.filters))
        )

    @post(
        "/api/embeddings/projection/runs",
        operation_id="startMapRun",
        status_code=202,
        opt=declare(Access.BROWSER),
    )
    async def start(self, services: Services, data: JSONBody[MapRunRequest]) -> ProjectionState:
        """Compute the layouts of a map anew, in the background; the state tells how far it is.

        404 for a project or an agent without memories.
        """
        if not data.dimensions:
            raise InvalidInputError("dimensions is empty", hint="Send [2], [3] or [2, 3].")
        scope = map_scope(await project_of(services, data.project), data.agent)
        maps = services.get(Projections)
        if scope != MapScope() and not (await maps.state(scope)).memories:
            raise NotFoundError(
                "There are no memories to lay out", hint="Check the name of the project or agent."
            )
        queued = await maps.request(scope, tuple(sorted(set(data.dimensions))))
        return state_reply(state_for_user(queued))

    @delete(
        "/api/embeddings/projection/runs",
        operation_id="cancelMapRun",
        status_code=200,
        opt=declare(Access.BROWSER),
    )
    async def cancel(
        self,
        services: Services,
        *,
        project: MapProject = None,
        agent: MapAgent = None,
    ) -> ProjectionState:
        """Stop the run of a map that is queued or going on, if there is one."""
        scope = map_scope(await project_of(services, project), agent)
        return state_reply(state_for_user(await services.get(Projections).cancel(scope)))

"""Finds the map that a request names, and what its caller may see of it."""

from dataclasses import dataclass
from typing import Annotated, Final

from litestar.openapi.datastructures import ResponseSpec
from litestar.params import QueryParameter

from intaglio.api.request_context import AnyRequest, in_project, project_of, reader_of
from intaglio.api.services import Services
from intaglio.base.errors import ConflictError, InvalidInputError, NotFoundError
from intaglio.memory.filters import Filter
from intaglio.projection.map_views import MapView, MapViews
from intaglio.projection.values import MapScope

MapProject = Annotated[str | None, QueryParameter(name="project", max_length=4_096)]
MapAgent = Annotated[str | None, QueryParameter(name="agent", max_length=1_000)]
DimensionsQuery = Annotated[int, QueryParameter(ge=2, le=3)]
MapToken = Annotated[str, QueryParameter(name="token", max_length=100)]
CONFLICT: Final = {409: ResponseSpec(None, description="See the common responses.")}
"""Declares the 409 of a handler that only reads."""


@dataclass(frozen=True, slots=True)
class RequestedMap:
    """A scope, and the filter that selects what the caller may read of it."""

    scope: MapScope
    filters: Filter


async def requested_map(
    services: Services, request: AnyRequest, project: str | None, agent: str | None
) -> RequestedMap:
    """Return the map of a project, an agent or of all memories.

    Raises InvalidInputError for both, or for a text that names no project.
    """
    scope = map_scope(await project_of(services, project), agent)
    own = Filter(reader=await reader_of(services, request), agent=scope.agent, exact_project=True)
    return RequestedMap(scope, await in_project(services, own, project or None))


def map_scope(project: str | None, agent: str | None) -> MapScope:
    """Return the scope of a project's key or of an agent; raises InvalidInputError for both."""
    if project and agent:
        raise InvalidInputError(
            "There is no map of a project and an agent together",
            hint="Send project or agent, and filter by the other in the map.",
        )
    return MapScope(project=project or None, agent=agent or None)


async def require_view(
    services: Services, wanted: RequestedMap, token: str | None = None
) -> MapView:
    """Return what the caller sees of a map.

    Raises NotFoundError without a layout, and ConflictError if the map has changed since ``token``.
    """
    view = await services.get(MapViews).view(wanted.scope, wanted.filters)
    if view is None:
        raise no_layout()
    if token is not None and token != view.token:
        raise ConflictError("The map has changed", hint="Load its points again.")
    return view


def no_layout() -> NotFoundError:
    """Return the error for a map without a layout."""
    return NotFoundError(
        "This map hasn't been computed",
        hint="GET /api/embeddings/projection computes it and says how far it is.",
    )

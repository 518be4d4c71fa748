"""GET /api/embeddings/projection: the contract's form of a map, as JSON."""

import contextlib
from dataclasses import dataclass, replace
from typing import Annotated, Final, TypeAlias

from litestar import Controller, Response, get
from litestar.di import NamedDependency, Provide
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import QueryParameter, SkipValidation

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import AnyRequest
from intaglio.api.routes.memory.filters import FILTERS, RequestedFilter, TextQuery
from intaglio.api.routes.projection.requested_map import CONFLICT, DimensionsQuery, requested_map
from intaglio.api.serializers.convert import convert
from intaglio.api.services import Services
from intaglio.base.clock import iso
from intaglio.base.errors import UnavailableError
from intaglio.memory.filters import Filter
from intaglio.memory.values import Memory
from intaglio.projection import reading_rows
from intaglio.projection.layout_page import LayoutPage, layout_page
from intaglio.projection.reading_rows import PointPlace, PointSelection, layout_of
from intaglio.projection.service import Projections
from intaglio.projection.values import Dimensions, Layout, MapState
from intaglio.store.tx import ReadTx
from intaglio.wire.projection import (
    ProjectionFailed,
    ProjectionNode,
    ProjectionPending,
    ProjectionReply,
)

_DIGITS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class OlderFilters:
    """Filters under the names that only this address has."""

    words: str
    who: str | None
    types: tuple[str, ...]
    source_types: tuple[str, ...]
    importance_min: float | None
    importance_max: float | None

    def select(self, filters: Filter) -> PointSelection:
        """Return the selection by these and the usual filters; a reversed range is swapped."""
        low, high = (
            first if first is not None else second
            for first, second in (
                (filters.importance_min, self.importance_min),
                (filters.importance_max, self.importance_max),
            )
        )
        if low is not None and high is not None and low > high:
            low, high = high, low
        narrowed = replace(
            filters, who=filters.who or self.who, importance_min=low, importance_max=high
        )
        return PointSelection(narrowed, self.words, self.types, self.source_types)


def _older_filters(  # noqa: PLR0913 - one for each query parameter
    *,
    q: Annotated[str, QueryParameter(max_length=10_000)] = "",
    harness: TextQuery = None,
    types: TextQuery = None,
    # No parameter may be named as one of the usual filters.
    listed_sources: Annotated[
        str | None, QueryParameter(name="sourceTypes", max_length=1_000)
    ] = None,
    other_source: Annotated[
        str | None, QueryParameter(name="source_type", max_length=1_000)
    ] = None,
    importance_lowest: Annotated[
        float | None, QueryParameter(name="importanceMin", ge=0, le=1)
    ] = None,
    importance_highest: Annotated[
        float | None, QueryParameter(name="importanceMax", ge=0, le=1)
    ] = None,
) -> OlderFilters:
    """Read what is asked for by the names that only this address has; lists by commas."""
    return OlderFilters(
        words=q,
        who=harness or None,
        types=_values(types),
        source_types=_values(listed_sources) or _values(other_source),
        importance_min=importance_lowest,
        importance_max=importance_highest,
    )


def _values(text: str | None) -> tuple[str, ...]:
    return tuple(value for each in (text or "").split(",") if (value := each.strip()))


_FILTERS: Final = {
    **FILTERS,
    "older_filters": Provide(_older_filters, sync_to_thread=False),
}
AnyReply: TypeAlias = ProjectionReply | ProjectionPending | ProjectionFailed
RequestedOlderFilters: TypeAlias = NamedDependency[SkipValidation[OlderFilters]]


class ProjectionController(Controller):
    """The contract's endpoint of maps."""

    tags = ("embeddings",)
    dependencies = _FILTERS

    @get(
        "/api/embeddings/projection",
        operation_id="getProjection",
        opt=declare(Access.PROGRAM, Principal.AGENT),
        responses={
            202: ResponseSpec(ProjectionPending, description="It is being computed."),
            500: ResponseSpec(ProjectionFailed, description="It couldn't be computed."),
            **CONFLICT,
        },
    )
    async def projection(  # noqa: PLR0913 - the contract's query parameters
        self,
        services: Services,
        request: AnyRequest,
        filters: RequestedFilter,
        older_filters: RequestedOlderFilters,
        *,
        dimensions: DimensionsQuery = 2,
        limit: Annotated[int, QueryParameter(ge=1, le=5_000)] = 5_000,
        offset: Annotated[int, QueryParameter(ge=0, le=10_000_000)] = 0,
    ) -> Response[AnyReply]:
        """Return a layout of the memories that pass the filters, newest first.

        `project` or `agent` name the map, all others select from it. Without a layout, a run is
        queued: 202 while it takes, 500 for 30 seconds after it failed.
        """
        asked: Dimensions = 3 if dimensions == 3 else 2  # noqa: PLR2004 - see above
        whole = await requested_map(
            services, request, request.query_params.get("project"), filters.agent
        )
        scope, wanted = whole.scope, older_filters.select(filters)

        def work(tx: ReadTx) -> ProjectionReply | bool:
            layout = layout_of(tx, scope, asked)
            if layout is None or not reading_rows.shows_any(tx, whole.filters):
                return reading_rows.count_embedded(tx, whole.filters) > 0
            return _ready(layout, layout_page(tx, layout, wanted, limit, offset), limit, offset)

        found = await services.database.read(work)
        maps = services.get(Projections)
        match found:
            case ProjectionReply():
                # What is there is shown, even if nothing can be written.
                with contextlib.suppress(UnavailableError):
                    await maps.touch(scope, (asked,))
                return Response(found)
            case True:
                return _pending(await maps.touch(scope, (asked,)), asked)
            case False:
                return Response(_empty(asked, iso(services.clock()), limit, offset))


def _ready(layout: Layout, page: LayoutPage, limit: int, offset: int) -> ProjectionReply:
    return ProjectionReply(
        dimensions=layout.dimensions,
        count=len(page.points),
        total=page.total,
        limit=limit,
        offset=offset,
        has_more=offset + len(page.points) < page.total and bool(page.points),
        nodes=[_node(place, memory) for place, memory in page.points],
        edges=page.edges,
        cached_at=layout.computed_at,
    )


def _node(place: PointPlace, memory: Memory) -> ProjectionNode:
    return convert(
        memory,
        ProjectionNode,
        x=round(place.x, _DIGITS),
        y=round(place.y, _DIGITS),
        z=None if place.z is None else round(place.z, _DIGITS),
        tags=list(memory.tags),
        source_type=memory.source.type,
        source_id=memory.source.id,
    )


def _empty(dimensions: Dimensions, now: str, limit: int, offset: int) -> ProjectionReply:
    """Return the map of no memories, for which nothing needs to be computed."""
    return ProjectionReply(
        dimensions=dimensions,
        count=0,
        total=0,
        limit=limit,
        offset=offset,
        has_more=False,
        nodes=[],
        edges=[],
        cached_at=now,
    )


def _pending(state: MapState, dimensions: Dimensions) -> Response[AnyReply]:
    if state.run is None and state.failure is not None:
        failed = f"{state.failure.reason} {state.failure.hint}".strip()
        return Response(ProjectionFailed(message=failed), status_code=500)
    phase, fraction = (state.run.phase, state.run.fraction) if state.run else ("queued", 0.0)
    pending = ProjectionPending(dimensions=dimensions, phase=phase, progress=round(fraction, 3))
    return Response(pending, status_code=202)

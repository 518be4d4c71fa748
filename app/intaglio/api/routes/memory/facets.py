"""GET /api/memories/facets: counts of memories per field value, under the list's filters."""

from dataclasses import replace

from litestar import Controller, get
from litestar.params import FromQuery

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.routes.memory.filters import FILTERS, RequestedFilter
from intaglio.api.services import Services
from intaglio.memory.facet_index.index import FacetIndex
from intaglio.memory.facet_index.values import FacetCounts, ValueCounts
from intaglio.wire import memory as wire


class FacetsController(Controller):
    """Facet counts for filtering."""

    tags = ("memory",)
    dependencies = FILTERS

    @get("/api/memories/facets", operation_id="countFacets", opt=declare(Access.PROGRAM))
    async def facets(
        self, services: Services, filters: RequestedFilter, *, deleted: FromQuery[bool] = False
    ) -> wire.FacetsReply:
        """Count the memories that match the list's filters, by the values of each field.

        A count is the size of the list with that value selected instead of another value of the
        same field. Tags are the exception: each selected tag narrows the list.
        """
        wanted = replace(filters, forgotten=deleted)
        return _reply(
            await services.database.read(lambda tx: services.get(FacetIndex).facets(tx, wanted))
        )


def _reply(found: FacetCounts) -> wire.FacetsReply:
    counts = found.counts
    return wire.FacetsReply(
        total=found.total,
        facets=wire.Facets(
            type=_names(counts["type"]),
            project=_names(counts["project"]),
            agent=_names(counts["agent"]),
            visibility=_names(counts["visibility"]),
            who=_names(counts["who"]),
            tags=_names(counts["tags"]),
            source_type=_names(counts["source_type"]),
            pinned=[wire.FlagCount(value=bool(value), count=n) for value, n in counts["pinned"]],
            importance=[
                wire.ScoreCount(value=float(value or 0), count=n)
                for value, n in counts["importance"]
            ],
        ),
    )


def _names(counts: ValueCounts) -> list[wire.NameCount]:
    return [
        wire.NameCount(value=None if value is None else str(value), count=n) for value, n in counts
    ]

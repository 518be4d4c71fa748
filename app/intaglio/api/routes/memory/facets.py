"""GET /api/memories/facets: counts of memories per field value, under the list's filters."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from litestar import Controller, get
from litestar.params import FromQuery

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.routes.memory.filters import FILTERS, RequestedFilter
from intaglio.api.services import Services
from intaglio.memory.facet_index.index import FacetIndex
from intaglio.memory.facet_index.values import FacetCounts, ValueCounts
from intaglio.projects.names import is_path
from intaglio.wire import memory as wire


class FacetsController(Controller):
    """Facet counts for filtering."""

    tags = ("memory",)
    dependencies = FILTERS

    @get(
        "/api/memories/facets",
        operation_id="countFacets",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def facets(
        self, services: Services, filters: RequestedFilter, *, deleted: FromQuery[bool] = False
    ) -> wire.FacetsReply:
        """Count the memories that match the list's filters, by the values of each field.

        A count is the size of the list with that value selected instead of another value of the
        same field. Tags are the exception: each selected tag narrows the list.
        """
        wanted = replace(filters, forgotten=deleted)
        found = await services.database.read(lambda tx: services.get(FacetIndex).facets(tx, wanted))
        names = [key for key, _ in found.counts["project"] if key and not is_path(str(key))]
        return _reply(found, await services.projects.merged() if names else {})


def _reply(found: FacetCounts, merged: Mapping[str, str]) -> wire.FacetsReply:
    counts = found.counts
    return wire.FacetsReply(
        total=found.total,
        facets=wire.Facets(
            type=_names(counts["type"]),
            project=_projects(_names(counts["project"]), merged),
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


def _projects(counts: Sequence[wire.NameCount], merged: Mapping[str, str]) -> list[wire.NameCount]:
    """Count what was saved under a project's name with what was saved under its directory."""
    totals = Counter[str | None]()
    for each in counts:
        totals[merged.get(each.value or "", each.value)] += each.count
    return [wire.NameCount(value=value, count=count) for value, count in totals.most_common()]


def _names(counts: ValueCounts) -> list[wire.NameCount]:
    return [
        wire.NameCount(value=None if value is None else str(value), count=n) for value, n in counts
    ]

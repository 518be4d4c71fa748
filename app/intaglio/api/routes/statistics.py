"""GET /api/statistics, and the same counts as CSV."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Final

from litestar import Controller, Response, get
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromQuery, QueryParameter
from msgspec import convert

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.request_context import project_of
from intaglio.api.services import Services
from intaglio.domain.memory_types import shown_type
from intaglio.domain.statistics_ranges import StatisticsRange
from intaglio.harness.registry import harnesses
from intaglio.history_import.exports.conversations import SERVICE_LABELS
from intaglio.kernel import Kernel
from intaglio.projects import rows as projects
from intaglio.projects.names import distinct_names
from intaglio.statistics.csv_export import to_csv
from intaglio.statistics.report import Figures, GroupFigures, StatisticsReport
from intaglio.statistics.statistics import CountQuery, StatisticsReports
from intaglio.statistics.summary import summary
from intaglio.statistics.values import MEASURES, NO_PROJECT
from intaglio.wire import statistics as wire

StatisticsProject = Annotated[str | None, QueryParameter(max_length=4_096)]

_NO_PROJECT: Final = "All projects"
_GONE: Final = "Former projects"
_NO_TYPE: Final = "Other text"
_SERVICES: Final[Mapping[str, str]] = dict(SERVICE_LABELS.items())
_ORIGINS: Final[Mapping[str, str]] = {
    "": "Other text",
    "manual": "By hand",
    "cli": "Command line",
    "agent": "Agents' notes",
    "file": "Memory files",
    "commit": "Commits",
    "pipeline": "Language model",
    "hook": "Other hooks",
    "other": "Other programs",
}


class StatisticsController(Controller):
    """What was learned, told and used: counts of days, without any text of a memory."""

    tags = ("statistics",)

    @get("/api/statistics", operation_id="readStatistics", opt=declare(Access.BROWSER))
    async def statistics(
        self,
        services: Services,
        *,
        range: FromQuery[StatisticsRange] = "7",  # noqa: A002 - its name in the address
        project: StatisticsProject = None,
    ) -> wire.Statistics:
        """Return what was learned, told and used in the last days, for all projects or one.

        They are counts of everything, whichever agent may read it, and so for you only.
        """
        query = await _query(services, range, project)
        reports = services.get(StatisticsReports)
        report = await reports.report(query, await services.projects.merged())
        names = await _names(services, report)
        return await asyncio.to_thread(_reply, report, names)

    @get(
        "/api/statistics.csv",
        operation_id="exportStatistics",
        opt=declare(Access.BROWSER),
        media_type="text/csv",
        responses={
            200: ResponseSpec(
                str, description="CSV", media_type="text/csv", generate_examples=False
            )
        },
    )
    async def export(
        self,
        services: Services,
        *,
        range: FromQuery[StatisticsRange] = "all",  # noqa: A002 - its name in the address
        project: StatisticsProject = None,
    ) -> Response[bytes]:
        """Return the counts as CSV: a row for each day, project, type and origin."""
        query = await _query(services, range, project)
        counts = await services.get(StatisticsReports).daily(
            query, await services.projects.merged()
        )
        name = f"intaglio-statistics-{range}.csv"
        return Response(
            await asyncio.to_thread(to_csv, counts),
            media_type="text/csv; charset=utf-8",
            headers={"content-disposition": f'attachment; filename="{name}"'},
        )


async def _query(services: Kernel, range_: StatisticsRange, name: str | None) -> CountQuery:
    key = await project_of(services, name)
    return CountQuery(range_, key, await services.projects.aliases(key))


async def _names(services: Kernel, report: StatisticsReport) -> dict[str | None, str]:
    given = await services.database.read(projects.display_names)
    keys = {each.key for each in report.projects if each.key}
    if report.project is not None:
        keys.add(report.project)
    named: dict[str | None, str] = {None: _GONE, NO_PROJECT: _NO_PROJECT}
    return named | dict(distinct_names(keys, given).items())


def _reply(report: StatisticsReport, names: Mapping[str | None, str]) -> wire.Statistics:
    project = None if report.project is None else names[report.project]
    return wire.Statistics(
        range=report.range,
        first=report.first.isoformat(),
        last=report.last.isoformat(),
        step=report.step,
        project=report.project,
        summary=summary(report, project),
        is_empty=report.is_empty,
        pending_days=report.pending_days,
        memories=report.memories,
        entities=report.entities,
        projects_learned=report.projects_learned,
        totals=wire.CountedFigures(**_figures(report.totals)),
        points=[
            wire.StatisticsPoint(day=each.day, memories=each.memories, **_figures(each.figures))
            for each in report.points
        ],
        projects=_groups(report.projects, lambda key: names.get(key, key or "")),
        types=_groups(report.types, _type_label),
        origins=_groups(report.origins, _origin_label),
        top_entities=[
            convert(each, wire.StatisticsEntity, from_attributes=True)
            for each in report.top_entities
        ],
    )


def _type_label(key: str | None) -> str:
    return shown_type(key) if key else _NO_TYPE


def _origin_label(key: str | None) -> str:
    harness = harnesses().get(key or "")
    if harness is not None:
        return harness.label
    return _ORIGINS.get(key or "") or _SERVICES.get(key or "", key or "")


def _figures(figures: Figures) -> dict[str, Any]:
    return {name: figures.get(name, 0) for name in MEASURES}


def _groups(
    groups: Sequence[GroupFigures], label: Callable[[str | None], str]
) -> list[wire.StatisticsGroup]:
    return [
        wire.StatisticsGroup(
            key=each.key,
            label=label(each.key),
            learned_per=list(each.learned_per),
            told_tokens_per=list(each.told_tokens_per),
            **_figures(each.figures),
        )
        for each in groups
    ]

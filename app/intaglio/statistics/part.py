"""Statistics in the daemon."""

from typing import Final

from intaglio.harness.registry import harness_names
from intaglio.history_import.exports.conversations import SERVICE_LABELS
from intaglio.kernel import Kernel
from intaglio.memory.facet_index.index import FacetIndex
from intaglio.package import KeptData, Loop, Package, Part, SweepStep, singly
from intaglio.statistics import rows
from intaglio.statistics.days import Calendar
from intaglio.statistics.migrations import MIGRATIONS
from intaglio.statistics.sampler import Sampler
from intaglio.statistics.statistics import StatisticsReports
from intaglio.statistics.values import Origins
from intaglio.store.settings import RetentionSettings

_INTERVAL_S: Final = 600.0
_FIRST_S: Final = 30.0


def part(kernel: Kernel) -> Part:
    """Wire the reports, and the loop that counts the days."""

    def settings() -> RetentionSettings:
        return kernel.settings().of(RetentionSettings)

    calendar = Calendar(kernel.clock, kernel.local)
    sampler = Sampler(
        db=kernel.database,
        calendar=calendar,
        origins=Origins.of((*harness_names(), *SERVICE_LABELS)),
        keep_days=lambda: settings().statistics_days,
        ledger_days=lambda: settings().ledger_days,
    )
    reports = StatisticsReports(
        db=kernel.database,
        calendar=calendar,
        sampler=sampler,
        facets=kernel.get(FacetIndex),
        monotonic_s=kernel.monotonic_s,
    )
    return Part(
        services=(sampler, reports),
        loops=(
            Loop.repeating(
                "statistics", kernel.database, sampler.catch_up, _INTERVAL_S, first_s=_FIRST_S
            ),
        ),
    )


PACKAGE = Package(
    name="statistics",
    tables={
        "daily_counts": "how much was learned, told and used on each day, by project, type and "
        "origin: numbers only",
        "counted_days": "the days that were counted, and when",
        "counted_projects": "the projects that these counts are of",
    },
    migrations=MIGRATIONS,
    retention=(
        SweepStep(
            "statistics",
            lambda s: s.of(RetentionSettings).statistics_days,
            rows.expired,
            singly(rows.purge),
        ),
    ),
    kept=(
        KeptData(
            "`daily_counts`, `counted_days`",
            "three years; counts of what was forgotten or erased stay",
            deleted_by="step `statistics`",
            settings=("retention.statisticsDays",),
        ),
        KeptData(
            "`counted_projects`",
            "the name as long as anything belongs to the project",
            deleted_by="the loop `statistics`",
        ),
    ),
    make=part,
)

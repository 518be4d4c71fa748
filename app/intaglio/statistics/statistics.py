"""Reports of what was learned, told and used: stored counts, and today's as they are now."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Final

from intaglio.base.clock import iso
from intaglio.domain.reader import USER
from intaglio.domain.statistics_ranges import StatisticsRange, StatisticsStep
from intaglio.memory.facet_index.index import FacetIndex
from intaglio.statistics import count_rows, report, rows
from intaglio.statistics.days import Calendar, point_of, points, step_for
from intaglio.statistics.report import ProjectNames, StatisticsReport
from intaglio.statistics.sampler import Sampler
from intaglio.statistics.values import USES, Count
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx

_DAYS: Final[Mapping[StatisticsRange, int]] = {"7": 7, "30": 30, "90": 90}
_LIVE_DAYS: Final = 7
"""Days whose uses are counted at each request; those of earlier ones once a day."""
_NEWEST: Final = 2_000
_TOP: Final = 10
# Counting a day on which very much was learned takes long: it is counted less often.
_QUICK_S: Final = 0.02
_REST: Final = 50
_LONGEST_REST_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class CountQuery:
    """Which days and which project, by all of its names; None for all."""

    range: StatisticsRange = "7"
    project: str | None = None
    names: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...] | None:
        """All names of the project."""
        return None if self.project is None else (self.project, *self.names)


@dataclass(frozen=True, slots=True)
class _Live:
    """What the last days were counted as; good until a monotonic time."""

    today: date
    until_s: float
    counts: tuple[Count, ...]


@dataclass(slots=True, kw_only=True)
class StatisticsReports:
    """Makes reports in a reader's thread; ``same`` maps names of projects to their directories."""

    db: Database
    calendar: Calendar
    sampler: Sampler
    facets: FacetIndex
    monotonic_s: Callable[[], float]
    _live: _Live | None = field(default=None, init=False)

    async def report(self, query: CountQuery, same: Mapping[str, str]) -> StatisticsReport:
        """Return the report of a range; raises UnavailableError if the database isn't open."""
        return await self.db.read(lambda tx: self._report(tx, query, same))

    async def daily(self, query: CountQuery, same: Mapping[str, str]) -> list[Count]:
        """Return all counts of a range by day, oldest first."""

        def read(tx: ReadTx) -> list[Count]:
            counts = self._counts(tx, query, same, self._first(tx, query), "day")
            return sorted(counts, key=lambda each: (each.day, each.project or ""))

        return await self.db.read(read)

    def _first(self, tx: ReadTx, query: CountQuery) -> date:
        days = _DAYS.get(query.range)
        if days is not None:
            return self.calendar.last(days)[0]
        counted = rows.counted_days(tx, iso(self.calendar.clock()))
        return min((date.fromisoformat(counted[0]) if counted else date.max), self.calendar.today)

    def _report(self, tx: ReadTx, query: CountQuery, same: Mapping[str, str]) -> StatisticsReport:
        first, today = self._first(tx, query), self.calendar.today
        step = step_for((today - first).days + 1)
        counts = self._counts(tx, query, same, first, step)
        days = points(first, today, step)
        since = None if query.range == "all" else iso(self.calendar.span(first).first)
        memories = (
            self.facets.stats(tx, USER).total
            if query.keys is None
            else rows.live_memories(tx, query.keys)
        )
        return StatisticsReport(
            range=query.range,
            first=first,
            last=today,
            step=step,
            project=query.project,
            totals=report.sums_of(counts),
            points=report.points_of(counts, days, memories),
            projects=report.by_project(counts, days),
            types=report.by_type(counts, days),
            origins=report.by_origin(counts, days),
            memories=memories,
            entities=rows.live_entities(tx, query.keys),
            pending_days=len(self.sampler.missing(tx)),
            top_entities=tuple(rows.top_entities(tx, since, query.keys, _NEWEST, _TOP)),
        )

    def _counts(
        self,
        tx: ReadTx,
        query: CountQuery,
        same: Mapping[str, str],
        first: date,
        step: StatisticsStep,
    ) -> list[Count]:
        """Return the stored counts of a range, and those of its last days as they are now."""
        today = self.calendar.today
        recent = max(first, today - timedelta(days=_LIVE_DAYS - 1))
        found = [
            each
            for each in rows.sums(tx, recent.isoformat(), today.isoformat(), "day")
            if each.measure not in USES
        ]
        found += [each for each in self._recent(tx) if each.day >= recent.isoformat()]
        found = [
            Count(
                point_of(date.fromisoformat(each.day), step).isoformat(),
                *(each.measure, each.project, each.type, each.origin, each.count),
            )
            for each in found
        ]
        found += rows.sums(tx, first.isoformat(), recent.isoformat(), step)
        names = ProjectNames(same, rows.gone_projects(tx))
        counts = names.apply(found)
        return counts if query.keys is None else report.in_projects(counts, query.keys)

    def _recent(self, tx: ReadTx) -> tuple[Count, ...]:
        """Count today, and the uses of the days before it."""
        today, began = self.calendar.today, self.monotonic_s()
        kept = self._live
        if kept is not None and kept.today == today and began < kept.until_s:
            return kept.counts
        origins = self.sampler.origins
        *earlier, _ = self.calendar.last(_LIVE_DAYS)
        counts = count_rows.count_day(tx, self.calendar.span(today), origins)
        for day in earlier:
            counts += count_rows.count_uses(tx, self.calendar.span(day), origins)
        ended = self.monotonic_s()
        took = ended - began
        rest = 0.0 if took < _QUICK_S else min(_LONGEST_REST_S, took * _REST)
        self._live = _Live(today, ended + rest, tuple(counts))
        return self._live.counts

"""Reports of what was learned, told and used: stored counts, and today's as they are now."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Final

from intaglio.base.clock import iso
from intaglio.domain.reader import USER
from intaglio.domain.statistics_ranges import StatisticsRange, StatisticsStep
from intaglio.memory.facet_index.index import FacetIndex
from intaglio.statistics import count_rows, rows
from intaglio.statistics.days import Calendar, point_of, points, step_for
from intaglio.statistics.report import CountSums, ProjectNames, StatisticsReport
from intaglio.statistics.sampler import Sampler
from intaglio.statistics.values import USES, Count
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx

_DAYS: Final[Mapping[StatisticsRange, int]] = {"7": 7, "30": 30, "90": 90}
_LIVE_DAYS: Final = 7
"""Days whose uses are counted at each request; those of earlier ones once a day."""
_NEWEST: Final = 2_000
_TOP: Final = 10
_MOST_KEPT: Final = 8
# Counting a day on which very much was learned takes long: it is counted less often. What takes
# long with little to count does so because the machine is busy.
_LITTLE: Final = 1_000
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
    _sums: dict[CountQuery, tuple[tuple[object, ...], CountSums]] = field(
        default_factory=dict[CountQuery, tuple[tuple[object, ...], CountSums]], init=False
    )

    async def report(self, query: CountQuery, same: Mapping[str, str]) -> StatisticsReport:
        """Return the report of a range; raises UnavailableError if the database isn't open."""
        return await self.db.read(lambda tx: self._report(tx, query, same))

    async def daily(self, query: CountQuery, same: Mapping[str, str]) -> list[Count]:
        """Return all counts of a range by day, oldest first."""

        def read(tx: ReadTx) -> list[Count]:
            first, recent = self._days(tx, query)
            names = ProjectNames(same, rows.gone_projects(tx))
            counts = self._stored(tx, first, recent, "day") + self._recent(tx, recent, "day")
            named = [each._replace(project=names.of(each.project)) for each in counts]
            keys = query.keys
            kept = [each for each in named if keys is None or each.project in keys]
            return sorted(kept, key=lambda each: (each.day, each.project or ""))

        return await self.db.read(read)

    def _days(self, tx: ReadTx, query: CountQuery) -> tuple[date, date]:
        """Return the first day of a range, and the first of those that are counted now."""
        first = self._first(tx, query)
        return first, max(first, self.calendar.today - timedelta(days=_LIVE_DAYS - 1))

    def _first(self, tx: ReadTx, query: CountQuery) -> date:
        days = _DAYS.get(query.range)
        if days is not None:
            return self.calendar.last(days)[0]
        counted = rows.counted_days(tx, iso(self.calendar.clock()))
        return min((date.fromisoformat(counted[0]) if counted else date.max), self.calendar.today)

    def _report(self, tx: ReadTx, query: CountQuery, same: Mapping[str, str]) -> StatisticsReport:
        today = self.calendar.today
        first, recent = self._days(tx, query)
        step = step_for((today - first).days + 1)
        names = ProjectNames(same, rows.gone_projects(tx))
        now = CountSums.of(self._recent(tx, recent, step), names, query.keys)
        sums = self._earlier(tx, query, first, recent, names).plus(now)
        days = points(first, today, step)
        since = None if query.range == "all" else self.calendar.span(first).ms[0]
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
            totals=sums.totals,
            points=sums.points_of(days, memories),
            projects=sums.by("project", days),
            types=sums.by("type", days),
            origins=sums.by("origin", days),
            memories=memories,
            entities=rows.live_entities(tx, query.keys),
            pending_days=len(self.sampler.missing(tx)),
            top_entities=tuple(rows.top_entities(tx, since, query.keys, _NEWEST, _TOP)),
        )

    def _earlier(
        self, tx: ReadTx, query: CountQuery, first: date, recent: date, names: ProjectNames
    ) -> CountSums:
        """Return the sums of the days that are no longer counted; kept until they change."""
        version = (self.sampler.changes, first, recent, names)
        known = self._sums.get(query)
        if known is not None and known[0] == version:
            return known[1]
        step = step_for((self.calendar.today - first).days + 1)
        found = CountSums.of(self._stored(tx, first, recent, step), names, query.keys)
        if len(self._sums) >= _MOST_KEPT:
            self._sums.clear()
        self._sums[query] = (version, found)
        return found

    @staticmethod
    def _stored(tx: ReadTx, first: date, before: date, step: StatisticsStep) -> list[Count]:
        return rows.sums(tx, first.isoformat(), before.isoformat(), step)

    def _recent(self, tx: ReadTx, recent: date, step: StatisticsStep) -> list[Count]:
        """Return the counts of the last days, as they are now."""
        stored = rows.sums(tx, recent.isoformat(), self.calendar.today.isoformat(), "day")
        found = [each for each in stored if each.measure not in USES]
        found += [each for each in self._live_counts(tx) if each.day >= recent.isoformat()]
        return [
            each._replace(day=point_of(date.fromisoformat(each.day), step).isoformat())
            for each in found
        ]

    def _live_counts(self, tx: ReadTx) -> tuple[Count, ...]:
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
        is_quick = took < _QUICK_S or sum(each.number for each in counts) < _LITTLE
        rest = 0.0 if is_quick else min(_LONGEST_REST_S, took * _REST)
        self._live = _Live(today, ended + rest, tuple(counts))
        return self._live.counts

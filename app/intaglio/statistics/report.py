"""Makes a report of counts: sums, points of charts, and groups; pure."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final, TypeAlias

from intaglio.domain.statistics_ranges import StatisticsRange, StatisticsStep
from intaglio.statistics.values import NO_PROJECT, Count, Measure, TopEntity

Figures: TypeAlias = Mapping[Measure, int]

_WITHOUT_TYPE: Final[frozenset[Measure]] = frozenset({"entities", "sessions", "searches"})
_WITHOUT_ORIGIN: Final[frozenset[Measure]] = frozenset({"entities"})
_ADDS: Final[Mapping[Measure, int]] = {
    "learned": 1,
    "restored": 1,
    "forgotten": -1,
    "retired": -1,
}


@dataclass(frozen=True, slots=True)
class GroupFigures:
    """What was counted of a project, type or origin; two measures also by point."""

    key: str | None
    figures: Figures
    learned_per: tuple[int, ...]
    told_tokens_per: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PointFigures:
    """What was counted in the days of a point, and how many memories there were after them."""

    day: str
    figures: Figures
    memories: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticsReport:
    """What was counted from a day to another one; ``memories`` and ``entities`` are those now."""

    range: StatisticsRange
    first: date
    last: date
    step: StatisticsStep
    project: str | None
    totals: Figures
    points: tuple[PointFigures, ...]
    projects: tuple[GroupFigures, ...]
    types: tuple[GroupFigures, ...]
    origins: tuple[GroupFigures, ...]
    memories: int = 0
    entities: int = 0
    pending_days: int = 0
    top_entities: tuple[TopEntity, ...] = ()

    @property
    def projects_learned(self) -> int:
        """In how many projects something was learned."""
        return sum(
            1 for each in self.projects if each.key != NO_PROJECT and each.figures.get("learned")
        )

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not self.memories and not any(self.totals.values())


@dataclass(frozen=True, slots=True)
class ProjectNames:
    """Which projects count as others: names of a directory, moved ones, and those that are gone."""

    same: Mapping[str, str] = field(default_factory=dict[str, str])
    gone: Mapping[str, str | None] = field(default_factory=dict[str, str | None])

    def of(self, key: str | None) -> str | None:
        """Return the project that counts for a stored one; None if nothing is left of it."""
        if not key:
            return key
        found = self.gone.get(key, key)
        return found if found is None else self.same.get(found, found)

    def apply(self, counts: Iterable[Count]) -> list[Count]:
        """Return counts with the projects that count."""
        return [replace(each, project=self.of(each.project)) for each in counts]


def in_projects(counts: Iterable[Count], keys: Collection[str]) -> list[Count]:
    """Return the counts of some projects."""
    return [each for each in counts if each.project in keys]


def sums_of(counts: Iterable[Count]) -> dict[Measure, int]:
    """Return the sum of each measure."""
    found: Counter[Measure] = Counter()
    for each in counts:
        found[each.measure] += each.count
    return dict(found)


def points_of(
    counts: Sequence[Count], days: Sequence[str], memories: int
) -> tuple[PointFigures, ...]:
    """Return the figures of each point; ``memories`` is how many there are after the last one.

    How many there were before follows from what came and went since.
    """
    by_day: defaultdict[str, list[Count]] = defaultdict(list)
    for each in counts:
        by_day[each.day].append(each)
    found: list[PointFigures] = []
    for day in reversed(days):
        figures = sums_of(by_day[day])
        found.append(PointFigures(day, figures, memories))
        memories = max(0, memories - sum(_ADDS.get(name, 0) * n for name, n in figures.items()))
    return tuple(reversed(found))


def _groups(
    counts: Iterable[Count],
    days: Sequence[str],
    key: Callable[[Count], str | None],
    without: frozenset[Measure] = frozenset(),
) -> tuple[GroupFigures, ...]:
    by_key: defaultdict[str | None, list[Count]] = defaultdict(list)
    for each in counts:
        if each.measure not in without:
            by_key[key(each)].append(each)
    found = [
        GroupFigures(
            name, sums_of(some), _per(some, days, "learned"), _per(some, days, "told_tokens")
        )
        for name, some in by_key.items()
    ]
    return tuple(sorted(found, key=_largest_first))


def _per(counts: Iterable[Count], days: Sequence[str], measure: Measure) -> tuple[int, ...]:
    sums: Counter[str] = Counter()
    for each in counts:
        if each.measure == measure:
            sums[each.day] += each.count
    return tuple(sums[day] for day in days)


def _largest_first(group: GroupFigures) -> tuple[int, int, str]:
    figures = group.figures
    return -figures.get("learned", 0), -figures.get("told_tokens", 0), group.key or ""


def by_project(counts: Iterable[Count], days: Sequence[str]) -> tuple[GroupFigures, ...]:
    """Group by project, what was learned most first."""
    return _groups(counts, days, lambda each: each.project)


def by_type(counts: Iterable[Count], days: Sequence[str]) -> tuple[GroupFigures, ...]:
    """Group by the type of memories."""
    return _groups(counts, days, lambda each: each.type, _WITHOUT_TYPE)


def by_origin(counts: Iterable[Count], days: Sequence[str]) -> tuple[GroupFigures, ...]:
    """Group by origin."""
    return _groups(counts, days, lambda each: each.origin, _WITHOUT_ORIGIN)

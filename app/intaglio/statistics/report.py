"""Makes a report of counts: sums, points of charts, and groups; pure."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final, Literal, TypeAlias

from intaglio.domain.statistics_ranges import StatisticsRange, StatisticsStep
from intaglio.statistics.values import MEASURES, NO_PROJECT, Count, Measure, TopEntity

Figures: TypeAlias = Mapping[Measure, int]

Dimension: TypeAlias = Literal["project", "type", "origin"]

_WITHOUT_TYPE: Final[frozenset[Measure]] = frozenset({"entities", "sessions", "searches"})
_WITHOUT_ORIGIN: Final[frozenset[Measure]] = frozenset({"entities"})
_BY_POINT: Final[frozenset[Measure]] = frozenset({"learned", "told_tokens"})
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


@dataclass(frozen=True, slots=True)
class CountSums:
    """Sums of counts by point, and by project, type and origin."""

    points: Counter[tuple[str, Measure]] = field(default_factory=Counter[tuple[str, Measure]])
    groups: Counter[tuple[Dimension, str | None, Measure]] = field(
        default_factory=Counter[tuple[Dimension, str | None, Measure]]
    )
    group_points: Counter[tuple[Dimension, str | None, Measure, str]] = field(
        default_factory=Counter[tuple[Dimension, str | None, Measure, str]]
    )

    @classmethod
    def of(
        cls, counts: Iterable[Count], names: ProjectNames, projects: Collection[str] | None
    ) -> "CountSums":
        """Sum up counts, of some projects or of all."""
        found = cls()
        points, groups, group_points = found.points, found.groups, found.group_points
        for day, measure, stored, type_, origin, number in counts:
            project = names.of(stored)
            if projects is not None and project not in projects:
                continue
            points[day, measure] += number
            groups["project", project, measure] += number
            if measure not in _WITHOUT_TYPE:
                groups["type", type_, measure] += number
            if measure not in _WITHOUT_ORIGIN:
                groups["origin", origin, measure] += number
            if measure in _BY_POINT:
                group_points["project", project, measure, day] += number
                group_points["type", type_, measure, day] += number
                group_points["origin", origin, measure, day] += number
        return found

    def plus(self, other: "CountSums") -> "CountSums":
        """Return the sums of both."""
        return CountSums(
            self.points + other.points,
            self.groups + other.groups,
            self.group_points + other.group_points,
        )

    @property
    def totals(self) -> Figures:
        """The sum of each measure."""
        found: Counter[Measure] = Counter()
        for (_, measure), number in self.points.items():
            found[measure] += number
        return found

    def points_of(self, days: Sequence[str], memories: int) -> tuple[PointFigures, ...]:
        """Return the figures of each point; ``memories`` is how many there are after the last one.

        How many there were before follows from what came and went since.
        """
        found: list[PointFigures] = []
        for day in reversed(days):
            figures: dict[Measure, int] = {name: self.points[day, name] for name in MEASURES}
            found.append(PointFigures(day, figures, memories))
            changed = sum(sign * figures[name] for name, sign in _ADDS.items())
            memories = max(0, memories - changed)
        return tuple(reversed(found))

    def by(self, dimension: Dimension, days: Sequence[str]) -> tuple[GroupFigures, ...]:
        """Return the groups of a dimension, of what was learned most first."""
        figures: dict[str | None, dict[Measure, int]] = {}
        for (of, key, measure), number in self.groups.items():
            if of == dimension:
                figures.setdefault(key, {})[measure] = number

        def per(key: str | None, measure: Measure) -> tuple[int, ...]:
            return tuple(self.group_points[dimension, key, measure, day] for day in days)

        found = [
            GroupFigures(key, sums, per(key, "learned"), per(key, "told_tokens"))
            for key, sums in figures.items()
        ]
        return tuple(sorted(found, key=_largest_first))


def _largest_first(group: GroupFigures) -> tuple[int, int, str]:
    figures = group.figures
    return -figures.get("learned", 0), -figures.get("told_tokens", 0), group.key or ""

"""Days of the user's clock; pure."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final, TypeAlias

from intaglio.base.clock import Clock, midnight, parse_moment
from intaglio.domain.statistics_ranges import StatisticsStep
from intaglio.statistics.values import DaySpan

Local: TypeAlias = Callable[[datetime], datetime]

_ONE: Final = timedelta(days=1)
_MOST_DAYS: Final = 92
_MOST_WEEK_DAYS: Final = 731


@dataclass(frozen=True, slots=True)
class Calendar:
    """The user's calendar: ``local`` moves a time into the zone of the user's clock."""

    clock: Clock
    local: Local

    @property
    def today(self) -> date:
        """The day that it is."""
        return self.local(self.clock()).date()

    def span(self, day: date) -> DaySpan:
        """Return a day with its beginning and its end."""
        return DaySpan(day, midnight(day, self.local), midnight(day + _ONE, self.local))

    def last(self, days: int) -> tuple[date, ...]:
        """Return the last days, today included, oldest first."""
        today = self.today
        return tuple(today - _ONE * back for back in reversed(range(days)))

    def day_of(self, moment: str | None) -> date:
        """Return the day of a stored timestamp; today for none, and for one that isn't a time."""
        found = parse_moment(moment or "")
        try:
            return self.local(found).date() if found else self.today
        except (ValueError, OverflowError, OSError):
            return self.today  # The first or the last day that there is

    def missing(self, first: date, counted: frozenset[str]) -> list[date]:
        """Return the days from one on that are over and aren't counted yet, oldest first."""
        past = (self.today - first).days
        days = (first + _ONE * each for each in range(past))
        return [day for day in days if day.isoformat() not in counted]


def step_for(days: int) -> StatisticsStep:
    """Return which step gives a chart of so many days a readable number of points."""
    if days <= _MOST_DAYS:
        return "day"
    return "week" if days <= _MOST_WEEK_DAYS else "month"


def point_of(day: date, step: StatisticsStep) -> date:
    """Return the first day of the point that a day belongs to."""
    match step:
        case "day":
            return day
        case "week":
            return day - _ONE * day.weekday()
        case "month":
            return day.replace(day=1)


def points(first: date, last: date, step: StatisticsStep) -> list[str]:
    """Return the points of the days from ``first`` to ``last``."""
    days = (first + _ONE * each for each in range((last - first).days + 1))
    return [day.isoformat() for day in dict.fromkeys(point_of(day, step) for day in days)]

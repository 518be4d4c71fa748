"""What was used of a day's limits, with what calls in flight may still use; pure."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from intaglio.models.settings import ModelLimitSettings

# A call must fit into what is left, so the last bit of a limit stays unused.
_NEARLY: Final = 0.99

CapName: TypeAlias = Literal["tokens", "usd", "project"]


@dataclass(frozen=True, slots=True)
class Reservation:
    """What a call in flight may use at most, as far as can be estimated."""

    project: str | None = None
    tokens: int = 0
    usd: float = 0.0


@dataclass(frozen=True, slots=True)
class CapReached:
    """A limit that a call would exceed.

    ``used`` is what was used. ``in_flight`` says that other calls may leave enough of it,
    ``is_too_low`` that the call alone exceeds it.
    """

    cap: CapName
    used: float
    limit: float
    in_flight: bool
    is_too_low: bool


@dataclass(slots=True)
class DayUsage:
    """What was used on a day of the user's clock."""

    day: str
    tokens: int = 0
    usd: float = 0.0
    projects: Counter[str] = field(default_factory=Counter[str])
    _in_flight: list[Reservation] = field(default_factory=list[Reservation])

    def add(self, project: str | None, tokens: int, usd: float) -> None:
        """Count what a call used."""
        self.tokens += tokens
        self.usd += usd
        if project is not None:
            self.projects[project] += tokens

    def cap_reached(self, wanted: Reservation, limits: ModelLimitSettings) -> CapReached | None:
        """Return the limit that a call would exceed together with those in flight, if any."""
        own = [each for each in self._in_flight if each.project == wanted.project]
        running = sum(each.tokens for each in self._in_flight)
        money = sum(each.usd for each in self._in_flight)
        found = [
            _exceeded("tokens", self.tokens, running, wanted.tokens, limits.daily_tokens),
            _exceeded("usd", self.usd, money, wanted.usd, limits.daily_usd),
        ]
        if wanted.project is not None:
            used = self.projects[wanted.project]
            reserved = sum(each.tokens for each in own)
            most = limits.daily_project_tokens
            found.append(_exceeded("project", used, reserved, wanted.tokens, most))
        reached = [each for each in found if each is not None]
        # What won't be freed counts first.
        return min(reached, key=lambda each: each.in_flight, default=None)

    def spent(self, limits: ModelLimitSettings) -> CapName | None:
        """Return the limit of which hardly anything is left for all projects, if there is one."""
        if limits.daily_tokens and self.tokens >= limits.daily_tokens * _NEARLY:
            return "tokens"
        if limits.daily_usd and self.usd >= limits.daily_usd * _NEARLY:
            return "usd"
        return None

    def reserve(self, wanted: Reservation) -> None:
        """Count a call as in flight."""
        self._in_flight.append(wanted)

    def release(self, reserved: Reservation) -> None:
        """Count a call as done."""
        if reserved in self._in_flight:
            self._in_flight.remove(reserved)

    def next_day(self, following: "DayUsage") -> "DayUsage":
        """Return another day's usage with the calls that are still in flight."""
        following._in_flight = self._in_flight  # noqa: SLF001 - its own class
        return following


def _exceeded(
    cap: CapName, used: float, running: float, wanted: float, limit: float
) -> CapReached | None:
    # Without a price, a call costs nothing that can be counted.
    if limit <= 0 or not wanted or used + running + wanted <= limit:
        return None
    is_low = wanted > limit
    return CapReached(cap, used, limit, in_flight=used + wanted <= limit, is_too_low=is_low)

"""Pauses as time spans, and which messages lie outside all pauses; pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from intaglio.domain.bypass import BypassedBy

_BEGINNING = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """A time span without capture, from ``started_at`` up to but not including its end.

    ``until`` is when it expires, ``ended_at`` when it was ended; with neither it has no end yet.
    """

    id: str
    started_at: datetime
    until: datetime | None
    ended_at: datetime | None
    asked_by: str

    @property
    def end(self) -> datetime | None:
        """The end, exclusive; None if it has none yet."""
        return min((each for each in (self.until, self.ended_at) if each), default=None)

    def contains(self, moment: datetime) -> bool:
        """Whether a time lies within the pause."""
        return self.overlaps(moment, moment)

    def overlaps(self, first: datetime, last: datetime) -> bool:
        """Whether the pause overlaps the span from ``first`` to ``last``, inclusive."""
        return self.started_at <= last and (self.end is None or first < self.end)


@dataclass(frozen=True, slots=True)
class PauseState:
    """Whether capture is paused now; without ``until``, until it is resumed."""

    paused: bool = False
    since: datetime | None = None
    until: datetime | None = None


CAPTURING = PauseState()


@dataclass(frozen=True, slots=True)
class Bypass:
    """A time in which one session is told nothing, and nothing of it is captured."""

    harness: str
    session_id: str
    span: Pause
    asked_by: BypassedBy


def outside_pauses(
    times: Sequence[datetime | None],
    pauses: Iterable[Pause],
    since: datetime | None,
    now: datetime,
) -> list[bool]:
    """Return for each message, in transcript order, whether it lies outside all pauses.

    A message without a time lies between its nearest neighbours with one (``since`` and ``now`` at
    the ends) and counts as outside only if that whole span is.
    """
    known = list(pauses)
    if not known:
        return [True] * len(times)
    before = _nearest(times, since)
    after = _nearest(times[::-1], now)[::-1]
    return [
        not any(pause.overlaps(*_span(time, first, last)) for pause in known)
        for time, first, last in zip(times, before, after, strict=True)
    ]


def _nearest(times: Sequence[datetime | None], at_first: datetime | None) -> list[datetime | None]:
    """Return for each message the latest known time at or before it."""
    found: list[datetime | None] = []
    latest = at_first
    for time in times:
        latest = time or latest
        found.append(latest)
    return found


def _span(
    time: datetime | None, before: datetime | None, after: datetime | None
) -> tuple[datetime, datetime]:
    if time is not None:
        return time, time
    bounds = (before or _BEGINNING, after or _BEGINNING)
    return min(bounds), max(bounds)

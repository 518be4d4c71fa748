"""A pause as a span of time, and which messages lie outside of all pauses; pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

_EVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """A span in which nothing said is captured: from ``started_at`` to before its end.

    ``until`` is when it ends by itself, ``ended_at`` when somebody ended it; without both it
    has no end yet.
    """

    id: str
    started_at: datetime
    until: datetime | None
    ended_at: datetime | None
    asked_by: str

    @property
    def end(self) -> datetime | None:
        """The first moment after it; None while that is unknown."""
        return min((each for each in (self.until, self.ended_at) if each), default=None)

    def holds(self, moment: datetime) -> bool:
        """Whether a moment lies inside."""
        return self.meets(moment, moment)

    def meets(self, first: datetime, last: datetime) -> bool:
        """Whether any moment from ``first`` to ``last`` lies inside."""
        return self.started_at <= last and (self.end is None or first < self.end)


@dataclass(frozen=True, slots=True)
class PauseState:
    """Whether capture is paused now; without ``until`` it is until somebody resumes it."""

    paused: bool = False
    since: datetime | None = None
    until: datetime | None = None


CAPTURING = PauseState()


def outside_pauses(
    times: Sequence[datetime | None],
    pauses: Iterable[Pause],
    since: datetime | None,
    now: datetime,
) -> list[bool]:
    """Tell of each message, in their order in the transcript, whether it was said in no pause.

    A message without a time was said between its neighbours that have one: after ``since`` and
    before ``now`` at the ends. It counts as outside only where that whole span is.
    """
    known = list(pauses)
    if not known:
        return [True] * len(times)
    before = _nearest(times, since)
    after = _nearest(times[::-1], now)[::-1]
    return [
        not any(pause.meets(*_span(time, first, last)) for pause in known)
        for time, first, last in zip(times, before, after, strict=True)
    ]


def _nearest(times: Sequence[datetime | None], at_first: datetime | None) -> list[datetime | None]:
    """Return for each message the last time that was given up to it."""
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
    bounds = (before or _EVER, after or _EVER)
    return min(bounds), max(bounds)

"""Which notes are shown, when, and which become one; pure, in seconds that never run backwards."""

from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from intaglio.desktop.values import Notification, NotificationKind

NotificationLevel: TypeAlias = Literal["all", "problems", "none"]

PROBLEMS: Final[frozenset[NotificationKind]] = frozenset(
    {"daemon_failed", "port_taken", "refused", "degraded", "told"}
)
_MOST_LINES: Final = 4


@dataclass(frozen=True, slots=True)
class NotificationLimits:
    """What one person can be asked to read.

    Notes that come within ``gather_s`` of the first are shown as one. The same note is not shown
    again within ``same_s``. At most ``most`` are shown in ``span_s``; later ones wait and are
    gathered meanwhile.
    """

    gather_s: float = 1.0
    same_s: float = 600.0
    most: int = 6
    span_s: float = 600.0


@dataclass(frozen=True, slots=True)
class NotificationQueue:
    """What waits, since when; which notes were shown at what time, and when anything was."""

    limits: NotificationLimits = NotificationLimits()
    waiting: tuple[Notification, ...] = ()
    since: float = 0.0
    shown: tuple[tuple[float, Notification], ...] = ()
    showings: tuple[float, ...] = ()


def is_wanted(notification: Notification, wanted: NotificationLevel) -> bool:
    """Tell whether the user wants such a note at all."""
    match wanted:
        case "all":
            return True
        case "problems":
            return notification.kind in PROBLEMS
        case "none":
            return False


def _says_the_same(one: Notification, other: Notification) -> bool:
    return (one.kind, one.title, one.text) == (other.kind, other.title, other.text)


def add(queue: NotificationQueue, notification: Notification, now: float) -> NotificationQueue:
    """Add a note; one that waits already, or was shown a moment ago, changes nothing."""
    recent = (shown for at, shown in queue.shown if now - at < queue.limits.same_s)
    if any(_says_the_same(notification, known) for known in (*queue.waiting, *recent)):
        return queue
    # A state has one note: what is true now takes the place of what was.
    others = tuple(
        known
        for known in queue.waiting
        if known.kind != notification.kind or notification.kind == "told"
    )
    since = queue.since if queue.waiting else now
    return replace(queue, waiting=(*others, notification), since=since)


def due_at(queue: NotificationQueue) -> float | None:
    """Return the moment when what waits may be shown; None when nothing waits."""
    if not queue.waiting:
        return None
    limits = queue.limits
    gathered = queue.since + limits.gather_s
    if len(queue.showings) < limits.most:
        return gathered
    return max(gathered, queue.showings[-limits.most] + limits.span_s)


def take_due(queue: NotificationQueue, now: float) -> tuple[NotificationQueue, Notification | None]:
    """Return the note to show now, made of all that waits, and the book without it."""
    moment = due_at(queue)
    if moment is None or now < moment:
        return queue, None
    recent = [(at, note) for at, note in queue.shown if now - at < queue.limits.same_s]
    fresh = replace(
        queue,
        waiting=(),
        shown=(*recent, *((now, note) for note in queue.waiting)),
        showings=(*queue.showings, now)[-queue.limits.most :],
    )
    return fresh, combine(queue.waiting)


def combine(notes: tuple[Notification, ...]) -> Notification:
    """Make one note of several; the first problem gives it its kind and its click."""
    first = next((note for note in notes if note.kind in PROBLEMS), notes[0])
    if len(notes) == 1:
        return first
    lines = [note.title if note.title != "Intaglio" else note.text for note in notes]
    more = [f"and {len(lines) - _MOST_LINES} more"] if len(lines) > _MOST_LINES else []
    text = "\n".join([*lines[:_MOST_LINES], *more])
    return replace(first, title=f"Intaglio: {len(notes)} messages", text=text)

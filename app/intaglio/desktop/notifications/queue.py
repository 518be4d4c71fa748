"""Which notifications are shown, when, and which are combined; pure, in monotonic seconds."""

from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from intaglio.desktop.values import Notification, NotificationKind

NotificationLevel: TypeAlias = Literal["all", "problems", "none"]

PROBLEMS: Final[frozenset[NotificationKind]] = frozenset(
    {"daemon_failed", "port_taken", "refused", "degraded", "message"}
)
_MAX_LINES: Final = 4


@dataclass(frozen=True, slots=True)
class NotificationLimits:
    """Rate limits.

    Notifications within ``batch_s`` of the first are combined. The same one isn't repeated within
    ``repeat_s``. At most ``max_count`` are shown in ``window_s``; later ones are combined and shown
    afterwards.
    """

    batch_s: float = 1.0
    repeat_s: float = 600.0
    max_count: int = 6
    window_s: float = 600.0


@dataclass(frozen=True, slots=True)
class NotificationQueue:
    """Pending notifications, pending since when, and what was shown at what time."""

    limits: NotificationLimits = NotificationLimits()
    pending: tuple[Notification, ...] = ()
    since: float = 0.0
    shown: tuple[tuple[float, Notification], ...] = ()
    shown_at: tuple[float, ...] = ()


def is_enabled(notification: Notification, level: NotificationLevel) -> bool:
    """Return whether the user's level includes this notification."""
    match level:
        case "all":
            return True
        case "problems":
            return notification.kind in PROBLEMS
        case "none":
            return False


def _is_same(one: Notification, other: Notification) -> bool:
    return (one.kind, one.title, one.text) == (other.kind, other.title, other.text)


def add(queue: NotificationQueue, notification: Notification, now: float) -> NotificationQueue:
    """Add a notification, unless the same one is pending or was shown recently."""
    recent = (shown for at, shown in queue.shown if now - at < queue.limits.repeat_s)
    if any(_is_same(notification, known) for known in (*queue.pending, *recent)):
        return queue
    # A newer state replaces an older one of the same kind.
    others = tuple(
        known
        for known in queue.pending
        if known.kind != notification.kind or notification.kind == "message"
    )
    since = queue.since if queue.pending else now
    return replace(queue, pending=(*others, notification), since=since)


def due_at(queue: NotificationQueue) -> float | None:
    """Return when the pending notifications may be shown; None if there are none."""
    if not queue.pending:
        return None
    limits = queue.limits
    gathered = queue.since + limits.batch_s
    if len(queue.shown_at) < limits.max_count:
        return gathered
    return max(gathered, queue.shown_at[-limits.max_count] + limits.window_s)


def take_due(queue: NotificationQueue, now: float) -> tuple[NotificationQueue, Notification | None]:
    """Return the queue without its pending notifications, and these combined if due, else None."""
    due = due_at(queue)
    if due is None or now < due:
        return queue, None
    recent = [(at, note) for at, note in queue.shown if now - at < queue.limits.repeat_s]
    fresh = replace(
        queue,
        pending=(),
        shown=(*recent, *((now, note) for note in queue.pending)),
        shown_at=(*queue.shown_at, now)[-queue.limits.max_count :],
    )
    return fresh, combine(queue.pending)


def combine(notes: tuple[Notification, ...]) -> Notification:
    """Combine notifications into one, with the kind and click of the first problem."""
    first = next((note for note in notes if note.kind in PROBLEMS), notes[0])
    if len(notes) == 1:
        return first
    lines = [note.title if note.title != "Intaglio" else note.text for note in notes]
    more = [f"and {len(lines) - _MAX_LINES} more"] if len(lines) > _MAX_LINES else []
    text = "\n".join([*lines[:_MAX_LINES], *more])
    return replace(first, title=f"Intaglio: {len(notes)} notifications", text=text)

"""Which notifications are shown, when, and which are combined; pure, in monotonic seconds."""

from dataclasses import dataclass, replace
from typing import Final

from intaglio.desktop.captured.saved_lines import saved_notification
from intaglio.desktop.notifications.preferences import PROBLEMS, is_immediate
from intaglio.desktop.values import Notification

_MAX_LINES: Final = 4


@dataclass(frozen=True, slots=True)
class NotificationLimits:
    """Rate limits.

    Notifications within ``batch_s`` of the first are combined. The same one isn't repeated within
    ``repeat_s``. At most ``max_count`` are shown in ``window_s``, and dangers and answers at once;
    later ones are combined and shown afterwards.
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


def _is_same(one: Notification, other: Notification) -> bool:
    return (one.kind, one.title, one.text) == (other.kind, other.title, other.text)


def add(queue: NotificationQueue, notification: Notification, now: float) -> NotificationQueue:
    """Add a notification, unless the same one is pending or was shown recently."""
    recent = (shown for at, shown in queue.shown if now - at < queue.limits.repeat_s)
    if any(_is_same(notification, known) for known in (*queue.pending, *recent)):
        return queue
    others, before = list[Notification](), list[Notification]()
    for known in queue.pending:
        (before if _takes_place_of(notification, known) else others).append(known)
    if notification.kind == "saved":
        saved = (line for known in (*before, notification) for line in known.saved)
        notification = saved_notification(tuple(saved))
    since = queue.since if queue.pending else now
    return replace(queue, pending=(*others, notification), since=since)


def _takes_place_of(newer: Notification, known: Notification) -> bool:
    """Return whether a newer state replaces a pending one; each answer is shown."""
    return known.kind == newer.kind and newer.kind != "message" and known.issues == newer.issues


def withdraw(queue: NotificationQueue, issue: str) -> NotificationQueue:
    """Remove the pending notifications about an issue that is gone."""
    return replace(queue, pending=tuple(one for one in queue.pending if issue not in one.issues))


def due_at(queue: NotificationQueue, *, quiet: bool = False) -> float | None:
    """Return when pending notifications may be shown; None if there are none.

    In quiet hours, only those count that don't wait. Neither do these wait for the rate limit.
    """
    showable = _showable(queue, quiet=quiet)
    if not showable:
        return None
    limits = queue.limits
    gathered = queue.since + limits.batch_s
    if len(queue.shown_at) < limits.max_count or any(map(is_immediate, showable)):
        return gathered
    return max(gathered, queue.shown_at[-limits.max_count] + limits.window_s)


def _showable(queue: NotificationQueue, *, quiet: bool) -> tuple[Notification, ...]:
    return tuple(one for one in queue.pending if not quiet or is_immediate(one))


def take_due(
    queue: NotificationQueue, now: float, *, quiet: bool = False
) -> tuple[NotificationQueue, Notification | None]:
    """Return the queue without the notifications that are due, and these combined, else None."""
    due = due_at(queue, quiet=quiet)
    if due is None or now < due:
        return queue, None
    taken = _showable(queue, quiet=quiet)
    recent = [(at, note) for at, note in queue.shown if now - at < queue.limits.repeat_s]
    fresh = replace(
        queue,
        pending=tuple(one for one in queue.pending if one not in taken),
        shown=(*recent, *((now, note) for note in taken)),
        shown_at=(*queue.shown_at, now)[-queue.limits.max_count :],
    )
    return fresh, combine(taken)


def combine(notes: tuple[Notification, ...]) -> Notification:
    """Combine notifications into one, with the kind and click of the first problem."""
    first = next((note for note in notes if note.kind in PROBLEMS), notes[0])
    if len(notes) == 1:
        return first
    lines = [note.title if note.title != "Intaglio" else note.text for note in notes]
    more = [f"and {len(lines) - _MAX_LINES} more"] if len(lines) > _MAX_LINES else []
    goes_away = all(note.issues for note in notes)
    return replace(
        first,
        title=f"Intaglio: {len(notes)} notifications",
        text="\n".join([*lines[:_MAX_LINES], *more]),
        button=None,
        issues=tuple(issue for note in notes for issue in note.issues) if goes_away else (),
        saved=(),
        answers=tuple(note.title for note in notes if note.kind == "message"),
    )

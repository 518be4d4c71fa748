"""Which notifications the user wants, and when; pure."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal, TypeAlias

from intaglio.desktop.values import Notification, NotificationKind

NotificationLevel: TypeAlias = Literal["all", "problems", "none"]
NotificationCategory: TypeAlias = Literal["problems", "saved", "pauses", "updates"]

URGENT: Final[frozenset[NotificationKind]] = frozenset(
    {"daemon_failed", "port_taken", "refused", "degraded", "danger"}
)
PROBLEMS: Final[frozenset[NotificationKind]] = frozenset({*URGENT, "issue", "message"})
# An answer to what the user just did isn't held back: whoever does something is there.
_IMMEDIATE: Final[frozenset[NotificationKind]] = frozenset({*URGENT, "message"})
_CATEGORIES: Final[dict[NotificationKind, NotificationCategory]] = {
    "daemon_failed": "problems",
    "port_taken": "problems",
    "refused": "problems",
    "degraded": "problems",
    "danger": "problems",
    "issue": "problems",
    "saved": "saved",
    "captured": "saved",
    "paused": "pauses",
    "updated": "updates",
}


@dataclass(frozen=True, slots=True)
class NotificationPreferences:
    """The user's choices: how much, the categories that are off, and quiet hours.

    Quiet hours last from one full hour of local time to another, over midnight if the first is the
    later one; there are none if both are the same.
    """

    level: NotificationLevel = "all"
    off: frozenset[NotificationCategory] = field(default_factory=frozenset[NotificationCategory])
    quiet_from: int = 0
    quiet_to: int = 0

    def includes(self, notification: Notification) -> bool:
        """Return whether the user wants this notification at all."""
        if self.level == "none" or _CATEGORIES.get(notification.kind) in self.off:
            return False
        return self.level == "all" or notification.kind in PROBLEMS

    def is_quiet(self, now: datetime) -> bool:
        """Return whether a local time is within quiet hours."""
        if self.quiet_from <= self.quiet_to:
            return self.quiet_from <= now.hour < self.quiet_to
        return now.hour >= self.quiet_from or now.hour < self.quiet_to


def is_immediate(notification: Notification) -> bool:
    """Return whether a notification is shown in quiet hours, and however many were shown before."""
    return notification.kind in _IMMEDIATE

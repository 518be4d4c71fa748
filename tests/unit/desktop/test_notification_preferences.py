"""Which notifications the user wants by level and category, and what waits in quiet hours."""

from datetime import UTC, datetime

import pytest

from intaglio.desktop.factory import notification_preferences
from intaglio.desktop.notifications.preferences import (
    NotificationLevel,
    NotificationPreferences,
    is_immediate,
)
from intaglio.desktop.settings import DesktopSettings
from intaglio.desktop.values import Notification, NotificationKind


@pytest.mark.parametrize(
    ("kind", "level", "shown"),
    [
        ("saved", "all", True),
        ("paused", "problems", False),
        ("captured", "problems", False),
        ("daemon_failed", "problems", True),
        ("issue", "problems", True),
        ("message", "problems", True),
        ("danger", "none", False),
    ],
)
def test_the_level_decides_which_notifications_are_shown(
    kind: NotificationKind, level: NotificationLevel, shown: bool
) -> None:
    assert NotificationPreferences(level).includes(Notification(kind, "", "")) is shown


@pytest.mark.parametrize(
    ("settings", "off"),
    [
        (DesktopSettings(notify_problems=False), {"danger", "issue", "degraded", "port_taken"}),
        (DesktopSettings(notify_saved=False), {"saved", "captured"}),
        (DesktopSettings(notify_pauses=False), {"paused"}),
        (DesktopSettings(notify_updates=False), {"updated"}),
    ],
)
def test_each_switch_turns_its_category_off(settings: DesktopSettings, off: set[str]) -> None:
    kinds: list[NotificationKind] = [
        "danger", "issue", "degraded", "port_taken", "saved", "captured", "paused", "updated",
        "message",
    ]  # fmt: skip
    wanted = notification_preferences(settings)
    assert {kind for kind in kinds if not wanted.includes(Notification(kind, "", ""))} == off


@pytest.mark.parametrize(
    ("start", "end", "quiet"),
    [
        (22, 7, {22, 23, 0, 1, 2, 3, 4, 5, 6}),
        (1, 3, {1, 2}),
        (0, 0, set[int]()),
        (9, 9, set[int]()),
        (23, 0, {23}),
    ],
)
def test_quiet_hours_may_go_over_midnight(start: int, end: int, quiet: set[int]) -> None:
    wanted = NotificationPreferences(quiet_from=start, quiet_to=end)
    hours = (datetime(2026, 1, 31, hour, 59, tzinfo=UTC) for hour in range(24))
    assert {moment.hour for moment in hours if wanted.is_quiet(moment)} == quiet


@pytest.mark.parametrize(
    ("kind", "at_once"), [("danger", True), ("message", True), ("issue", False), ("saved", False)]
)
def test_only_dangers_and_answers_come_through_in_quiet_hours(
    kind: NotificationKind, at_once: bool
) -> None:
    assert is_immediate(Notification(kind, "", "")) is at_once

"""Which notes are shown and when: gathered, never twice, never too many."""

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intaglio.desktop.notifications.queue import (
    NotificationLevel,
    NotificationLimits,
    NotificationQueue,
    add,
    combine,
    due_at,
    is_enabled,
    take_due,
)
from intaglio.desktop.values import Notification, NotificationKind, OpenPage

PAUSED = Notification("paused", "Intaglio", "Capture is paused until 14:30.")
FAILED = Notification("daemon_failed", "The daemon fails", "Five times.", OpenPage())
UPDATED = Notification("updated", "Intaglio 2 is installed", "The daemon is restarted.")
LIMITS = NotificationLimits(batch_s=1, repeat_s=100, max_count=3, window_s=60)


@dataclass
class FakeScreen:
    """A desktop with a clock that a test moves."""

    book: NotificationQueue = field(default_factory=lambda: NotificationQueue(LIMITS))
    now: float = 0.0
    seen: list[tuple[float, Notification]] = field(default_factory=list[tuple[float, Notification]])

    def tell(self, *notes: Notification) -> None:
        for note in notes:
            self.book = add(self.book, note, self.now)

    def wait_until(self, moment: float) -> None:
        while (due := due_at(self.book)) is not None and due <= moment:
            self.now = max(self.now, due)
            self.book, note = take_due(self.book, self.now)
            if note is not None:
                self.seen.append((self.now, note))
        self.now = moment


def test_a_notification_waits_a_moment_for_others() -> None:
    screen = FakeScreen()
    screen.tell(PAUSED)
    screen.wait_until(10)
    assert screen.seen == [(1, PAUSED)]


def test_simultaneous_notifications_are_combined() -> None:
    screen = FakeScreen()
    screen.tell(PAUSED, UPDATED)
    screen.wait_until(10)
    ((_, note),) = screen.seen
    assert note.title == "Intaglio: 2 notifications"
    assert note.text == "Capture is paused until 14:30.\nIntaglio 2 is installed"


def test_a_click_on_combined_notifications_opens_the_problem() -> None:
    assert combine((PAUSED, FAILED)).click == OpenPage()
    assert combine((PAUSED, FAILED)).kind == "daemon_failed"


def test_many_notifications_are_counted_instead_of_listed() -> None:
    notes = tuple(Notification("message", f"Message {number}", "") for number in range(9))
    assert combine(notes).text.splitlines()[-1] == "and 5 more"


def test_a_notification_is_not_repeated_soon() -> None:
    screen = FakeScreen()
    screen.tell(FAILED)
    screen.wait_until(50)
    screen.tell(FAILED)
    screen.wait_until(90)
    assert len(screen.seen) == 1


def test_a_notification_is_repeated_much_later() -> None:
    screen = FakeScreen()
    screen.tell(FAILED)
    screen.wait_until(150)
    screen.tell(FAILED)
    screen.wait_until(200)
    assert len(screen.seen) == 2


def test_a_waiting_notification_shows_the_current_state() -> None:
    screen = FakeScreen()
    screen.tell(PAUSED, Notification("paused", "Intaglio", "Capture goes on."))
    screen.wait_until(10)
    assert [note.text for _, note in screen.seen] == ["Capture goes on."]


KINDS: st.SearchStrategy[NotificationKind] = st.sampled_from(
    ["paused", "message", "updated", "degraded"]
)
NOTES = st.builds(Notification, KINDS, st.sampled_from("abcdefghijklmnop"), st.just(""))


@given(st.lists(st.tuples(st.floats(0, 30), st.lists(NOTES, max_size=3)), max_size=60))
def test_notifications_never_exceed_their_rate_limit(
    story: list[tuple[float, list[Notification]]],
) -> None:
    screen = FakeScreen()
    for pause_s, notes in story:
        screen.wait_until(screen.now + pause_s)
        screen.tell(*notes)
    screen.wait_until(screen.now + 1_000)
    times = [moment for moment, _ in screen.seen]
    for index, moment in enumerate(times):
        within = [other for other in times[index:] if other < moment + LIMITS.window_s]
        assert len(within) <= LIMITS.max_count


@given(st.lists(NOTES, min_size=1, max_size=30))
def test_the_last_notification_of_each_kind_is_shown(notes: list[Notification]) -> None:
    screen = FakeScreen()
    screen.tell(*notes)
    screen.wait_until(10)
    assert len(screen.seen) == 1
    assert due_at(screen.book) is None


@pytest.mark.parametrize(
    ("kind", "wanted", "shown"),
    [
        ("paused", "all", True),
        ("paused", "problems", False),
        ("daemon_failed", "problems", True),
        ("message", "problems", True),
        ("daemon_failed", "none", False),
    ],
)
def test_the_setting_decides_which_notifications_are_shown(
    kind: NotificationKind, wanted: NotificationLevel, shown: bool
) -> None:
    assert is_enabled(Notification(kind, "", ""), wanted) is shown

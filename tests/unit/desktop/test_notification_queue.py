"""Which notes are shown and when: gathered, never twice, never too many."""

from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from intaglio.desktop.captured.saved_lines import saved_notification
from intaglio.desktop.notifications.queue import (
    NotificationLimits,
    NotificationQueue,
    add,
    combine,
    due_at,
    take_due,
    withdraw,
)
from intaglio.desktop.values import (
    CapturedLine,
    Notification,
    NotificationKind,
    OpenPage,
    UndoSaved,
)

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
    ["paused", "issue", "updated", "captured"]
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


def test_a_danger_does_not_wait_for_the_rate_limit() -> None:
    screen = FakeScreen()
    for number in range(3):
        screen.tell(Notification("updated", str(number), ""))
        screen.wait_until(screen.now + 2)
    screen.tell(Notification("updated", "3", ""))
    screen.wait_until(10)
    assert len(screen.seen) == 3
    screen.tell(FAILED)
    screen.wait_until(12)
    assert [note.kind for _, note in screen.seen[3:]] == ["daemon_failed"]


@given(st.lists(NOTES, min_size=1, max_size=30))
def test_the_last_notification_of_each_kind_is_shown(notes: list[Notification]) -> None:
    screen = FakeScreen()
    screen.tell(*notes)
    screen.wait_until(10)
    assert len(screen.seen) == 1
    assert due_at(screen.book) is None


def test_saved_lines_that_wait_are_shown_together() -> None:
    screen = FakeScreen()
    for number in (1, 2):
        screen.tell(saved_notification((CapturedLine(f"m{number}", "", f"Rule {number}"),)))
    screen.wait_until(10)
    ((_, note),) = screen.seen
    assert (note.title, note.text) == ("Saved 2 memories", "Rule 1\nRule 2")
    assert note.button is not None
    assert note.button.action == UndoSaved(("m1", "m2"))


def issue(name: str) -> Notification:
    return Notification("issue", name, "", issues=(name,))


def test_a_waiting_notification_is_withdrawn_with_its_issue() -> None:
    queue = add(add(NotificationQueue(LIMITS), issue("disk"), 0), issue("backup"), 0)
    assert [note.title for note in withdraw(queue, "disk").pending] == ["backup"]


def test_a_combination_goes_away_only_if_it_is_about_issues_alone() -> None:
    assert combine((issue("disk"), issue("backup"))).issues == ("disk", "backup")
    assert combine((issue("disk"), UPDATED)).issues == ()


def test_in_quiet_hours_only_dangers_are_shown_and_the_rest_follows() -> None:
    queue = add(add(NotificationQueue(LIMITS), UPDATED, 0), FAILED, 0)
    queue, note = take_due(queue, 5, quiet=True)
    assert (note, queue.pending) == (FAILED, (UPDATED,))
    assert (due_at(queue, quiet=True), take_due(queue, 9, quiet=True)[1]) == (None, None)
    assert take_due(queue, 9)[1] == UPDATED

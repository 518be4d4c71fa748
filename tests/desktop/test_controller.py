"""The controller: commands in, snapshots and notifications out, with fakes around it."""

import queue
import tempfile
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from fakes.waiting import PATIENCE_S, wait_for
from intaglio.base.clock import system_clock
from intaglio.base.errors import UnavailableError
from intaglio.desktop.captured.captured_counts import CapturedCounts
from intaglio.desktop.captured.last_opened import LastOpened
from intaglio.desktop.controller import DesktopController, Environment
from intaglio.desktop.daemon_cache import DaemonReport, title_of
from intaglio.desktop.notifications.notified_issues import NotifiedIssues
from intaglio.desktop.notifications.queue import combine
from intaglio.desktop.supervisor.state import initial_state
from intaglio.desktop.supervisor.values import (
    ChildExited,
    ClockReading,
    DaemonAbsent,
    DaemonAnswered,
    DaemonOrigin,
    DaemonSpawned,
    ProbeFinished,
    SupervisorEvent,
    SupervisorRules,
)
from intaglio.desktop.tray.menu import MenuLine, menu_of
from intaglio.desktop.values import (
    CapturedLine,
    Destination,
    HotkeyStatus,
    Notification,
    OpenMemory,
    OpenPage,
    PauseDuration,
    QuickSearch,
    RecentMemory,
    Snapshot,
    UndoSaved,
)
from intaglio.domain.issues import Issue

QUICK = SupervisorRules(
    backoff_s=(0.01,),
    probe_starting_s=0.01,
    probe_active_s=0.02,
    probe_idle_s=0.05,
    probe_timeout_s=0.3,
)


@dataclass
class FakeEffects:
    """A daemon that is there as soon as it is spawned."""

    report: Callable[[SupervisorEvent], None]
    tell: Callable[[DaemonReport], None]
    facts: DaemonReport | None = None
    spawns: int = 0
    probes: int = 0
    asked: list[DaemonOrigin] = field(default_factory=list[DaemonOrigin])
    closed: bool = False
    fault: bool = False

    def probe(self, number: int, *, full_report: bool, check_port: bool) -> None:
        del full_report, check_port
        self.probes += 1
        if self.fault:
            self.fault = False
            raise RuntimeError("an unexpected error")
        if self.facts is None:
            self.report(ProbeFinished(number, DaemonAbsent("left")))
        else:
            self.tell(self.facts)
            self.report(ProbeFinished(number, DaemonAnswered(self.facts.pid, self.facts.version)))

    def spawn(self, *, move_port: bool) -> None:
        del move_port
        self.spawns += 1
        self.facts = DaemonReport(40 + self.spawns, 3850, "1.0", "ready", memories=12)
        self.report(DaemonSpawned(40 + self.spawns))

    def request_shutdown(self, origin: DaemonOrigin) -> None:
        self.asked.append(origin)
        self.facts = None
        self.report(ChildExited(0))

    def terminate(self, origin: DaemonOrigin, pid: int) -> None:
        raise AssertionError((origin, pid))

    def kill(self, origin: DaemonOrigin, pid: int) -> None:
        raise AssertionError((origin, pid))

    def truncate_output(self) -> None:
        """Nothing is printed."""

    def close(self) -> None:
        self.closed = True


@dataclass
class FakeWindows:
    shown: "queue.Queue[tuple[Destination, str]]" = field(
        default_factory=queue.Queue[tuple[Destination, str]]
    )
    closed: bool = False

    def show(self, destination: Destination, url: str) -> None:
        self.shown.put((destination, url))

    def prepare(self) -> None:
        pass

    def maintain(self) -> None:
        pass

    def close(self) -> None:
        self.closed = True


@dataclass
class FakeNotifier:
    notes: "queue.Queue[Notification]" = field(default_factory=queue.Queue[Notification])
    withdrawn: list[str] = field(default_factory=list[str])

    def notify(self, notification: Notification) -> None:
        self.notes.put(notification)

    def withdraw(self, issue: str) -> None:
        self.withdrawn.append(issue)

    def close(self) -> None:
        """Hold nothing."""


@dataclass
class FakeActions:
    paused: list[PauseDuration] = field(default_factory=list[PauseDuration])
    on: bool = False
    refuses: bool = False

    def link(self, destination: Destination) -> str:
        return f"http://127.0.0.1/enter?next={destination}"

    def undo_saved(self, saved: UndoSaved) -> int:
        return len(saved.ids)

    def pause(self, duration: PauseDuration) -> None:
        if self.refuses:
            raise UnavailableError("the database is being checked")
        self.paused.append(duration)

    def resume(self) -> None:
        self.paused.clear()

    def is_autostart_on(self) -> bool | None:
        return self.on

    def set_autostart(self, *, on: bool) -> bool | None:
        self.on = on
        return on


@dataclass
class RunningApp:
    """A controller with fakes around it, and the snapshots that it published."""

    controller: DesktopController
    effects: FakeEffects
    windows: FakeWindows
    notifier: FakeNotifier
    actions: FakeActions
    last_opened: LastOpened
    snapshots: "queue.Queue[Snapshot]"
    # The last one taken from the queue; later ones follow one by one.
    now: Snapshot

    def until(self, fits: Callable[[Snapshot], bool]) -> Snapshot:
        """Wait for a snapshot that fits; the last one may fit already."""
        while not fits(self.now):
            self.now = self.snapshots.get(timeout=PATIENCE_S)
        return self.now

    def settle(self) -> None:
        """Wait until everything so far is processed: three more probes have run."""
        after = self.effects.probes + 3
        wait_for(lambda: self.effects.probes >= after, "more probes")

    def ready(self) -> Snapshot:
        return self.until(lambda now: now.health == "ready")


@contextmanager
def running_app(found: DaemonReport | None = None) -> Generator[RunningApp]:
    with tempfile.TemporaryDirectory() as folder:
        last_opened = LastOpened(Path(folder) / "look.json", system_clock)
        notified = NotifiedIssues(Path(folder) / "issues.json")
        yield from _running_app(last_opened, notified, found)


def _running_app(
    last_opened: LastOpened, notified: NotifiedIssues, found: DaemonReport | None
) -> Generator[RunningApp]:
    made: list[FakeEffects] = []

    def make(
        report: Callable[[SupervisorEvent], None], tell: Callable[[DaemonReport], None]
    ) -> FakeEffects:
        made.append(FakeEffects(report, tell, found))
        return made[0]

    windows, notifier, actions = FakeWindows(), FakeNotifier(), FakeActions()
    clock = _ticking()
    controller = DesktopController(
        initial_state("1.0", clock(), QUICK),
        make,
        Environment(clock, lambda: None, lambda: 3850, last_opened, notified),
        windows,
        notifier,
        actions,
    )
    snapshots: queue.Queue[Snapshot] = queue.Queue()
    controller.subscribe(snapshots.put)
    app = RunningApp(
        controller,
        made[0],
        windows,
        notifier,
        actions,
        last_opened,
        snapshots,
        controller.snapshot,
    )
    controller.start()
    try:
        yield app
    finally:
        controller.quit()
        assert controller.wait(PATIENCE_S)


def _ticking() -> Callable[[], ClockReading]:
    import time  # noqa: PLC0415 - only this clock runs

    return lambda: ClockReading(time.monotonic(), time.time())


@pytest.fixture
def app() -> Generator[RunningApp]:
    with running_app() as one:
        yield one


def test_the_snapshot_follows_the_daemons_report(app: RunningApp) -> None:
    now = app.ready()
    assert (now.icon, now.daemon, now.line) == ("idle", "running", "Running · 12 memories")
    assert now.quit_label == "Quit and stop the daemon"


def test_a_snapshot_is_published_only_when_it_differs(app: RunningApp) -> None:
    app.ready()
    app.settle()
    while not app.snapshots.empty():
        app.snapshots.get()
    app.settle()
    assert app.snapshots.empty()


def test_quit_closes_the_windows_and_ends_the_daemon_that_it_started(app: RunningApp) -> None:
    app.ready()
    left = threading.Event()
    app.controller.on_exit(left.set)
    app.controller.quit()
    assert left.wait(PATIENCE_S)
    assert app.effects.asked == ["spawned"]
    assert app.effects.closed
    wait_for(lambda: app.windows.closed, "the end of the windows")


def test_what_was_found_running_settle_after_quit() -> None:
    with running_app(DaemonReport(7, 3850, "1.0", "ready")) as app:
        assert app.ready().quit_label == "Quit (keep running in background)"
        app.controller.quit()
        assert app.controller.wait(PATIENCE_S)
        assert app.effects.asked == []
        assert app.effects.spawns == 0


def test_a_window_waits_until_the_daemon_is_healthy(app: RunningApp) -> None:
    app.controller.show(OpenMemory("1"))
    what, url = app.windows.shown.get(timeout=PATIENCE_S)
    assert what == OpenMemory("1")
    assert app.controller.snapshot.health == "ready"
    assert "OpenMemory" in url


def test_pause_and_start_at_login_are_carried_out(app: RunningApp) -> None:
    app.ready()
    app.controller.pause("1h")
    app.controller.set_autostart(on=True)
    app.until(lambda now: now.autostart is True)
    wait_for(lambda: app.actions.paused == ["1h"], "the pause")


def test_an_answer_that_the_desktop_does_not_show_is_in_the_menu(app: RunningApp) -> None:
    app.controller.note_unshown(Notification("issue", "The disk is full", ""))
    app.controller.note_unshown(Notification("message", "Memory forgotten", ""))
    shown = app.until(lambda now: now.answer != "")
    assert menu_of(shown)[0] == MenuLine("Memory forgotten")
    saved = Notification("saved", "Saved: We use tabs", "")
    app.controller.note_unshown(combine((saved, Notification("message", "No memory", ""))))
    app.until(lambda now: now.answer == "No memory")


def test_the_state_of_shortcuts_is_shown(app: RunningApp) -> None:
    hotkeys = (HotkeyStatus("search", "F9", "Another program uses these keys."),)
    app.controller.note_hotkeys(hotkeys)
    app.until(lambda now: now.hotkeys == hotkeys)


def test_a_failed_action_is_shown_as_a_notification(app: RunningApp) -> None:
    app.ready()
    app.actions.refuses = True
    app.controller.pause("15m")
    note = app.notifier.notes.get(timeout=PATIENCE_S)
    assert (note.kind, note.text) == ("message", "the database is being checked")


def test_restart_ends_the_daemon_and_starts_another(app: RunningApp) -> None:
    app.ready()
    app.controller.restart()
    app.until(lambda now: now.daemon != "running")
    app.ready()
    assert app.effects.spawns == 2


def test_a_degraded_database_is_notified_once(app: RunningApp) -> None:
    app.ready()
    app.effects.facts = DaemonReport(41, 3850, "1.0", "degraded", "page 7 is damaged")
    now = app.until(lambda one: one.health == "degraded")
    assert (now.icon, now.attention) == ("attention", "page 7 is damaged")
    assert app.notifier.notes.get(timeout=PATIENCE_S).kind == "degraded"
    app.settle()
    assert app.notifier.notes.empty()


def test_a_pause_and_the_newest_memories_are_shown(app: RunningApp) -> None:
    app.ready()
    recent = (RecentMemory("1", "We use tabs"),)
    app.effects.facts = DaemonReport(41, 3850, "1.0", "ready", paused=True, recent=recent)
    now = app.until(lambda one: one.paused)
    assert (now.icon, now.recent) == ("paused", recent)


def test_what_was_captured_is_counted_until_the_dashboard_is_opened(app: RunningApp) -> None:
    app.ready()
    captured = CapturedCounts(app.last_opened.at, kept=3, suggested=2)
    app.effects.facts = DaemonReport(41, 3850, "1.0", "ready", captured=captured)
    app.until(lambda one: (one.kept, one.suggested) == (3, 2))
    app.controller.show(QuickSearch())
    app.windows.shown.get(timeout=PATIENCE_S)
    app.settle()
    assert app.last_opened.at == captured.since
    app.controller.show(OpenPage("inbox"))
    # The daemon still reports what it counted from the look before.
    app.until(lambda one: (one.kept, one.suggested) == (0, 0))
    app.settle()
    assert app.controller.snapshot.kept == 0
    assert app.notifier.notes.empty()


def test_saved_lines_and_an_ended_sessions_suggestions_are_notified(app: RunningApp) -> None:
    app.ready()
    old = CapturedLine("m1", "2026-01-31T08:00:00.000Z", "We use spaces.")
    counts = CapturedCounts(app.last_opened.at, kept=1)
    report = DaemonReport(41, 3850, "1.0", "ready", captured=counts, saved=(old,))
    app.effects.facts = report
    app.until(lambda one: one.kept == 1)
    line = CapturedLine("m2", "2999-01-31T09:00:00.000Z", "We use tabs.")
    counts = replace(counts, kept=2, suggested=1)
    report = replace(report, saved=(line, old))
    app.effects.facts = replace(report, captured=counts)
    note = app.notifier.notes.get(timeout=PATIENCE_S)
    assert (note.kind, note.title) == ("saved", "Saved: We use tabs.")
    app.settle()
    assert app.notifier.notes.empty()
    ended = replace(counts, session_ended_at="2026-01-31T09:00:00.000Z")
    app.effects.facts = replace(report, captured=ended)
    note = app.notifier.notes.get(timeout=PATIENCE_S)
    assert (note.kind, note.title) == ("captured", "Intaglio: 1 suggestion")
    app.settle()
    assert app.notifier.notes.empty()


def test_undoing_what_was_saved_is_answered(app: RunningApp) -> None:
    app.ready()
    app.controller.undo_saved(UndoSaved(("m1", "m2")))
    note = app.notifier.notes.get(timeout=PATIENCE_S)
    assert (note.kind, note.title) == ("message", "2 memories forgotten")


def test_an_issue_is_in_the_menu_and_notified_until_it_is_mended(app: RunningApp) -> None:
    app.ready()
    full = Issue("disk", "danger", "The disk is full", "Free up space.", page="/status#disk")
    report = DaemonReport(41, 3850, "1.0", "ready", issues=(full,))
    app.effects.facts = report
    now = app.until(lambda one: one.issues == (full,))
    assert now.icon == "attention"
    note = app.notifier.notes.get(timeout=PATIENCE_S)
    assert (note.kind, note.title, note.issues) == ("danger", "The disk is full", ("disk",))
    app.settle()
    assert app.notifier.notes.empty()
    app.effects.facts = replace(report, issues=())
    assert app.until(lambda one: not one.issues).icon == "idle"
    assert app.notifier.withdrawn == ["disk"]


def test_an_error_in_a_step_does_not_stop_the_controller(app: RunningApp) -> None:
    app.ready()
    app.effects.fault = True
    app.controller.refresh()
    wait_for(lambda: not app.effects.fault, "the fault")
    app.effects.facts = DaemonReport(41, 3850, "1.0", "ready", memories=13)
    app.until(lambda one: one.memories == 13)


def test_a_memorys_title_is_one_short_line() -> None:
    assert title_of("We use\n  tabs") == "We use tabs"
    assert len(title_of("word " * 100)) <= 60


def test_the_dashboards_link_is_printed_once_it_can_be_opened(app: RunningApp) -> None:
    said: queue.Queue[str] = queue.Queue()
    app.controller.announce(said.put)
    assert said.get(timeout=PATIENCE_S).startswith(
        f"Intaglio 1.0 · dashboard: http://127.0.0.1/enter?next={OpenPage()}"
    )

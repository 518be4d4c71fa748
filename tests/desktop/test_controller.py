"""The desk's own thread: commands in, snapshots and notes out; the world is made of fakes."""

import queue
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest

from fakes.waiting import PATIENCE_S, wait_for
from intaglio.base.errors import UnavailableError
from intaglio.desktop.controller import DesktopController, Environment
from intaglio.desktop.daemon_cache import DaemonReport, title_of
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
from intaglio.desktop.values import (
    Destination,
    Notification,
    OpenMemory,
    OpenPage,
    PauseFor,
    RecentMemory,
    Snapshot,
)

QUICK = SupervisorRules(
    backoff_s=(0.01,),
    probe_starting_s=0.01,
    probe_close_s=0.02,
    probe_idle_s=0.05,
    probe_within_s=0.3,
)


@dataclass
class FakeHands:
    """A daemon that is there as soon as it is spawned."""

    report: Callable[[SupervisorEvent], None]
    tell: Callable[[DaemonReport], None]
    facts: DaemonReport | None = None
    spawns: int = 0
    probes: int = 0
    asked: list[DaemonOrigin] = field(default_factory=list[DaemonOrigin])
    closed: bool = False
    fault: bool = False

    def probe(self, number: int, *, whole: bool, port: bool) -> None:
        del whole, port
        self.probes += 1
        if self.fault:
            self.fault = False
            raise RuntimeError("a fault that nobody thought of")
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

    def close(self) -> None:
        self.closed = True


@dataclass
class FakeNotifier:
    notes: "queue.Queue[Notification]" = field(default_factory=queue.Queue[Notification])

    def notify(self, notification: Notification) -> None:
        self.notes.put(notification)

    def close(self) -> None:
        """Hold nothing."""


@dataclass
class FakeErrands:
    paused: list[PauseFor] = field(default_factory=list[PauseFor])
    on: bool = False
    refuses: bool = False

    def link(self, destination: Destination) -> str:
        return f"http://127.0.0.1/enter?next={destination}"

    def pause(self, how_long: PauseFor) -> None:
        if self.refuses:
            raise UnavailableError("the database is being checked")
        self.paused.append(how_long)

    def resume(self) -> None:
        self.paused.clear()

    def autostarts(self) -> bool | None:
        return self.on

    def autostart(self, *, on: bool) -> bool | None:
        self.on = on
        return on


@dataclass
class Room:
    """A desk among fakes, and each snapshot that it published."""

    work: DesktopController
    hands: FakeHands
    windows: FakeWindows
    notifier: FakeNotifier
    errands: FakeErrands
    seen: "queue.Queue[Snapshot]"
    # The one that was taken last: those after it are looked at one by one, none is left out.
    now: Snapshot

    def until(self, wanted: Callable[[Snapshot], bool]) -> Snapshot:
        """Wait for a snapshot as wanted; the one that was taken last may be it."""
        while not wanted(self.now):
            self.now = self.seen.get(timeout=PATIENCE_S)
        return self.now

    def goes_on(self) -> None:
        """Wait until all that came so far is done: it has looked at its daemon some times more."""
        after = self.hands.probes + 3
        wait_for(lambda: self.hands.probes >= after, "more looks")

    def ready(self) -> Snapshot:
        return self.until(lambda now: now.health == "ready")


@contextmanager
def at_work(found: DaemonReport | None = None) -> Generator[Room]:
    made: list[FakeHands] = []

    def make(
        report: Callable[[SupervisorEvent], None], tell: Callable[[DaemonReport], None]
    ) -> FakeHands:
        made.append(FakeHands(report, tell, found))
        return made[0]

    windows, notifier, errands = FakeWindows(), FakeNotifier(), FakeErrands()
    clock = _ticking()
    work = DesktopController(
        initial_state("1.0", clock(), QUICK),
        make,
        Environment(clock, lambda: None, lambda: 3850),
        windows,
        notifier,
        errands,
    )
    seen: queue.Queue[Snapshot] = queue.Queue()
    work.subscribe(seen.put)
    store = Room(work, made[0], windows, notifier, errands, seen, work.snapshot)
    work.start()
    try:
        yield store
    finally:
        work.quit()
        assert work.wait(PATIENCE_S)


def _ticking() -> Callable[[], ClockReading]:
    import time  # noqa: PLC0415 - only this clock runs

    return lambda: ClockReading(time.monotonic(), time.time())


@pytest.fixture
def store() -> Generator[Room]:
    with at_work() as one:
        yield one


def test_it_begins_by_saying_that_it_starts_and_then_what_the_daemon_says(store: Room) -> None:
    now = store.ready()
    assert (now.icon, now.daemon, now.line) == ("idle", "running", "Running · 12 memories")
    assert now.quit_says == "Quit Intaglio and stop its daemon"


def test_a_snapshot_is_published_only_when_it_differs(store: Room) -> None:
    store.ready()
    store.goes_on()
    while not store.seen.empty():
        store.seen.get()
    store.goes_on()
    assert store.seen.empty()


def test_quit_closes_the_windows_and_ends_the_daemon_that_it_started(store: Room) -> None:
    store.ready()
    left = threading.Event()
    store.work.when_left(left.set)
    store.work.quit()
    assert left.wait(PATIENCE_S)
    assert store.hands.asked == ["spawned"]
    assert store.hands.closed
    wait_for(lambda: store.windows.closed, "the end of the windows")


def test_what_was_found_running_goes_on_after_quit() -> None:
    with at_work(DaemonReport(7, 3850, "1.0", "ready")) as store:
        assert store.ready().quit_says == "Quit Intaglio (the daemon goes on)"
        store.work.quit()
        assert store.work.wait(PATIENCE_S)
        assert store.hands.asked == []
        assert store.hands.spawns == 0


def test_a_window_waits_until_the_daemon_is_well(store: Room) -> None:
    store.work.show(OpenMemory("1"))
    what, url = store.windows.shown.get(timeout=PATIENCE_S)
    assert what == OpenMemory("1")
    assert store.work.snapshot.health == "ready"
    assert "OpenMemory" in url


def test_pause_resume_and_start_at_login_are_done_as_asked(store: Room) -> None:
    store.ready()
    store.work.pause("1h")
    store.work.set_autostart(on=True)
    store.until(lambda now: now.autostart is True)
    wait_for(lambda: store.errands.paused == ["1h"], "the pause")


def test_what_is_refused_is_said(store: Room) -> None:
    store.ready()
    store.errands.refuses = True
    store.work.pause("15m")
    note = store.notifier.notes.get(timeout=PATIENCE_S)
    assert (note.kind, note.text) == ("told", "the database is being checked")


def test_restart_ends_the_daemon_and_starts_another(store: Room) -> None:
    store.ready()
    store.work.restart()
    store.until(lambda now: now.daemon != "running")
    store.ready()
    assert store.hands.spawns == 2


def test_a_database_that_turns_bad_is_told_once(store: Room) -> None:
    store.ready()
    store.hands.facts = DaemonReport(41, 3850, "1.0", "degraded", "page 7 is damaged")
    now = store.until(lambda one: one.health == "degraded")
    assert (now.icon, now.attention) == ("attention", "page 7 is damaged")
    assert store.notifier.notes.get(timeout=PATIENCE_S).kind == "degraded"
    store.goes_on()
    assert store.notifier.notes.empty()


def test_a_pause_and_the_newest_memories_are_shown(store: Room) -> None:
    store.ready()
    recent = (RecentMemory("1", "We use tabs"),)
    store.hands.facts = DaemonReport(41, 3850, "1.0", "ready", paused=True, recent=recent)
    now = store.until(lambda one: one.paused)
    assert (now.icon, now.recent) == ("paused", recent)


def test_a_fault_in_the_desk_itself_does_not_end_it(store: Room) -> None:
    store.ready()
    store.hands.fault = True
    store.work.looked_at()
    wait_for(lambda: not store.hands.fault, "the fault")
    store.hands.facts = DaemonReport(41, 3850, "1.0", "ready", memories=13)
    store.until(lambda one: one.memories == 13)


def test_a_memory_is_named_by_one_short_line() -> None:
    assert title_of("We use\n  tabs") == "We use tabs"
    assert len(title_of("word " * 100)) <= 60


def test_the_dashboards_address_is_said_when_it_can_be_opened(store: Room) -> None:
    said: queue.Queue[str] = queue.Queue()
    store.work.announce(said.put)
    assert said.get(timeout=PATIENCE_S).startswith(
        f"Intaglio 1.0 · dashboard: http://127.0.0.1/enter?next={OpenPage()}"
    )

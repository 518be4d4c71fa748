"""The desk's own thread: commands in, snapshots and notes out; the world is made of fakes."""

import queue
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest

from fakes.waiting import PATIENCE_S, wait_for
from intaglio.base.errors import UnavailableError
from intaglio.desktop.facts import Facts, title_of
from intaglio.desktop.supervise.known import begin
from intaglio.desktop.supervise.values import (
    Absent,
    Answered,
    ChildExited,
    Event,
    Moment,
    Origin,
    Rules,
    Saw,
    Spawned,
)
from intaglio.desktop.values import Note, OpenMemory, OpenPage, PauseFor, Recent, Show, Snapshot
from intaglio.desktop.work import Surroundings, Work

QUICK = Rules(
    backoff_s=(0.01,),
    probe_starting_s=0.01,
    probe_close_s=0.02,
    probe_idle_s=0.05,
    probe_within_s=0.3,
)


@dataclass
class FakeHands:
    """A daemon that is there as soon as it is spawned."""

    report: Callable[[Event], None]
    tell: Callable[[Facts], None]
    facts: Facts | None = None
    spawns: int = 0
    probes: int = 0
    asked: list[Origin] = field(default_factory=list[Origin])
    closed: bool = False
    fault: bool = False

    def probe(self, number: int, *, whole: bool, port: bool) -> None:
        del whole, port
        self.probes += 1
        if self.fault:
            self.fault = False
            raise RuntimeError("a fault that nobody thought of")
        if self.facts is None:
            self.report(Saw(number, Absent("left")))
        else:
            self.tell(self.facts)
            self.report(Saw(number, Answered(self.facts.pid, self.facts.version)))

    def spawn(self, *, move_port: bool) -> None:
        del move_port
        self.spawns += 1
        self.facts = Facts(40 + self.spawns, 3850, "1.0", "ready", memories=12)
        self.report(Spawned(40 + self.spawns))

    def ask_to_leave(self, origin: Origin) -> None:
        self.asked.append(origin)
        self.facts = None
        self.report(ChildExited(0))

    def terminate(self, origin: Origin, pid: int) -> None:
        raise AssertionError((origin, pid))

    def kill(self, origin: Origin, pid: int) -> None:
        raise AssertionError((origin, pid))

    def keep_output_short(self) -> None:
        """Nothing is printed."""

    def close(self) -> None:
        self.closed = True


@dataclass
class FakeWindows:
    shown: "queue.Queue[tuple[Show, str]]" = field(default_factory=queue.Queue[tuple[Show, str]])
    closed: bool = False

    def show(self, what: Show, url: str) -> None:
        self.shown.put((what, url))

    def close(self) -> None:
        self.closed = True


@dataclass
class FakeNotifier:
    notes: "queue.Queue[Note]" = field(default_factory=queue.Queue[Note])

    def notify(self, note: Note) -> None:
        self.notes.put(note)

    def close(self) -> None:
        """Hold nothing."""


@dataclass
class FakeErrands:
    paused: list[PauseFor] = field(default_factory=list[PauseFor])
    on: bool = False
    refuses: bool = False

    def link(self, what: Show) -> str:
        return f"http://127.0.0.1/enter?next={what}"

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

    work: Work
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
def at_work(found: Facts | None = None) -> Generator[Room]:
    made: list[FakeHands] = []

    def make(report: Callable[[Event], None], tell: Callable[[Facts], None]) -> FakeHands:
        made.append(FakeHands(report, tell, found))
        return made[0]

    windows, notifier, errands = FakeWindows(), FakeNotifier(), FakeErrands()
    clock = _ticking()
    work = Work(
        begin("1.0", clock(), QUICK),
        make,
        Surroundings(clock, lambda: None, lambda: 3850),
        windows,
        notifier,
        errands,
    )
    seen: queue.Queue[Snapshot] = queue.Queue()
    work.subscribe(seen.put)
    room = Room(work, made[0], windows, notifier, errands, seen, work.snapshot)
    work.start()
    try:
        yield room
    finally:
        work.quit()
        assert work.wait(PATIENCE_S)


def _ticking() -> Callable[[], Moment]:
    import time  # noqa: PLC0415 - only this clock runs

    return lambda: Moment(time.monotonic(), time.time())


@pytest.fixture
def room() -> Generator[Room]:
    with at_work() as one:
        yield one


def test_it_begins_by_saying_that_it_starts_and_then_what_the_daemon_says(room: Room) -> None:
    now = room.ready()
    assert (now.look, now.daemon, now.line) == ("idle", "running", "Running · 12 memories")
    assert now.quit_says == "Quit Intaglio and stop its daemon"


def test_a_snapshot_is_published_only_when_it_differs(room: Room) -> None:
    room.ready()
    room.goes_on()
    while not room.seen.empty():
        room.seen.get()
    room.goes_on()
    assert room.seen.empty()


def test_quit_closes_the_windows_and_ends_the_daemon_that_it_started(room: Room) -> None:
    room.ready()
    left = threading.Event()
    room.work.when_left(left.set)
    room.work.quit()
    assert left.wait(PATIENCE_S)
    assert room.hands.asked == ["spawned"]
    assert room.hands.closed
    wait_for(lambda: room.windows.closed, "the end of the windows")


def test_what_was_found_running_goes_on_after_quit() -> None:
    with at_work(Facts(7, 3850, "1.0", "ready")) as room:
        assert room.ready().quit_says == "Quit Intaglio (the daemon goes on)"
        room.work.quit()
        assert room.work.wait(PATIENCE_S)
        assert room.hands.asked == []
        assert room.hands.spawns == 0


def test_a_window_waits_until_the_daemon_is_well(room: Room) -> None:
    room.work.show(OpenMemory("1"))
    what, url = room.windows.shown.get(timeout=PATIENCE_S)
    assert what == OpenMemory("1")
    assert room.work.snapshot.health == "ready"
    assert "OpenMemory" in url


def test_pause_resume_and_start_at_login_are_done_as_asked(room: Room) -> None:
    room.ready()
    room.work.pause("1h")
    room.work.set_autostart(on=True)
    room.until(lambda now: now.autostart is True)
    wait_for(lambda: room.errands.paused == ["1h"], "the pause")


def test_what_is_refused_is_said(room: Room) -> None:
    room.ready()
    room.errands.refuses = True
    room.work.pause("15m")
    note = room.notifier.notes.get(timeout=PATIENCE_S)
    assert (note.kind, note.text) == ("told", "the database is being checked")


def test_restart_ends_the_daemon_and_starts_another(room: Room) -> None:
    room.ready()
    room.work.restart()
    room.until(lambda now: now.daemon != "running")
    room.ready()
    assert room.hands.spawns == 2


def test_a_database_that_turns_bad_is_told_once(room: Room) -> None:
    room.ready()
    room.hands.facts = Facts(41, 3850, "1.0", "degraded", "page 7 is damaged")
    now = room.until(lambda one: one.health == "degraded")
    assert (now.look, now.attention) == ("attention", "page 7 is damaged")
    assert room.notifier.notes.get(timeout=PATIENCE_S).kind == "degraded"
    room.goes_on()
    assert room.notifier.notes.empty()


def test_a_pause_and_the_newest_memories_are_shown(room: Room) -> None:
    room.ready()
    recent = (Recent("1", "We use tabs"),)
    room.hands.facts = Facts(41, 3850, "1.0", "ready", paused=True, recent=recent)
    now = room.until(lambda one: one.paused)
    assert (now.look, now.recent) == ("paused", recent)


def test_a_fault_in_the_desk_itself_does_not_end_it(room: Room) -> None:
    room.ready()
    room.hands.fault = True
    room.work.looked_at()
    wait_for(lambda: not room.hands.fault, "the fault")
    room.hands.facts = Facts(41, 3850, "1.0", "ready", memories=13)
    room.until(lambda one: one.memories == 13)


def test_a_memory_is_named_by_one_short_line() -> None:
    assert title_of("We use\n  tabs") == "We use tabs"
    assert len(title_of("word " * 100)) <= 60


def test_the_dashboards_address_is_said_when_it_can_be_opened(room: Room) -> None:
    said: queue.Queue[str] = queue.Queue()
    room.work.announce(said.put)
    assert said.get(timeout=PATIENCE_S).startswith(
        f"Intaglio 1.0 · dashboard: http://127.0.0.1/enter?next={OpenPage()}"
    )

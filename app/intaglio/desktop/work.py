"""The desk at work: one thread that turns the supervisor and tells the tray what changed.

All state belongs to that thread; commands come in through a queue, slow things are done on threads
of their own, and results come back through the queue.
"""

import contextlib
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from intaglio.base.errors import IntaglioError
from intaglio.base.log import get_logger
from intaglio.desktop.desk import Notifier, Windows
from intaglio.desktop.errands import Errands
from intaglio.desktop.facts import Facts
from intaglio.desktop.notify.messages import note_of
from intaglio.desktop.snapshot import snapshot_of
from intaglio.desktop.supervise.known import Supervisor, wake_at
from intaglio.desktop.supervise.machine import step
from intaglio.desktop.supervise.values import (
    Adopt,
    AskedMovePort,
    AskedQuit,
    AskedRestart,
    AskToLeave,
    Effect,
    Event,
    Installed,
    Kill,
    Leave,
    LookedAt,
    Moment,
    Notify,
    Origin,
    Probe,
    Spawn,
    Terminate,
    Tick,
)
from intaglio.desktop.values import Note, OpenPage, PauseFor, Show, Snapshot

_UPKEEP_EVERY_S: Final = 60.0
_LONGEST_WAIT_S: Final = 60.0
_PAUSE_AFTER_FAULT_S: Final = 1.0


class Hands(Protocol):
    """What carries out the supervisor's effects; `supervise/hands.py` is the real one."""

    def probe(self, number: int, *, whole: bool, port: bool) -> None:
        """Look for a daemon."""
        ...

    def spawn(self, *, move_port: bool) -> None:
        """Start one."""
        ...

    def ask_to_leave(self, origin: Origin) -> None:
        """Let it leave in order."""
        ...

    def terminate(self, origin: Origin, pid: int) -> None:
        """End its process politely."""
        ...

    def kill(self, origin: Origin, pid: int) -> None:
        """End its process at once."""
        ...

    def keep_output_short(self) -> None:
        """Bound what it printed."""
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...


@dataclass(frozen=True, slots=True)
class Told:
    """The daemon said this."""

    facts: Facts


@dataclass(frozen=True, slots=True)
class Autostarts:
    """Whether the desk starts at login was looked up or changed."""

    on: bool | None


Incoming: TypeAlias = Event | Told | Autostarts
MakeHands: TypeAlias = Callable[[Callable[[Event], None], Callable[[Facts], None]], Hands]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the desk needs of the world: clocks, the installed version, the kept port."""

    now: Callable[[], Moment]
    installed: Callable[[], str | None]
    port: Callable[[], int | None]


class Work:
    """The desk that runs; see `Desk` for its commands."""

    def __init__(
        self,
        start: Supervisor,
        make_hands: MakeHands,
        surroundings: Surroundings,
        windows: Windows,
        notifier: Notifier,
        errands: Errands,
    ) -> None:
        self._known = start
        self._around = surroundings
        self._windows = windows
        self._notifier = notifier
        self._errands = errands
        self._in: queue.SimpleQueue[Incoming] = queue.SimpleQueue()
        self._hands = make_hands(self._in.put, lambda facts: self._in.put(Told(facts)))
        self._facts: Facts | None = None
        self._autostart: bool | None = None
        self._beforehand: list[Callable[[], None]] = []
        self._afterwards: list[Callable[[], None]] = []
        self._listeners: list[Callable[[Snapshot], None]] = []
        self._port = surroundings.port()
        self._snapshot = snapshot_of(start, None, self._port)
        self._upkeep_at = start.now.monotonic_s + _UPKEEP_EVERY_S
        self._well = threading.Condition()
        self._left = threading.Event()
        self._thread = threading.Thread(target=self._run, name="intaglio-desk", daemon=True)

    # --- from outside -----------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until all is ended; tell whether it is."""
        return self._left.wait(seconds)

    @property
    def snapshot(self) -> Snapshot:
        """The state now."""
        return self._snapshot

    def subscribe(self, changed: Callable[[Snapshot], None]) -> Callable[[], None]:
        """Call ``changed`` at each change; returns what ends that."""
        self._listeners = [*self._listeners, changed]

        def end() -> None:
            self._listeners = [one for one in self._listeners if one is not changed]

        return end

    def looked_at(self) -> None:
        """Keep the state fresh for a while."""
        self._in.put(LookedAt())

    def show(self, what: Show) -> None:
        """Open something once the daemon is well."""
        self._in.put(LookedAt())
        self._do("open", lambda: self._open(what))

    def pause(self, how_long: PauseFor) -> None:
        """Stop capturing for a while."""
        self._do("pause", lambda: self._errands.pause(how_long))

    def resume(self) -> None:
        """Capture again."""
        self._do("resume", self._errands.resume)

    def restart(self) -> None:
        """End the daemon and start a new one."""
        self._in.put(AskedRestart())

    def move_port(self) -> None:
        """Take a new port."""
        self._in.put(AskedMovePort())

    def set_autostart(self, *, on: bool) -> None:
        """Start at login, or no longer."""
        self._do("autostart", lambda: self._in.put(Autostarts(self._errands.autostart(on=on))))

    def announce(self, say: Callable[[str], None]) -> None:
        """Say where the dashboard is, by a link that signs in, once the daemon is well."""

        def tell() -> None:
            if self._wait_until_well():
                version = self._snapshot.version
                say(f"Intaglio {version} · dashboard: {self._errands.link(OpenPage())}")

        self._do("announce", tell)

    def when_leaving(self, first: Callable[[], None]) -> None:
        """Call ``first`` when it is asked to leave, each time; it has to return quickly."""
        self._beforehand = [*self._beforehand, first]

    def when_left(self, then: Callable[[], None]) -> None:
        """Call ``then`` when all is ended; at once where it is."""
        self._afterwards = [*self._afterwards, then]
        if self._left.is_set():
            then()

    def look_up_autostart(self) -> None:
        """Find out whether the desk starts at login."""
        self._do("autostart", lambda: self._in.put(Autostarts(self._errands.autostarts())))

    def quit(self) -> None:
        """Leave."""
        for first in self._beforehand:
            first()
        self._do("windows", self._windows.close)
        self._in.put(AskedQuit())

    # --- slow things ------------------------------------------------------------------------------

    def _open(self, what: Show) -> None:
        if not self._wait_until_well():
            line = self._snapshot.attention or self._snapshot.line
            self._notifier.notify(Note("told", "The dashboard cannot be opened now", line))
            return
        self._windows.show(what, self._errands.link(what))

    def _wait_until_well(self) -> bool:
        with self._well:
            return self._well.wait_for(
                lambda: self._snapshot.health is not None or self._left.is_set(), _LONGEST_WAIT_S
            )

    def _do(self, name: str, work: Callable[[], object]) -> None:
        def run() -> None:
            try:
                work()
            except (IntaglioError, OSError) as error:
                title = error.title if isinstance(error, IntaglioError) else "It cannot be done"
                self._notifier.notify(Note("told", title, str(error)))
            self._in.put(LookedAt())

        threading.Thread(target=run, name=f"intaglio-desk-{name}", daemon=True).start()

    # --- the desk's own thread --------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while not self._left.is_set():
                self._turn_once()
        finally:
            # Whatever happened here, nobody may go on waiting, and the leash is let go.
            self._end()

    def _turn_once(self) -> None:
        seconds = wake_at(self._known) - self._around.now().monotonic_s
        incoming: Incoming = Tick()
        with contextlib.suppress(queue.Empty):
            incoming = self._in.get(timeout=max(seconds, 0.01))
        try:
            self._turn(incoming)
        # The supervisor: a fault in one turn must not leave the daemon without it.
        except Exception:  # noqa: BLE001 - see above
            get_logger("desk").exception("a turn failed", after=type(incoming).__name__)
            time.sleep(_PAUSE_AFTER_FAULT_S)

    def _turn(self, incoming: Incoming) -> None:
        event: Event = Tick()
        match incoming:
            case Told(facts=facts):
                self._note_health(facts)
                self._facts = facts
            case Autostarts(on=on):
                self._autostart = on
            case _:
                event = incoming
        before = self._known.state
        self._known, effects = step(self._known, event, self._around.now())
        if type(before) is not type(self._known.state):
            get_logger("desk").info("state", now=str(self._known.state), after=str(event))
        for effect in effects:
            self._carry_out(effect)
        self._upkeep()
        self._publish()

    def _note_health(self, facts: Facts) -> None:
        before = self._facts.health if self._facts is not None else "ready"
        if facts.health == "degraded" != before:
            self._notifier.notify(note_of(Notify("degraded", facts.reason), self._port))

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case Spawn(move_port=move):
                self._hands.spawn(move_port=move)
            case Probe(number=number, whole=whole, port=port):
                self._hands.probe(number, whole=whole, port=port)
            case AskToLeave(origin=origin):
                self._hands.ask_to_leave(origin)
            case Terminate(origin=origin, pid=pid):
                self._hands.terminate(origin, pid)
            case Kill(origin=origin, pid=pid):
                self._hands.kill(origin, pid)
            case Notify():
                self._port = self._around.port()
                self._notifier.notify(note_of(effect, self._port))
            case Adopt():
                self._port = self._around.port()
            case Leave():
                self._left.set()

    def _upkeep(self) -> None:
        now = self._around.now().monotonic_s
        if now < self._upkeep_at:
            return
        self._upkeep_at = now + _UPKEEP_EVERY_S
        self._hands.keep_output_short()
        version = self._around.installed()
        if version is not None and version != self._known.expected:
            self._in.put(Installed(version))

    def _publish(self) -> None:
        snapshot = snapshot_of(self._known, self._facts, self._port, autostart=self._autostart)
        if snapshot == self._snapshot:
            return
        with self._well:
            self._snapshot = snapshot
            self._well.notify_all()
        for listener in self._listeners:
            listener(snapshot)

    def _end(self) -> None:
        self._hands.close()
        with self._well:
            self._left.set()
            self._well.notify_all()
        for then in self._afterwards:
            then()

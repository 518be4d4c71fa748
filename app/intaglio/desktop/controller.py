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
from intaglio.desktop.actions import DesktopActions
from intaglio.desktop.daemon_cache import DaemonReport
from intaglio.desktop.notifications.messages import notification_for
from intaglio.desktop.protocols import Notifier, Windows
from intaglio.desktop.snapshot import snapshot_of
from intaglio.desktop.supervisor.state import Supervision, wake_at
from intaglio.desktop.supervisor.transitions import step
from intaglio.desktop.supervisor.values import (
    AdoptDaemon,
    ClockReading,
    DaemonOrigin,
    Effect,
    Exit,
    KillDaemon,
    MovePortRequested,
    NotifyUser,
    ProbeDaemon,
    QuitRequested,
    RequestShutdown,
    RestartRequested,
    SpawnDaemon,
    SupervisorEvent,
    TerminateDaemon,
    Tick,
    VersionInstalled,
    ViewerActive,
)
from intaglio.desktop.values import Destination, Notification, OpenPage, PauseFor, Snapshot

_UPKEEP_EVERY_S: Final = 60.0
_LONGEST_WAIT_S: Final = 60.0
_PAUSE_AFTER_FAULT_S: Final = 1.0


class EffectRunner(Protocol):
    """What carries out the supervisor's effects; `supervise/hands.py` is the real one."""

    def probe(self, number: int, *, whole: bool, port: bool) -> None:
        """Look for a daemon."""
        ...

    def spawn(self, *, move_port: bool) -> None:
        """Start one."""
        ...

    def request_shutdown(self, origin: DaemonOrigin) -> None:
        """Let it leave in order."""
        ...

    def terminate(self, origin: DaemonOrigin, pid: int) -> None:
        """End its process politely."""
        ...

    def kill(self, origin: DaemonOrigin, pid: int) -> None:
        """End its process at once."""
        ...

    def truncate_output(self) -> None:
        """Bound what it printed."""
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...


@dataclass(frozen=True, slots=True)
class DaemonReported:
    """The daemon said this."""

    facts: DaemonReport


@dataclass(frozen=True, slots=True)
class AutostartChanged:
    """Whether the desk starts at login was looked up or changed."""

    on: bool | None


Incoming: TypeAlias = SupervisorEvent | DaemonReported | AutostartChanged
MakeEffectRunner: TypeAlias = Callable[
    [Callable[[SupervisorEvent], None], Callable[[DaemonReport], None]], EffectRunner
]


@dataclass(frozen=True, slots=True)
class Environment:
    """What the desk needs of the world: clocks, the installed version, the kept port."""

    now: Callable[[], ClockReading]
    installed: Callable[[], str | None]
    port: Callable[[], int | None]


class DesktopController:
    """The desk that runs; see `Desk` for its commands."""

    def __init__(
        self,
        start: Supervision,
        make_hands: MakeEffectRunner,
        surroundings: Environment,
        windows: Windows,
        notifier: Notifier,
        actions: DesktopActions,
    ) -> None:
        self._known = start
        self._around = surroundings
        self._windows = windows
        self._notifier = notifier
        self._errands = actions
        self._in: queue.SimpleQueue[Incoming] = queue.SimpleQueue()
        self._hands = make_hands(self._in.put, lambda facts: self._in.put(DaemonReported(facts)))
        self._facts: DaemonReport | None = None
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
        self._in.put(ViewerActive())

    def show(self, destination: Destination) -> None:
        """Open something once the daemon is well."""
        self._in.put(ViewerActive())
        self._do("open", lambda: self._open(destination))

    def pause(self, how_long: PauseFor) -> None:
        """Stop capturing for a while."""
        self._do("pause", lambda: self._errands.pause(how_long))

    def resume(self) -> None:
        """Capture again."""
        self._do("resume", self._errands.resume)

    def restart(self) -> None:
        """End the daemon and start a new one."""
        self._in.put(RestartRequested())

    def move_port(self) -> None:
        """Take a new port."""
        self._in.put(MovePortRequested())

    def set_autostart(self, *, on: bool) -> None:
        """Start at login, or no longer."""
        self._do(
            "autostart", lambda: self._in.put(AutostartChanged(self._errands.autostart(on=on)))
        )

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
        self._do("autostart", lambda: self._in.put(AutostartChanged(self._errands.autostarts())))

    def quit(self) -> None:
        """Leave."""
        for first in self._beforehand:
            first()
        self._do("windows", self._windows.close)
        self._in.put(QuitRequested())

    # --- slow things ------------------------------------------------------------------------------

    def _open(self, destination: Destination) -> None:
        if not self._wait_until_well():
            line = self._snapshot.attention or self._snapshot.line
            self._notifier.notify(Notification("told", "The dashboard cannot be opened now", line))
            return
        self._windows.show(destination, self._errands.link(destination))

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
                self._notifier.notify(Notification("told", title, str(error)))
            self._in.put(ViewerActive())

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
        event: SupervisorEvent = Tick()
        match incoming:
            case DaemonReported(facts=facts):
                self._note_health(facts)
                self._facts = facts
            case AutostartChanged(on=on):
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

    def _note_health(self, report: DaemonReport) -> None:
        before = self._facts.health if self._facts is not None else "ready"
        if report.health == "degraded" != before:
            self._notifier.notify(
                notification_for(NotifyUser("degraded", report.reason), self._port)
            )

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case SpawnDaemon(move_port=move):
                self._hands.spawn(move_port=move)
            case ProbeDaemon(number=number, whole=whole, port=port):
                self._hands.probe(number, whole=whole, port=port)
            case RequestShutdown(origin=origin):
                self._hands.request_shutdown(origin)
            case TerminateDaemon(origin=origin, pid=pid):
                self._hands.terminate(origin, pid)
            case KillDaemon(origin=origin, pid=pid):
                self._hands.kill(origin, pid)
            case NotifyUser():
                self._port = self._around.port()
                self._notifier.notify(notification_for(effect, self._port))
            case AdoptDaemon():
                self._port = self._around.port()
            case Exit():
                self._left.set()

    def _upkeep(self) -> None:
        now = self._around.now().monotonic_s
        if now < self._upkeep_at:
            return
        self._upkeep_at = now + _UPKEEP_EVERY_S
        self._hands.truncate_output()
        version = self._around.installed()
        if version is not None and version != self._known.expected:
            self._in.put(VersionInstalled(version))

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

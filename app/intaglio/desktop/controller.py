"""The desktop app's main loop: one thread runs the supervisor and publishes snapshots.

That thread owns all state. Commands and results reach it through a queue; slow work runs on
threads of its own.
"""

import contextlib
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Protocol, TypeAlias

from intaglio.base.errors import IntaglioError
from intaglio.base.log import get_logger
from intaglio.desktop.actions import DesktopActions
from intaglio.desktop.captured.last_opened import LastOpened
from intaglio.desktop.daemon_cache import DaemonReport
from intaglio.desktop.notifications.messages import notification_for, undone_notification
from intaglio.desktop.notifications.notified_issues import NotifiedIssues
from intaglio.desktop.notifications.report_changes import ReportChanges
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
from intaglio.desktop.values import (
    Destination,
    HotkeyStatus,
    Notification,
    OpenMemory,
    OpenPage,
    PauseDuration,
    Snapshot,
    UndoSaved,
)

_MAINTENANCE_EVERY_S: Final = 60.0
_HEALTHY_TIMEOUT_S: Final = 60.0
_ANSWER_S: Final = 300.0
_DELAY_AFTER_ERROR_S: Final = 1.0


class EffectRunner(Protocol):
    """Carries out the supervisor's effects, as `ProcessEffects` does."""

    def probe(self, number: int, *, full_report: bool, check_port: bool) -> None:
        """Probe for a daemon and report the result as an event."""
        ...

    def spawn(self, *, move_port: bool) -> None:
        """Start a daemon."""
        ...

    def request_shutdown(self, origin: DaemonOrigin) -> None:
        """Ask the daemon to shut down."""
        ...

    def terminate(self, origin: DaemonOrigin, pid: int) -> None:
        """Ask the operating system to terminate the process."""
        ...

    def kill(self, origin: DaemonOrigin, pid: int) -> None:
        """Kill the process."""
        ...

    def truncate_output(self) -> None:
        """Limit the size of the daemon's output file."""
        ...

    def close(self) -> None:
        """Close connections and pipes."""
        ...


@dataclass(frozen=True, slots=True)
class DaemonReported:
    """The daemon sent a report."""

    report: DaemonReport


@dataclass(frozen=True, slots=True)
class AutostartChanged:
    """Start at login was looked up or changed."""

    on: bool | None


@dataclass(frozen=True, slots=True)
class DashboardOpened:
    """The user has opened the dashboard, and sees what was captured."""


@dataclass(frozen=True, slots=True)
class HotkeysChanged:
    """The shortcuts were grabbed anew."""

    hotkeys: tuple[HotkeyStatus, ...]


@dataclass(frozen=True, slots=True)
class AnswerUnshown:
    """The desktop shows no notifications; this one answers what the user did."""

    text: str


Incoming: TypeAlias = (
    SupervisorEvent
    | DaemonReported
    | AutostartChanged
    | HotkeysChanged
    | AnswerUnshown
    | DashboardOpened
)
MakeEffectRunner: TypeAlias = Callable[
    [Callable[[SupervisorEvent], None], Callable[[DaemonReport], None]], EffectRunner
]


@dataclass(frozen=True, slots=True)
class Environment:
    """What the controller reads from outside: clocks, the installed version, the saved port.

    ``last_opened`` is when the user last opened the dashboard, ``notified`` are the issues that the
    user was notified of.
    """

    now: Callable[[], ClockReading]
    installed: Callable[[], str | None]
    port: Callable[[], int | None]
    last_opened: LastOpened
    notified: NotifiedIssues


class DesktopController:
    """The running desktop app; `DesktopApp` describes its commands."""

    def __init__(
        self,
        start: Supervision,
        make_effects: MakeEffectRunner,
        environment: Environment,
        windows: Windows,
        notifier: Notifier,
        actions: DesktopActions,
    ) -> None:
        self._supervision = start
        self._app_version = start.installed_version
        self.starts_again = False
        self._environment = environment
        self._windows = windows
        self._notifier = notifier
        self._actions = actions
        self._inbox: queue.SimpleQueue[Incoming] = queue.SimpleQueue()
        self._effects = make_effects(
            self._inbox.put, lambda report: self._inbox.put(DaemonReported(report))
        )
        self._report: DaemonReport | None = None
        self._changes = ReportChanges(notifier, environment.notified)
        self._autostart: bool | None = None
        self._hotkeys: tuple[HotkeyStatus, ...] = ()
        self._answer, self._answer_until = "", 0.0
        self._quit_callbacks: list[Callable[[], None]] = []
        self._exit_callbacks: list[Callable[[], None]] = []
        self._listeners: list[Callable[[Snapshot], None]] = []
        self._port = environment.port()
        self._snapshot = snapshot_of(start, None, self._port)
        self._maintenance_at = start.now.monotonic_s + _MAINTENANCE_EVERY_S
        self._published = threading.Condition()
        self._exited = threading.Event()
        self._thread = threading.Thread(target=self._run, name="intaglio-tray", daemon=True)

    # --- called from any thread -------------------------------------------------------------------

    def start(self) -> None:
        """Start the controller's thread."""
        self._thread.start()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the controller has exited; returns whether it has."""
        return self._exited.wait(seconds)

    @property
    def snapshot(self) -> Snapshot:
        """The current state."""
        return self._snapshot

    def subscribe(self, changed: Callable[[Snapshot], None]) -> Callable[[], None]:
        """Call ``changed`` at each change; returns a function that unsubscribes."""
        self._listeners = [*self._listeners, changed]

        def end() -> None:
            self._listeners = [one for one in self._listeners if one is not changed]

        return end

    def refresh(self) -> None:
        """Request fresh state, and keep it fresh for a while."""
        self._inbox.put(ViewerActive())
        # The dashboard and a terminal switch it, too.
        self.look_up_autostart()

    def show(self, destination: Destination) -> None:
        """Open a destination once the daemon is healthy."""
        self._inbox.put(ViewerActive())
        self._in_background("open", lambda: self._open(destination))

    def undo_saved(self, saved: UndoSaved) -> None:
        """Forget memories that capture saved."""

        def undo() -> None:
            count = self._actions.undo_saved(saved)
            self._notifier.notify(undone_notification(count))

        self._in_background("undo", undo)

    def pause(self, duration: PauseDuration) -> None:
        """Pause capture."""
        self._in_background("pause", lambda: self._actions.pause(duration))

    def resume(self) -> None:
        """Resume capture."""
        self._in_background("resume", self._actions.resume)

    def restart(self) -> None:
        """Restart the daemon."""
        self._inbox.put(RestartRequested())

    def restart_app(self) -> None:
        """Quit; whoever runs the controller then starts the app again."""
        self.starts_again = True
        self.quit()

    def move_port(self) -> None:
        """Move the daemon to another port."""
        self._inbox.put(MovePortRequested())

    def set_autostart(self, *, on: bool) -> None:
        """Turn start at login on or off."""
        self._in_background(
            "autostart",
            lambda: self._inbox.put(AutostartChanged(self._actions.set_autostart(on=on))),
        )

    def note_unshown(self, notification: Notification) -> None:
        """Answer in the menu what the user did; everything else is shown there anyway."""
        alone = (notification.title,) if notification.kind == "message" else ()
        for text in (notification.answers or alone)[-1:]:
            self._inbox.put(AnswerUnshown(text))

    def note_hotkeys(self, hotkeys: tuple[HotkeyStatus, ...]) -> None:
        """Show how the shortcuts are."""
        self._inbox.put(HotkeysChanged(hotkeys))

    def announce(self, say: Callable[[str], None]) -> None:
        """Pass a line with the dashboard's sign-in link to ``say`` once the daemon is healthy."""

        def tell() -> None:
            if self._wait_until_healthy():
                version = self._snapshot.version
                say(f"Intaglio {version} · dashboard: {self._actions.link(OpenPage())}")

        self._in_background("announce", tell)

    def on_quit(self, callback: Callable[[], None]) -> None:
        """Call ``callback`` at each request to quit; it must return quickly."""
        self._quit_callbacks = [*self._quit_callbacks, callback]

    def on_exit(self, callback: Callable[[], None]) -> None:
        """Call ``callback`` when the controller has exited, or immediately if it already has."""
        self._exit_callbacks = [*self._exit_callbacks, callback]
        if self._exited.is_set():
            callback()

    def look_up_autostart(self) -> None:
        """Look up whether the app starts at login."""
        self._in_background(
            "autostart", lambda: self._inbox.put(AutostartChanged(self._actions.is_autostart_on()))
        )

    def quit(self) -> None:
        """Close the windows, stop our own daemon and exit."""
        for callback in self._quit_callbacks:
            callback()
        self._in_background("windows", self._windows.close)
        self._inbox.put(QuitRequested())

    # --- slow work, on threads of its own ---------------------------------------------------------

    def _open(self, destination: Destination) -> None:
        # Its process starts while the daemon does.
        self._windows.prepare()
        if not self._wait_until_healthy():
            line = self._snapshot.attention or self._snapshot.line
            self._notifier.notify(Notification("message", "Couldn't open the dashboard", line))
            return
        self._windows.show(destination, self._actions.link(destination))
        if isinstance(destination, OpenPage | OpenMemory):
            self._environment.last_opened.note()
            self._inbox.put(DashboardOpened())

    def _wait_until_healthy(self) -> bool:
        with self._published:
            return self._published.wait_for(
                lambda: self._snapshot.health is not None or self._exited.is_set(),
                _HEALTHY_TIMEOUT_S,
            )

    def _in_background(self, name: str, work: Callable[[], object]) -> None:
        def run() -> None:
            try:
                work()
            except (IntaglioError, OSError) as error:
                title = error.title if isinstance(error, IntaglioError) else "Couldn't do that"
                self._notifier.notify(Notification("message", title, str(error)))
            self._inbox.put(ViewerActive())

        threading.Thread(target=run, name=f"intaglio-tray-{name}", daemon=True).start()

    # --- the controller's thread ------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while not self._exited.is_set():
                self._process_next()
        finally:
            # After any failure too, waiting threads must wake up and our daemon must exit.
            self._finish()

    def _process_next(self) -> None:
        seconds = wake_at(self._supervision) - self._environment.now().monotonic_s
        incoming: Incoming = Tick()
        with contextlib.suppress(queue.Empty):
            incoming = self._inbox.get(timeout=max(seconds, 0.01))
        try:
            self._process(incoming)
        # An error in one step must not leave the daemon without its supervisor.
        except Exception:  # noqa: BLE001 - see above
            get_logger("desktop").exception("step failed", event_type=type(incoming).__name__)
            time.sleep(_DELAY_AFTER_ERROR_S)

    def _process(self, incoming: Incoming) -> None:
        event: SupervisorEvent = Tick()
        match incoming:
            case DaemonReported(report=report):
                report = self._without_seen(report)
                self._changes.follow(report, self._environment.now())
                self._report = report
            case DashboardOpened():
                if self._report is not None:
                    self._report = self._without_seen(self._report)
            case AutostartChanged(on=on):
                self._autostart = on
            case AnswerUnshown(text=text):
                self._answer = text
                self._answer_until = self._environment.now().monotonic_s + _ANSWER_S
            case HotkeysChanged(hotkeys=hotkeys):
                self._hotkeys = hotkeys
            case _:
                event = incoming
        before = self._supervision.state
        self._supervision, effects = step(self._supervision, event, self._environment.now())
        if type(before) is not type(self._supervision.state):
            get_logger("desktop").info("state", now=str(self._supervision.state), after=str(event))
        for effect in effects:
            self._run_effect(effect)
        self._maintain()
        self._publish()

    def _without_seen(self, report: DaemonReport) -> DaemonReport:
        """Remove counts from before the dashboard was last opened."""
        captured = report.captured
        if captured is None or captured.since == self._environment.last_opened.at:
            return report
        return replace(report, captured=None)

    def _run_effect(self, effect: Effect) -> None:
        match effect:
            case SpawnDaemon(move_port=move):
                self._effects.spawn(move_port=move)
            case ProbeDaemon(number=number, full_report=full, check_port=port):
                self._effects.probe(number, full_report=full, check_port=port)
            case RequestShutdown(origin=origin):
                self._effects.request_shutdown(origin)
            case TerminateDaemon(origin=origin, pid=pid):
                self._effects.terminate(origin, pid)
            case KillDaemon(origin=origin, pid=pid):
                self._effects.kill(origin, pid)
            case NotifyUser():
                self._port = self._environment.port()
                self._notifier.notify(notification_for(effect, self._port))
            case AdoptDaemon():
                self._port = self._environment.port()
            case Exit():
                self._exited.set()

    def _maintain(self) -> None:
        now = self._environment.now().monotonic_s
        if now < self._maintenance_at:
            return
        self._maintenance_at = now + _MAINTENANCE_EVERY_S
        threading.Thread(target=self._windows.maintain, daemon=True).start()
        self._effects.truncate_output()
        version = self._environment.installed()
        if version is not None and version != self._supervision.installed_version:
            self._inbox.put(VersionInstalled(version))

    def _publish(self) -> None:
        snapshot = snapshot_of(
            self._supervision,
            self._report,
            self._port,
            autostart=self._autostart,
            app_version=self._app_version,
            hotkeys=self._hotkeys,
        )
        if self._supervision.now.monotonic_s < self._answer_until:
            snapshot = replace(snapshot, answer=self._answer)
        if snapshot == self._snapshot:
            return
        with self._published:
            self._snapshot = snapshot
            self._published.notify_all()
        for listener in self._listeners:
            listener(snapshot)

    def _finish(self) -> None:
        self._effects.close()
        with self._published:
            self._exited.set()
            self._published.notify_all()
        for callback in self._exit_callbacks:
            callback()

"""The supervisor's rules, states, events and effects, as plain values."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from intaglio.desktop.values import NotificationKind

EXIT_PORT_TAKEN: Final = 3
EXIT_REFUSED: Final = 4
EXIT_ANOTHER_RUNS: Final = 6


@dataclass(frozen=True, slots=True)
class ClockReading:
    """The current monotonic time and wall time, in seconds."""

    monotonic_s: float
    wall_s: float


@dataclass(frozen=True, slots=True)
class SupervisorRules:
    """The supervisor's durations and limits; tests use shorter ones."""

    backoff_s: tuple[float, ...] = (1.0, 2.0, 4.0, 8.0)
    max_crashes: int = 5
    crash_window_s: float = 300.0
    start_timeout_s: float = 30.0
    hang_probes: int = 4
    hang_s: float = 20.0
    shutdown_timeout_s: float = 12.0
    terminate_timeout_s: float = 6.0
    kill_timeout_s: float = 5.0
    clock_jump_s: float = 10.0
    max_step_s: float = 60.0
    grace_s: float = 20.0
    fresh_s: float = 15.0
    probe_starting_s: float = 0.15
    probe_active_s: float = 2.0
    probe_idle_s: float = 5.0
    viewer_active_s: float = 15.0
    service_timeout_s: float = 10.0
    probe_timeout_s: float = 15.0


# --- states ---------------------------------------------------------------------------------------

DaemonOrigin: TypeAlias = Literal["adopted", "spawned"]
StopStep: TypeAlias = Literal["requested", "terminated", "killed"]
StopReason: TypeAlias = Literal["hang", "restart", "update", "quit"]


@dataclass(frozen=True, slots=True)
class Probing:
    """We have no process and probe for a running daemon.

    If there is none, one is spawned, or with ``then="stop"`` the state becomes `Stopped`.
    """

    since: float
    then: Literal["spawn", "stop"] = "spawn"


@dataclass(frozen=True, slots=True)
class Starting:
    """Our process runs and hasn't answered yet."""

    since: float


@dataclass(frozen=True, slots=True)
class Running:
    """A daemon of this installation answered."""

    origin: DaemonOrigin
    pid: int
    version: str


@dataclass(frozen=True, slots=True)
class Unresponsive:
    """An adopted daemon runs but doesn't respond; it is left alone until the user restarts it."""

    pid: int


@dataclass(frozen=True, slots=True)
class Stopping:
    """A daemon is being stopped: requested, then terminated, then killed."""

    origin: DaemonOrigin
    pid: int
    reason: StopReason
    then: Literal["restart", "exit"]
    step: StopStep
    since: float


@dataclass(frozen=True, slots=True)
class Restarting:
    """The daemon crashed; a new one is spawned after the back-off."""

    until: float


@dataclass(frozen=True, slots=True)
class Failed:
    """The daemon crashed too often; nothing is spawned until the user restarts it."""

    reason: str


@dataclass(frozen=True, slots=True)
class PortTaken:
    """Another program uses our port."""


@dataclass(frozen=True, slots=True)
class StartRefused:
    """The daemon reported that it can't run, and that a retry wouldn't help."""

    reason: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """Somebody stopped the daemon on purpose; it stays stopped until the user restarts it."""


@dataclass(frozen=True, slots=True)
class Exited:
    """The supervisor has exited."""


SupervisorState: TypeAlias = (
    Probing
    | Starting
    | Running
    | Unresponsive
    | Stopping
    | Restarting
    | Failed
    | PortTaken
    | StartRefused
    | Stopped
    | Exited
)


@dataclass(frozen=True, slots=True)
class DaemonAnswered:
    """A daemon of this installation answered."""

    pid: int
    version: str


@dataclass(frozen=True, slots=True)
class DaemonAbsent:
    """No daemon of this installation answered.

    ``process`` is what its record shows: it shut down in order, it died, or it runs but is silent.
    """

    process: Literal["left", "died", "silent"]
    port_free: bool = True
    pid: int = 0


ProbeResult: TypeAlias = DaemonAnswered | DaemonAbsent


# --- events ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed."""


@dataclass(frozen=True, slots=True)
class ProbeFinished:
    """The probe of this number has a result."""

    number: int
    result: ProbeResult


@dataclass(frozen=True, slots=True)
class DaemonSpawned:
    """Our process started."""

    pid: int


@dataclass(frozen=True, slots=True)
class SpawnFailed:
    """Our process couldn't be started."""

    reason: str


@dataclass(frozen=True, slots=True)
class ChildExited:
    """Our process exited; ``output`` is the end of what it printed."""

    code: int
    output: str = ""


@dataclass(frozen=True, slots=True)
class ViewerActive:
    """Somebody is looking at the state, so it must stay fresh for a while."""


@dataclass(frozen=True, slots=True)
class RestartRequested:
    """The user wants the daemon restarted."""


@dataclass(frozen=True, slots=True)
class MovePortRequested:
    """The user wants another port."""


@dataclass(frozen=True, slots=True)
class QuitRequested:
    """The user or the system wants the app to quit."""


@dataclass(frozen=True, slots=True)
class VersionInstalled:
    """This version is on disk now; a spawned daemon would run it."""

    version: str


SupervisorEvent: TypeAlias = (
    Tick
    | ProbeFinished
    | DaemonSpawned
    | SpawnFailed
    | ChildExited
    | ViewerActive
    | RestartRequested
    | MovePortRequested
    | QuitRequested
    | VersionInstalled
)


# --- effects --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SpawnDaemon:
    """Start a daemon that exits with this process; ``move_port``: permanently on another port."""

    move_port: bool = False


@dataclass(frozen=True, slots=True)
class ProbeDaemon:
    """Probe for a daemon and report `ProbeFinished` with this number.

    ``full_report``: somebody is looking, so request everything that is shown. ``check_port``: test
    whether our port is free, which occupies it for a moment.
    """

    number: int
    full_report: bool = False
    check_port: bool = False


@dataclass(frozen=True, slots=True)
class RequestShutdown:
    """Ask the daemon to shut down: over HTTP if adopted, by closing its input if ours."""

    origin: DaemonOrigin
    pid: int


@dataclass(frozen=True, slots=True)
class TerminateDaemon:
    """Terminate the process, gracefully where the platform can."""

    origin: DaemonOrigin
    pid: int


@dataclass(frozen=True, slots=True)
class KillDaemon:
    """Kill the process."""

    origin: DaemonOrigin
    pid: int


@dataclass(frozen=True, slots=True)
class AdoptDaemon:
    """Supervise a daemon that somebody else started."""

    pid: int
    version: str


@dataclass(frozen=True, slots=True)
class NotifyUser:
    """Notify the user."""

    kind: NotificationKind
    text: str = ""


@dataclass(frozen=True, slots=True)
class Exit:
    """Everything has stopped; the app may exit."""


Effect: TypeAlias = (
    SpawnDaemon
    | ProbeDaemon
    | RequestShutdown
    | TerminateDaemon
    | KillDaemon
    | AdoptDaemon
    | NotifyUser
    | Exit
)

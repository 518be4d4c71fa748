"""What the supervisor knows, hears and decides, as closed unions; nothing is done here."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from intaglio.desktop.values import NotificationKind

EXIT_PORT_TAKEN: Final = 3
EXIT_REFUSED: Final = 4
EXIT_ANOTHER_RUNS: Final = 6


@dataclass(frozen=True, slots=True)
class ClockReading:
    """Now, by the clock that never runs backwards and by the one on the wall; in seconds."""

    monotonic_s: float
    wall_s: float


@dataclass(frozen=True, slots=True)
class SupervisorRules:
    """Every time span and count that the supervisor goes by; tests use shorter ones."""

    backoff_s: tuple[float, ...] = (1.0, 2.0, 4.0, 8.0)
    most_deaths: int = 5
    deaths_within_s: float = 300.0
    start_within_s: float = 30.0
    hang_after: int = 4
    hang_s: float = 20.0
    ask_within_s: float = 12.0
    terminate_within_s: float = 6.0
    kill_within_s: float = 5.0
    jump_s: float = 10.0
    gap_s: float = 60.0
    grace_s: float = 20.0
    fresh_s: float = 15.0
    probe_starting_s: float = 0.15
    probe_close_s: float = 2.0
    probe_idle_s: float = 5.0
    close_for_s: float = 15.0
    service_within_s: float = 10.0
    probe_within_s: float = 15.0


# --- what is, and what was seen -------------------------------------------------------------------

DaemonOrigin: TypeAlias = Literal["adopted", "spawned"]
EndStep: TypeAlias = Literal["asked", "terminated", "killed"]
EndReason: TypeAlias = Literal["hang", "asked", "update", "quit"]


@dataclass(frozen=True, slots=True)
class Probing:
    """No process of ours; a daemon that runs already is looked for.

    When there is none, one is spawned, or (``then`` is stop) the state is that it was stopped.
    """

    since: float
    then: Literal["spawn", "stop"] = "spawn"


@dataclass(frozen=True, slots=True)
class Starting:
    """Our process lives and has not answered yet."""

    since: float


@dataclass(frozen=True, slots=True)
class Running:
    """A daemon of this installation answered."""

    origin: DaemonOrigin
    pid: int
    version: str


@dataclass(frozen=True, slots=True)
class Unresponsive:
    """An adopted daemon lives and does not answer; it is left alone until the user asks."""

    pid: int


@dataclass(frozen=True, slots=True)
class Ending:
    """A daemon is being ended: asked, then terminated, then killed."""

    origin: DaemonOrigin
    pid: int
    reason: EndReason
    then: Literal["restart", "leave"]
    step: EndStep
    since: float


@dataclass(frozen=True, slots=True)
class Restarting:
    """The daemon died; a new one is spawned when the back-off is over."""

    until: float


@dataclass(frozen=True, slots=True)
class Failed:
    """It died too often; nothing is spawned until the user restarts it."""

    why: str


@dataclass(frozen=True, slots=True)
class PortTaken:
    """Another program holds our port."""


@dataclass(frozen=True, slots=True)
class StartRefused:
    """The daemon says that it cannot run, and trying again would not help."""

    why: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """Somebody stopped the daemon on purpose; it stays so until the user wants it back."""


@dataclass(frozen=True, slots=True)
class Exited:
    """The supervisor has ended."""


SupervisorState: TypeAlias = (
    Probing
    | Starting
    | Running
    | Unresponsive
    | Ending
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
    """None of ours answered.

    ``process`` is what its record tells: it left in order, it died, or it lives and is silent.
    """

    process: Literal["left", "died", "silent"]
    port_free: bool = True
    pid: int = 0


ProbeResult: TypeAlias = DaemonAnswered | DaemonAbsent


# --- what happens ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed."""


@dataclass(frozen=True, slots=True)
class ProbeFinished:
    """The probe of this number came back."""

    number: int
    seen: ProbeResult


@dataclass(frozen=True, slots=True)
class DaemonSpawned:
    """Our process began."""

    pid: int


@dataclass(frozen=True, slots=True)
class SpawnFailed:
    """Our process could not be started."""

    why: str


@dataclass(frozen=True, slots=True)
class ChildExited:
    """Our process ended; ``said`` is the end of what it printed."""

    code: int
    said: str = ""


@dataclass(frozen=True, slots=True)
class ViewerActive:
    """Somebody looks at the state: it has to be fresh for a while."""


@dataclass(frozen=True, slots=True)
class RestartRequested:
    """The user wants a new daemon."""


@dataclass(frozen=True, slots=True)
class MovePortRequested:
    """The user agreed to another port."""


@dataclass(frozen=True, slots=True)
class QuitRequested:
    """The user, or the system, wants the desk to leave."""


@dataclass(frozen=True, slots=True)
class VersionInstalled:
    """This version lies on the disk now: what a spawned daemon would be."""

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


# --- what is to be done ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SpawnDaemon:
    """Start a daemon on the leash; on another port for good when ``move_port``."""

    move_port: bool = False


@dataclass(frozen=True, slots=True)
class ProbeDaemon:
    """Look for a daemon and come back with `Saw` of this number.

    ``whole``: somebody looks, so all that is shown is asked for. ``port``: whether ours is free is
    asked too, which holds it for an instant.
    """

    number: int
    whole: bool = False
    port: bool = False


@dataclass(frozen=True, slots=True)
class RequestShutdown:
    """Let it leave in order: let go of the leash of our own, ask the adopted one."""

    origin: DaemonOrigin
    pid: int


@dataclass(frozen=True, slots=True)
class TerminateDaemon:
    """End the process, as the platform does it politely."""

    origin: DaemonOrigin
    pid: int


@dataclass(frozen=True, slots=True)
class KillDaemon:
    """End the process at once."""

    origin: DaemonOrigin
    pid: int


@dataclass(frozen=True, slots=True)
class AdoptDaemon:
    """A daemon that somebody else started is the one from now on."""

    pid: int
    version: str


@dataclass(frozen=True, slots=True)
class NotifyUser:
    """Tell the user, once."""

    kind: NotificationKind
    text: str = ""


@dataclass(frozen=True, slots=True)
class Exit:
    """All is ended; the desk may go."""


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

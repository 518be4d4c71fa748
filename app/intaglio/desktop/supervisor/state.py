"""The supervisor's data and what derives from it; `transitions` holds the decisions."""

from dataclasses import dataclass, field

from intaglio.desktop.supervisor.values import (
    ClockReading,
    Exited,
    Probing,
    Restarting,
    Starting,
    Stopping,
    StopStep,
    SupervisorRules,
    SupervisorState,
)
from intaglio.desktop.values import NotificationKind


@dataclass(frozen=True, slots=True)
class Supervision:
    """Everything that the supervisor knows; times are monotonic seconds.

    ``installed_version`` is the version on disk, which a spawned daemon would run. ``has_child`` is
    true from a spawn until its process has exited. ``unanswered`` counts consecutive probes without
    an answer. ``spawn_after`` delays the first spawn where the operating system starts the daemon
    too. ``restarted_for_version`` prevents a second restart for the same version. ``notified``
    holds the kinds of notifications that were shown and aren't repeated.
    """

    installed_version: str
    now: ClockReading
    rules: SupervisorRules
    state: SupervisorState = field(default_factory=lambda: Probing(0.0))
    has_child: bool = False
    child_pid: int = 0
    crashes: tuple[float, ...] = ()
    unanswered: int = 0
    unanswered_since: float = 0.0
    answered_at: float | None = None
    grace_until: float = float("-inf")
    spawn_after: float = float("-inf")
    viewer_active_until: float = float("-inf")
    probe_number: int = 0
    probing: bool = False
    probe_started_at: float = float("-inf")
    next_probe_at: float = float("-inf")
    restarted_for_version: str = ""
    notified: frozenset[NotificationKind] = frozenset()


def initial_state(
    installed_version: str, now: ClockReading, rules: SupervisorRules, *, service: bool = False
) -> Supervision:
    """Return the initial supervision; ``service``: the system may be starting a daemon too."""
    start = now.monotonic_s
    return Supervision(
        installed_version=installed_version,
        now=now,
        rules=rules,
        state=Probing(start),
        spawn_after=start + (rules.service_timeout_s if service else 0.0),
    )


def wake_at(supervision: Supervision) -> float:
    """Return the latest time for the next tick, in monotonic seconds."""
    rules = supervision.rules
    deadlines = [supervision.now.monotonic_s + rules.probe_idle_s]
    if supervision.probing:
        deadlines.append(supervision.probe_started_at + rules.probe_timeout_s)
    elif needs_probing(supervision.state):
        deadlines.append(supervision.next_probe_at)
    match supervision.state:
        case Restarting(until=until):
            deadlines.append(until)
        case Stopping(step=current, since=since):
            deadlines.append(since + step_timeout_s(rules, current))
        case Starting(since=since):
            deadlines.append(since + rules.start_timeout_s)
        case _:
            pass
    return min(deadlines)


def needs_probing(state: SupervisorState) -> bool:
    """Return whether the state needs probes; the exit of our own process is reported without."""
    match state:
        case Exited() | Stopping(origin="spawned"):
            return False
        case _:
            return True


def is_fresh(supervision: Supervision) -> bool:
    """Return whether the daemon's last answer is recent enough to be shown."""
    at = supervision.answered_at
    return at is not None and supervision.now.monotonic_s - at <= supervision.rules.fresh_s


def step_timeout_s(rules: SupervisorRules, current: StopStep) -> float:
    """Return how long a step of stopping a daemon may take."""
    match current:
        case "requested":
            return rules.shutdown_timeout_s
        case "terminated":
            return rules.terminate_timeout_s
        case _:
            return rules.kill_timeout_s

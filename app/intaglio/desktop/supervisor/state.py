"""All that the supervisor knows, and what can be read off it; decisions are in `machine.py`."""

from dataclasses import dataclass, field

from intaglio.desktop.supervisor.values import (
    ClockReading,
    Ending,
    EndStep,
    Exited,
    Probing,
    Restarting,
    Starting,
    SupervisorRules,
    SupervisorState,
)
from intaglio.desktop.values import NotificationKind


@dataclass(frozen=True, slots=True)
class Supervision:
    """All that the supervisor knows.

    ``expected`` is the version that a spawned daemon would be. ``child`` is true from a spawn until
    the process has ended, ``child_pid`` its number. ``updated_for`` is the version for whose sake a
    daemon was already restarted: it is not done twice. ``patient_until`` holds the first spawn back
    where the operating system starts the daemon too. Moments are monotonic seconds.
    """

    expected: str
    now: ClockReading
    rules: SupervisorRules
    state: SupervisorState = field(default_factory=lambda: Probing(0.0))
    child: bool = False
    child_pid: int = 0
    deaths: tuple[float, ...] = ()
    silent: int = 0
    silent_since: float = 0.0
    answered_at: float | None = None
    grace_until: float = float("-inf")
    patient_until: float = float("-inf")
    close_until: float = float("-inf")
    probe: int = 0
    probing: bool = False
    probe_began: float = float("-inf")
    probe_at: float = float("-inf")
    updated_for: str = ""
    told: frozenset[NotificationKind] = frozenset()


def initial_state(
    expected: str, now: ClockReading, rules: SupervisorRules, *, service: bool = False
) -> Supervision:
    """Return the supervisor at its start; ``service``: the system may be starting a daemon too."""
    start = now.monotonic_s
    return Supervision(
        expected=expected,
        now=now,
        rules=rules,
        state=Probing(start),
        patient_until=start + (rules.service_within_s if service else 0.0),
    )


def wake_at(supervision: Supervision) -> float:
    """Return the monotonic moment at which the next tick is due at the latest."""
    rules = supervision.rules
    moments = [supervision.now.monotonic_s + rules.probe_idle_s]
    if supervision.probing:
        moments.append(supervision.probe_began + rules.probe_within_s)
    elif needs_probing(supervision.state):
        moments.append(supervision.probe_at)
    match supervision.state:
        case Restarting(until=until):
            moments.append(until)
        case Ending(step=now_at, since=since):
            moments.append(since + step_timeout_s(rules, now_at))
        case Starting(since=since):
            moments.append(since + rules.start_within_s)
        case _:
            pass
    return min(moments)


def needs_probing(state: SupervisorState) -> bool:
    """Tell whether a daemon is looked for: the end of our own process is heard without a look."""
    match state:
        case Exited() | Ending(origin="spawned"):
            return False
        case _:
            return True


def is_fresh(supervision: Supervision) -> bool:
    """Tell whether the daemon's last answer is recent enough to be shown as the state of things."""
    at = supervision.answered_at
    return at is not None and supervision.now.monotonic_s - at <= supervision.rules.fresh_s


def step_timeout_s(rules: SupervisorRules, now_at: EndStep) -> float:
    """Return how long a step of an ending may take."""
    match now_at:
        case "asked":
            return rules.ask_within_s
        case "terminated":
            return rules.terminate_within_s
        case _:
            return rules.kill_within_s

"""All that the supervisor knows, and what can be read off it; decisions are in `machine.py`."""

from dataclasses import dataclass, field

from intaglio.desktop.supervise.values import (
    Ending,
    Left,
    Looking,
    Moment,
    Restarting,
    Rules,
    Starting,
    State,
    Step,
)
from intaglio.desktop.values import NoteKind


@dataclass(frozen=True, slots=True)
class Supervisor:
    """All that the supervisor knows.

    ``expected`` is the version that a spawned daemon would be. ``child`` is true from a spawn until
    the process has ended, ``child_pid`` its number. ``updated_for`` is the version for whose sake a
    daemon was already restarted: it is not done twice. ``patient_until`` holds the first spawn back
    where the operating system starts the daemon too. Moments are monotonic seconds.
    """

    expected: str
    now: Moment
    rules: Rules
    state: State = field(default_factory=lambda: Looking(0.0))
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
    told: frozenset[NoteKind] = frozenset()


def begin(expected: str, now: Moment, rules: Rules, *, service: bool = False) -> Supervisor:
    """Return the supervisor at its start; ``service``: the system may be starting a daemon too."""
    start = now.monotonic_s
    return Supervisor(
        expected=expected,
        now=now,
        rules=rules,
        state=Looking(start),
        patient_until=start + (rules.service_within_s if service else 0.0),
    )


def wake_at(known: Supervisor) -> float:
    """Return the monotonic moment at which the next tick is due at the latest."""
    rules = known.rules
    moments = [known.now.monotonic_s + rules.probe_idle_s]
    if known.probing:
        moments.append(known.probe_began + rules.probe_within_s)
    elif looks(known.state):
        moments.append(known.probe_at)
    match known.state:
        case Restarting(until=until):
            moments.append(until)
        case Ending(step=now_at, since=since):
            moments.append(since + patience_s(rules, now_at))
        case Starting(since=since):
            moments.append(since + rules.start_within_s)
        case _:
            pass
    return min(moments)


def looks(state: State) -> bool:
    """Tell whether a daemon is looked for: the end of our own process is heard without a look."""
    match state:
        case Left() | Ending(origin="spawned"):
            return False
        case _:
            return True


def is_fresh(known: Supervisor) -> bool:
    """Tell whether the daemon's last answer is recent enough to be shown as the state of things."""
    at = known.answered_at
    return at is not None and known.now.monotonic_s - at <= known.rules.fresh_s


def patience_s(rules: Rules, now_at: Step) -> float:
    """Return how long a step of an ending may take."""
    match now_at:
        case "asked":
            return rules.ask_within_s
        case "terminated":
            return rules.terminate_within_s
        case _:
            return rules.kill_within_s

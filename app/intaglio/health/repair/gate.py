"""The policy gate: whether a repair may start, by whoever requests it."""

import math
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from intaglio.domain.repair import Repair, RepairRefused
from intaglio.health.repair.settings import RepairSettings
from intaglio.memory.values import AGENT_ACTORS

_MINUTE_S: Final = 60
_HOUR_S: Final = 3_600.0
# Those that act by themselves; only the user and who speaks for them bypass the switch.
_AUTONOMOUS: Final = AGENT_ACTORS | {"pipeline"}
_BY_USER: Final = "On the Health page, or by the command intaglio repair."
_FROZEN: Final = RepairRefused(
    "repairs are frozen", _HOUR_S, "Set memory.pipelineV2.autonomous.frozen to false in Settings."
)
_READ_ONLY: Final = RepairRefused(
    "changes of memories are frozen",
    _HOUR_S,
    "Set memory.pipelineV2.mutationsFrozen to false in Settings.",
)
_NO_AGENTS: Final = RepairRefused(
    "agents may not request repairs",
    _HOUR_S,
    "Set memory.pipelineV2.autonomous.enabled to true in Settings.",
)
_USER_RUNS: Final = RepairRefused(
    "only the user may run a repair that changes content", _HOUR_S, _BY_USER
)
_USER_UNDOES: Final = RepairRefused("only the user may undo a repair", _HOUR_S, _BY_USER)


@dataclass(slots=True)
class RepairGate:
    """Refuses what is frozen, what an agent may not do, and what comes too soon or too often.

    ``frozen`` returns whether changes of memories are disabled. An agent may never change content:
    what the user said isn't an agent's to tidy. The counts start anew with the daemon.
    """

    settings: Callable[[], RepairSettings]
    frozen: Callable[[], bool]
    monotonic_s: Callable[[], float]
    _started: defaultdict[str, deque[float]] = field(
        default_factory=lambda: defaultdict[str, deque[float]](deque)
    )

    def refusal(self, repair: Repair, actor_type: str) -> RepairRefused | None:
        """Return why the repair may not start now, or None if it may."""
        limits = self.settings()
        if limits.frozen:
            return _FROZEN
        if repair.changes_content and self.frozen():
            return _READ_ONLY
        if actor_type in _AUTONOMOUS:
            if not limits.agents:
                return _NO_AGENTS
            if repair.changes_content:
                return _USER_RUNS
        return self._too_often(repair, limits)

    def undo_refusal(self, actor_type: str) -> RepairRefused | None:
        """Return why a run may not be undone now, or None; neither cooldown nor budget counts."""
        if self.settings().frozen:
            return _FROZEN
        if self.frozen():
            return _READ_ONLY
        if actor_type in _AUTONOMOUS:
            return _USER_UNDOES
        return None

    def note(self, repair: Repair) -> None:
        """Record that the repair starts."""
        self._started[repair.action].append(self.monotonic_s())

    def take_back(self, repair: Repair) -> None:
        """Forget the last start of a repair, which has refused to run itself."""
        self._started[repair.action].pop()

    def _too_often(self, repair: Repair, limits: RepairSettings) -> RepairRefused | None:
        cooldown_s, budget = _limits(repair, limits)
        now, started = self.monotonic_s(), self._started[repair.action]
        if started and now - started[-1] < cooldown_s:
            left = cooldown_s - (now - started[-1])
            reason = f"it ran a moment ago and can run again in {_duration(left)}"
            message = f"cooldown active, {round(left * 1_000)}ms remaining"
            return RepairRefused(message, left, reason=reason)
        while started and now - started[0] >= _HOUR_S:
            started.popleft()
        if len(started) >= budget:
            left = _HOUR_S - (now - started[0])
            return RepairRefused(f"hourly budget of {budget} is used up", left)
        return None


def _duration(seconds: float) -> str:
    whole = math.ceil(seconds)
    return f"{whole} s" if whole <= _MINUTE_S else f"{math.ceil(whole / _MINUTE_S)} min"


def _limits(repair: Repair, limits: RepairSettings) -> tuple[float, int]:
    match repair.budget:
        case "queue":
            return limits.requeue_cooldown_ms / 1_000, limits.requeue_hourly
        case "embedding":
            return limits.reembed_cooldown_ms / 1_000, limits.reembed_hourly
        case "content":
            return limits.content_cooldown_ms / 1_000, limits.content_hourly

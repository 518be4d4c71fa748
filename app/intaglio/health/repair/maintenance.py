"""The maintenance: looks at the health checks, and runs the repairs that they name.

It never changes what memories or entities say: such a repair is recommended to the user. To observe
writes nothing.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from intaglio.base.clock import Clock, iso
from intaglio.base.errors import UnavailableError
from intaglio.base.log import get_logger
from intaglio.base.settings.values import Settings
from intaglio.domain.repair import Repair, RepairOptions, RepairRefused
from intaglio.health.diagnosis import Diagnosis
from intaglio.health.repair.repairs import Repairs
from intaglio.health.repair.settings import MaintenanceSettings, RepairSettings
from intaglio.health.values import Diagnosed

MaintenanceMode: TypeAlias = Literal["off", "observe", "execute"]

_LOOK_EVERY_S: Final = 60.0
_MOST_CYCLES: Final = 3
_ROUNDING: Final = 1e-6
_DAEMON: Final = RepairOptions(actor="maintenance", actor_type="daemon", reason="maintenance")


def mode_of(settings: Settings) -> MaintenanceMode:
    """Return what the settings let maintenance do."""
    limits = settings.of(RepairSettings)
    if not limits.agents or limits.frozen:
        return "off"
    match settings.of(MaintenanceSettings).mode:
        case "execute":
            return "execute"
        case "observe":
            return "observe"
        case _:
            return "off"


@dataclass(frozen=True, slots=True)
class MaintenanceState:
    """What the last cycle found; empty before the first one.

    ``recommended`` and ``halted`` are names of repairs, ``waiting`` is why heavy ones wait.
    """

    last_cycle_at: str | None = None
    recommended: tuple[str, ...] = ()
    halted: tuple[str, ...] = ()
    waiting: str = ""


@dataclass(slots=True)
class _Attempts:
    """How often a repair ran in a row without improving the score, which was ``score`` before."""

    score: float
    cycles: int = 0


@dataclass(slots=True, kw_only=True)
class Maintenance:
    """Runs a cycle every so often; ``reason_to_wait`` says why heavy work should wait.

    A repair that ran in three cycles without improving the composite score is halted until the
    score is better than before, or its issue is gone.
    """

    diagnosis: Diagnosis
    repairs: Repairs
    settings: Callable[[], Settings]
    clock: Clock
    monotonic_s: Callable[[], float]
    reason_to_wait: Callable[[], str]
    state: MaintenanceState = MaintenanceState()
    is_running: bool = False
    _attempts: dict[str, _Attempts] = field(default_factory=dict[str, _Attempts])

    async def run(self) -> None:
        """Run cycles as long as the daemon runs; the first one after a whole interval."""
        self.is_running, last_s = True, self.monotonic_s()
        try:
            while True:
                await asyncio.sleep(_LOOK_EVERY_S)
                interval_s = self.settings().of(MaintenanceSettings).interval_ms / 1_000
                if self.monotonic_s() - last_s >= interval_s:
                    last_s = self.monotonic_s()
                    await self.cycle()
        finally:
            self.is_running = False

    async def cycle(self) -> None:
        """Look at the health once, and run what it recommends if the mode is to execute."""
        found = await self.diagnosis.read()
        recommended = self._recommended(found)
        self._note_scores(found.composite, [each.action for each in recommended])
        waiting = await asyncio.to_thread(self.reason_to_wait)
        self.state = MaintenanceState(
            last_cycle_at=iso(self.clock()),
            recommended=tuple(each.action for each in recommended),
            halted=tuple(each.action for each in recommended if self._is_halted(each)),
            waiting=waiting if any(each.is_heavy for each in recommended) else "",
        )
        if mode_of(self.settings()) != "execute":
            return
        for repair in recommended:
            if self._may_run(repair, waiting):
                await self._execute(repair, found.composite)

    def _recommended(self, found: Diagnosed) -> Sequence[Repair]:
        """Return the repairs that issues name, the worst issue's first; "info" needs none."""
        named = dict.fromkeys(
            issue.repair for issue in found.issues if issue.repair and issue.level != "info"
        )
        known = (self.repairs.find(action) for action in named)
        return [repair for repair in known if repair is not None]

    def _note_scores(self, score: float, recommended: Sequence[str]) -> None:
        """Forget attempts that helped, and those at what is no longer wrong."""
        for action, attempts in tuple(self._attempts.items()):
            if action not in recommended or score > attempts.score + _ROUNDING:
                del self._attempts[action]

    def _is_halted(self, repair: Repair) -> bool:
        attempts = self._attempts.get(repair.action)
        return attempts is not None and attempts.cycles >= _MOST_CYCLES

    def _may_run(self, repair: Repair, waiting: str) -> bool:
        if repair.changes_content or self._is_halted(repair):
            return False
        return not (repair.is_heavy and waiting)

    async def _execute(self, repair: Repair, score: float) -> None:
        # Counted first: one that fails is halted, too.
        attempts = self._attempts.setdefault(repair.action, _Attempts(score))
        attempts.cycles += 1
        try:
            outcome = await self.repairs.run(repair, _DAEMON)
        except UnavailableError as error:
            get_logger("maintenance").info("postponed", action=repair.action, reason=error.detail)
            attempts.cycles -= 1
            return
        if isinstance(outcome, RepairRefused):
            attempts.cycles -= 1

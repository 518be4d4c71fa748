"""Runs one check: at most one run at a time, each result used as long as it is fresh."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from intaglio.base.clock import Clock, iso
from intaglio.base.errors import UnavailableError
from intaglio.base.log import get_logger
from intaglio.domain.health import HealthCheck
from intaglio.health.values import CheckOutcome

# A check that reads much; the others are run whenever somebody asks.
_READS_MUCH_S: Final = 5.0
# Nobody asked meanwhile, so that what is known is of long ago.
_SHOWN_FOR_S: Final = 30.0
# A busy or waking machine makes a check late once.
_LATE_S: Final = 60.0


@dataclass(slots=True, kw_only=True)
class CheckRun:
    """A check with its last result and its current run.

    A run that is late isn't cancelled: what it waits for, such as a disk, can't be, and a second
    run would wait as well.
    """

    check: HealthCheck
    clock: Clock
    monotonic_s: Callable[[], float]
    _task: asyncio.Task[None] | None = None
    _last: CheckOutcome = field(init=False)
    _started_s: float = 0.0
    _ended_s: float = 0.0
    _is_outdated: bool = True

    def __post_init__(self) -> None:
        """Begin without a result."""
        self._last = CheckOutcome(check=self.check)

    def invalidate(self) -> None:
        """Run again, and wait for the result, when somebody asks next."""
        self._is_outdated = True

    @property
    def is_due(self) -> bool:
        """Whether there is no fresh result, nor a run that will have one."""
        if self._task is not None:
            return False
        return self._is_outdated or self.monotonic_s() - self._ended_s >= self.check.fresh_s

    async def refresh(self) -> None:
        """Start a run if the result isn't fresh; wait for it unless the last one can be shown.

        It can if the check reads much and somebody asked a minute ago at most. Waits until the
        deadline of the check at most, and not at all for a run that is late.
        """
        age_s = self.monotonic_s() - self._ended_s
        is_recent = age_s < self.check.fresh_s + _SHOWN_FOR_S
        can_show = not self._is_outdated and self.check.fresh_s >= _READS_MUCH_S and is_recent
        if self.is_due:
            self._started_s, self._is_outdated = self.monotonic_s(), False
            self._task = asyncio.create_task(self._run())
        left_s = self._started_s + self.check.deadline_s - self.monotonic_s()
        if self._task is not None and not can_show and left_s > 0:
            await asyncio.wait((self._task,), timeout=left_s)

    @property
    def result(self) -> CheckOutcome:
        """The last result; unknown while a run is late."""
        if self._task is None:
            return self._last
        running_s = self.monotonic_s() - self._started_s
        if running_s <= self.check.deadline_s:
            return self._last
        error = f"it has been running for {running_s:.0f} s" if running_s > _LATE_S else ""
        return CheckOutcome(check=self.check, error=error)

    async def close(self) -> None:
        """Cancel the current run."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait((self._task,))

    async def _run(self) -> None:
        checked, error = None, ""
        try:
            checked = await self.check.run()
        except UnavailableError:
            # What the database's state says is an issue of its own.
            pass
        except Exception as failure:  # noqa: BLE001 - a check that fails is shown beside the others
            get_logger("health").error("a check failed", check=self.check.name, exc_info=failure)
            error = type(failure).__name__
        finally:
            self._task = None
        at = None if checked is None else iso(self.clock())
        self._ended_s = self.monotonic_s()
        self._last = CheckOutcome(check=self.check, checked=checked, at=at, error=error)

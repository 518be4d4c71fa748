"""The sweep: each step in short transactions with pauses between, so that no write waits long."""

from array import array
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from intaglio.base.clock import Clock, iso
from intaglio.base.errors import UnavailableError
from intaglio.base.log import get_logger
from intaglio.base.settings.schema import Settings
from intaglio.lifecycle import sweep_rows as rows
from intaglio.lifecycle.sweep_steps import STEPS
from intaglio.lifecycle.sweep_values import (
    StepReport,
    SweepOutcome,
    SweepRefused,
    SweepReport,
    SweepResult,
    SweepStep,
    SweepTrigger,
)
from intaglio.store.database import Database
from intaglio.store.tx import Row, WriteTx
from intaglio.store.vacuum import file_pages, vacuum

# A batch ends after this time, however few rows it came to; its commit comes on top. Where the two
# together hold up others for longer than they may, the next batch is half as long.
_LONGEST_BATCH_S: Final = 0.003
_LEAST_BATCH_S: Final = 0.0005
# So many are deleted by one statement: for each statement the thread may have to wait its turn.
_AT_ONCE: Final = 20
_HELD_S: Final = 0.02
_TOO_LONG_S: Final = 0.05
_GROWTH: Final = 1.2
_LEAST_PAUSE_S: Final = 0.005
_LONGEST_PAUSE_S: Final = 0.25
# What is written next takes free pages first; only when there are many, the file shrinks.
_MUCH_FREE: Final = 0.25
_LEFT_FREE: Final = 0.1
_PAGES_AT_ONCE: Final = 100
_FROZEN: Final = "Mutations are frozen (kill switch active)"


class BatchTimes:
    """The seconds of each batch: all that it held up others, and its own work thereof.

    The rest is the commit, and the way to the disk with what else waited for it.
    """

    def __init__(self) -> None:
        self._held, self._worked = array("d"), array("d")

    def worked(self, seconds: float) -> None:
        """Note a batch's own work, before its commit."""
        self._worked.append(seconds)

    def held(self, seconds: float) -> None:
        """Note a batch with its commit."""
        self._held.append(seconds)

    @property
    def longest_ms(self) -> float:
        """How long the longest batch held up others."""
        return _ms(self._held, 1)

    def summary(self) -> dict[str, float]:
        """Return what the log says of them."""
        return {
            "batches": len(self._held),
            "held_p50_ms": _ms(self._held, 0.5),
            "held_p99_ms": _ms(self._held, 0.99),
            "held_over_50_ms": sum(seconds > _TOO_LONG_S for seconds in self._held),
            "worked_p50_ms": _ms(self._worked, 0.5),
            "worked_longest_ms": _ms(self._worked, 1),
        }


def _ms(seconds: Sequence[float], share: float) -> float:
    ordered = sorted(seconds)
    at = min(len(ordered) - 1, int(share * len(ordered)))
    return round(ordered[at] * 1000, 3) if ordered else 0.0


class _Frozen(Exception):  # noqa: N818 - an order of the user, not a fault
    """Writes were frozen while the sweep went on."""


@dataclass(slots=True, kw_only=True)
class RetentionSweep:
    """Purges what is over its time; one sweep at a time.

    ``seconds`` never runs backwards; ``set_aside`` deletes files that restores set aside before a
    moment and counts them. Each batch is a whole: a sweep that is cut off anywhere has purged what
    it has purged, and the next one goes on.
    """

    db: Database
    settings: Callable[[], Settings]
    clock: Clock
    seconds: Callable[[], float]
    pause: Callable[[float], Awaitable[None]]
    set_aside: Callable[[datetime], Awaitable[int]]
    steps: Sequence[SweepStep] = STEPS
    _running: bool = False
    _times: BatchTimes = field(default_factory=BatchTimes)
    _batch_s: float = _LONGEST_BATCH_S

    @property
    def running(self) -> bool:
        """Whether a sweep is under way."""
        return self._running

    @property
    def batch_s(self) -> float:
        """For how long the next batch may work."""
        return self._batch_s

    async def last(self) -> SweepReport | None:
        """Return what the newest sweep did, as far as one came to its end."""
        return await self.db.read(rows.last)

    def due_at(self, last: SweepReport | None) -> datetime | None:
        """Return when the next sweep is due; None for at once."""
        if last is None or last.outcome != "done":
            return None
        ended = datetime.fromisoformat(last.ended_at)
        due = ended + timedelta(hours=self.settings().retention.interval_hours)
        # One that bears a time to come, made while the clock was wrong, does not count.
        return None if ended > self.clock() else due

    async def sweep(self, cause: SweepTrigger) -> SweepOutcome:
        """Purge all that is over its time, unless a sweep is under way or writes are frozen.

        Raises UnavailableError when not even its beginning can be recorded.
        """
        if self._running:
            return SweepRefused("A sweep is under way already.")
        if self.settings().memory.frozen:
            return SweepRefused(_FROZEN)
        self._running, self._times = True, BatchTimes()
        try:
            return await self._sweep(cause)
        finally:
            self._running = False

    async def _sweep(self, cause: SweepTrigger) -> SweepReport:
        started = iso(self.clock())
        number = await self.db.write(lambda tx: rows.begin(tx, cause, started))
        done: list[StepReport] = []
        outcome: SweepResult = "done"
        given_back = 0
        try:
            for step in self.steps:
                report = await self._step(step)
                done.append(report)
            done.append(await self._files())
            given_back = await self._give_back()
        except _Frozen:
            outcome = "frozen"
        except UnavailableError as error:
            get_logger("retention").warning("the sweep was cut off", reason=error.detail)
            outcome = "unavailable"
        swept = SweepReport(
            cause=cause,
            started_at=started,
            ended_at=iso(self.clock()),
            outcome=outcome,
            steps=tuple(done),
            longest_ms=self._times.longest_ms,
            given_back_bytes=given_back,
        )
        await self.db.write(lambda tx: rows.end(tx, number, swept))
        self._log(swept)
        return swept

    def _log(self, report: SweepReport) -> None:
        removed = {step.name: step.removed for step in report.steps if step.removed}
        get_logger("retention").info(
            "swept", cause=report.cause, outcome=report.outcome, longest_ms=report.longest_ms,
            given_back_bytes=report.given_back_bytes, **removed, **self._times.summary(),
        )  # fmt: skip

    async def _step(self, step: SweepStep) -> StepReport:
        days = step.days(self.settings())
        if days == 0:
            return StepReport(step.name)
        now = self.clock()
        before = iso(now - timedelta(days=days))
        removed = 0
        try:
            while True:
                keys = await self._find(step, before, iso(now))
                gone = await self._purge(step, keys, before, iso(now))
                removed += gone
                # What is found and cannot be purged would be found for ever.
                if gone == 0:
                    return StepReport(step.name, removed)
        except (UnavailableError, _Frozen):
            raise
        # The worker loop of the steps: a fault in one is told, and the others go on.
        except Exception as error:  # noqa: BLE001 - see above
            get_logger("retention").error("a step failed", step=step.name, error=repr(error))
            return StepReport(step.name, removed, repr(error))

    async def _find(self, step: SweepStep, before: str, now: str) -> Sequence[Row]:
        limit = self.settings().retention.batch_limit
        return await self.db.read(lambda tx: step.find(tx, before, now, limit))

    async def _purge(self, step: SweepStep, keys: Sequence[Row], before: str, now: str) -> int:
        removed = begun = 0
        while begun < len(keys):
            left = keys[begun:]

            def work(tx: WriteTx, left: Sequence[Row] = left) -> tuple[int, int]:
                end, gone = self.seconds() + self._batch_s, 0
                for start in range(0, len(left), _AT_ONCE):
                    some = left[start : start + _AT_ONCE]
                    gone += step.purge(tx, some, before, now)
                    if self.seconds() >= end:
                        return start + len(some), gone
                return len(left), gone

            count, gone = await self._write(work)
            begun, removed = begun + count, removed + gone
        return removed

    async def _write(self, work: Callable[[WriteTx], tuple[int, int]]) -> tuple[int, int]:
        """Run one batch, note how long it held up others, and let them pass before the next."""
        if self.settings().memory.frozen:
            raise _Frozen
        began = self.seconds()

        def timed(tx: WriteTx) -> tuple[int, int]:
            nonlocal began
            began = self.seconds()
            done = work(tx)
            self._times.worked(self.seconds() - began)
            return done

        outcome = await self.db.write(timed)
        held = self.seconds() - began
        self._times.held(held)
        factor = 0.5 if held > _HELD_S else _GROWTH
        self._batch_s = min(max(self._batch_s * factor, _LEAST_BATCH_S), _LONGEST_BATCH_S)
        await self.pause(min(max(held, _LEAST_PAUSE_S), _LONGEST_PAUSE_S))
        return outcome

    async def _files(self) -> StepReport:
        days = self.settings().retention.set_aside_days
        if days == 0:
            return StepReport("set_aside")
        try:
            return StepReport(
                "set_aside", await self.set_aside(self.clock() - timedelta(days=days))
            )
        except OSError as error:
            return StepReport("set_aside", 0, str(error))

    async def _give_back(self) -> int:
        """Shrink the file when a large part of it is empty; return by how many bytes."""
        found = await self.db.read(file_pages)
        if found.share_free < _MUCH_FREE:
            return 0
        wanted, given = found.free - int(found.pages * _LEFT_FREE), 0
        while given < wanted:
            pages = min(_PAGES_AT_ONCE, wanted - given)

            def work(tx: WriteTx, pages: int = pages) -> tuple[int, int]:
                return vacuum(tx, pages), 0

            gone, _ = await self._write(work)
            given += gone
            if gone == 0:
                break
        return given * found.page_bytes

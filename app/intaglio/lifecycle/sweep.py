"""The retention sweep: short transactions with pauses in between, so that no write waits long."""

from array import array
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from intaglio.base.clock import Clock, iso
from intaglio.base.error_text import error_text
from intaglio.base.errors import UnavailableError, writes_frozen
from intaglio.base.log import get_logger
from intaglio.base.settings.values import Settings
from intaglio.lifecycle import sweep_rows as rows
from intaglio.lifecycle.sweep_values import (
    StepReport,
    SweepOutcome,
    SweepRefused,
    SweepReport,
    SweepResult,
    SweepTrigger,
)
from intaglio.memory.settings import MemorySettings
from intaglio.package import SweepStep
from intaglio.store.database import Database
from intaglio.store.settings import RetentionSettings
from intaglio.store.tx import ReadTx, Row, WriteTx
from intaglio.store.vacuum import file_pages, vacuum

# A batch ends after this time, excluding its commit. If both together block other writes for too
# long, the next batch is half as long.
_LONGEST_BATCH_S: Final = 0.003
_SHORTEST_BATCH_S: Final = 0.0005
_HELD_S: Final = 0.02
_TOO_LONG_S: Final = 0.05
_GROWTH: Final = 1.2
_SHORTEST_PAUSE_S: Final = 0.005
_LONGEST_PAUSE_S: Final = 0.25
# New writes reuse free pages; the file is only shrunk if there are many.
_SHRINK_ABOVE: Final = 0.25
_SHRINK_TO: Final = 0.1
_PAGES_PER_BATCH: Final = 100
_COUNTED: Final = 1_000


class BatchTimes:
    """The duration of each batch in seconds: in total, and its work without the commit.

    The difference is the commit, including time spent waiting for the disk.
    """

    def __init__(self) -> None:
        self._held, self._worked = array("d"), array("d")

    def worked(self, seconds: float) -> None:
        """Record the duration of a batch's work, before its commit."""
        self._worked.append(seconds)

    def held(self, seconds: float) -> None:
        """Record the duration of a batch including its commit."""
        self._held.append(seconds)

    @property
    def longest_ms(self) -> float:
        """The longest time that a batch blocked other writes."""
        return _ms(self._held, 1)

    def summary(self) -> dict[str, float]:
        """Return the figures for the log."""
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


class _Stopped(Exception):  # noqa: N818 - a decision, not an error
    """Writes were frozen, or the clock jumped, during the sweep."""

    def __init__(self, outcome: SweepResult) -> None:
        super().__init__(outcome)
        self.outcome: SweepResult = outcome


def _no_reason() -> str:
    return ""


def _find_most(tx: ReadTx, step: SweepStep, before: str, now: str) -> Sequence[Row]:
    return step.find(tx, before, now, _COUNTED)


@dataclass(slots=True, kw_only=True)
class RetentionSweep:
    """Purges rows past their retention period; one sweep at a time.

    ``seconds`` is a monotonic clock; ``set_aside`` deletes the files that restores moved aside
    before a time, and counts them; ``suspended`` says why nothing may be deleted by age. Each
    batch is its own transaction: an interrupted sweep keeps what it has done, and the next one
    continues.
    """

    db: Database
    settings: Callable[[], Settings]
    clock: Clock
    seconds: Callable[[], float]
    pause: Callable[[float], Awaitable[None]]
    set_aside: Callable[[datetime], Awaitable[int]]
    steps: Sequence[SweepStep]
    suspended: Callable[[], str] = _no_reason
    _running: bool = False
    _times: BatchTimes = field(default_factory=BatchTimes)
    _batch_s: float = _LONGEST_BATCH_S

    @property
    def running(self) -> bool:
        """Whether a sweep is running."""
        return self._running

    @property
    def batch_s(self) -> float:
        """The time limit of the next batch in seconds."""
        return self._batch_s

    def windows(self) -> dict[str, int]:
        """Return the retention period of each kind of rows in days; 0 keeps them forever."""
        settings = self.settings()
        days = {step.name: step.days(settings) for step in self.steps if step.has_period}
        return days | {"set_aside": settings.of(RetentionSettings).set_aside_days}

    async def last(self) -> SweepReport | None:
        """Return the report of the latest completed sweep, or None."""
        return await self.db.read(rows.last)

    async def count(self) -> int:
        """Count what a sweep would delete now, of each kind as far as it's quickly counted."""
        settings, now = self.settings(), self.clock()
        found = 0
        for step in self.steps:
            if days := step.days(settings):
                before = iso(now - timedelta(days=days))
                found += len(
                    await self.db.read(partial(_find_most, step=step, before=before, now=iso(now)))
                )
        return found

    def due_at(self, last: SweepReport | None) -> datetime | None:
        """Return when the next sweep is due; None for immediately."""
        if last is None or last.outcome != "done":
            return None
        ended = datetime.fromisoformat(last.ended_at)
        due = ended + timedelta(hours=self.settings().of(RetentionSettings).interval_hours)
        # A sweep dated in the future, made while the clock was wrong, doesn't count.
        return None if ended > self.clock() else due

    async def sweep(self, cause: SweepTrigger) -> SweepOutcome:
        """Purge everything past its retention period.

        Does nothing if a sweep is running or writes are frozen. Raises UnavailableError if the
        start can't be recorded.
        """
        if self._running:
            return SweepRefused("A sweep is already running.")
        if self.settings().of(MemorySettings).frozen:
            frozen = writes_frozen()
            return SweepRefused(frozen.detail, frozen.hint)
        if reason := self.suspended():
            return SweepRefused(reason)
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
        freed_bytes = 0
        try:
            for step in self.steps:
                report = await self._step(step)
                done.append(report)
            done.append(await self._files())
            freed_bytes = await self._shrink_file()
        except _Stopped as stopped:
            outcome = stopped.outcome
        except UnavailableError as error:
            get_logger("retention").warning("sweep interrupted", reason=error.detail)
            outcome = "unavailable"
        swept = SweepReport(
            cause=cause,
            started_at=started,
            ended_at=iso(self.clock()),
            outcome=outcome,
            steps=tuple(done),
            longest_ms=self._times.longest_ms,
            given_back_bytes=freed_bytes,
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
        # Read before the check: a jump in between is seen by it.
        now = self.clock()
        self._require_clock()
        before = iso(now - timedelta(days=days))
        removed = 0
        try:
            while True:
                keys = await self._find(step, before, iso(now))
                gone = await self._purge(step, keys, before, iso(now))
                removed += gone
                # Rows that are found but can't be purged would be found forever.
                if gone == 0:
                    return StepReport(step.name, removed)
        except (UnavailableError, _Stopped):
            raise
        # Worker loop: a failing step is reported and the others continue.
        except Exception as error:  # noqa: BLE001 - see above
            get_logger("retention").error(
                "sweep step failed", step=step.name, error=error_text(error)
            )
            return StepReport(step.name, removed, error_text(error))

    def _require_clock(self) -> None:
        if self.suspended():
            raise _Stopped("clock_jump")

    async def _find(self, step: SweepStep, before: str, now: str) -> Sequence[Row]:
        limit = self.settings().of(RetentionSettings).batch_limit
        return await self.db.read(lambda tx: step.find(tx, before, now, limit))

    async def _purge(self, step: SweepStep, keys: Sequence[Row], before: str, now: str) -> int:
        removed = processed = 0
        while processed < len(keys):
            left = keys[processed:]

            def work(tx: WriteTx, left: Sequence[Row] = left) -> tuple[int, int]:
                end, gone = self.seconds() + self._batch_s, 0
                for start in range(0, len(left), step.at_once):
                    chunk = left[start : start + step.at_once]
                    gone += step.purge(tx, chunk, before, now)
                    if self.seconds() >= end:
                        return start + len(chunk), gone
                return len(left), gone

            count, gone = await self._write(work)
            processed, removed = processed + count, removed + gone
        return removed

    async def _write(self, work: Callable[[WriteTx], tuple[int, int]]) -> tuple[int, int]:
        """Run one batch, record how long it blocked other writes, and pause to let them through."""
        if self.settings().of(MemorySettings).frozen:
            raise _Stopped("frozen")
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
        self._batch_s = min(max(self._batch_s * factor, _SHORTEST_BATCH_S), _LONGEST_BATCH_S)
        await self.pause(min(max(held, _SHORTEST_PAUSE_S), _LONGEST_PAUSE_S))
        return outcome

    async def _files(self) -> StepReport:
        days = self.settings().of(RetentionSettings).set_aside_days
        if days == 0:
            return StepReport("set_aside")
        before = self.clock() - timedelta(days=days)
        self._require_clock()
        try:
            return StepReport("set_aside", await self.set_aside(before))
        except OSError as error:
            return StepReport("set_aside", 0, str(error))

    async def _shrink_file(self) -> int:
        """Shrink the database file if much of it is free; return by how many bytes."""
        found = await self.db.read(file_pages)
        if found.share_free < _SHRINK_ABOVE:
            return 0
        target, freed = found.free - int(found.pages * _SHRINK_TO), 0
        while freed < target:
            pages = min(_PAGES_PER_BATCH, target - freed)

            def work(tx: WriteTx, pages: int = pages) -> tuple[int, int]:
                return vacuum(tx, pages), 0

            gone, _ = await self._write(work)
            freed += gone
            if gone == 0:
                break
        return freed * found.page_bytes

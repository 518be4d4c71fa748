"""Runs repairs: through the policy gate, one of a kind at a time, each recorded."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final, TypeAlias

from intaglio.base.background_tasks import BackgroundTasks
from intaglio.base.clock import parse_moment
from intaglio.base.log import get_logger
from intaglio.base.text import scrub
from intaglio.domain.repair import Repair, RepairOptions, RepairRefused, RepairResult
from intaglio.health.repair import rows
from intaglio.health.repair.gate import RepairGate
from intaglio.health.repair.rows import RepairRun
from intaglio.memory import history_rows as history
from intaglio.memory.operations import ChangeContext
from intaglio.memory.values import HistoryEntry, Scope
from intaglio.redaction.redact import clean
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx

# A large repair takes minutes; the caller shouldn't wait for it.
WAIT_S: Final = 20.0
_AGAIN_S: Final = 60.0
_LATEST: Final = 50
# A name in the history that no memory has.
_SYSTEM: Final = "system"
_EVERYBODY: Final = Scope()


@dataclass(frozen=True, slots=True)
class RepairDone:
    """A repair that was run, and its record."""

    run: RepairRun
    result: RepairResult


@dataclass(frozen=True, slots=True)
class RepairRunning:
    """A repair that takes longer than the caller waits; its record is written at its end."""


@dataclass(frozen=True, slots=True)
class NoSuchRun:
    """There is no such run."""


@dataclass(frozen=True, slots=True)
class NotUndone:
    """A run that can't be undone, and why."""

    reason: str


RepairOutcome: TypeAlias = RepairDone | RepairRunning | RepairRefused
UndoRunOutcome: TypeAlias = RepairDone | NoSuchRun | NotUndone | RepairRefused


@dataclass(frozen=True, slots=True)
class RepairsNow:
    """The latest runs, newest first, and when each repair was last run."""

    runs: tuple[RepairRun, ...]
    last_times: dict[str, str]


@dataclass(slots=True, kw_only=True)
class Repairs:
    """The repairs of all packages, which ``declared`` returns.

    ``undo_within`` is how long what was forgotten can be restored; ``done`` is called after each
    repair, so that what was wrong is checked again.
    """

    db: Database
    context: ChangeContext
    gate: RepairGate
    declared: Callable[[], tuple[Repair, ...]]
    undo_within: Callable[[], timedelta]
    background: BackgroundTasks
    done: Callable[[], None]
    _running: set[str] = field(default_factory=set[str])

    def find(self, action: str) -> Repair | None:
        """Return the repair with this name."""
        return next((each for each in self.declared() if each.action == action), None)

    def refusal(self, repair: Repair, actor_type: str) -> RepairRefused | None:
        """Return why the repair may not start now, or None if it may."""
        if repair.action in self._running:
            return RepairRefused("it is still running", _AGAIN_S)
        return self.gate.refusal(repair, actor_type)

    async def run(
        self, repair: Repair, options: RepairOptions, wait_s: float = WAIT_S
    ) -> RepairOutcome:
        """Run a repair if the gate allows it, and wait for it for a while."""
        refused = self.refusal(repair, options.actor_type)
        if refused is not None:
            return refused
        self.gate.note(repair)
        self._running.add(repair.action)
        task = asyncio.ensure_future(self._run(repair, options))
        self.background.start(_until(task))
        done, _ = await asyncio.wait({task}, timeout=wait_s)
        return task.result() if done else RepairRunning()

    async def _run(self, repair: Repair, options: RepairOptions) -> RepairDone | RepairRefused:
        try:
            result = await repair.run(options)
            if isinstance(result, RepairRefused):
                self.gate.take_back(repair)
                return result
            run = await self._record(repair, options, result)
        finally:
            self._running.discard(repair.action)
            self.done()
        get_logger("repair").info("repaired", action=repair.action, affected=result.affected)
        return RepairDone(run, result)

    async def undo(self, run_id: str, options: RepairOptions) -> UndoRunOutcome:
        """Undo a run: restore what it changed, as far as that is still there."""
        run = await self.db.read(lambda tx: rows.get(tx, run_id))
        repair = None if run is None else self.find(run.action)
        if run is None or repair is None:
            return NoSuchRun()
        if reason := self._why_not_undone(run, repair):
            return NotUndone(reason)
        if repair.undo is None or run.action in self._running:
            return RepairRefused("it is still running", _AGAIN_S)
        refused = self.gate.undo_refusal(options.actor_type)
        if refused is not None:
            return refused
        self._running.add(run.action)
        try:
            result = await repair.undo(run.undo, options)
            undone = await self._record(repair, options, result, undone=run)
        finally:
            self._running.discard(run.action)
            self.done()
        return RepairDone(undone, result)

    def can_undo(self, run: RepairRun) -> bool:
        """Tell whether a run can be undone now."""
        repair = self.find(run.action)
        return repair is not None and not self._why_not_undone(run, repair)

    def _why_not_undone(self, run: RepairRun, repair: Repair) -> str:
        if run.undone_at is not None:
            return "This run was already undone"
        if not run.undo or repair.undo is None:
            return "This run changed nothing that can be restored"
        began = parse_moment(run.at)
        if began is None or self.context.clock() - began > self.undo_within():
            return "What this run changed can't be restored any more"
        return ""

    async def latest(self) -> RepairsNow:
        """Return the latest runs, and when each repair was last run."""
        return await self.db.read(
            lambda tx: RepairsNow(tuple(rows.latest(tx, _LATEST)), rows.last_times(tx))
        )

    async def _record(
        self,
        repair: Repair,
        options: RepairOptions,
        result: RepairResult,
        undone: RepairRun | None = None,
    ) -> RepairRun:
        """Record a run, or that one was undone, there and in the history."""
        now = self.context.now
        # A reason is stored and may contain a secret.
        reason = clean(scrub(options.reason or ""))
        run = RepairRun(
            id=self.context.new_id(),
            action=repair.action,
            at=now,
            actor=options.actor,
            actor_type=options.actor_type,
            reason=reason,
            affected=result.affected,
            message=result.message,
            undo=result.undo,
        )
        what = f"{repair.action} undone" if undone else repair.action
        event = HistoryEntry(
            id=self.context.new_id(),
            event="none",
            old_content=None,
            new_content=None,
            changed_by=options.actor,
            actor_type=options.actor_type,
            reason=reason or f"{what}: {result.message}",
            metadata=None,
            created_at=now,
            session_id=options.session_id,
            request_id=options.request_id,
        )

        def write(tx: WriteTx) -> RepairRun:
            history.record(tx, _SYSTEM, _EVERYBODY, event)
            if undone is None:
                rows.insert(tx, run)
                return run
            rows.set_undone(tx, undone.id, now)
            return rows.get(tx, undone.id) or undone

        return await self.db.write(write)


async def _until(task: "asyncio.Task[RepairDone | RepairRefused]") -> None:
    await task

"""Repairs of embeddings and of the queue; repeating one is harmless."""

from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Final, Literal, TypeAlias

from intaglio.embedding import rows
from intaglio.embedding.index_sync import IndexSync
from intaglio.embedding.job_types import EMBEDDING_TYPE_NAMES
from intaglio.embedding.settings import RepairSettings
from intaglio.embedding.tracker import EmbeddingTracker
from intaglio.jobs import rows as jobs
from intaglio.memory import history_rows as history
from intaglio.memory.embedding_model_rows import correct_models
from intaglio.memory.operations import ChangeContext
from intaglio.memory.values import Actor, HistoryEntry, Scope
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx

RepairAction: TypeAlias = Literal[
    "requeue-dead",
    "release-leases",
    "re-embed",
    "resync-vec",
    "clean-orphans",
    "retention-sweep",
]

_HOUR_S: Final = 3_600.0
_BATCH: Final = 500
_REQUEUED_AT_ONCE: Final = 50
_QUEUE_REPAIRS: Final = frozenset({"requeue-dead", "release-leases", "retention-sweep"})
_SYSTEM: Final = "system"
_EVERYBODY: Final = Scope()


@dataclass(frozen=True, slots=True)
class RepairDone:
    """What a repair did, or would do; ``affected`` is a number of rows."""

    action: RepairAction
    affected: int
    message: str


@dataclass(frozen=True, slots=True)
class RepairDenied:
    """A repair that was refused, the reason, and in how many seconds it is allowed."""

    action: RepairAction
    message: str
    wait_s: float


RepairOutcome: TypeAlias = RepairDone | RepairDenied


@dataclass(slots=True)
class RepairGate:
    """Decides whether a repair may start: not frozen, not too soon, not too often per hour."""

    settings: Callable[[], RepairSettings]
    monotonic_s: Callable[[], float]
    _started: defaultdict[str, deque[float]] = field(
        default_factory=lambda: defaultdict[str, deque[float]](deque)
    )

    def refuse(self, action: RepairAction, actor: Actor) -> RepairDenied | None:
        """Return why the repair is refused, or record that it starts."""
        limits, now = self.settings(), self.monotonic_s()
        if limits.frozen:
            return RepairDenied(action, "repairs are frozen", _HOUR_S)
        if actor.type == "agent" and not limits.agents:
            return RepairDenied(action, "agents may not request repairs", _HOUR_S)
        if action in _QUEUE_REPAIRS:
            cooldown_s, budget = limits.requeue_cooldown_ms / 1_000, limits.requeue_hourly
        else:
            cooldown_s, budget = limits.reembed_cooldown_ms / 1_000, limits.reembed_hourly
        started = self._started[action]
        while started and now - started[0] >= _HOUR_S:
            started.popleft()
        if started and now - started[-1] < cooldown_s:
            left = cooldown_s - (now - started[-1])
            return RepairDenied(action, f"cooldown active, {round(left * 1_000)}ms remaining", left)
        if len(started) >= budget:
            left = _HOUR_S - (now - started[0])
            return RepairDenied(action, f"hourly budget of {budget} is used up", left)
        started.append(now)
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Repairs:
    """The repairs; ``recheck`` tries a failed model again, ``done`` runs after each repair."""

    db: Database
    context: ChangeContext
    gate: RepairGate
    tracker: EmbeddingTracker
    index_sync: IndexSync
    recheck: Callable[[], Awaitable[None]]
    done: Callable[[], None]

    async def requeue_dead(self, actor: Actor, reason: str | None) -> RepairOutcome:
        """Retry up to 50 failed jobs of any type."""
        if denied := self.gate.refuse("requeue-dead", actor):
            return denied
        at = self.context.now
        count = await self.db.write(lambda tx: jobs.retry_all(tx, None, at, _REQUEUED_AT_ONCE))
        return await self._record(
            actor, reason, RepairDone("requeue-dead", count, f"{count} requeued")
        )

    async def release_leases(
        self,
        actor: Actor,
        reason: str | None,
        silence: timedelta,
        leases: Mapping[str, timedelta],
    ) -> RepairOutcome:
        """Free jobs whose worker has been silent too long, without waiting for the reaper.

        ``leases`` gives the limit for job types that declare one, ``silence`` for others.
        """
        if denied := self.gate.refuse("release-leases", actor):
            return denied
        count = await self.db.write(
            lambda tx: jobs.reap(tx, self.context.clock(), timeout=silence, leases=leases)
        )
        done = RepairDone("release-leases", count, f"{count} released")
        return await self._record(actor, reason, done)

    async def re_embed(
        self, actor: Actor, reason: str | None, most: int, *, dry_run: bool, everything: bool
    ) -> RepairOutcome:
        """Queue memories that lack a vector: those with failed or discarded jobs, then others.

        ``dry_run`` only counts them, which is always allowed. ``everything`` ignores ``most``.
        """
        if dry_run:
            model = self.tracker.embed.model
            lacking = await self.db.read(lambda tx: rows.count_lacking(tx, model))
            affected = lacking if everything else min(lacking, most)
            return RepairDone("re-embed", affected, f"{lacking} memories aren't embedded")
        if denied := self.gate.refuse("re-embed", actor):
            return denied
        await self.recheck()
        count = await self._revive()
        left = None if everything else max(0, most - count)
        while left is None or left > 0:
            found = await self.tracker.fill(_BATCH if left is None else min(left, _BATCH))
            count += found
            if found == 0:
                break
            left = None if left is None else left - found
        self.tracker.wake()
        return await self._record(actor, reason, RepairDone("re-embed", count, f"{count} queued"))

    async def _revive(self) -> int:
        count = 0
        for name in EMBEDDING_TYPE_NAMES:

            def step(tx: WriteTx, name: str = name) -> int:
                jobs.delete_discarded(tx, name)
                return jobs.retry_all(tx, name, self.context.now)

            while revived := await self.db.write(step):
                count += revived
        return count

    async def resync(self, actor: Actor, reason: str | None) -> RepairOutcome:
        """Correct the recorded model of each memory, and rebuild the index in memory."""
        if denied := self.gate.refuse("resync-vec", actor):
            return denied
        model, after, count = self.tracker.embed.model, -1, 0
        number = model.id if model else None
        while found := await self.db.write(
            partial(correct_models, model=number, after=after, limit=_BATCH)
        ):
            after, count = found[0], count + found[1]
        self.index_sync.rebuild()
        self.tracker.wake()
        done = RepairDone(
            "resync-vec", count, f"{count} memories corrected; the index is being rebuilt"
        )
        return await self._record(actor, reason, done)

    async def clean_orphans(
        self, actor: Actor, reason: str | None, *, dry_run: bool = False
    ) -> RepairOutcome:
        """Delete vectors that belong to no live memory; ``dry_run`` only counts them."""
        if dry_run:
            unused = await self.db.read(rows.count_unused)
            return RepairDone("clean-orphans", unused, f"{unused} vectors belong to no memory")
        if denied := self.gate.refuse("clean-orphans", actor):
            return denied
        after, count = -1, 0
        while found := await self.db.write(partial(rows.delete_unused, after=after, limit=_BATCH)):
            after, count = found[0], count + found[1]
        return await self._record(
            actor, reason, RepairDone("clean-orphans", count, f"{count} deleted")
        )

    async def _record(self, actor: Actor, reason: str | None, done: RepairDone) -> RepairDone:
        """Record the repair in the history, under a name that no memory has."""
        event = HistoryEntry(
            id=self.context.new_id(),
            event="none",
            old_content=None,
            new_content=None,
            changed_by=actor.name,
            actor_type=actor.type,
            reason=reason or f"{done.action}: {done.message}",
            metadata=None,
            created_at=self.context.now,
            session_id=actor.session_id,
            request_id=actor.request_id,
        )
        await self.db.write(lambda tx: history.record(tx, _SYSTEM, _EVERYBODY, event))
        self.done()
        return done

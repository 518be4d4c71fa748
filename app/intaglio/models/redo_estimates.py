"""Estimates what it costs to do a stage's work again, and queues it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from intaglio.base.clock import Clock, iso
from intaglio.models import call_rows
from intaglio.models.live_models import LiveModels
from intaglio.models.stages import QueueSubjects, Redo, Stage, Stages
from intaglio.models.usage_gate import UsageGate
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx

# Other writes wait for a transaction.
_AT_ONCE: Final = 100
_MEASURED: Final = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class RedoEstimate:
    """How much there is to do again, and what it will use, as far as recorded calls tell.

    ``tokens`` is None without such calls, ``usd`` also where the model's price isn't known.
    """

    count: int
    tokens: int | None
    usd: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRedos:
    """Does a stage's work again."""

    db: Database
    clock: Clock
    models: LiveModels
    gate: UsageGate

    async def estimate(self, stages: Stages, stage: Stage, redo: Redo, since: str) -> RedoEstimate:
        """Estimate from what the stage's calls used lately, with those that follow from them."""
        asked = [each.name for each in _asked_together(stages, stage)]
        now = self.clock()

        def work(tx: ReadTx) -> tuple[int, tuple[float, float] | None]:
            count = redo.count(tx, since)
            return count, _used_per_item(tx, redo, asked, now) if count else None

        count, used = await self.db.read(work)
        if used is None:
            return RedoEstimate(count, None if count else 0, None if count else 0.0)
        read, written = (round(count * each) for each in used)
        choice = self.models.asked(stage.role)
        price = self.gate.prices.of(choice) if choice else None
        return RedoEstimate(count, read + written, price.usd(read, written) if price else None)

    async def queue(self, redo: Redo, since: str) -> int:
        """Queue everything since a time once more; return how much that is.

        If the daemon ends meanwhile, what is queued stays so, and doing it again queues the rest.
        """
        now, how = iso(self.clock()), redo.queue
        if not isinstance(how, QueueSubjects):
            return await self.db.write(lambda tx: how(tx, since, now))
        subjects = await self.db.read(lambda tx: how.find(tx, since))
        queued = 0
        for start in range(0, len(subjects), _AT_ONCE):
            some = subjects[start : start + _AT_ONCE]
            queued += await self.db.write(partial(how.queue, subjects=some, now=now))
        return queued


def _asked_together(stages: Stages, stage: Stage) -> list[Stage]:
    """List the stages whose calls the same jobs make."""
    return [each for each in stages.by_name.values() if each.job_types[:1] == stage.job_types[:1]]


def _used_per_item(
    tx: ReadTx, redo: Redo, stages: list[str], now: datetime
) -> tuple[float, float] | None:
    """Return the tokens read and written for one item; None if nothing is recorded."""
    first = call_rows.first_at(tx, stages)
    if first is None:
        return None
    start = max(first, iso(now - _MEASURED))
    used = call_rows.cost(tx, stages, start)
    # Without items since then, such as after a redo that is still queued, a call is an item.
    items = redo.count(tx, start) or used.calls
    return (used.tokens_read / items, used.tokens_written / items) if items else None

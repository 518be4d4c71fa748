"""Links memories that were never linked: from before the graph, or while it was switched off.

It resumes by looking again which memories have no place in the graph, so a kill loses and doubles
nothing. Each pass looks through all memories once and then waits for the database to be replaced.
"""

import asyncio
from array import array
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from intaglio.base.bus import EventBus
from intaglio.base.error_text import error_text
from intaglio.base.errors import UnavailableError
from intaglio.base.events import BusEvent, Resync, StateChanged
from intaglio.base.log import get_logger
from intaglio.graph import entity_rows
from intaglio.graph.background import rows
from intaglio.graph.background.telemetry import (
    LEAST_CONFIDENCE,
    BackfillProgress,
    GraphTelemetry,
)
from intaglio.graph.link_memory import NOT_FACTS, link_memory
from intaglio.graph.settings import GraphSettings
from intaglio.memory import rows as memories
from intaglio.memory.operations import ChangeContext
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx

# Right after the start, sessions wait for the daemon.
START_AFTER_S: Final = 30.0
_ROWS_PER_READ: Final = 2_000
_MOST_PER_BATCH: Final = 20
# A batch ends after this time, excluding its commit.
_LONGEST_BATCH_S: Final = 0.003
_SHORTEST_PAUSE_S: Final = 0.005
_LONGEST_PAUSE_S: Final = 0.25


@dataclass(frozen=True, slots=True)
class _Batch:
    """How many memories a transaction looked at, and how many of them it couldn't assign."""

    done: int
    uncertain: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphBackfill:
    """Links in short transactions with pauses in between; ``seconds`` is a monotonic clock."""

    db: Database
    context: ChangeContext
    bus: EventBus
    telemetry: GraphTelemetry
    settings: Callable[[], GraphSettings]
    seconds: Callable[[], float]
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep
    start_after_s: float = START_AFTER_S

    async def run(self) -> None:
        """Make a pass, and one more after each time that the database was replaced or repaired."""
        await self.pause(self.start_after_s)
        with self.bus.listen() as events:
            while True:
                try:
                    await self.fill()
                except UnavailableError as error:
                    get_logger("graph").info("backfill interrupted", reason=error.detail)
                await _until_ready(events)

    async def fill(self, most: int | None = None) -> int:
        """Link memories that were never linked, all or at most as many; return how many."""
        missing = (await self.find_unlinked())[:most]
        self.telemetry.backfill = BackfillProgress(running=bool(missing), left=len(missing))
        try:
            await self._link_all(missing)
        finally:
            self.telemetry.backfill = replace(self.telemetry.backfill, running=False)
        if missing:
            progress = self.telemetry.backfill
            get_logger("graph").info(
                "backfilled", linked=progress.done, uncertain=progress.uncertain,
                failed=progress.failed,
            )  # fmt: skip
        return self.telemetry.backfill.done

    async def find_unlinked(self) -> "array[int]":
        """Look through all memories, in slices that don't hold a reader for long."""
        missing, after = array("q"), 0
        last = await self.db.read(rows.last_memory)
        while after < last:
            end = after + _ROWS_PER_READ
            missing.extend(
                await self.db.read(
                    partial(rows.unlinked, after=after, last=end, not_facts=NOT_FACTS)
                )
            )
            after = end
            await self.pause(_SHORTEST_PAUSE_S)
        return missing

    async def _link_all(self, missing: "array[int]") -> None:
        position, alone = 0, 0
        while position < len(missing):
            some = missing[position : position + (1 if alone else _MOST_PER_BATCH)]
            began = self.seconds()
            try:
                batch = await self.db.write(partial(self._link, some=some))
            except UnavailableError:
                raise
            # Worker loop: one odd text must not keep the others out of the graph.
            except Exception as error:  # noqa: BLE001 - see above
                batch = self._failed(error, alone=bool(alone))
                alone = alone or len(some)
            else:
                self.telemetry.backfill = self.telemetry.backfill.advanced(
                    batch.done, batch.uncertain
                )
            alone = max(0, alone - batch.done)
            position += batch.done
            held = self.seconds() - began
            await self.pause(min(max(held, _SHORTEST_PAUSE_S), _LONGEST_PAUSE_S))

    def _failed(self, error: Exception, *, alone: bool) -> _Batch:
        """Count a memory that failed by itself as done; a failed batch is retried one by one."""
        if not alone:
            return _Batch(0, 0)
        get_logger("graph").warning("couldn't link a memory", error=error_text(error))
        progress = self.telemetry.backfill
        self.telemetry.backfill = replace(
            progress, left=progress.left - 1, failed=progress.failed + 1
        )
        return _Batch(1, 0)

    def _link(self, tx: WriteTx, some: Sequence[int]) -> _Batch:
        ends = self.seconds() + _LONGEST_BATCH_S
        done = uncertain = 0
        live = memories.by_seq(tx, some)
        for seq in some:
            done += 1
            memory = live.get(seq)
            if memory is not None and rows.is_unlinked(tx, seq, NOT_FACTS):
                # Counted once, also where an earlier link was lost with its entity.
                entity_rows.count_memory(tx, seq, -1)
                found = link_memory(
                    tx,
                    memory,
                    self.context.new_id,
                    self.context.now,
                    at_least=LEAST_CONFIDENCE,
                    resolve=self.settings().resolve_by_embedding,
                )
                uncertain += memory.type not in NOT_FACTS and found.confidence < LEAST_CONFIDENCE
            if self.seconds() >= ends:
                break
        return _Batch(done, uncertain)


async def _until_ready(events: "asyncio.Queue[BusEvent]") -> None:
    """Wait until the database was opened, restored or repaired."""
    event = await events.get()
    while not isinstance(event, Resync) and event != StateChanged("ready"):
        event = await events.get()

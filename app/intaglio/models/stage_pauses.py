"""Pauses and resumes single stages of the pipeline; their jobs wait in the queue meanwhile."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from intaglio.base.clock import Clock, iso
from intaglio.base.events import Changed
from intaglio.models import pause_rows
from intaglio.models.pause_rows import StagePause
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx

TOPIC = "models"
"""The topic of events about language models."""


@dataclass(frozen=True, slots=True)
class StagePauses:
    """The pauses of stages; ``changed`` is called once one has begun or ended."""

    db: Database
    clock: Clock
    changed: Callable[[], None]

    async def all(self) -> Mapping[str, StagePause]:
        """Return the paused stages."""
        return {each.stage: each for each in await self.db.read(pause_rows.all_pauses)}

    async def pause(self, stage: str, asked_by: str) -> None:
        """Let a stage make no more calls; one that is running is finished."""
        pause = StagePause(stage, iso(self.clock()), asked_by)

        def work(tx: WriteTx) -> None:
            pause_rows.insert(tx, pause)
            tx.publish(Changed(TOPIC, "updated", (stage,)))

        await self.db.write(work)
        self.changed()

    async def resume(self, stage: str) -> None:
        """Let a stage make calls again; does nothing if it isn't paused."""

        def work(tx: WriteTx) -> None:
            pause_rows.delete(tx, stage)
            tx.publish(Changed(TOPIC, "updated", (stage,)))

        await self.db.write(work)
        self.changed()

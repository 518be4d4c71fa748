"""Starts, shows and cancels imports; one runs at a time, by `runner.ImportRunner`."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from intaglio.base.clock import Clock, iso
from intaglio.base.errors import ConflictError, NotFoundError
from intaglio.base.events import Changed
from intaglio.base.ids import NewId
from intaglio.history_import import rows
from intaglio.history_import.overview import SourceSurvey
from intaglio.history_import.values import (
    ImportEntry,
    ImportOrder,
    ImportProgress,
    ImportRecord,
    ReadingProgress,
)
from intaglio.lifecycle.sources.rows import taken_back_at
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx

TOPIC: Final = "imports"
"""The topic of imports and their progress on the bus."""

_SHOWN: Final = 50
# Before that, the rate of this import says little.
_SETTLED_S: Final = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryImports:
    """The imports. ``wake`` tells the runner that there is something to do."""

    db: Database
    clock: Clock
    new_id: NewId
    survey: SourceSurvey
    reading: ReadingProgress = field(default_factory=ReadingProgress)
    wake: asyncio.Event = field(default_factory=asyncio.Event)

    async def start(self, order: ImportOrder) -> ImportProgress:
        """Start an import.

        Raises NotFoundError for a source that there isn't, and ConflictError while another import
        runs.
        """
        await self.survey.chosen(order.sources)
        import_id, now = self.new_id(), iso(self.clock())

        def work(tx: WriteTx) -> None:
            if rows.unfinished(tx) is not None:
                raise ConflictError(
                    "An import is running", hint="Wait until it is done, or cancel it."
                )
            rows.add(tx, import_id, order, now)
            tx.publish(Changed(TOPIC, "added", (import_id,)))

        await self.db.write(work)
        self.wake.set()
        return await self.get(import_id)

    async def running(self) -> ImportRecord | None:
        """Return the import that waits or runs."""
        return await self.db.read(rows.unfinished)

    async def get(self, import_id: str) -> ImportProgress:
        """Return an import; raises NotFoundError if there is none of this id."""
        found = await self.db.read(lambda tx: rows.get(tx, import_id))
        if found is None:
            raise NotFoundError("There is no such import", hint="GET /api/imports lists them.")
        return await self._progress(found)

    async def latest(self) -> list[ImportProgress]:
        """List the newest imports."""
        found = await self.db.read(lambda tx: rows.latest(tx, _SHOWN))
        return [await self._progress(each) for each in found]

    async def entries(self, import_id: str, before: int, limit: int) -> Sequence[ImportEntry]:
        """List an import's sessions before a place, newest first; errors are those of `get`."""
        record = (await self.get(import_id)).record
        return await self.db.read(lambda tx: rows.entries(tx, record.number, before, limit))

    async def cancel(self, import_id: str) -> ImportProgress:
        """Stop an import after what it is reading; what it has read stays.

        One that is over stays as it is. Errors are those of `get`.
        """
        record = (await self.get(import_id)).record

        def work(tx: WriteTx) -> None:
            rows.set_state(tx, record.number, "cancelling")
            tx.publish(Changed(TOPIC, "updated", (import_id,)))

        await self.db.write(work)
        self.wake.set()
        return await self.get(import_id)

    async def _progress(self, record: ImportRecord) -> ImportProgress:
        def work(tx: ReadTx) -> ImportProgress:
            found = rows.totals(tx, record.number)
            problems = tuple(rows.problems(tx, record.number))
            removed_at = taken_back_at(tx, "import", record.id)
            return ImportProgress(record, found, problems, None, removed_at)

        progress = await self.db.read(work)
        if record.finished_at is not None or not record.listed:
            return progress
        return self.reading.applied(progress, await self.survey.rate(), _SETTLED_S)

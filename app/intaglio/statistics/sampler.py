"""Counts each day once it is over, and the days before the first start from what is stored.

A counted day stays as it is, whatever is forgotten or erased later; only how many of its memories
were used is counted again, as long as the ledger knows.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Final

from intaglio.base.clock import iso
from intaglio.statistics import count_rows, rows
from intaglio.statistics.days import Calendar
from intaglio.statistics.values import Count, Origins
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx

_DAYS_AT_ONCE: Final = 7
_REST_S: Final = 0.02
_FURTHEST: Final = 3_650
"""Days before today that are counted where they are kept forever."""


@dataclass(slots=True, kw_only=True)
class Sampler:
    """Writes the counts of days; ``keep_days`` and ``ledger_days`` are settings, 0 for forever.

    ``changes`` counts how often it wrote.
    """

    db: Database
    calendar: Calendar
    origins: Origins
    keep_days: Callable[[], int]
    ledger_days: Callable[[], int]
    changes: int = field(default=0, init=False)

    async def catch_up(self) -> int:
        """Count the days that are over and aren't counted; return how many there were."""
        missing = await self.db.read(self.missing)
        for some in _batches(missing):
            await self._count(some)
        if missing:
            await self._count_uses()
        if await self.db.read(rows.gone_projects):
            await self.db.write(rows.drop_names)
        return len(missing)

    def missing(self, tx: ReadTx) -> list[date]:
        """Return the days that are over and aren't counted yet, oldest first."""
        calendar = self.calendar
        kept = self.keep_days() or _FURTHEST
        earliest = calendar.today - timedelta(days=kept - 1)
        first = max(calendar.day_of(count_rows.first_moment(tx)), earliest)
        counted = rows.counted_days(tx, iso(calendar.clock()))
        return calendar.missing(first, frozenset(counted))

    async def _count(self, days: Sequence[date]) -> None:
        def read(tx: ReadTx) -> list[tuple[date, list[Count]]]:
            spans = map(self.calendar.span, days)
            return [(span.day, count_rows.count_day(tx, span, self.origins)) for span in spans]

        found = await self.db.read(read)
        at = iso(self.calendar.clock())

        def write(tx: WriteTx) -> None:
            for day, counts in found:
                rows.replace_day(tx, day.isoformat(), counts, at)

        await self.db.write(write)
        self.changes += 1
        await asyncio.sleep(_REST_S)

    async def _count_uses(self) -> None:
        ledger = self.ledger_days() or _FURTHEST
        kept = min(ledger, self.keep_days() or _FURTHEST)
        counted = set(await self.db.read(lambda tx: rows.counted_days(tx, "9")))
        days = [day for day in self.calendar.last(kept)[:-1] if day.isoformat() in counted]
        for some in _batches(days):
            await self._replace_uses(some)

    async def _replace_uses(self, days: Sequence[date]) -> None:
        def read(tx: ReadTx) -> list[tuple[date, list[Count]]]:
            spans = map(self.calendar.span, days)
            return [(span.day, count_rows.count_uses(tx, span, self.origins)) for span in spans]

        found = await self.db.read(read)

        def write(tx: WriteTx) -> None:
            for day, counts in found:
                rows.replace_uses(tx, day.isoformat(), counts)

        await self.db.write(write)
        self.changes += 1
        await asyncio.sleep(_REST_S)


def _batches(days: Sequence[date]) -> list[Sequence[date]]:
    return [days[at : at + _DAYS_AT_ONCE] for at in range(0, len(days), _DAYS_AT_ONCE)]

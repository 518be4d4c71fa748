"""Records telemetry events while it is switched on, and reads them."""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from math import ceil
from typing import Final, TypeAlias

from intaglio.base.clock import Clock, iso
from intaglio.base.errors import UnavailableError
from intaglio.base.metrics.measured import Measured
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx
from intaglio.telemetry import rows
from intaglio.telemetry.events import Event, Properties, events_of
from intaglio.telemetry.rows import EventFilter, ModelSums, StoredEvent
from intaglio.telemetry.settings import TelemetrySettings

_MOST_WAITING: Final = 1_000
_HEARTBEAT_S: Final = 3_600.0
_PAGE: Final = 1_000

_Waiting: TypeAlias = tuple[str, str, Properties]


@dataclass(frozen=True, slots=True)
class TelemetrySums:
    """Counts of events by name, and what language models used; times in ms."""

    counts: dict[str, int]
    models: ModelSums
    p50: float
    p95: float


@dataclass(slots=True, kw_only=True)
class Telemetry:
    """Telemetry on this machine; use it on the event loop's thread.

    Events wait in memory until a batch is complete or the interval is over. ``paused`` returns
    whether capture is paused: what waits then is dropped.
    """

    db: Database
    clock: Clock
    monotonic_s: Callable[[], float]
    settings: Callable[[], TelemetrySettings]
    paused: Callable[[], Awaitable[bool]]
    _waiting: deque[_Waiting] = field(default_factory=lambda: deque[_Waiting](maxlen=_MOST_WAITING))
    _full: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_on(self) -> bool:
        """Whether events are recorded."""
        return self.settings().enabled

    def note(self, measured: Measured) -> None:
        """Record what was measured, if telemetry is on; returns at once."""
        settings = self.settings()
        if settings.enabled:
            for event in events_of(measured):
                self._add(event)
            if len(self._waiting) >= settings.flush_batch:
                self._full.set()

    def _add(self, event: Event) -> None:
        self._waiting.append((event.name, iso(self.clock()), event.properties))

    async def run(self) -> None:
        """Write events until cancelled, with one each hour that says that the daemon runs."""
        began = beat = self.monotonic_s()
        self._add(Event("daemon.heartbeat", {"uptimeSec": 0}))
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.settings().flush_interval_ms / 1_000):
                    await self._full.wait()
            now = self.monotonic_s()
            if now - beat >= _HEARTBEAT_S:
                beat = now
                self._add(Event("daemon.heartbeat", {"uptimeSec": round(now - began)}))
            with contextlib.suppress(UnavailableError):
                await self.flush()

    async def flush(self) -> None:
        """Write what waits; raises UnavailableError, and keeps it, if that is impossible now."""
        self._full.clear()
        events = list(self._waiting)
        self._waiting.clear()
        try:
            if events and self.is_on and not await self.paused():
                await self.db.write(lambda tx: rows.insert(tx, events))
        except UnavailableError:
            self._waiting.extendleft(reversed(events))
            raise

    async def close(self) -> None:
        """Write what waits before the daemon stops, if possible."""
        with contextlib.suppress(UnavailableError):
            await self.flush()

    async def newest(self, wanted: EventFilter, limit: int) -> list[StoredEvent]:
        """List events, newest first."""
        await self.close()
        return await self.db.read(lambda tx: rows.newest(tx, wanted, limit))

    async def pages(self, wanted: EventFilter) -> AsyncIterator[list[StoredEvent]]:
        """Yield all events, oldest first, a thousand at a time."""
        await self.close()
        last = 0
        while page := await self._page(wanted, last):
            yield page
            last = page[-1].seq

    async def _page(self, wanted: EventFilter, last: int) -> list[StoredEvent]:
        return await self.db.read(lambda tx: rows.after(tx, wanted, last, _PAGE))

    async def stats(self, wanted: EventFilter) -> TelemetrySums:
        """Sum events up."""
        await self.close()

        def work(tx: ReadTx) -> TelemetrySums:
            times = rows.model_times_ms(tx, wanted)

            def percentile(share: float) -> float:
                return times[ceil(share * len(times)) - 1] if times else 0.0

            return TelemetrySums(
                counts=rows.counts(tx, wanted),
                models=rows.model_sums(tx, wanted),
                p50=percentile(0.5),
                p95=percentile(0.95),
            )

        return await self.db.read(work)

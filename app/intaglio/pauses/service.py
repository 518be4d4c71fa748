"""Pauses and resumes capture; while paused, hooks store nothing and recall keeps working."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from intaglio.base.clock import Clock, iso, next_midnight
from intaglio.base.errors import InvalidInputError, UnavailableError
from intaglio.base.events import CaptureChanged
from intaglio.base.ids import NewId
from intaglio.pauses import rows
from intaglio.pauses.values import CAPTURING, Pause, PauseState
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx

# How long a clock change may go unnoticed: while this process checks regularly, and otherwise.
_CHECKED_WITHIN: Final = timedelta(minutes=2)
_UNCHECKED: Final = timedelta(days=1)


class Pauses:
    """The pauses of capture, stored in the database; a pause with an end expires by itself."""

    def __init__(
        self,
        db: Database,
        clock: Clock,
        new_id: NewId,
        local: Callable[[datetime], datetime],
    ) -> None:
        self._db = db
        self._clock = clock
        self._new_id = new_id
        self._local = local
        self._seen: datetime | None = None

    async def state(self) -> PauseState:
        """Return whether capture is paused now."""
        now = self._clock()
        found = await self._db.read(lambda tx: pause_state(tx, now))
        if self._seen is None or now > self._seen:
            self._seen = now
        return found

    async def latest(self, limit: int) -> list[Pause]:
        """List the latest pauses, newest first."""
        return await self._db.read(lambda tx: rows.latest(tx, limit))

    async def all(self) -> list[Pause]:
        """List every pause, for `import_all`; empty if they can't be read."""
        try:
            return await self._db.read(lambda tx: rows.since(tx, None))
        except UnavailableError:
            return []

    async def import_all(self, pauses: list[Pause]) -> None:
        """Write pauses to a restored database, so that restoring doesn't undo them."""

        def work(tx: WriteTx) -> None:
            for pause in pauses:
                rows.add(tx, pause)
            _publish_state(tx, self._clock())

        if pauses:
            await self._db.write(work)

    async def pause(self, until: datetime | None, asked_by: str) -> PauseState:
        """Pause capture from now on; if it is already paused, change the pause's end.

        Raises InvalidInputError for an end that isn't in the future.
        """
        now = self._clock()
        if until is not None and until <= now:
            raise InvalidInputError(
                "until must be in the future", hint="Omit it to pause until you resume."
            )

        def work(tx: WriteTx) -> None:
            self._repair_clock_change(tx, now)
            running = rows.running(tx, now)
            for pause in running:
                rows.change(tx, pause.id, until, asked_by)
            if not running:
                rows.add(
                    tx,
                    Pause(
                        id=self._new_id(),
                        started_at=now,
                        until=until,
                        ended_at=None,
                        asked_by=asked_by,
                    ),
                )
            _publish_state(tx, now)

        await self._db.write(work)
        return await self.state()

    async def resume(self) -> PauseState:
        """Resume capture; does nothing if it isn't paused."""
        now = self._clock()

        def work(tx: WriteTx) -> None:
            self._repair_clock_change(tx, now)
            running = rows.running(tx, now)
            for pause in running:
                rows.end(tx, pause.id, now)
            if running:
                _publish_state(tx, now)

        await self._db.write(work)
        return await self.state()

    async def refresh(self) -> PauseState:
        """Return whether capture is paused, and repair pauses if the clock was set back.

        Call it regularly. A pause that would start in the future is split in two: one until the
        last time seen, and one from now on, so that both time spans are covered.
        """
        now = self._clock()
        if await self._db.read(lambda tx: _set_back(tx, now)):
            await self._db.write(lambda tx: self._repair_clock_change(tx, now))
        self._seen = now
        return await self.state()

    def tomorrow(self) -> datetime:
        """Return the next midnight in the user's time zone."""
        return next_midnight(self._clock(), self._local)

    def _repair_clock_change(self, tx: WriteTx, now: datetime) -> None:
        for pause in _set_back(tx, now):
            seen = self._seen if self._seen and self._seen > pause.started_at else None
            if seen:
                last = seen
                until = now + (pause.until - seen) if pause.until else None
            else:
                last, until = pause.until or pause.started_at + _UNCHECKED, pause.until
            rows.end(tx, pause.id, last)
            start = now - (_CHECKED_WITHIN if seen else _UNCHECKED)
            rows.add(tx, replace(pause, id=self._new_id(), started_at=start, until=until))


def pause_state(tx: ReadTx, now: datetime) -> PauseState:
    """Return whether capture is paused at a time."""
    running = rows.running(tx, now)
    if not running:
        return CAPTURING
    ends = [pause.until for pause in running if pause.until]
    until = max(ends) if len(ends) == len(running) else None
    return PauseState(paused=True, since=running[0].started_at, until=until)


def _set_back(tx: ReadTx, now: datetime) -> list[Pause]:
    return [pause for pause in rows.running(tx, now) if pause.started_at > now]


def _publish_state(tx: WriteTx, now: datetime) -> None:
    found = pause_state(tx, now)
    tx.publish(CaptureChanged(found.paused, iso(found.until) if found.until else None))

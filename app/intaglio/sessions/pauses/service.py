"""Pausing capture and resuming it; while paused, hooks write nothing, and recall goes on."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import Final

from intaglio.base.clock import Clock, iso
from intaglio.base.errors import InvalidInputError, UnavailableError
from intaglio.base.events import CaptureChanged
from intaglio.base.ids import NewId
from intaglio.sessions.pauses import rows
from intaglio.sessions.pauses.values import CAPTURING, Pause, PauseState
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx

# How far a set-back clock may have run before it is noticed: while this process looks now and
# then, and while nobody looked.
_LOOKED_WITHIN: Final = timedelta(minutes=2)
_UNSEEN: Final = timedelta(days=1)


class Pauses:
    """The pauses of capture; the database holds them, and time alone ends one that has an end."""

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
        """Tell whether capture is paused now."""
        now = self._clock()
        found = await self._db.read(lambda tx: pause_state(tx, now))
        if self._seen is None or now > self._seen:
            self._seen = now
        return found

    async def latest(self, limit: int) -> list[Pause]:
        """List the latest pauses, newest first."""
        return await self._db.read(lambda tx: rows.latest(tx, limit))

    async def all(self) -> list[Pause]:
        """List every pause, for `carry`; none where they cannot be read."""
        try:
            return await self._db.read(lambda tx: rows.since(tx, None))
        except UnavailableError:
            return []

    async def carry(self, pauses: list[Pause]) -> None:
        """Write pauses into a database that took the other's place: they are not undone by that."""

        def work(tx: WriteTx) -> None:
            for pause in pauses:
                rows.add(tx, pause)
            _tell(tx, self._clock())

        if pauses:
            await self._db.write(work)

    async def pause(self, until: datetime | None, asked_by: str) -> PauseState:
        """Pause capture from now on; a pause that runs gets this end instead of its own.

        Raises InvalidInputError for an end that is not to come.
        """
        now = self._clock()
        if until is not None and until <= now:
            raise InvalidInputError("until must be a moment to come")

        def work(tx: WriteTx) -> None:
            self._follow(tx, now)
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
            _tell(tx, now)

        await self._db.write(work)
        return await self.state()

    async def resume(self) -> PauseState:
        """End the pause that runs; without one nothing changes."""
        now = self._clock()

        def work(tx: WriteTx) -> None:
            self._follow(tx, now)
            running = rows.running(tx, now)
            for pause in running:
                rows.end(tx, pause.id, now)
            if running:
                _tell(tx, now)

        await self._db.write(work)
        return await self.state()

    async def look(self) -> PauseState:
        """Tell whether capture is paused, and see to a clock that was set back since.

        To be called now and then. A pause that would begin later than now is cut in two: up to
        the last moment that was seen, and from now on, so that it covers both times.
        """
        now = self._clock()
        if await self._db.read(lambda tx: _set_back(tx, now)):
            await self._db.write(lambda tx: self._follow(tx, now))
        self._seen = now
        return await self.state()

    def tomorrow(self) -> datetime:
        """Return the next midnight of the user's own clock."""
        today = self._local(self._clock())
        midnight = datetime.combine(today.date() + timedelta(days=1), time.min)
        guess = self._local(midnight.replace(tzinfo=today.tzinfo))
        # Where the clocks change before, today's offset is an hour off by then.
        return guess + (midnight - guess.replace(tzinfo=None))

    def _follow(self, tx: WriteTx, now: datetime) -> None:
        for pause in _set_back(tx, now):
            seen = self._seen if self._seen and self._seen > pause.started_at else None
            if seen:
                last = seen
                until = now + (pause.until - seen) if pause.until else None
            else:
                last, until = pause.until or pause.started_at + _UNSEEN, pause.until
            rows.end(tx, pause.id, last)
            again = now - (_LOOKED_WITHIN if seen else _UNSEEN)
            rows.add(tx, replace(pause, id=self._new_id(), started_at=again, until=until))


def pause_state(tx: ReadTx, now: datetime) -> PauseState:
    """Tell whether capture is paused at this moment."""
    running = rows.running(tx, now)
    if not running:
        return CAPTURING
    ends = [pause.until for pause in running if pause.until]
    until = max(ends) if len(ends) == len(running) else None
    return PauseState(paused=True, since=running[0].started_at, until=until)


def _set_back(tx: ReadTx, now: datetime) -> list[Pause]:
    return [pause for pause in rows.running(tx, now) if pause.started_at > now]


def _tell(tx: WriteTx, now: datetime) -> None:
    found = pause_state(tx, now)
    tx.publish(CaptureChanged(found.paused, iso(found.until) if found.until else None))

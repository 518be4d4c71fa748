"""Switches single sessions off: they are told nothing, and nothing of them is captured."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from intaglio.base.clock import Clock
from intaglio.base.errors import ForbiddenError, UnavailableError
from intaglio.base.events import Changed
from intaglio.base.ids import NewId
from intaglio.domain.bypass import BypassedBy
from intaglio.pauses import bypass_rows as rows
from intaglio.pauses.values import Bypass, Pause
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx

# How far the clock may have been set back during a bypass.
_SET_BACK: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Bypasses:
    """The bypasses of sessions, stored in the database; one ends when it is switched off."""

    db: Database
    clock: Clock
    new_id: NewId

    async def switch(
        self, sessions: Sequence[tuple[str, str]], by: BypassedBy, *, is_on: bool
    ) -> None:
        """Begin or end the bypass of sessions, harness and id each.

        Nothing changes where it is as asked, but a bypass that the user asks for becomes the
        user's. Raises ForbiddenError if an agent would end one of the user's.
        """
        now = self.clock()

        def work(tx: WriteTx) -> None:
            for session in sessions:
                known = rows.running(tx, *session)
                if is_on:
                    self._begin(tx, session, known, by, now)
                elif known is not None:
                    self._end(tx, known, by, now)

        await self.db.write(work)

    def _begin(
        self,
        tx: WriteTx,
        session: tuple[str, str],
        known: Bypass | None,
        by: BypassedBy,
        now: datetime,
    ) -> None:
        if known is None:
            rows.add(tx, Bypass(*session, self._span(now, None, by), by))
            _publish(tx, session)
        elif by == "user" != known.asked_by:
            rows.take_over(tx, known.span.id, by)
            _publish(tx, session)

    def _end(self, tx: WriteTx, known: Bypass, by: BypassedBy, now: datetime) -> None:
        if by == "agent" != known.asked_by:
            raise ForbiddenError(
                "The user has switched this session off",
                hint="Only the user can switch it on again, on the session's page in Intaglio.",
            )
        span = known.span
        if span.started_at > now:
            # The clock was set back meanwhile: what was said may bear a time around either end.
            around = self._span(now - _SET_BACK, now, by)
            rows.add(tx, replace(known, span=around))
            now = span.started_at + _SET_BACK
        rows.add(tx, replace(known, span=replace(span, ended_at=now)))
        _publish(tx, (known.harness, known.session_id))

    def _span(self, start: datetime, end: datetime | None, by: BypassedBy) -> Pause:
        return Pause(id=self.new_id(), started_at=start, until=None, ended_at=end, asked_by=by)

    async def is_running(self, harness: str, session_id: str | None) -> bool:
        """Whether a session is bypassed now."""
        if session_id is None:
            return False
        return await self.db.read(lambda tx: rows.running(tx, harness, session_id)) is not None

    async def every(self) -> list[Bypass]:
        """List every bypass, for `import_every`; empty if they can't be read."""
        try:
            return await self.db.read(rows.every)
        except UnavailableError:
            return []

    async def import_every(self, bypasses: Sequence[Bypass]) -> None:
        """Write bypasses to a restored database, so that restoring doesn't undo them."""

        def work(tx: WriteTx) -> None:
            for each in bypasses:
                rows.add(tx, each)

        if bypasses:
            await self.db.write(work)


def _publish(tx: WriteTx, session: tuple[str, str]) -> None:
    tx.publish(Changed("sessions", "updated", (session[1],)))

"""Resolves what each agent may read, syncs the declared roster, and records agent activity."""

from collections.abc import Callable
from dataclasses import dataclass

from intaglio.agents import last_seen, operations, policy
from intaglio.agents.last_seen import LastSeen
from intaglio.base.agent_yaml.roster import Roster
from intaglio.base.bus import EventBus
from intaglio.base.clock import Clock, iso
from intaglio.base.errors import UnavailableError
from intaglio.base.events import Resync, SettingsChanged, StateChanged
from intaglio.base.log import get_logger
from intaglio.domain.reader import Reader
from intaglio.pauses import rows as pauses
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx


@dataclass(frozen=True, slots=True)
class AgentDirectory:
    """Resolves agents to readers; writes the declared roster and when agents were last seen."""

    db: Database
    roster: Callable[[], Roster]
    clock: Clock
    seen: LastSeen

    async def reader(self, agent_id: str) -> Reader:
        """Return what an agent may read."""

        def work(tx: ReadTx) -> Reader:
            return policy.reader_for(tx, self.roster(), tx.as_stored(agent_id))

        return await self.db.read(work)

    def note(self, agent_id: str) -> None:
        """Record that an agent is active; it is written later."""
        self.seen.record(agent_id)

    async def active_reader(self, agent_id: str) -> Reader:
        """Record that an agent is active, and return what it may read."""
        self.seen.record(agent_id)
        return await self.reader(agent_id)

    async def apply_roster(self) -> None:
        """Write the declared roster to the table; postponed while the database is unavailable."""
        try:
            changed = await self.db.write(
                lambda tx: operations.apply_roster(tx, self.roster(), iso(self.clock()))
            )
        except UnavailableError as error:
            get_logger("agents").info("roster postponed", reason=error.detail)
            return
        if changed:
            get_logger("agents").info("roster changed", agents=[one.id for one in changed])

    async def watch(self, bus: EventBus) -> None:
        """Apply the roster now and whenever the settings or the database change."""
        with bus.listen() as events:
            await self.apply_roster()
            while True:
                match await events.get():
                    case SettingsChanged() | StateChanged(state="ready") | Resync():
                        await self.apply_roster()
                    case _:
                        pass

    async def write_seen(self) -> None:
        """Write when agents were last seen, except for activity during a pause."""
        taken = self.seen.drain()
        if not taken:
            return

        def work(tx: WriteTx) -> None:
            spans = pauses.since(tx, min(taken.values()))
            outside = {
                agent_id: at
                for agent_id, at in taken.items()
                if not any(pause.contains(at) for pause in spans)
            }
            last_seen.write(tx, outside)

        try:
            await self.db.write(work)
        except UnavailableError:
            self.seen.requeue(taken)

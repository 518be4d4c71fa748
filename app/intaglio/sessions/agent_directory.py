"""What each agent may read now, the roster written down as it changes, and who was heard from."""

from collections.abc import Callable
from dataclasses import dataclass

from intaglio.agents import last_seen, operations, policy
from intaglio.agents.last_seen import LastSeen
from intaglio.base.agent_yaml.roster import Roster
from intaglio.base.agents.reader import Reader
from intaglio.base.bus import EventBus
from intaglio.base.clock import Clock, iso
from intaglio.base.errors import UnavailableError
from intaglio.base.events import Resync, SettingsChanged, StateChanged
from intaglio.base.log import get_logger
from intaglio.sessions.pauses import rows as pauses
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx


@dataclass(frozen=True, slots=True)
class AgentDirectory:
    """Tells what an agent may read; writes the declared roster, and when agents were last seen."""

    db: Database
    roster: Callable[[], Roster]
    clock: Clock
    seen: LastSeen

    async def reader(self, agent_id: str) -> Reader:
        """Return what an agent may read."""

        def work(tx: ReadTx) -> Reader:
            return policy.reader_for(tx, self.roster(), agent_id)

        return await self.db.read(work)

    def note(self, agent_id: str) -> None:
        """Note that an agent asks; it is written later."""
        self.seen.record(agent_id)

    async def heard(self, agent_id: str) -> Reader:
        """Note that an agent asks, and return what it may read."""
        self.seen.record(agent_id)
        return await self.reader(agent_id)

    async def take_over(self) -> None:
        """Write the declared roster into the table; without a database to write, later."""
        try:
            changed = await self.db.write(
                lambda tx: operations.apply_roster(tx, self.roster(), iso(self.clock()))
            )
        except UnavailableError as error:
            get_logger("agents").info("the roster waits", reason=error.detail)
            return
        if changed:
            get_logger("agents").info("the roster changed", agents=[one.id for one in changed])

    async def follow(self, bus: EventBus) -> None:
        """Take the roster over now and whenever the settings or the database are other ones."""
        with bus.listen() as events:
            await self.take_over()
            while True:
                match await events.get():
                    case SettingsChanged() | StateChanged(state="ready") | Resync():
                        await self.take_over()
                    case _:
                        pass

    async def write_seen(self) -> None:
        """Write which agents were heard of since the last time; of a pause nothing is written."""
        taken = self.seen.drain()
        if not taken:
            return

        def work(tx: WriteTx) -> None:
            spans = pauses.since(tx, min(taken.values()))
            outside = {
                agent_id: at
                for agent_id, at in taken.items()
                if not any(pause.holds(at) for pause in spans)
            }
            last_seen.write(tx, outside)

        try:
            await self.db.write(work)
        except UnavailableError:
            self.seen.requeue(taken)

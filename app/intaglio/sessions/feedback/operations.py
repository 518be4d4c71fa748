"""Records how useful the injected memories were to a session."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from intaglio.base.errors import writes_frozen
from intaglio.domain.reader import Reader
from intaglio.memory import operations
from intaglio.memory.operations import ChangeContext
from intaglio.pauses.service import pause_state
from intaglio.sessions.feedback import rows
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx


@dataclass(frozen=True, slots=True)
class Feedback:
    """The feedback use case and its dependencies."""

    db: Database
    context: ChangeContext
    frozen: Callable[[], bool]

    async def rate(
        self, session_id: str, agent_id: str, reader: Reader, ratings: Mapping[str, float]
    ) -> int:
        """Record the ratings of the memories visible to the reader; return how many.

        Nothing is recorded while capture is paused: it would leave a trace of the session. Raises
        UnavailableError while writes are frozen.
        """
        if self.frozen():
            raise writes_frozen()

        def work(tx: WriteTx) -> int:
            if pause_state(tx, self.context.clock()).paused:
                return 0
            known = {
                memory_id: rating
                for memory_id, rating in ratings.items()
                if operations.find_visible(tx, memory_id, reader) is not None
            }
            return rows.record(tx, session_id, agent_id, known, self.context.now)

        return await self.db.write(work)

"""What an agent says that its memory replaces, without the user's own words for it.

An agent's own memories it may replace; for any other, the user is asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from intaglio.inbox.values import Evidence
from intaglio.memory import history_rows as history
from intaglio.memory import rows as memories
from intaglio.memory.values import Actor, agent_author
from intaglio.sessions.statements.reversals import Reversal, may_replace
from intaglio.sessions.statements.services import CaptureServices
from intaglio.store.tx import WriteTx


@dataclass(frozen=True, slots=True)
class AgentReversals:
    """The use case of replacing memories at the word of an agent alone."""

    services: CaptureServices

    async def apply(
        self, newer_id: str, older: Sequence[str], evidence: Evidence, actor: Actor
    ) -> None:
        """Replace the agent's own memories by its newer one, and ask the user about the others."""
        reversal = Reversal(newer_id, evidence, actor, self.services.context, by_agent=True)

        def work(tx: WriteTx) -> None:
            for older_id in older:
                if _is_own(tx, newer_id, older_id, actor):
                    reversal.replace(tx, older_id)
                else:
                    reversal.ask(tx, older_id)

        await self.services.db.write(work)


def _is_own(tx: WriteTx, newer_id: str, older_id: str, actor: Actor) -> bool:
    """Tell whether the agent stored a memory by itself, and nobody has confirmed it."""
    newer, older = memories.get(tx, newer_id), memories.get(tx, older_id)
    return (
        newer is not None
        and older is not None
        and older.is_of_agent
        and older.who == agent_author(actor.name)
        and may_replace(newer, older)
        and not history.is_confirmed(tx, older.id)
    )

"""Applies what a newer memory does to older ones: it replaces them, or the user is asked."""

from dataclasses import dataclass
from typing import Final

from intaglio.inbox.values import Evidence
from intaglio.memory import history_rows as history
from intaglio.memory import rows as memories
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.replacement import reinstate, replace_memory, say_again
from intaglio.memory.values import Actor, Memory
from intaglio.sessions.statements.constraints import constraints_among
from intaglio.sessions.statements.contradictions import contradiction
from intaglio.sessions.statements.values import PlannedStatement
from intaglio.store.tx import ReadTx, WriteTx

_SAID_OTHERWISE: Final = "said otherwise later"


@dataclass(frozen=True, slots=True)
class Reversal:
    """A newer memory, where it was said, and who is named as the author of the change.

    ``by_agent`` is set if an agent says so, without the user's own words for it. Without ``asks``
    the user isn't asked: then both memories hold.
    """

    newer_id: str
    evidence: Evidence
    actor: Actor
    context: ChangeContext
    by_agent: bool = False
    asks: bool = True

    def apply(self, tx: WriteTx, planned: PlannedStatement) -> None:
        """Do what was planned for the older memories, as far as it still is as it was read."""
        for older_id in planned.replaces:
            self.replace(tx, older_id)
        for older_id in planned.contradicts:
            self.ask(tx, older_id)
        if planned.outdated_by is not None:
            # What an old transcript says doesn't become the latest word by being read late.
            audit = Audit(self.actor, _SAID_OTHERWISE)
            replace_memory(tx, self.newer_id, planned.outdated_by, audit, self.context)

    def replace(self, tx: WriteTx, older_id: str) -> None:
        """Replace a memory; a constraint, and what the user took up again, asks the user."""
        newer, older = memories.get(tx, self.newer_id), memories.get(tx, older_id)
        if newer is None or older is None or older.is_deleted or older.status == "replaced":
            return
        if not may_replace(newer, older):
            return
        if needs_decision(tx, older, newer.id):
            self.ask(tx, older_id)
            return
        replace_memory(tx, older.id, newer.id, Audit(self.actor, _SAID_OTHERWISE), self.context)

    def ask(self, tx: WriteTx, older_id: str) -> str | None:
        """Ask the user which of both holds; return the item, None if there is none."""
        if not self.asks:
            return None
        return contradiction(
            tx, self.newer_id, older_id, self.evidence, self.context, by_agent=self.by_agent
        )

    def say_again(self, tx: WriteTx, at: str) -> None:
        """Use a replaced memory again that was said again at a time; it replaces its successor."""
        memory = memories.get(tx, self.newer_id)
        if memory is None or memory.valid_until is None or at <= memory.valid_until:
            return
        after = memories.get(tx, memory.superseded_by or "")
        if after is None or not needs_decision(tx, after, memory.id):
            say_again(tx, memory, self.actor, self.context, at)
            return
        if not self.asks:
            return
        reinstate(tx, memory.id, Audit(self.actor, _SAID_OTHERWISE), self.context)
        contradiction(tx, memory.id, after.id, self.evidence, self.context, in_order=True)


def may_replace(newer: Memory, older: Memory) -> bool:
    """Tell whether a memory can replace another one by itself: by scope and origin."""
    return newer.scope == older.scope and (older.is_unvouched or not newer.is_unvouched)


def needs_decision(tx: ReadTx, older: Memory, newer_id: str) -> bool:
    """Tell whether only the user decides that a memory is replaced by another one."""
    return bool(constraints_among(tx, (older,))) or history.was_reinstated(tx, older.id, newer_id)

"""Reads what comparing a statement with memories needs to know of these."""

from collections.abc import Collection

from intaglio.memory import rows as memories
from intaglio.sessions.statements import rows
from intaglio.sessions.statements.constraints import constraints_among
from intaglio.sessions.statements.values import KnownMemory
from intaglio.store.tx import ReadTx


def known_memories(tx: ReadTx, ids: Collection[str], message_id: str) -> list[KnownMemory]:
    """Return the live ones of these memories in order, as a message is compared with them."""
    found = memories.by_ids(tx, ids)
    live = [found[each] for each in ids if each in found and not found[each].is_deleted]
    constraints = constraints_among(tx, live)
    said_here = rows.memories_said_by(tx, message_id)
    return [
        KnownMemory(
            memory.id,
            memory.content,
            said_at=memory.worded_at,
            is_constraint=memory.id in constraints,
            is_unvouched=memory.is_unvouched,
            is_replaced=memory.status == "replaced",
            said_here=memory.id in said_here,
        )
        for memory in live
    ]

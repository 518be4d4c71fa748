"""Tells which memories are constraints, which only the user's decision in the inbox replaces."""

from collections.abc import Iterable

from intaglio.memory import history_rows as history
from intaglio.memory.values import Memory
from intaglio.sessions.statements.values import ACCEPTED
from intaglio.store.tx import ReadTx


def constraints_among(tx: ReadTx, found: Iterable[Memory]) -> frozenset[str]:
    """Return the ids of those that the user stated as a standing limit, pinned or confirmed."""
    return frozenset(memory.id for memory in found if _is_constraint(tx, memory))


def _is_constraint(tx: ReadTx, memory: Memory) -> bool:
    if memory.is_of_agent:
        return False
    return (
        memory.pinned
        or memory.type == "rule"
        or memory.why == ACCEPTED
        or history.is_confirmed(tx, memory.id)
    )

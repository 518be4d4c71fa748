"""Tells which memories are constraints, which only the user's decision in the inbox replaces."""

from collections.abc import Collection

from intaglio.graph.link_memory import basis_of, edited_by_user
from intaglio.memory.values import Memory
from intaglio.store.tx import ReadTx


def constraints_among(tx: ReadTx, found: Collection[Memory]) -> frozenset[str]:
    """Return the ids of those that the user stated as a standing limit, pinned or confirmed."""
    edited = edited_by_user(tx, found)
    return frozenset(
        memory.id
        for memory in found
        if not memory.is_unvouched and basis_of(memory, edited=memory.seq in edited) is not None
    )

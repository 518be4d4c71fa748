"""Tells which memories are constraints, which sessions are always told, and why."""

from collections.abc import Collection, Mapping
from typing import Final

from intaglio.domain.context_groups import ConstraintBasis
from intaglio.graph import structure_rows as rows
from intaglio.graph.link_memory import basis_of, edited_by_user
from intaglio.memory.values import Memory
from intaglio.store.tx import ReadTx

_RULE: Final = "rule"


def constraint_bases(tx: ReadTx, memories: Collection[Memory]) -> Mapping[str, ConstraintBasis]:
    """Return why memories are constraints, by id, without those that aren't.

    Pinned ones and rules are told to each session where they apply, others to the sessions that are
    about the entity whose constraint they are.
    """
    held = [each for each in memories if each.valid_until is None and not each.is_deleted]
    edited = edited_by_user(tx, held)
    placed = rows.constraints_among(tx, [each.seq for each in held])
    bases: dict[str, ConstraintBasis] = {}
    for each in held:
        basis = _basis(each, placed, edited)
        if basis is not None:
            bases[each.id] = basis
    return bases


def _basis(
    memory: Memory, placed: Mapping[int, bool], edited: Collection[int]
) -> ConstraintBasis | None:
    by_user = memory.seq in edited
    if memory.pinned or memory.type == _RULE:
        basis = basis_of(memory, edited=by_user)
        if basis is not None:
            return basis
    if memory.seq not in placed:
        return None
    return "confirmed" if placed[memory.seq] or by_user or not memory.is_heard else "outright"

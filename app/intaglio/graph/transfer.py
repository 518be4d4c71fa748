"""Gives all that one entity has to another one, and deletes it."""

from intaglio.graph import entity_rows as rows
from intaglio.graph import transfer_rows as moves
from intaglio.store.tx import WriteTx


def absorb(tx: WriteTx, entity: int, into: int, at: str) -> None:
    """Give an entity's names that memories use, its facts and its edges to another one.

    What was merged into it counts as the other one.
    """
    affected = {into, rows.root_of(tx, into), rows.root_of(tx, entity)}
    for alias in moves.aliases_in_use(tx, entity):
        moves.give_alias(tx, alias, into)
    moves.give_facts(tx, entity, into, at)
    moves.move_edges(tx, entity, into)
    members = [each for each in rows.group_of(tx, entity)[1:] if each != into]
    root = rows.root_of(tx, into)
    rows.set_merged(tx, members, into if root == entity else root)
    if root == entity:
        rows.set_merged(tx, (into,), None)
    rows.delete(tx, entity)
    rows.recount(tx, affected)

"""SQL on relations: who says what of whom, as memories and messages state it."""

from dataclasses import dataclass

from intaglio.graph.linking.relation_names import RelationKind
from intaglio.store.tx import ReadTx, WriteTx


@dataclass(frozen=True, slots=True)
class RelationKey:
    """What identifies an active relation, by its ends' row numbers, and the agent of its source.

    ``edge_type`` says what kind of relation it is, which follows from its name.
    """

    source: int
    target: int
    relation: str
    agent_id: str
    edge_type: RelationKind = "semantic"


def state(tx: WriteTx, new_id: str, key: RelationKey, confidence: float, at: str) -> int:
    """Return the row number of an active relation, made if there is none, without a source.

    Its confidence is the highest with which it was stated.
    """
    edge = (key.source, key.target, key.relation)
    known = tx.scalar(
        int,
        "SELECT seq FROM relations WHERE source = ? AND target = ? AND relation = ? "
        "AND valid_until IS NULL AND expired_at IS NULL",
        edge,
    )
    if known is not None:
        tx.execute(
            "UPDATE relations SET confidence = ?1 WHERE seq = ?2 AND confidence < ?1",
            (confidence, known),
        )
        return known
    tx.execute(
        "INSERT INTO relations(id, source, target, relation, agent_id, edge_type, confidence, "
        "mentions, valid_from, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?8, ?6, 0, ?7, ?7)",
        (new_id, *edge, key.agent_id, confidence, at, key.edge_type),
    )
    return tx.last_row()


def add_memory(tx: WriteTx, relation: int, memory: int) -> bool:
    """Record that a memory states a relation; False if that is known."""
    fresh = tx.execute(
        "INSERT INTO relation_sources(memory, relation) VALUES (?, ?) ON CONFLICT DO NOTHING",
        (memory, relation),
    )
    return _count(tx, relation, fresh)


def add_message(tx: WriteTx, relation: int, message: int) -> bool:
    """Record that a message of a transcript states a relation; False if that is known."""
    fresh = tx.execute(
        "INSERT INTO relation_messages(message, relation) VALUES (?, ?) ON CONFLICT DO NOTHING",
        (message, relation),
    )
    return _count(tx, relation, fresh)


def _count(tx: WriteTx, relation: int, fresh: int) -> bool:
    if fresh:
        tx.execute("UPDATE relations SET mentions = mentions + 1 WHERE seq = ?", (relation,))
    return bool(fresh)


def forget_memory(tx: WriteTx, memory: int) -> None:
    """Remove a memory as a source; a trigger deletes the relations without any."""
    tx.execute("DELETE FROM relation_sources WHERE memory = ?", (memory,))


def is_in_messages(tx: ReadTx, entity: int) -> bool:
    """Tell whether a message states a relation of this entity."""
    return bool(
        tx.count(
            "SELECT EXISTS (SELECT 1 FROM relations r JOIN relation_messages x "
            "ON x.relation = r.seq WHERE r.source = ?1) OR EXISTS (SELECT 1 FROM relations r "
            "JOIN relation_messages x ON x.relation = r.seq WHERE r.target = ?1)",
            (entity,),
        )
    )

"""SQL on how the aspects and dependencies of facts were found, and which facts a model may read.

A fact that rules placed with little confidence, or before that was recorded, is doubtful until a
model has read it.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from intaglio.domain.entity_kinds import EntityType
from intaglio.graph.linking.values import LOW_CONFIDENCE, SURE_FROM
from intaglio.store.tx import ReadTx, WriteTx

_LIVE: Final = (
    "FROM entity_attributes t JOIN memories m ON m.seq = t.memory AND m.is_deleted = 0 "
    "WHERE t.is_primary = 1 AND t.status = 'active'"
)
_NEVER: Final = (
    "NOT EXISTS (SELECT 1 FROM attribute_readings r WHERE r.attribute = t.seq AND r.stage = ?1 "
    "AND (r.model IS NOT NULL {0}))"
)
# What the words tell, and what the user decided, stands.
_DOUBTFUL: Final = (
    f"{_LIVE} AND t.aspect IS NOT NULL AND t.origin = 'classifier' AND "
    + _NEVER.format(f"OR r.confidence >= {LOW_CONFIDENCE}")
)
_NAMES: Final = (
    "EXISTS (SELECT 1 FROM memory_entity_mentions n "  # noqa: S608 - a constant
    "JOIN entity_aliases a ON a.seq = n.alias "
    f"WHERE n.memory = m.seq AND n.confidence >= {SURE_FROM} AND a.entity <> t.entity)"
)
# What is below a person or a tool comes from several projects.
_OPEN: Final = "NOT EXISTS (SELECT 1 FROM json_each(?4) c WHERE c.value = m.project)"
_NAMES_OTHERS: Final = f"{_LIVE} AND {_NEVER.format('')} AND {_NAMES}"


@dataclass(frozen=True, slots=True)
class FactReading:
    """How a stage read a fact: with which confidence, or by which model and version of a prompt."""

    stage: str
    confidence: float | None = None
    version: int | None = None
    model: str | None = None


class Fact(NamedTuple):
    """A fact of an entity: its row, its memory's row number, id and version, and its text."""

    attribute: int
    memory: int
    memory_id: str
    version: int
    content: str


class NamedInFact(NamedTuple):
    """An entity that a memory names, by the canonical name by which it does."""

    memory: int
    entity: int
    name: str
    type: EntityType
    canonical: str


_FACT: Final = "t.seq, m.seq, m.id, m.version, ifnull(t.content, m.content)"


def record(tx: WriteTx, attribute: int, reading: FactReading, at: str) -> None:
    """Record how a fact was read, in the place of an earlier reading of that stage."""
    tx.execute(
        "INSERT INTO attribute_readings(attribute, stage, confidence, version, model, created_at) "
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT(attribute, stage) DO UPDATE SET "
        "confidence = ifnull(excluded.confidence, confidence), version = excluded.version, "
        "model = excluded.model, created_at = excluded.created_at",
        (attribute, reading.stage, reading.confidence, reading.version, reading.model, at),
    )


def forget(tx: WriteTx, memory: int) -> None:
    """Delete how the facts of a memory were read: it says something else now."""
    tx.execute(
        "DELETE FROM attribute_readings WHERE attribute IN ("
        "SELECT seq FROM entity_attributes WHERE memory = ? AND is_primary = 1)",
        (memory,),
    )


def last_attribute(tx: ReadTx) -> int:
    """Return the highest row number of an attribute, 0 without any."""
    return tx.count("SELECT ifnull(max(seq), 0) FROM entity_attributes")


def doubtful(
    tx: ReadTx, stage: str, entity: int, limit: int, projects: Collection[str] = ()
) -> list[Fact]:
    """Return facts of an entity whose aspect was guessed, not of ``projects``, oldest first."""
    return tx.map(
        Fact,
        f"SELECT {_FACT} {_DOUBTFUL} AND t.entity = ?2 AND {_OPEN} ORDER BY t.seq LIMIT ?3",
        (stage, entity, limit, json.dumps(list(projects))),
    )


def is_doubtful(tx: ReadTx, stage: str, entity: int, fact: Fact) -> bool:
    """Tell whether a fact's aspect is still a guess, and its text as it was read."""
    return bool(
        tx.count(
            f"SELECT count(*) {_DOUBTFUL} AND t.entity = ?2 AND t.seq = ?3 AND m.version = ?4",
            (stage, entity, fact.attribute, fact.version),
        )
    )


def doubtful_entities(
    tx: ReadTx, stage: str, first: int, last: int, projects: Collection[str]
) -> list[int]:
    """Return the entities of attributes, first to last, whose aspect was guessed.

    Those of ``projects`` are left out.
    """
    return tx.column(
        int,
        f"SELECT DISTINCT t.entity {_DOUBTFUL} AND t.seq BETWEEN ?2 AND ?3 AND {_OPEN}",
        (stage, first, last, json.dumps(list(projects))),
    )


def naming_others(
    tx: ReadTx, stage: str, entity: int, limit: int, projects: Collection[str] = ()
) -> list[Fact]:
    """Return facts of an entity that name others and that no model has read, oldest first.

    Those of ``projects`` are left out.
    """
    return tx.map(
        Fact,
        f"SELECT {_FACT} {_NAMES_OTHERS} AND t.entity = ?2 AND {_OPEN} ORDER BY t.seq LIMIT ?3",
        (stage, entity, limit, json.dumps(list(projects))),
    )


def is_unread(tx: ReadTx, stage: str, entity: int, fact: Fact) -> bool:
    """Tell whether a fact that names others is unread by a model, and its text as it was."""
    return bool(
        tx.count(
            f"SELECT count(*) {_NAMES_OTHERS} AND t.entity = ?2 AND t.seq = ?3 AND m.version = ?4",
            (stage, entity, fact.attribute, fact.version),
        )
    )


def entities_naming_others(
    tx: ReadTx, stage: str, first: int, last: int, projects: Collection[str]
) -> list[int]:
    """Return the entities of attributes, first to last, that name others and weren't read.

    Those of ``projects`` are left out.
    """
    return tx.column(
        int,
        f"SELECT DISTINCT t.entity {_NAMES_OTHERS} AND t.seq BETWEEN ?2 AND ?3 AND {_OPEN}",
        (stage, first, last, json.dumps(list(projects))),
    )


def attributes_of(tx: ReadTx, memories: Sequence[str]) -> list[int]:
    """Return the row numbers of the primary attributes of memories, by their ids."""
    return tx.column(
        int,
        "SELECT t.seq FROM json_each(?) j JOIN memories m ON m.id = j.value "
        "JOIN entity_attributes t ON t.memory = m.seq AND t.is_primary = 1",
        (json.dumps(list(memories)),),
    )


def named_in(tx: ReadTx, memories: Sequence[int]) -> list[NamedInFact]:
    """Return the entities that memories surely name."""
    return tx.map(
        NamedInFact,
        "SELECT n.memory, r.seq, r.name, r.entity_type, a.canonical FROM json_each(?) j "  # noqa: S608 - a constant
        "CROSS JOIN memory_entity_mentions n ON n.memory = j.value "
        "JOIN entity_aliases a ON a.seq = n.alias JOIN entities e ON e.seq = a.entity "
        "JOIN entities r ON r.seq = ifnull(e.merged_into, e.seq) "
        f"WHERE n.confidence >= {SURE_FROM} AND r.suppressed = 0 ORDER BY n.memory, n.start",
        (json.dumps(list(memories)),),
    )


def count_by_model(tx: ReadTx, stage: str, since: str) -> int:
    """Count the facts that a model has read since a time."""
    return tx.count(
        "SELECT count(*) FROM attribute_readings "
        "WHERE stage = ? AND model IS NOT NULL AND created_at >= ?",
        (stage, since),
    )


def forget_by_model(tx: WriteTx, stage: str, since: str) -> list[int]:
    """Delete a stage's readings by a model since a time; return the entities of their facts."""
    found = tx.column(
        int,
        "SELECT DISTINCT t.entity FROM attribute_readings r "
        "JOIN entity_attributes t ON t.seq = r.attribute "
        "WHERE r.stage = ? AND r.model IS NOT NULL AND r.created_at >= ?",
        (stage, since),
    )
    tx.execute(
        "DELETE FROM attribute_readings WHERE stage = ? AND model IS NOT NULL AND created_at >= ?",
        (stage, since),
    )
    return found

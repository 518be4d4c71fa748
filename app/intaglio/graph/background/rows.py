"""SQL of the graph's background work: which facts wait, and which memories were never linked."""

import json
from collections.abc import Collection
from typing import Final, NamedTuple, get_args

from intaglio.domain.entity_kinds import EntityOrigin, EntityType
from intaglio.domain.reader import Reader
from intaglio.graph.background.telemetry import HIGH_CONFIDENCE
from intaglio.graph.entity_rows import GROUP
from intaglio.graph.linking.values import LOW_CONFIDENCE
from intaglio.memory.filters import reader_condition
from intaglio.store.tx import ReadTx, WriteTx

# A user's decision stands, and what was retired needs no aspect.
_WAITS = (
    "t.aspect IS NULL AND t.status = 'active' AND t.origin <> 'user' "
    "AND m.seq = t.memory AND m.is_deleted = 0"
)
_MOST_ASPECTS: Final = 40
_SAMPLES: Final = 5
_SAMPLE_CHARS: Final = 600


class WaitingFact(NamedTuple):
    """An attribute without an aspect: its row, and its memory's id, version and text."""

    attribute: int
    memory_id: str
    version: int
    content: str


class EntityNow(NamedTuple):
    """An entity as a background job needs it."""

    id: str
    agent_id: str
    type: EntityType


def entity(tx: ReadTx, seq: int) -> EntityNow | None:
    """Return the entity with this row number, merged or not."""
    found = tx.map(
        EntityNow, "SELECT id, agent_id, entity_type FROM entities WHERE seq = ?", (seq,)
    )
    return found[0] if found else None


def waiting_facts(tx: ReadTx, entity: int, limit: int) -> list[WaitingFact]:
    """Return facts of an entity that await classification, oldest first."""
    return tx.map(
        WaitingFact,
        "SELECT t.seq, m.id, m.version, ifnull(t.content, m.content) "  # noqa: S608 - a constant
        f"FROM entity_attributes t, memories m WHERE t.entity = ? AND {_WAITS} "
        "ORDER BY t.seq LIMIT ?",
        (entity, limit),
    )


def still_waits(tx: ReadTx, entity: int, fact: WaitingFact) -> bool:
    """Tell whether a fact awaits classification as it was read."""
    return bool(
        tx.count(
            "SELECT count(*) FROM entity_attributes t, memories m "  # noqa: S608 - a constant
            f"WHERE t.seq = ? AND t.entity = ? AND m.version = ? AND {_WAITS}",
            (fact.attribute, entity, fact.version),
        )
    )


def aspects(tx: ReadTx, entity: int) -> dict[str, list[str]]:
    """Return an entity's aspects, and those of what counts as it, each with some of its facts.

    The weightiest aspects and the newest facts, as far as they can tell where another one belongs.
    """
    root = "(SELECT ifnull(merged_into, seq) FROM entities WHERE seq = ?1)"
    found = tx.rows(
        tuple[str, str],
        "SELECT s.name, substr(ifnull(t.content, m.content), 1, ?3) FROM ("  # noqa: S608 - constants
        "SELECT min(seq) AS seq, name FROM entity_aspects "
        f"WHERE entity IN ({GROUP.format(root)}) GROUP BY canonical_name "
        "ORDER BY max(weight) DESC, min(seq) LIMIT ?2) s "
        "JOIN entity_attributes t ON t.seq IN (SELECT x.seq FROM entity_attributes x "
        "WHERE x.aspect = s.seq AND x.status = 'active' ORDER BY x.seq DESC LIMIT ?4) "
        "JOIN memories m ON m.seq = t.memory AND m.is_deleted = 0 ORDER BY s.seq, t.seq",
        (entity, _MOST_ASPECTS, _SAMPLE_CHARS, _SAMPLES),
    )
    samples: dict[str, list[str]] = {}
    for name, content in found:
        samples.setdefault(name, []).append(content)
    return samples


def classify(tx: WriteTx, attribute: int, aspect: int, at: str) -> None:
    """Move a fact below an aspect."""
    tx.execute(
        "UPDATE entity_attributes SET aspect = ?, origin = 'classifier', updated_at = ? "
        "WHERE seq = ?",
        (aspect, at, attribute),
    )


def last_memory(tx: ReadTx) -> int:
    """Return the highest row number of a memory, 0 without any."""
    return tx.scalar(int, "SELECT max(seq) FROM memories") or 0


def unlinked(tx: ReadTx, after: int, last: int, not_facts: Collection[str]) -> list[int]:
    """Return live memories, of those after a row up to another, that were never linked.

    A fact has a primary attribute; what is no fact has mentions, unless it names nothing.
    """
    return tx.column(
        int,
        "SELECT m.seq FROM memories m WHERE m.seq > ? AND m.seq <= ? AND m.is_deleted = 0 "
        "AND NOT EXISTS (SELECT 1 FROM entity_attributes t "
        "WHERE t.memory = m.seq AND t.is_primary = 1) "
        "AND NOT (EXISTS (SELECT 1 FROM json_each(?) WHERE value = m.type) AND EXISTS ("
        "SELECT 1 FROM memory_entity_mentions n WHERE n.memory = m.seq)) ORDER BY m.seq",
        (after, last, json.dumps(sorted(not_facts))),
    )


def is_unlinked(tx: ReadTx, memory: int, not_facts: Collection[str]) -> bool:
    """Tell whether this memory is live and was never linked."""
    return bool(unlinked(tx, memory - 1, memory, not_facts))


class AssignedFacts(NamedTuple):
    """Counts of the facts that have a place in the graph.

    By what they are about: a project, the user, or all; by confidence: below `LOW_CONFIDENCE`,
    from `HIGH_CONFIDENCE` on; by who told their aspect.
    """

    all: int
    project: int
    user: int
    low: int
    high: int
    by_linker: int
    by_classifier: int
    by_user: int


def assigned_facts(tx: ReadTx, reader: Reader, user_name: str) -> AssignedFacts:
    """Count the facts that have a place in the graph, as far as a reader sees them."""
    condition, params = reader_condition(reader)
    origins = ", ".join(
        f"ifnull(sum(t.aspect IS NOT NULL AND t.origin = '{origin}'), 0)"
        for origin in get_args(EntityOrigin)
    )
    row = tx.first_row(
        "SELECT count(*), ifnull(sum(r.entity_type = 'project'), 0), "  # noqa: S608 - built by reader_condition
        "ifnull(sum(r.entity_type = 'person' AND r.canonical_name = ?), 0), "
        f"ifnull(sum(t.confidence < ?), 0), ifnull(sum(t.confidence >= ?), 0), {origins} "
        "FROM entity_attributes t JOIN memories m ON m.seq = t.memory "
        "JOIN entities e ON e.seq = t.entity "
        "JOIN entities r ON r.seq = ifnull(e.merged_into, e.seq) "
        f"WHERE t.is_primary = 1 AND t.status = 'active' AND m.is_deleted = 0 AND {condition}",
        [user_name, LOW_CONFIDENCE, HIGH_CONFIDENCE, *params],
    )
    make: type[AssignedFacts] = AssignedFacts
    return make._make(row or (0,) * 8)

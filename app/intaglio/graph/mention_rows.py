"""SQL that reads where memories name an entity, as far as a reader may see them."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from intaglio.domain.entity_kinds import AttributeKind
from intaglio.domain.reader import Reader
from intaglio.graph.entity_rows import GROUP
from intaglio.graph.query_rows import LIVE, numbered
from intaglio.graph.values import Mention
from intaglio.memory.filters import reader_condition
from intaglio.store.tx import ReadTx


def mentions(
    tx: ReadTx, seq: int, reader: Reader, before: int | None, limit: int
) -> list[tuple[int, Mention]]:
    """Return mentions in live memories with the memories' row numbers, newest memory first.

    At most those of ``limit`` memories, older than row ``before``.
    """
    condition, params = reader_condition(reader)
    group = GROUP.format("?1")
    found = tx.rows(
        tuple[int, str, int, int, str],
        f"WITH of AS (SELECT DISTINCT n.memory FROM entity_aliases a "  # noqa: S608 - built by reader_condition
        "JOIN memory_entity_mentions n ON n.alias = a.seq "
        f"JOIN memories m ON m.seq = n.memory WHERE a.entity IN ({group}) "
        f"AND (?2 IS NULL OR n.memory < ?2) AND {LIVE} AND {numbered(condition, 4)} "
        "ORDER BY n.memory DESC LIMIT ?3) "
        "SELECT m.seq, m.id, n.start, n.end, substr(m.content, n.start + 1, n.end - n.start) "
        "FROM of JOIN memories m ON m.seq = of.memory "
        "JOIN memory_entity_mentions n ON n.memory = m.seq "
        f"JOIN entity_aliases a ON a.seq = n.alias WHERE a.entity IN ({group}) "
        "ORDER BY m.seq DESC, n.start",
        [seq, before, limit, *params],
    )
    return [
        (memory, Mention(memory_id, start, end, surface))
        for memory, memory_id, start, end, surface in found
    ]


def mentions_in(tx: ReadTx, seq: int, memories: Sequence[int]) -> dict[int, list[tuple[int, int]]]:
    """Return the places where these memories name an entity, by the memory's row number."""
    found = tx.rows(
        tuple[int, int, int],
        "SELECT DISTINCT n.memory, n.start, n.end FROM memory_entity_mentions n "  # noqa: S608 - constants
        "JOIN entity_aliases a ON a.seq = n.alias "
        "WHERE n.memory IN (SELECT value FROM json_each(?2)) "
        f"AND a.entity IN ({GROUP.format('?1')}) ORDER BY n.memory, n.start",
        (seq, json.dumps(list(memories))),
    )
    places: dict[int, list[tuple[int, int]]] = {}
    for memory, start, end in found:
        places.setdefault(memory, []).append((start, end))
    return places


class EntityFact(NamedTuple):
    """A memory of an entity, and where its fact belongs, if that is below this entity."""

    seq: int
    id: str
    content: str
    type: str
    project: str | None
    created_at: str
    kind: AttributeKind | None
    aspect: str | None


def facts(tx: ReadTx, seq: int, reader: Reader, before: int | None, limit: int) -> list[EntityFact]:
    """Return live memories that name an entity or are about it, newest first."""
    condition, params = reader_condition(reader)
    group = GROUP.format("?1")
    return tx.map(
        EntityFact,
        "SELECT m.seq, m.id, m.content, m.type, m.project, m.created_at, t.kind, s.name "  # noqa: S608 - built by reader_condition
        "FROM memories m LEFT JOIN entity_attributes t "
        f"ON t.memory = m.seq AND t.is_primary = 1 AND t.entity IN ({group}) "
        "LEFT JOIN entity_aspects s ON s.seq = t.aspect "
        "WHERE m.seq IN (SELECT n.memory FROM entity_aliases a "
        f"JOIN memory_entity_mentions n ON n.alias = a.seq WHERE a.entity IN ({group}) "
        f"UNION SELECT memory FROM entity_attributes WHERE entity IN ({group})) "
        f"AND (?2 IS NULL OR m.seq < ?2) AND {LIVE} AND {numbered(condition, 4)} "
        "ORDER BY m.seq DESC LIMIT ?3",
        [seq, before, limit, *params],
    )

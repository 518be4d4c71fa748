"""SQL that counts the whole graph, as far as a reader sees it."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from intaglio.domain.reader import Reader
from intaglio.graph.query_rows import LIVE, dependency_is_visible, visible
from intaglio.memory.filters import reader_condition
from intaglio.store.tx import ReadTx


class GraphCounts(NamedTuple):
    """Counts of the whole graph, as far as a reader sees it."""

    entities: int
    aspects: int
    attributes: int
    constraints: int
    dependencies: int
    unclassified: int
    facts: int
    assigned: int
    feedback: int
    weight: float
    heaviest: int
    lightest: int
    confidence: float


def stats(tx: ReadTx, reader: Reader, not_facts: Sequence[str]) -> GraphCounts:
    """Count the graph; a fact counts as assigned if it has an active primary attribute."""
    condition, params = reader_condition(reader)
    seen, seen_params = visible(reader)
    of = (
        "FROM entity_attributes t JOIN memories m ON m.seq = t.memory "
        f"WHERE t.status = 'active' AND {LIVE} AND {condition}"
    )
    entities = tx.count(
        f"SELECT count(*) FROM entities e WHERE e.merged_into IS NULL AND {seen}",  # noqa: S608 - built above
        seen_params,
    )
    below = tx.first_row(
        "SELECT count(DISTINCT t.aspect), ifnull(sum(t.kind = 'attribute'), 0), "
        "ifnull(sum(t.kind = 'constraint'), 0), ifnull(sum(t.aspect IS NULL), 0), "
        f"ifnull(sum(t.is_primary = 1), 0), ifnull(avg(t.confidence), 0.0) {of}",
        params,
    )
    facts_ = tx.count(
        f"SELECT count(*) FROM memories m WHERE {LIVE} AND {condition} "  # noqa: S608 - built by reader_condition
        "AND NOT EXISTS (SELECT 1 FROM json_each(?) WHERE value = m.type)",
        [*params, json.dumps(list(not_facts))],
    )
    edges = tx.count(
        f"SELECT count(*) FROM entity_dependencies d WHERE {dependency_is_visible(condition)}",  # noqa: S608 - built above
        params,
    )
    weights = tx.first_row(
        "SELECT ifnull(sum(feedback_at IS NOT NULL), 0), ifnull(avg(weight), 0.0), "  # noqa: S608 - built by reader_condition
        "ifnull(sum(weight >= 1.0), 0), ifnull(sum(weight <= 0.1), 0) FROM entity_aspects "
        f"WHERE seq IN (SELECT t.aspect {of})",
        params,
    )
    aspects_, attributes_, constraints, waiting, assigned, confidence = below or (0, 0, 0, 0, 0, 0)
    make: type[GraphCounts] = GraphCounts
    return make._make(
        (
            *(entities, aspects_, attributes_, constraints, edges, waiting, facts_, assigned),
            *(weights or (0, 0.0, 0, 0)),
            confidence,
        )
    )

"""SQL that finds the entities a walk may start from, of those that the reader sees."""

import json
from collections.abc import Collection, Sequence
from typing import Final

from intaglio.domain.reader import UserReader
from intaglio.graph.entity_rows import COLUMNS, GROUP, entity_of
from intaglio.graph.query_rows import LIVE
from intaglio.graph.values import Entity
from intaglio.memory.filters import Filter, reader_condition
from intaglio.store.tx import ReadTx, Sql

_OF: Final = GROUP.format("e.seq")
_IN: Final = "IN (SELECT value FROM json_each(?))"
# Entities of the session's project and shared ones: those of other projects are never focal.
_OWN: Final = f"(e.project IS NULL OR e.project {_IN})"
_USABLE: Final = "e.suppressed = 0 AND e.merged_into IS NULL"


def keys_of(filters: Filter) -> tuple[str, ...]:
    """Return the key and the other names of the project that a filter selects."""
    if filters.project is None or filters.global_only:
        return ()
    return (filters.project, *filters.project_aliases)


def _seen(filters: Filter) -> tuple[str, list[Sql]]:
    """Return the condition that a memory which the reader may read names or describes ``e``."""
    if isinstance(filters.reader, UserReader):
        named = f"EXISTS (SELECT 1 FROM entities g WHERE g.seq IN ({_OF}) AND g.mentions > 0)"  # noqa: S608 - constants
        return f"(e.pinned = 1 OR e.origin = 'user' OR {named})", []
    condition, params = reader_condition(filters.reader)
    # Each is left at the first memory found.
    seen = (
        "(e.mentions > 0 OR e.pinned = 1 OR e.origin = 'user') AND "  # noqa: S608 - built by reader_condition
        "(EXISTS (SELECT 1 FROM entity_aliases a JOIN memory_entity_mentions n "
        f"ON n.alias = a.seq JOIN memories m ON m.seq = n.memory WHERE a.entity IN ({_OF}) "
        f"AND {LIVE} AND {condition}) OR EXISTS (SELECT 1 FROM entity_attributes t "
        f"JOIN memories m ON m.seq = t.memory WHERE t.entity IN ({_OF}) AND {LIVE} "
        f"AND {condition}))"
    )
    return seen, [*params, *params]


def _select(
    tx: ReadTx, filters: Filter, found: str, params: Sequence[Sql], end: str
) -> list[Entity]:
    seen, values = _seen(filters)
    return tx.map(
        entity_of,
        f"SELECT {COLUMNS} FROM entities e WHERE {found} AND {_USABLE} AND {seen} {end}",  # noqa: S608 - built by the callers
        [*params, *values],
    )


def with_ids(tx: ReadTx, filters: Filter, ids: Sequence[str]) -> list[Entity]:
    """Return the entities with these ids, or those that they count as, in this order."""
    roots = f"SELECT ifnull(x.merged_into, x.seq) FROM entities x WHERE x.id {_IN}"  # noqa: S608 - a constant
    wanted, keys = json.dumps(list(ids)), json.dumps(keys_of(filters))
    found = _select(tx, filters, f"e.seq IN ({roots}) AND {_OWN}", [wanted, keys], "")
    places = {each: place for place, each in enumerate(ids)}
    return sorted(found, key=lambda each: (places.get(each.id, len(ids)), each.seq))


def projects(tx: ReadTx, filters: Filter, names: Collection[str]) -> list[Entity]:
    """Return the project entities of the filter's project, and shared ones with these names."""
    found = (
        f"SELECT ifnull(x.merged_into, x.seq) FROM entities x WHERE x.entity_type = 'project' "  # noqa: S608 - constants
        f"AND x.project {_IN} UNION "
        "SELECT ifnull(x.merged_into, x.seq) FROM entities x WHERE x.entity_type = 'project' "
        f"AND x.project IS NULL AND x.canonical_name {_IN}"
    )
    return _select(
        tx,
        filters,
        f"e.seq IN ({found})",
        [json.dumps(keys_of(filters)), json.dumps(sorted(names))],
        "ORDER BY e.mentions DESC, e.seq",
    )


def pinned(tx: ReadTx, filters: Filter) -> list[Entity]:
    """Return the pinned entities, the latest first."""
    end = "ORDER BY e.pinned_at DESC, e.seq DESC"
    return _select(tx, filters, f"e.pinned = 1 AND {_OWN}", [json.dumps(keys_of(filters))], end)


def named(tx: ReadTx, filters: Filter, canonicals: Collection[str], limit: int) -> list[Entity]:
    """Return entities with one of these names or aliases, the most mentioned first."""
    roots = (
        "SELECT ifnull(x.merged_into, x.seq) FROM json_each(?) j "
        "CROSS JOIN entity_aliases a ON a.canonical = j.value JOIN entities x ON x.seq = a.entity"
    )
    return _select(
        tx,
        filters,
        f"e.seq IN ({roots}) AND {_OWN}",
        [json.dumps(sorted(canonicals)), json.dumps(keys_of(filters))],
        f"ORDER BY e.mentions DESC, e.seq LIMIT {limit}",
    )


def groups(tx: ReadTx, roots: Sequence[int]) -> dict[int, list[int]]:
    """Return the row numbers that count as each of these entities, its own first."""
    found: dict[int, list[int]] = {root: [root] for root in roots}
    merged = tx.rows(
        tuple[int, int],
        f"SELECT merged_into, seq FROM entities WHERE merged_into {_IN} ORDER BY seq",  # noqa: S608 - a constant
        (json.dumps(list(roots)),),
    )
    for root, seq in merged:
        found[root].append(seq)
    return found

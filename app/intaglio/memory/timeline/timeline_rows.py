"""SQL that counts what happened to memories in time ranges, for one reader."""

from collections.abc import Sequence
from typing import Final

from intaglio.base.clock import epoch_ms
from intaglio.memory.filters import Filter, where
from intaglio.memory.timeline.ranges import MemoryTimeline, Range, RangeCounts
from intaglio.store.tx import ReadTx, Sql

_MOST_TAGS: Final = 10
_CHANGED: Final = "h.event IN ('updated', 'modified')"
# A change that made a memory more important; all other changes count as evolution.
_STRONGER: Final = (
    "(ifnull(json_extract(h.metadata, '$.importance[1]') > "
    "json_extract(h.metadata, '$.importance[0]'), 0) "
    "OR ifnull(json_extract(h.metadata, '$.pinned[1]'), 0))"
)
# Each of these is 1 or 0; most changes are creations, whose metadata needn't be parsed.
_KINDS: Final = (
    "1",
    f"CASE WHEN {_CHANGED} THEN NOT {_STRONGER} ELSE 0 END",
    f"CASE WHEN {_CHANGED} THEN {_STRONGER} ELSE 0 END",
    "h.event = 'recovered'",
)


def timeline(tx: ReadTx, filters: Filter, ranges: Sequence[Range]) -> MemoryTimeline:
    """Count in each range; only changes of memories that exist, forgotten or not."""
    condition, params = where(filters)
    memories = tx.count(f"SELECT count(*) FROM memories m WHERE {condition}", params)  # noqa: S608 - see where()
    changes = _changes(tx, filters, ranges)
    buckets = tuple(
        _bucket(tx, each, changes[4 * index :], condition, params)
        for index, each in enumerate(ranges)
    )
    return MemoryTimeline(memories, int(changes[-1]), buckets)


def _changes(tx: ReadTx, filters: Filter, ranges: Sequence[Range]) -> list[float]:
    """Count the changes of each kind in each range, and finally all changes ever."""
    condition, params = where(filters)
    sums: list[str] = []
    moments: list[Sql] = []
    for each in ranges:
        sums += [f"sum(h.created_at >= ? AND h.created_at < ? AND ({kind}))" for kind in _KINDS]
        moments += [epoch_ms(each.start), epoch_ms(each.end)] * len(_KINDS)
    # A memory's history counts as long as the memory exists, live or forgotten.
    any_state = condition.replace("m.is_deleted = 0", "1", 1)
    return _numbers(
        tx,
        f"SELECT {', '.join(sums)}, count(*) FROM memory_history h "  # noqa: S608 - see where()
        f"WHERE h.event <> 'none' AND h.memory IN (SELECT m.seq FROM memories m WHERE {any_state})",
        [*moments, *params],
    )


def _bucket(
    tx: ReadTx, range_: Range, changes: Sequence[float], condition: str, params: Sequence[Sql]
) -> RangeCounts:
    events, evolved, strengthened, recovered = changes[: len(_KINDS)]
    within = [*params, range_.start, range_.end]
    passes = f"WHERE {condition} AND m.created_at >= ? AND m.created_at < ?"
    live = f"FROM memories m {passes}"
    tagged = f"FROM memories m, json_each(m.tags) j {passes} AND m.tags IS NOT NULL"
    added, mean, pinned = _numbers(
        tx, f"SELECT count(*), avg(m.importance), sum(m.pinned) {live}", within
    )
    return RangeCounts(
        range=range_,
        added=int(added),
        events=int(events),
        evolved=int(evolved),
        strengthened=int(strengthened),
        recovered=int(recovered),
        mean_importance=mean,
        pinned=int(pinned),
        types=_names(tx, f"SELECT m.type, count(*) {live} GROUP BY 1", within),
        sources=_names(tx, f"SELECT m.source_type, count(*) {live} GROUP BY 1", within),
        tags=_names(tx, f"SELECT j.value, count(*) {tagged} GROUP BY 1", within)[:_MOST_TAGS],
    )


def _numbers(tx: ReadTx, sql: str, params: Sequence[Sql]) -> list[float]:
    return [float(str(value or 0)) for value in tx.first_row(sql, params) or ()]


def _names(tx: ReadTx, sql: str, params: Sequence[Sql]) -> tuple[tuple[str, int], ...]:
    return tuple(tx.rows(tuple[str, int], f"{sql} ORDER BY 2 DESC, 1", params))

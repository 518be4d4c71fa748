"""SQL that counts what happened to memories in ranges of time, for one reader."""

from collections.abc import Sequence
from typing import Final

from intaglio.memory.rows import where
from intaglio.memory.timeline.values import Bucket, Range, Timeline
from intaglio.memory.values import Filter
from intaglio.store.tx import ReadTx, Sql

_MOST_TAGS: Final = 10
# A change that made a memory matter more; all other changes let it evolve.
_STRONGER: Final = (
    "(ifnull(json_extract(h.metadata, '$.importance[1]') > "
    "json_extract(h.metadata, '$.importance[0]'), 0) "
    "OR ifnull(json_extract(h.metadata, '$.pinned[1]'), 0))"
)


def timeline(tx: ReadTx, wanted: Filter, ranges: Sequence[Range]) -> Timeline:
    """Count in each range; changes are those of memories that there are, forgotten or not."""
    condition, params = where(wanted)
    # The history of a memory is there while the memory is, live or forgotten.
    of_all = condition.replace("m.is_deleted = 0", "1", 1)
    events = tx.count(
        "SELECT count(*) FROM memory_history h JOIN memories m ON m.id = h.memory_id "  # noqa: S608 - see where()
        f"WHERE {of_all}",
        params,
    )
    memories = tx.count(f"SELECT count(*) FROM memories m WHERE {condition}", params)  # noqa: S608 - see where()
    buckets = tuple(_bucket(tx, each, condition, of_all, params) for each in ranges)
    return Timeline(memories, events, buckets)


def _bucket(
    tx: ReadTx, range_: Range, condition: str, of_all: str, params: Sequence[Sql]
) -> Bucket:
    within = [*params, range_.start, range_.end]
    passes = f"WHERE {condition} AND m.created_at >= ? AND m.created_at < ?"
    live = f"FROM memories m {passes}"
    tagged = f"FROM memories m, json_each(m.tags) j {passes}"
    added, mean, pinned = _numbers(
        tx, f"SELECT count(*), avg(m.importance), sum(m.pinned) {live}", within
    )
    changes = (
        "SELECT count(*), "  # noqa: S608 - see where()
        f"sum(h.event IN ('updated', 'modified') AND NOT {_STRONGER}), "
        f"sum(h.event IN ('updated', 'modified') AND {_STRONGER}), sum(h.event = 'recovered') "
        "FROM memory_history h JOIN memories m ON m.id = h.memory_id "
        f"WHERE {of_all} AND h.created_at >= ? AND h.created_at < ?"
    )
    events, evolved, strengthened, recovered = _numbers(tx, changes, within)
    return Bucket(
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
    return [float(str(value or 0)) for value in tx.one(sql, params) or ()]


def _names(tx: ReadTx, sql: str, params: Sequence[Sql]) -> tuple[tuple[str, int], ...]:
    rows = tx.all(f"{sql} ORDER BY 2 DESC, 1", params)
    return tuple((str(name), int(str(count))) for name, count in rows)

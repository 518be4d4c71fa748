"""Merging the segments of the full-text index, in short turns, before much is taken out of it."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from intaglio.base.clock import monotonic_s
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx

# What is taken out of the index is looked for in each segment, once for each of its words: at
# fewer rows, or in fewer segments, that costs less than the merging.
_MANY_ROWS: Final = 100
_MANY_SEGMENTS: Final = 4
_PAGES_AT_ONCE: Final = 32
_TURN_S: Final = 0.01
# A merge that had nothing to do counts as one changed row.
_IDLE: Final = 2

_SEGMENTS: Final = """
WITH RECURSIVE seen(id) AS (
  SELECT min(segid) FROM memories_fts_idx
  UNION ALL
  SELECT (SELECT min(segid) FROM memories_fts_idx WHERE segid > seen.id)
  FROM seen WHERE seen.id IS NOT NULL
)
SELECT count(id) FROM seen
"""
_MERGE: Final = "INSERT INTO memories_fts(memories_fts, rank) VALUES ('merge', ?)"


def segments(tx: ReadTx) -> int:
    """Count the segments of the index; it does not read through them."""
    return tx.count(_SEGMENTS)


async def merge_for(db: Database, rows: Sequence[object]) -> None:
    """Merge the index into one segment where so many rows are about to leave it that it pays.

    In many short transactions, each a whole; the index says the same after each of them.
    """
    if len(rows) >= _MANY_ROWS and await db.read(segments) > _MANY_SEGMENTS:
        await merge(db)


async def merge(db: Database) -> None:
    """Merge the index into one segment, but for what is written meanwhile.

    About 0.3 s of CPU at 100,000 rows; other writes come between.
    """
    # The sign has SQLite take all segments that are there; without it, it goes on with those.
    pages = -_PAGES_AT_ONCE
    while await db.write(partial(_turn, pages=pages)):
        pages = _PAGES_AT_ONCE


def _turn(tx: WriteTx, pages: int) -> bool:
    """Merge for a while; tell whether there may be more to do."""
    ends = monotonic_s() + _TURN_S
    while True:
        before = tx.count("SELECT total_changes()")
        tx.execute(_MERGE, (pages,))
        if tx.count("SELECT total_changes()") - before < _IDLE:
            return False
        if monotonic_s() >= ends:
            return True
        pages = abs(pages)

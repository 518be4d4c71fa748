"""Merges the segments of the full-text index, in short turns, before much is taken out of it."""

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
# Where one segment holds nearly all, the others are merged among themselves, which costs little.
_NEARLY_ALL: Final = 0.8
_PAGES_AT_ONCE: Final = 32
_TURN_S: Final = 0.01
# A merge that had nothing to do counts as one changed row.
_IDLE: Final = 2
_MERGE: Final = "INSERT INTO memories_fts(memories_fts, rank) VALUES ('merge', ?)"


def segments(tx: ReadTx) -> list[int]:
    """Return how many pages each segment of the index has, the largest first."""
    counted = "SELECT count(*) FROM memories_fts_idx GROUP BY segid ORDER BY 1 DESC"
    return tx.column(int, counted)


async def merge_for(db: Database, rows: Sequence[object]) -> None:
    """Merge the index into few segments where so many rows are about to leave it that it pays.

    In many short transactions, each a whole; the index says the same after each of them.
    """
    if len(rows) < _MANY_ROWS:
        return
    there = await db.read(segments)
    if len(there) > _MANY_SEGMENTS and there[0] >= _NEARLY_ALL * sum(there):
        await merge_small(db)
        there = await db.read(segments)
    if len(there) > _MANY_SEGMENTS:
        await merge_all(db)


async def merge_small(db: Database) -> None:
    """Merge segments of about one size with each other, so that there are few of any size."""
    while await db.write(partial(_turn, pages=_PAGES_AT_ONCE)):
        pass


async def merge_all(db: Database) -> None:
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

"""Merges segments of the full-text index, in short transactions, before many rows are deleted."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from intaglio.base.clock import monotonic_s
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx

# A deleted row's words are looked up in each segment of the index: for fewer rows or segments than
# this, that costs less than merging.
_MANY_ROWS: Final = 100
_MANY_SEGMENTS: Final = 4
# If one segment contains nearly everything, only the others are merged, which is cheap.
_NEARLY_ALL: Final = 0.8
_PAGES_AT_ONCE: Final = 32
_TURN_S: Final = 0.01
# A merge that had nothing to do counts as one changed row.
_IDLE: Final = 2
_MERGE: Final = "INSERT INTO memories_fts(memories_fts, rank) VALUES ('merge', ?)"


def segments(tx: ReadTx) -> list[int]:
    """Return the number of pages in each segment of the index, largest first."""
    counted = "SELECT count(*) FROM memories_fts_idx GROUP BY segid ORDER BY 1 DESC"
    return tx.column(int, counted)


async def merge_for(db: Database, rows: Sequence[object]) -> None:
    """Merge the index into few segments if deleting this many rows makes that worthwhile.

    Runs in many short transactions, each atomic; the content of the index doesn't change.
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
    """Merge segments of similar size, so that there are few of any size."""
    while await db.write(partial(_turn, pages=_PAGES_AT_ONCE)):
        pass


async def merge_all(db: Database) -> None:
    """Merge the index into one segment, apart from what is written meanwhile.

    About 0.3 s of CPU at 100,000 rows; other writes run in between.
    """
    # A negative number makes SQLite merge all current segments; a positive one continues that.
    pages = -_PAGES_AT_ONCE
    while await db.write(partial(_turn, pages=pages)):
        pages = _PAGES_AT_ONCE


def _turn(tx: WriteTx, pages: int) -> bool:
    """Merge for a while; return whether there may be more to do."""
    ends = monotonic_s() + _TURN_S
    while True:
        before = tx.count("SELECT total_changes()")
        tx.execute(_MERGE, (pages,))
        if tx.count("SELECT total_changes()") - before < _IDLE:
            return False
        if monotonic_s() >= ends:
            return True
        pages = abs(pages)

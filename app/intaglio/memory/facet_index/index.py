"""Keeps the facet columns in step with the database, and in RAM only while they are used.

The table is the source of truth; a count requested after a write was acknowledged includes that
write.
"""

import threading
from collections.abc import Callable
from typing import Final

from intaglio.base.agents.reader import Reader
from intaglio.memory import rows as memories
from intaglio.memory.facet_index import rows
from intaglio.memory.facet_index.columns import Columns
from intaglio.memory.facet_index.counting import facets, more, stats
from intaglio.memory.facet_index.values import FacetCounts
from intaglio.memory.filters import Filter
from intaglio.memory.values import Stats
from intaglio.store.tx import ReadTx

_IDLE_S: Final = 600.0
# With more changed memories than this, all are reloaded on the next request.
_MOST_WAITING: Final = 10_000
_MOST_KEPT: Final = 64


class FacetIndex:
    """Counts the memories of one database; every method may be called from any thread.

    ``touched`` must be called after each commit with the rows it wrote, before the commit counts as
    a generation. A pending row is read from a snapshot that includes its first commit, and stays
    pending while a later commit may be missing from that snapshot. So older data never replaces
    newer data.
    """

    def __init__(self, monotonic_s: Callable[[], float]) -> None:
        self._monotonic_s = monotonic_s
        self._used_at = 0.0
        # Held while counting; `touched` uses the other lock, so it never waits for a count.
        self._counting = threading.Lock()
        self._noting = threading.Lock()
        self._columns: Columns | None = None
        self._kept: dict[Filter, FacetCounts] = {}
        self._kept_of = 0
        self._follows = False
        # By row number: the first and the last commit that wrote it since it was last read.
        self._waiting: dict[int, tuple[int, int]] = {}
        self._told = 0
        # Columns must not be filled from a snapshot that may lack this commit.
        self._needed = 0

    def touched(self, generation: int, seqs: frozenset[int] | None) -> None:
        """Record which memories a commit wrote; None if any may have changed."""
        with self._noting:
            self._told = generation
            if not self._follows:
                self._needed = generation
                return
            for seq in seqs or ():
                first, _ = self._waiting.get(seq, (generation, generation))
                self._waiting[seq] = (first, generation)
            if seqs is None or len(self._waiting) > _MOST_WAITING:
                self._stop()

    def _stop(self) -> None:
        self._follows = False
        self._waiting = {}
        self._needed = self._told

    def facets(self, tx: ReadTx, filters: Filter) -> FacetCounts:
        """Count the matching memories, and for each field how many have each value."""
        rest = more(filters)
        if rest is not None:
            among = rows.passing(tx, rest)
            with self._counting:
                return facets(self._current(tx), filters, among)
        with self._counting:
            columns = self._current(tx)
            if columns.version != self._kept_of or len(self._kept) >= _MOST_KEPT:
                self._kept, self._kept_of = {}, columns.version
            found = self._kept.get(filters)
            if found is None:
                found = self._kept[filters] = facets(columns, filters, None)
            return found

    def stats(self, tx: ReadTx, reader: Reader) -> Stats:
        """Count what the reader may read, from the columns if they are loaded and not in use."""
        if self._counting.acquire(blocking=False):
            try:
                if self._columns is not None and self._follows:
                    return stats(self._current(tx), reader)
            finally:
                self._counting.release()
        return memories.stats(tx, Filter(reader=reader))

    def rest(self) -> None:
        """Release the columns if they haven't been used for a while."""
        with self._counting:
            if self._columns is not None and self._monotonic_s() - self._used_at > _IDLE_S:
                self._columns, self._kept = None, {}
                with self._noting:
                    self._stop()

    def _current(self, tx: ReadTx) -> Columns:
        """Return columns that include everything the snapshot is known to hold."""
        self._used_at = self._monotonic_s()
        with self._noting:
            standing = self._columns if self._follows else None
            if standing is not None and standing.is_worn:
                standing = None
            self._follows = True
            due = [seq for seq, (first, _) in self._waiting.items() if first <= tx.generation]
            self._waiting = {
                seq: (max(first, tx.generation + 1), last)
                for seq, (first, last) in self._waiting.items()
                if last > tx.generation
            }
            whole = self._needed <= tx.generation
            self._needed = max(self._needed, tx.generation)
        # Assigned only when complete; if reading fails, everything is reloaded next time.
        self._columns = None
        if standing is None:
            standing = Columns()
            standing.fill(rows.every(tx))
            self._kept, self._kept_of = {}, standing.version
            # Columns from a snapshot that may lack a commit are used once and not kept.
            self._columns = standing if whole else None
            return standing
        _take(tx, standing, due)
        self._columns = standing
        return standing


def _take(tx: ReadTx, columns: Columns, seqs: list[int]) -> None:
    if not seqs:
        return
    there = rows.some(tx, seqs)
    columns.put(there)
    for seq in set(seqs).difference(there.seqs):
        columns.drop(seq)

"""Keeps the facet columns in step with the database, and in RAM only while they are used.

The table is the source of truth; a count requested after a write was acknowledged includes that
write.
"""

import threading
from collections.abc import Callable
from typing import Final

from intaglio.domain.reader import Reader
from intaglio.memory import rows as memories
from intaglio.memory.facet_index import rows
from intaglio.memory.facet_index.columns import Columns
from intaglio.memory.facet_index.counting import (
    facets,
    few,
    groups,
    remaining_filter,
    stats,
)
from intaglio.memory.facet_index.values import FacetCounts, Group
from intaglio.memory.filters import Filter
from intaglio.memory.listing.paging import GroupField
from intaglio.memory.values import Stats
from intaglio.store.tx import ReadTx

_IDLE_S: Final = 600.0
# With more changed memories than this, all are reloaded on the next request.
_MAX_PENDING: Final = 10_000
_MAX_CACHED: Final = 64


class FacetIndex:
    """Counts the memories of one database; every method may be called from any thread.

    ``record_commit`` must be called after each commit with the rows it wrote, before the commit
    counts as a generation. A pending row is read from a snapshot that includes its first commit,
    and stays pending while a later commit may be missing from that snapshot. So older data never
    replaces newer data.
    """

    def __init__(self, monotonic_s: Callable[[], float]) -> None:
        self._monotonic_s = monotonic_s
        self._used_at = 0.0
        # Held while counting; `touched` uses the other lock, so it never waits for a count.
        self._count_lock = threading.Lock()
        self._pending_lock = threading.Lock()
        self._columns: Columns | None = None
        self._cached: dict[Filter, FacetCounts] = {}
        self._cached_version = 0
        # In the table, with the number of the commit of which the snapshot was.
        self._counted: dict[Reader, tuple[int, Stats]] = {}
        self._follows = False
        # By row number: the first and the last commit that wrote it since it was last read.
        self._pending: dict[int, tuple[int, int]] = {}
        self._last_commit = 0
        # Columns must not be filled from a snapshot that may lack this commit.
        self._min_generation = 0

    def record_commit(self, generation: int, seqs: frozenset[int] | None) -> None:
        """Record which memories a commit wrote; None if any may have changed."""
        with self._pending_lock:
            self._last_commit = generation
            if not self._follows:
                self._min_generation = generation
                return
            for seq in seqs or ():
                first, _ = self._pending.get(seq, (generation, generation))
                self._pending[seq] = (first, generation)
            if seqs is None or len(self._pending) > _MAX_PENDING:
                self._stop_following()

    def _stop_following(self) -> None:
        self._follows = False
        self._pending = {}
        self._min_generation = self._last_commit

    def facets(self, tx: ReadTx, filters: Filter) -> FacetCounts:
        """Count the matching memories, and for each field how many have each value."""
        release_if_idle = remaining_filter(filters)
        if release_if_idle is not None:
            among = rows.matching_seqs(tx, release_if_idle)
            with self._count_lock:
                return facets(self._current(tx), filters, among)
        with self._count_lock:
            columns = self._current(tx)
            if columns.version != self._cached_version or len(self._cached) >= _MAX_CACHED:
                self._cached, self._cached_version = {}, columns.version
            found = self._cached.get(filters)
            if found is None:
                found = self._cached[filters] = facets(columns, filters, None)
            return found

    def groups(self, tx: ReadTx, filters: Filter, field: GroupField) -> dict[str | None, Group]:
        """Count the matching memories by project or type, however many values there are."""
        rest = remaining_filter(filters)
        among = None if rest is None else rows.matching_seqs(tx, rest)
        with self._count_lock:
            return groups(self._current(tx), filters, field, among, memories.MOST_SORTED)

    def few(self, tx: ReadTx, filters: Filter) -> tuple[int, ...] | None:
        """Return the row numbers of matches that only a scan of the table would find.

        None if there are many, if the database has an index for them, or while the columns aren't
        loaded or are in use.
        """
        if not (filters.tags or filters.who) or remaining_filter(filters) is not None:
            return None
        if self._count_lock.acquire(blocking=False):
            try:
                if self._columns is not None and self._follows:
                    return few(self._current(tx), filters, memories.MOST_SORTED)
            finally:
                self._count_lock.release()
        return None

    def stats(self, tx: ReadTx, reader: Reader) -> Stats:
        """Count what the reader may read, from the columns unless they are in use.

        The columns are loaded for the second count of a store that changes: loading them costs as
        much as three counts in the table, and they are right after each further commit.
        """
        if self._count_lock.acquire(blocking=False):
            try:
                if self._columns is not None and self._follows:
                    return stats(self._current(tx), reader)
                counted = self._counted.get(reader)
                if counted is not None and counted[0] == tx.generation:
                    return counted[1]
                if counted is not None:
                    return stats(self._current(tx), reader)
                found = memories.stats(tx, Filter(reader=reader))
                if len(self._counted) < _MAX_CACHED:
                    self._counted[reader] = (tx.generation, found)
                self._used_at = self._monotonic_s()
                return found
            finally:
                self._count_lock.release()
        return memories.stats(tx, Filter(reader=reader))

    def rest(self) -> None:
        """Release the columns if they haven't been used for a while."""
        with self._count_lock:
            if self._monotonic_s() - self._used_at > _IDLE_S:
                self._columns, self._cached, self._counted = None, {}, {}
                with self._pending_lock:
                    self._stop_following()

    def _current(self, tx: ReadTx) -> Columns:
        """Return columns that include everything the snapshot is known to hold."""
        self._used_at = self._monotonic_s()
        with self._pending_lock:
            columns = self._columns if self._follows else None
            if columns is not None and columns.needs_rebuild:
                columns = None
            self._follows = True
            due = [seq for seq, (first, _) in self._pending.items() if first <= tx.generation]
            self._pending = {
                seq: (max(first, tx.generation + 1), last)
                for seq, (first, last) in self._pending.items()
                if last > tx.generation
            }
            is_complete = self._min_generation <= tx.generation
            self._min_generation = max(self._min_generation, tx.generation)
        # Assigned only when complete; if reading fails, everything is reloaded next time.
        self._columns = None
        if columns is None:
            columns = Columns()
            columns.append(rows.all_chunks(tx))
            self._cached, self._cached_version = {}, columns.version
            # Columns from a snapshot that may lack a commit are used once and not kept.
            self._columns = columns if is_complete else None
            return columns
        _refresh(tx, columns, due)
        self._columns = columns
        return columns


def _refresh(tx: ReadTx, columns: Columns, seqs: list[int]) -> None:
    if not seqs:
        return
    found = rows.chunk_of(tx, seqs)
    columns.put(found)
    for seq in set(seqs).difference(found.seqs):
        columns.remove(seq)

"""SQL on how memories are as a whole: counts and recent changes."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from intaglio.base.clock import epoch_ms, iso
from intaglio.memory import rows
from intaglio.store.tx import ReadTx

# The history has no index of times, and its newest rows come last.
_NEWEST_CHANGES: Final = 20_000


@dataclass(frozen=True, slots=True)
class MemoryTotals:
    """How many memories are live, and how many are tombstones."""

    live: int
    deleted: int


@dataclass(frozen=True, slots=True)
class RecentChanges:
    """How many memories were restored and forgotten since a time."""

    recovered: int
    deleted: int


def count(tx: ReadTx) -> MemoryTotals:
    """Count the memories; reads two indexes."""
    return MemoryTotals(*rows.counts(tx))


def recent_changes(tx: ReadTx, since: datetime) -> RecentChanges:
    """Count restored and forgotten memories among the newest 20,000 changes since a time."""
    found = tx.rows(
        tuple[str, int],
        "SELECT event, count(*) FROM (SELECT event, created_at FROM memory_history "
        "ORDER BY seq DESC LIMIT ?) WHERE event IN ('recovered', 'deleted') AND created_at >= ? "
        "GROUP BY event",
        (_NEWEST_CHANGES, epoch_ms(iso(since))),
    )
    counts = dict(found)
    return RecentChanges(counts.get("recovered", 0), counts.get("deleted", 0))

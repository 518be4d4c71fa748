"""Judges the memories as a whole, by the thresholds of Signet's diagnostics."""

from typing import Final

from intaglio.base.text import count_of
from intaglio.domain.health import Checked, Figure
from intaglio.memory.health_rows import MemoryTotals, RecentChanges

_MANY_TOMBSTONES: Final = 0.3
_MANY_RECOVERED: Final = 5


def judge_counts(counts: MemoryTotals) -> Checked:
    """Judge how many of all memories are tombstones."""
    share = counts.deleted / max(1, counts.live + counts.deleted)
    return Checked(
        figures=(
            Figure("totalMemories", "Memories", counts.live),
            Figure("deletedTombstones", "Forgotten, still restorable", counts.deleted),
        ),
        penalty=0.3 if share > _MANY_TOMBSTONES else 0.0,
        line=count_of(counts.live, "memory", "memories"),
    )


def judge_changes(changes: RecentChanges) -> Checked:
    """Judge how many memories were restored in seven days: many mean that wrong ones went."""
    return Checked(
        figures=(
            Figure("recentRecovers", "Restored in 7 days", changes.recovered),
            Figure("recentDeletes", "Forgotten in 7 days", changes.deleted),
        ),
        penalty=0.3 if changes.recovered > _MANY_RECOVERED else 0.0,
        line=f"{changes.deleted:,} forgotten, {changes.recovered:,} restored in 7 days",
    )

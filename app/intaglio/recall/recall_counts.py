"""Counts how often memories are recalled, and writes the counts in batches."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from intaglio.base.clock import Clock, iso
from intaglio.base.errors import UnavailableError
from intaglio.memory import rows
from intaglio.store.database import Database

_MAX_COUNTS = 10_000


@dataclass(frozen=True, slots=True)
class RecallCounts:
    """The recalls since the last write; counting never waits for the database."""

    db: Database
    clock: Clock
    _counts: Counter[str] = field(default_factory=Counter[str])

    def add(self, ids: Sequence[str]) -> None:
        """Count one recall of each of these memories; above a limit, recalls aren't counted."""
        if len(self._counts) < _MAX_COUNTS:
            self._counts.update(ids)

    @property
    def has_counts(self) -> bool:
        """Whether there are counts to write."""
        return bool(self._counts)

    def discard(self) -> None:
        """Discard the counts without writing them."""
        self._counts.clear()

    async def write(self) -> int:
        """Write the counts in one transaction and return the number of memories.

        Raises UnavailableError if the database can't be written now; the counts are kept.
        """
        if not self._counts:
            return 0
        counts, at = dict(self._counts), iso(self.clock())
        self._counts.clear()
        try:
            await self.db.write(lambda tx: rows.count_use(tx, counts, at))
        except UnavailableError:
            self._counts.update(counts)
            raise
        return len(counts)

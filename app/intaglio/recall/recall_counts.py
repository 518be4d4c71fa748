"""Counts which memories were recalled, and writes the counts together, later."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from intaglio.base.clock import Clock, iso
from intaglio.base.errors import UnavailableError
from intaglio.memory import rows
from intaglio.store.database import Database

_MOST_KEPT = 10_000


@dataclass(frozen=True, slots=True)
class RecallCounts:
    """Recalled memories since the last write; reading never writes, so it never waits."""

    db: Database
    clock: Clock
    _counts: Counter[str] = field(default_factory=Counter[str])

    def note(self, ids: Sequence[str]) -> None:
        """Count these memories once more; beyond a bound, counts are dropped."""
        if len(self._counts) < _MOST_KEPT:
            self._counts.update(ids)

    @property
    def waiting(self) -> bool:
        """Whether there is anything to write."""
        return bool(self._counts)

    def drop(self) -> None:
        """Forget what was counted: nothing may be written of it."""
        self._counts.clear()

    async def write(self) -> int:
        """Write what was counted in one transaction and return how many memories that were.

        Raises UnavailableError when the database cannot be written now; the counts are kept.
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

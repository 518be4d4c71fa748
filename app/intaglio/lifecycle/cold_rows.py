"""SQL on the memories that are stored but told to nobody: forgotten, replaced and outdated ones."""

from dataclasses import dataclass
from typing import Final

from intaglio.store.tx import ReadTx


@dataclass(frozen=True, slots=True)
class ColdReason:
    """Memories that aren't told for one reason: how many, since when, and the size of their text.

    ``oldest`` and ``newest`` are when the first and the last of them stopped being told.
    """

    reason: str
    count: int
    oldest: str
    newest: str
    total_bytes: int


@dataclass(frozen=True, slots=True)
class ColdMemories:
    """All memories that aren't told, by reason."""

    reasons: tuple[ColdReason, ...]

    @property
    def count(self) -> int:
        """How many there are."""
        return sum(each.count for each in self.reasons)

    @property
    def total_bytes(self) -> int:
        """The size of their text."""
        return sum(each.total_bytes for each in self.reasons)

    @property
    def oldest(self) -> str | None:
        """When the first stopped being told."""
        return min((each.oldest for each in self.reasons), default=None)

    @property
    def newest(self) -> str | None:
        """When the last stopped being told."""
        return max((each.newest for each in self.reasons), default=None)


_FIGURES: Final = "count(*), min({0}), max({0}), sum(length(CAST(content AS BLOB)))"


def cold(tx: ReadTx) -> ColdMemories:
    """Count the memories that are stored but told to nobody; reads all."""
    forgotten, until = _FIGURES.format("deleted_at"), _FIGURES.format("valid_until")
    found = tx.map(
        ColdReason,
        f"SELECT 'forgotten', {forgotten} FROM memories WHERE is_deleted = 1 "  # noqa: S608 - constants
        "HAVING count(*) > 0 UNION ALL "
        f"SELECT iif(superseded_by IS NULL, 'outdated', 'replaced') AS why, {until} "
        "FROM memories WHERE is_deleted = 0 AND valid_until IS NOT NULL GROUP BY why",
    )
    return ColdMemories(tuple(found))

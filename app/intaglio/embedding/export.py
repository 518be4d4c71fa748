"""Exports the memories that have an embedding, page by page, optionally with the vector."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from intaglio.embedding import rows
from intaglio.memory import rows as memories
from intaglio.memory.filters import Filter, where
from intaglio.memory.values import Memory
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, Sql

K = TypeVar("K")
V = TypeVar("V")

_KEPT: Final = 64
_START: Final = ("", -1)


@dataclass(frozen=True, slots=True)
class ExportRow:
    """A memory with its vector, which is empty if vectors weren't requested."""

    memory: Memory
    vector: Sequence[float]


@dataclass(frozen=True, slots=True)
class ExportPage:
    """A page of rows, and the total number."""

    rows: tuple[ExportRow, ...]
    total: int


@dataclass(slots=True)
class VectorExport:
    """Reads pages by offset.

    It remembers where each page ended, so that the next one is found without counting; a caller
    that goes page by page reads each row once, however many are written meanwhile.
    """

    db: Database
    _ends: "OrderedDict[tuple[Filter, int], tuple[str, int]]" = field(
        default_factory=OrderedDict[tuple[Filter, int], tuple[str, int]]
    )
    _totals: "OrderedDict[Filter, tuple[int, int]]" = field(
        default_factory=OrderedDict[Filter, tuple[int, int]]
    )

    async def page(self, filters: Filter, offset: int, limit: int, *, vectors: bool) -> ExportPage:
        """Return the memories that match the filter, starting at this offset."""
        after = self._ends.get((filters, offset), _START) if offset else _START
        skipped = offset if after == _START else 0
        generation, total = self._totals.get(filters, (-1, 0))
        is_known = generation == self.db.generation

        def work(tx: ReadTx) -> tuple[list[tuple[str, int]], ExportPage]:
            condition: tuple[str, Sequence[Sql]] = where(filters)
            places = rows.embedded(tx, condition, after, skipped, limit)
            seqs = [seq for _, seq in places]
            found = memories.by_seq(tx, seqs)
            numbers = rows.vectors(tx, seqs) if vectors else {}
            page = [ExportRow(found[seq], numbers.get(seq, ())) for seq in seqs if seq in found]
            counted = total if is_known else rows.count_embedded(tx, condition)
            return places, ExportPage(tuple(page), counted)

        generation = self.db.generation
        places, page = await self.db.read(work)
        _keep(self._totals, filters, (generation, page.total))
        if places:
            _keep(self._ends, (filters, offset + len(places)), places[-1])
        return page


def _keep(kept: "OrderedDict[K, V]", key: K, value: V) -> None:
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > _KEPT:
        kept.popitem(last=False)

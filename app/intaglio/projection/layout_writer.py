"""Writes what a run laid out, a few points a transaction, beside the layout that is read."""

from array import array
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from intaglio.projection import point_rows, rows
from intaglio.projection.compute.values import KEPT_NEIGHBOURS, LaidOut
from intaglio.projection.map_vectors import MapVectors
from intaglio.projection.point_rows import NewPoint
from intaglio.projection.values import Layout
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx

# A transaction of so many takes about 2 ms.
_AT_ONCE: Final = 150
_DELETED_AT_ONCE: Final = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutWriter:
    """Writes drafts of layouts; ``pause`` lets others run between two transactions."""

    db: Database
    pause: Callable[[], Awaitable[None]]

    async def write_draft(
        self,
        laid_out: LaidOut,
        source: MapVectors,
        at: str,
        progress: Callable[[float], None],
    ) -> int:
        """Write a layout that nobody reads yet; return its number.

        Memories that were erased, forgotten, moved or rewritten since they were read get no point.
        ``progress`` gets how much is written, from 0 to 1.
        """
        model = source.model.id if source.model is not None else 0
        new = rows.NewLayout(source.scope, laid_out.dimensions, laid_out.method, model, at)
        draft = await self.db.write(lambda tx: rows.add_draft(tx, new))
        points = _Points(source, laid_out)
        for start in range(0, len(source.memories), _AT_ONCE):
            chunk = range(start, min(start + _AT_ONCE, len(source.memories)))
            await self.db.write(partial(points.save, draft=draft, indexes=chunk))
            progress(chunk.stop / len(source.memories))
            await self.pause()
        return draft

    async def carry_over(self, former: Layout, draft: int) -> None:
        """Keep the points of forgotten memories where they were; new layouts are aligned to it."""
        found = await self.db.read(lambda tx: point_rows.hidden(tx, former.number))
        for start in range(0, len(found), _AT_ONCE):
            memories = found[start : start + _AT_ONCE]
            await self.db.write(
                partial(point_rows.carry_over, former=former.number, draft=draft, memories=memories)
            )
            await self.pause()

    async def clean_up(self) -> None:
        """Delete drafts, and the points that no layout has any more."""
        await self.db.write(rows.drop_drafts)
        while await self.db.write(lambda tx: rows.drop_left_points(tx, _DELETED_AT_ONCE)):
            await self.pause()


class _Points:
    """The points of a layout in the order of their vectors."""

    def __init__(self, source: MapVectors, laid_out: LaidOut) -> None:
        self._source = source
        self._dimensions = laid_out.dimensions
        self._coordinates = array("f", laid_out.coordinates)
        self._neighbours = array("i", laid_out.neighbours)

    def save(self, tx: WriteTx, draft: int, indexes: range) -> None:
        """Write these points, if their memories still have the same vectors."""
        kept = [self._point(index) for index in self._source.still_there(tx, indexes)]
        point_rows.add_points(tx, draft, kept)
        point_rows.count_laid_out(tx, draft, len(kept))

    def _point(self, index: int) -> NewPoint:
        width, memories = self._dimensions, self._source.memories
        x, y, *rest = self._coordinates[index * width : (index + 1) * width]
        nearest = self._neighbours[index * KEPT_NEIGHBOURS : (index + 1) * KEPT_NEIGHBOURS]
        return NewPoint(
            memory=memories[index],
            vector=self._source.ids[index],
            x=x,
            y=y,
            z=rest[0] if rest else None,
            is_placed=False,
            neighbours=packed([memories[each] for each in nearest if each >= 0])
            if width == 2  # noqa: PLR2004 - only these have them
            else None,
        )


def packed(memories: Sequence[int]) -> bytes:
    """Return row numbers as little-endian 64-bit integers."""
    return b"".join(each.to_bytes(8, "little") for each in memories)

"""Reads what a run lays out: which memories, their vectors, and where they were before."""

import math
import zlib
from array import array
from bisect import bisect_left
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from intaglio.memory.filters import Filter
from intaglio.projection import point_rows
from intaglio.projection.point_rows import Covered
from intaglio.projection.values import Layout, MapScope
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx
from intaglio.store.vectors.values import Model

_NUMBERS: Final = 4_096
# About 400 KB with the included model.
_VECTORS: Final = 1_024
_PLACES: Final = 2_048


def _longs() -> "array[int]":
    return array("q")


@dataclass(frozen=True, slots=True, kw_only=True)
class MapVectors:
    """The vectors of the memories that a map covers, as of one moment, in order of row numbers.

    ``memories``, ``ids`` and ``checksums`` have an entry for each vector. Vectors themselves are
    read only while they are streamed, so that no memory holds all of them. Without a ``model``
    there are none.
    """

    db: Database
    scope: MapScope
    covered: Filter
    model: Model | None
    memories: "array[int]" = field(default_factory=_longs)
    ids: "array[int]" = field(default_factory=_longs)
    checksums: "array[int]" = field(default_factory=_longs)

    async def begin(self) -> None:
        """Find the memories."""
        after = -1
        while found := await self.db.read(partial(self._next, after=after)):
            for memory, vector in found:
                self.memories.append(memory)
                self.ids.append(vector)
            after = found[-1][0]

    def _next(self, tx: ReadTx, after: int) -> list[tuple[int, int]]:
        if self.model is None:
            return []
        return point_rows.vector_ids(tx, Covered(self.covered, self.model), after, _NUMBERS)

    async def stream(self) -> AsyncIterator[bytes]:
        """Yield the vectors in chunks.

        One that was deleted since is replaced by a constant one: its memory gets no point.
        """
        gone = b"\x01" * (self.model.dimensions if self.model is not None else 0)
        for start in range(0, len(self.ids), _VECTORS):
            ids = self.ids[start : start + _VECTORS]
            found = await self.db.read(partial(point_rows.vectors, ids=ids))
            chunk = [found.get(each, gone) for each in ids]
            chunk = [each if len(each) == len(gone) else gone for each in chunk]
            self.checksums.extend(map(zlib.crc32, chunk))
            yield b"".join(chunk)

    def still_there(self, tx: ReadTx, indexes: range) -> list[int]:
        """Return the indexes of the memories that still have the vector that was laid out.

        Ids alone don't tell: row numbers of deleted memories and vectors are used again.
        """
        if self.model is None:
            return []
        memories = self.memories[indexes.start : indexes.stop]
        found = point_rows.current_vectors(tx, Covered(self.covered, self.model), memories)
        return [
            index
            for index in indexes
            if (current := found.get(self.memories[index])) is not None
            and current.id == self.ids[index]
            and zlib.crc32(current.vector) == self.checksums[index]
        ]

    async def previous(self, layout: Layout) -> bytes:
        """Return where the memories are in a layout: float32 rows, NaN for those that aren't."""
        places = array("f", [math.nan]) * (len(self.memories) * layout.dimensions)
        after: int | None = -1
        while after is not None:
            after = await self.db.read(
                partial(self._fill, places=places, layout=layout, after=after)
            )
        return places.tobytes()

    def _fill(self, tx: ReadTx, places: "array[float]", layout: Layout, after: int) -> int | None:
        """Fill in the next points; return the last one's memory, None if there are no more."""
        found = point_rows.all_places(tx, layout.number, after, _PLACES)
        width = layout.dimensions
        for place in found:
            # In the order of row numbers.
            index = bisect_left(self.memories, place.memory)
            if index < len(self.memories) and self.memories[index] == place.memory:
                places[index * width : (index + 1) * width] = array("f", place.coordinates)
        return found[-1].memory if found else None

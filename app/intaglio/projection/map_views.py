"""What a reader sees of a map: its points in a fixed order, and the edges between them."""

import asyncio
import hashlib
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from intaglio.graph.values import Entity
from intaglio.memory import rows as memories
from intaglio.memory.filters import Filter
from intaglio.projection import reading_rows
from intaglio.projection.binary_map import (
    EDGES_EACH,
    MOST_ENTITIES,
    PackedPoints,
    edges,
    little_endian,
    pack,
)
from intaglio.projection.entity_rows import main_entities
from intaglio.projection.reading_rows import whole_map
from intaglio.projection.rows import layouts
from intaglio.projection.values import Layout, MapScope
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx

_MAX_KEPT_BYTES: Final = 8_000_000
_MAX_KEPT: Final = 16
_TOKEN_BYTES: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class MapView:
    """A map as one reader sees it; equal tokens mean equal points in the same order.

    ``layout`` is that of two dimensions. ``unplaced`` memories have no point yet.
    """

    token: str
    layout: Layout
    is_solid: bool
    filters: Filter
    points: PackedPoints
    entities: list[Entity]
    unplaced: int

    @property
    def count(self) -> int:
        """How many points there are."""
        return len(self.points.seqs)


@dataclass(frozen=True, slots=True)
class MapViews:
    """Reads views of maps, one at a time, and keeps the last ones until something is written.

    At 100,000 points a view takes half a second of a reader's thread and has 4 MB.
    """

    db: Database
    _kept: "OrderedDict[tuple[MapScope, Filter], tuple[int, MapView | None]]" = field(
        default_factory=OrderedDict[tuple[MapScope, Filter], tuple[int, MapView | None]]
    )
    _reading: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def view(self, scope: MapScope, filters: Filter) -> MapView | None:
        """Return what the filter's reader sees of a scope's map; None without a layout.

        The filter selects the scope's live memories; None also if the reader is an agent that may
        read none of them.
        """
        key = (scope, filters)
        async with self._reading:
            generation = self.db.generation
            kept = self._kept.get(key)
            if kept is None or kept[0] != generation:
                found = await self.db.read(lambda tx: _read(tx, scope, filters))
                kept = self._kept[key] = (generation, found)
            self._kept.move_to_end(key)
            self._drop_oldest()
            return kept[1]

    def _drop_oldest(self) -> None:
        while len(self._kept) > _MAX_KEPT or (
            len(self._kept) > 1 and self._size() > _MAX_KEPT_BYTES
        ):
            self._kept.popitem(last=False)

    def _size(self) -> int:
        views = (view for _, view in self._kept.values() if view is not None)
        return sum(len(each.points.body) for each in views)

    async def edges(self, view: MapView) -> bytes:
        """Return the edges of a view as little-endian u32; see `binary_map.edges`."""

        def work(tx: ReadTx) -> bytes:
            wanted = whole_map(view.filters)
            near = reading_rows.neighbours(tx, view.layout.number, wanted)
            return little_endian(edges(view.points.seqs, near, EDGES_EACH))

        return await self.db.read(work)


def _read(tx: ReadTx, scope: MapScope, filters: Filter) -> MapView | None:
    found = {each.dimensions: each for each in layouts(tx, scope)}
    if 2 not in found or not reading_rows.shows_any(tx, filters):  # noqa: PLR2004 - dimensions
        return None
    flat, solid, wanted = found[2], found.get(3), whole_map(filters)
    entities = main_entities(tx, flat.number, wanted, filters.reader, MOST_ENTITIES)
    chunks = reading_rows.points(tx, flat.number, solid.number if solid else None, wanted)
    packed = pack(chunks, entities.places, solid=solid is not None)
    live = reading_rows.count_points(tx, flat.number, reading_rows.PointSelection(filters))
    unplaced = memories.count(tx, filters) - live.points - live.placed
    described = (
        scope.key, flat.generation, flat.computed_at, filters, unplaced, packed.columns,
        packed.types, packed.origins, packed.agents, packed.projects,
        [(each.id, each.name, each.type) for each in entities.entities],
    )  # fmt: skip
    token = hashlib.blake2b(repr(described).encode(), digest_size=_TOKEN_BYTES)
    token.update(packed.body)
    return MapView(
        token=token.hexdigest(),
        layout=flat,
        is_solid=solid is not None,
        filters=filters,
        points=packed,
        entities=entities.entities,
        unplaced=max(0, unplaced),
    )

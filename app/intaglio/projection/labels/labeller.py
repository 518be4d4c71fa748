"""Labels what a reader sees of a map, from texts that the reader may read."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final

from intaglio.projection.binary_map import PackedPoints
from intaglio.projection.labels.text_rows import texts_of
from intaglio.projection.labels.values import MapLabelling
from intaglio.projection.labels.words import PartTexts
from intaglio.projection.map_views import MapView
from intaglio.store.database import Database

if TYPE_CHECKING:
    from intaglio.projection.labels.labelling import ClusteredMap

# Counting the words of this many texts holds the interpreter for a few milliseconds.
_TEXTS_AT_ONCE: Final = 100


@dataclass(slots=True)
class MapLabeller:
    """Labels maps one at a time, and keeps the last ones' labels until something is written.

    100,000 points take about half a second of CPU, in other threads.
    """

    db: Database
    _kept: tuple[tuple[str, int], MapLabelling] | None = None
    _working: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def labels(self, view: MapView) -> MapLabelling:
        """Return the labels of a view; its token stands for what its reader may see."""
        async with self._working:
            key = (view.token, self.db.generation)
            if self._kept is None or self._kept[0] != key:
                self._kept = (key, await self._label(view))
            return self._kept[1]

    async def _label(self, view: MapView) -> MapLabelling:
        clustered, sample = await asyncio.to_thread(_cluster, view.points)
        counted = PartTexts()
        seqs = view.points.seqs
        for start in range(0, len(sample), _TEXTS_AT_ONCE):
            some = [(part, seqs[point]) for part, point in sample[start : start + _TEXTS_AT_ONCE]]
            wanted = [seq for _, seq in some]
            texts = await self.db.read(partial(texts_of, seqs=wanted, filters=view.filters))
            await asyncio.to_thread(_count, counted, some, texts)
        return await asyncio.to_thread(clustered.labelled, counted)


def _cluster(points: PackedPoints) -> "tuple[ClusteredMap, list[tuple[int, int]]]":
    from intaglio.projection.labels.labelling import ClusteredMap  # noqa: PLC0415 - not at the daemon's start

    clustered = ClusteredMap.of(points)
    return clustered, clustered.sample()


def _count(counted: PartTexts, parts: Sequence[tuple[int, int]], texts: Mapping[int, str]) -> None:
    for part, seq in parts:
        if seq in texts:
            counted.add(part, texts[seq])

"""The state of a map as far as a reader may know it: it counts only memories that it may read."""

from dataclasses import dataclass, replace

from intaglio.memory import rows as memories
from intaglio.memory.filters import Filter
from intaglio.projection import reading_rows
from intaglio.projection.reading_rows import PointCounts, PointSelection
from intaglio.projection.values import Layout, MapState
from intaglio.store.tx import ReadTx


@dataclass(frozen=True, slots=True)
class ReaderState:
    """The state of a map with the counts that a reader sees."""

    known: MapState
    memories: int
    embedded: int
    layouts: tuple[tuple[Layout, PointCounts], ...]


def state_for_user(known: MapState) -> ReaderState:
    """Return the state with the counts of all memories, for the user."""
    layouts = ((each, PointCounts(each.points, each.placed)) for each in known.layouts)
    return ReaderState(known, known.memories, known.embedded, tuple(layouts))


def state_for(tx: ReadTx, known: MapState, filters: Filter) -> ReaderState:
    """Return the state with the counts of what the filter selects."""
    if not reading_rows.shows_any(tx, filters):
        nothing = replace(known, layouts=(), run=None, failure=None, is_outdated=False)
        return ReaderState(nothing, 0, 0, ())
    wanted = PointSelection(filters)
    return ReaderState(
        known,
        memories.count(tx, filters),
        reading_rows.count_embedded(tx, filters),
        tuple((each, reading_rows.count_points(tx, each.number, wanted)) for each in known.layouts),
    )

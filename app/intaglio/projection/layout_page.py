"""A page of a layout: memories with their places, and the edges between those on the page."""

from array import array
from dataclasses import dataclass

from intaglio.memory import rows as memories
from intaglio.memory.values import Memory
from intaglio.projection import reading_rows
from intaglio.projection.binary_map import EDGES_EACH, edges
from intaglio.projection.reading_rows import PointPlace, PointSelection
from intaglio.projection.values import Layout
from intaglio.store.tx import ReadTx


@dataclass(frozen=True, slots=True)
class LayoutPage:
    """Memories and their places, newest first; ``edges`` are pairs of indexes in this order."""

    points: list[tuple[PointPlace, Memory]]
    edges: list[tuple[int, int]]
    total: int


def layout_page(
    tx: ReadTx, layout: Layout, wanted: PointSelection, limit: int, offset: int
) -> LayoutPage:
    """Read a page of what is wanted of a layout."""
    places, total = reading_rows.page(tx, layout.number, wanted, limit, offset)
    seqs = [each.memory for each in places]
    known = memories.by_seq(tx, seqs)
    points = [(each, known[each.memory]) for each in places if each.memory in known]
    flat = reading_rows.layout_of(tx, layout.scope, 2)
    near = reading_rows.neighbours(tx, flat.number, wanted, seqs) if flat and seqs else []
    ends = edges(array("q", sorted(known)), near, EDGES_EACH)
    # Their indexes ascend with the memories', which are newest first on the page.
    last = len(points) - 1
    pairs = [(last - end, last - start) for start, end in zip(ends[::2], ends[1::2], strict=True)]
    return LayoutPage(points, pairs, total)

"""Converts what became of the places that memories name."""

from collections.abc import Iterable, Mapping

from intaglio.api.serializers.convert import convert
from intaglio.code.judging import mark_of
from intaglio.code.places import MemoryPlaces, StaleMemory
from intaglio.code.values import MemoryPlace
from intaglio.store.tx import ReadTx
from intaglio.wire.commits import MemoryPlaceRow
from intaglio.wire.places import StaleMemoryRow


def place_row(place: MemoryPlace) -> MemoryPlaceRow:
    """Return a place of a memory with its mark."""
    mark = mark_of([(place, place)])
    return convert(
        place,
        MemoryPlaceRow,
        symbol=place.symbol or None,
        now_path=place.now_path or None,
        mark=mark.text if mark else "",
    )


def stale_memory(stale: StaleMemory) -> StaleMemoryRow:
    """Return a memory of which something is said by its places."""
    memory, mark = stale.memory, stale.mark
    return convert(
        memory,
        StaleMemoryRow,
        mark=mark.text,
        where=mark.where,
        places=[place_row(each) for each in stale.places],
    )


def place_marks(tx: ReadTx, memory_ids: Iterable[str | None]) -> Mapping[str | None, str]:
    """Return the marks of memories, as they were found last; none of those without one."""
    places = MemoryPlaces()
    found = {each: places.mark(tx, each) for each in set(memory_ids) if each is not None}
    return {memory_id: mark.text for memory_id, mark in found.items() if mark is not None}

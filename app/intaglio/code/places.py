"""The places of memories for people: of one memory, and all of a project that are stale."""

from dataclasses import dataclass

from intaglio.code import place_rows, rows
from intaglio.code.judging import mark_of
from intaglio.code.values import MemoryPlace, PlaceMark
from intaglio.domain.reader import USER, Reader, may_read
from intaglio.memory import rows as memories
from intaglio.memory.values import Memory
from intaglio.store.tx import ReadTx


@dataclass(frozen=True, slots=True)
class StaleMemory:
    """A memory with what is said of its places, and all of them."""

    memory: Memory
    mark: PlaceMark
    places: tuple[MemoryPlace, ...]


@dataclass(frozen=True, slots=True)
class MemoryPlaces:
    """Reads what the background found of the places of memories."""

    def of_memory(self, tx: ReadTx, memory_id: str) -> tuple[MemoryPlace, ...]:
        """Return the places of a memory, in the order in which it names them."""
        return tuple(place_rows.of_memories(tx, [memory_id]))

    def mark(self, tx: ReadTx, memory_id: str) -> PlaceMark | None:
        """Return what is said of a memory by its places; None if nothing is."""
        return mark_of((each, each) for each in self.of_memory(tx, memory_id))

    def reading(self, tx: ReadTx, project: str) -> tuple[str | None, str]:
        """Return when a project's code was last read, and why that is incomplete."""
        known = rows.reading(tx, project)
        return (None, "") if known is None else (known.read_at, known.stopped)

    def count(self, tx: ReadTx, project: str, reader: Reader = USER) -> int:
        """Count the live memories of a project that name a place."""
        known = memories.by_ids(tx, place_rows.located(tx, project)).values()
        return sum(may_read(reader, one.scope.agent_id, one.scope.visibility) for one in known)

    def stale_in(self, tx: ReadTx, project: str, reader: Reader = USER) -> list[StaleMemory]:
        """Return the live memories of a project whose places are gone, renamed or changed."""
        ids = place_rows.with_places(tx, project)
        places: dict[str, list[MemoryPlace]] = {}
        for each in place_rows.of_memories(tx, ids):
            places.setdefault(each.memory_id, []).append(each)
        known = memories.by_ids(tx, ids)
        found: list[StaleMemory] = []
        for memory_id in ids:
            memory, some = known.get(memory_id), places.get(memory_id, [])
            mark = mark_of((each, each) for each in some)
            if memory is None or mark is None:
                continue
            if may_read(reader, memory.scope.agent_id, memory.scope.visibility):
                found.append(StaleMemory(memory, mark, tuple(some)))
        return found

"""All memories as columns of small integers, over which any count takes milliseconds."""

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from itertools import compress
from typing import Final, Generic, TypeVar

from intaglio.memory.facet_index.values import Chunk, MemoryAttributes

V = TypeVar("V", bound=Hashable)
_NUMBER: Final = "I"
_SEQ: Final = "q"
# Unused values that are tolerated in addition to twice the size of the live data.
_TOLERATED: Final = 10_000


class _NumberByValue(dict[V, int]):
    """Assigns the next number to each new value."""

    def __init__(self, values: list[V]) -> None:
        super().__init__()
        self._values = values

    def __missing__(self, value: V) -> int:
        number = self[value] = len(self._values)
        self._values.append(value)
        return number


class Column(Generic[V]):
    """A dictionary-encoded column: each distinct value is stored once, and rows hold its number."""

    def __init__(self) -> None:
        self.rows = array(_NUMBER)
        self.values: list[V] = []
        self.numbers = _NumberByValue(self.values)

    def extend(self, values: Iterable[V]) -> None:
        """Add a row for each value."""
        self.rows.extend(map(self.numbers.__getitem__, values))

    def mask(self, passes: Callable[[V], bool]) -> int:
        """Return an integer with a 1 in the byte of each row whose value passes."""
        table = bytes(map(passes, self.values))
        return int.from_bytes(bytes(map(table.__getitem__, self.rows)), "little")

    def count(self, mask: int | None) -> dict[V, int]:
        """Count the rows of each value, in all rows or those of the mask."""
        return {
            self.values[number]: count for number, count in Counter(self._numbers_in(mask)).items()
        }

    def row_values(self, mask: int | None) -> Iterable[V]:
        """Return the value of each row, in all rows or those of the mask."""
        return map(self.values.__getitem__, self._numbers_in(mask))

    def _numbers_in(self, mask: int | None) -> Iterable[int]:
        if mask is None:
            return self.rows
        return compress(self.rows, mask.to_bytes(len(self.rows), "little"))


class Columns:
    """The columns of one database, rows in the order of ``seqs``.

    A row whose memory is deleted has no head. ``by_head`` counts the rows of each head; ``version``
    increases with each change that could affect a count.
    """

    def __init__(self) -> None:
        self.version = 0
        self.seqs = array(_SEQ)
        self.heads: Column[MemoryAttributes | None] = Column()
        self.projects: Column[str | None] = Column()
        self.who: Column[str] = Column()
        self.tags: Column[tuple[str, ...]] = Column()
        self.importance: Column[float] = Column()
        self.by_head: Counter[MemoryAttributes | None] = Counter()
        self._no_head = self.heads.numbers[None]
        self._all = tuple(
            column.rows
            for column in (self.heads, self.projects, self.who, self.tags, self.importance)
        )

    def seqs_in(self, mask: int) -> Iterable[int]:
        """Return the row numbers of the mask's rows."""
        return compress(self.seqs, mask.to_bytes(len(self.seqs), "little"))

    @property
    def needs_rebuild(self) -> bool:
        """Whether stale values outnumber live ones, so that a rebuild pays."""
        columns = (self.heads, self.projects, self.who, self.tags, self.importance)
        most = max(len(self.seqs), *(len(column.values) for column in columns))
        return most > 2 * self.by_head.total() + _TOLERATED

    def append(self, chunks: Iterable[Chunk]) -> None:
        """Add memories in row-number order; to be called before any `put`."""
        for chunk in chunks:
            self.seqs.extend(chunk.seqs)
            self.heads.extend(chunk.heads)
            self.projects.extend(chunk.projects)
            self.who.extend(chunk.who)
            self.tags.extend(chunk.tags)
            self.importance.extend(chunk.importance)
        self.by_head.update(self.heads.count(None))
        self.version += 1

    def put(self, chunk: Chunk) -> None:
        """Insert or replace memories."""
        numbers = zip(
            map(self.heads.numbers.__getitem__, chunk.heads),
            map(self.projects.numbers.__getitem__, chunk.projects),
            map(self.who.numbers.__getitem__, chunk.who),
            map(self.tags.numbers.__getitem__, chunk.tags),
            map(self.importance.numbers.__getitem__, chunk.importance),
            strict=True,
        )
        for seq, row in zip(chunk.seqs, numbers, strict=True):
            self._put(seq, row)

    def _put(self, seq: int, row: tuple[int, ...]) -> None:
        index = bisect_left(self.seqs, seq)
        if index == len(self.seqs) or self.seqs[index] != seq:
            self.seqs.insert(index, seq)
            for rows in self._all:
                rows.insert(index, 0)
            self.heads.rows[index] = self._no_head
        elif all(rows[index] == number for rows, number in zip(self._all, row, strict=True)):
            return
        self._clear_head(index)
        for rows, number in zip(self._all, row, strict=True):
            rows[index] = number
        self.by_head[self.heads.values[row[0]]] += 1
        self.version += 1

    def remove(self, seq: int) -> None:
        """Remove a deleted memory."""
        index = bisect_left(self.seqs, seq)
        if index < len(self.seqs) and self.seqs[index] == seq:
            self._clear_head(index)
            self.version += 1

    def _clear_head(self, index: int) -> None:
        number = self.heads.rows[index]
        if number != self._no_head:
            self.by_head[self.heads.values[number]] -= 1
            self.heads.rows[index] = self._no_head

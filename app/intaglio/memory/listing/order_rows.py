"""SQL that walks live memories along an order of the list, by its indexes.

Memories that were never changed are in no index by change, and those never used in none by use:
such an order has two parts, which are walked separately and merged.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from intaglio.memory.listing.paging import ListCursor, LiveSort
from intaglio.store.tx import ReadTx, Sql

UPDATED_AT: Final = "ifnull(nullif(m.updated_at, ''), m.created_at)"
"""When a memory ``m`` was changed last: an empty text stands for the time it was created."""

VALUES: Final[dict[LiveSort, str]] = {
    "newest": "m.created_at",
    "changed": UPDATED_AT,
    "importance": "m.importance",
    "used": "m.access_count",
}
"""What each order compares."""

_TRIED_EACH: Final = 4
TRIED: Final = 500
"""This many places of each part, and some more for long pages, are tried before others."""


class Place(NamedTuple):
    """A memory's place in an order: what the order compares, and the row number."""

    value: float | str
    seq: int


@dataclass(frozen=True, slots=True)
class _Part:
    """Memories in the order of one index, of which ``condition`` selects the part's own.

    If ``value`` is the same for all of them, they are in the order of their row numbers.
    """

    source: str
    condition: str
    column: str
    value: int | None = None


_PARTS: Final[dict[LiveSort, tuple[_Part, ...]]] = {
    "newest": (_Part("INDEXED BY memories_newest", "m.is_deleted = 0", "m.created_at"),),
    "changed": (
        _Part(
            "INDEXED BY memories_changed",
            "m.is_deleted = 0 AND m.updated_at <> ''",
            "m.updated_at",
        ),
        _Part(
            "INDEXED BY memories_newest", "m.is_deleted = 0 AND m.updated_at = ''", "m.created_at"
        ),
    ),
    "importance": (_Part("INDEXED BY memories_importance", "m.is_deleted = 0", "m.importance"),),
    "used": (
        _Part(
            "INDEXED BY memories_used", "m.is_deleted = 0 AND m.access_count > 0", "m.access_count"
        ),
        _Part("NOT INDEXED", "m.is_deleted = 0 AND m.access_count = 0", "m.access_count", 0),
    ),
}


@dataclass(frozen=True, slots=True)
class Walk:
    """A walk along an order from after a cursor, through what matches a condition on ``m``."""

    sort: LiveSort
    condition: str
    params: Sequence[Sql]
    cursor: ListCursor | None

    def first(self, tx: ReadTx, wanted: int) -> list[Place]:
        """Return the first places, however far they are."""
        found: list[Place] = []
        for part in _PARTS[self.sort]:
            # Only what comes before the last one found changes the result.
            last = found[wanted - 1] if len(found) >= wanted else None
            found = sorted([*found, *self._matches(tx, part, wanted, last)], reverse=True)
        return found[:wanted]

    def near(self, tx: ReadTx, wanted: int) -> list[Place] | None:
        """Return the first places if they are near; None if it takes more to tell."""
        found: list[Place] = []
        ends: list[Place] = []
        for part in _PARTS[self.sort]:
            end = self._end(tx, part, TRIED + _TRIED_EACH * wanted)
            found += self._matches(tx, part, wanted, end)
            ends += [] if end is None else [end]
        if ends:
            # Beyond the end of one part, there may be more of it between those of another.
            found = [place for place in found if place > max(ends)]
        if ends and len(found) < wanted:
            return None
        return sorted(found, reverse=True)[:wanted]

    def _end(self, tx: ReadTx, part: _Part, tried: int) -> Place | None:
        """Return the place at which trying ends; None if the part is shorter."""
        after, params = self._after(part)
        row = tx.row(
            tuple[float | str, int],
            f"SELECT {part.column}, m.seq FROM memories m {part.source} "  # noqa: S608 - constants of this module
            f"WHERE {part.condition} AND {after} {_order(part)} LIMIT 1 OFFSET ?",
            [*params, tried],
        )
        return None if row is None else Place(*row)

    def _matches(self, tx: ReadTx, part: _Part, wanted: int, end: Place | None) -> list[Place]:
        """Return the first matches of a part that come before ``end``."""
        after, params = self._after(part)
        before = "1"
        if end is not None and part.value is None:
            before, params = f"({part.column}, m.seq) > (?, ?)", [*params, *end]
        elif end is not None:
            if end.value != part.value:
                # The other part's values are all higher.
                return []
            before, params = "m.seq > ?", [*params, end.seq]
        found = tx.rows(
            tuple[float | str, int],
            f"SELECT {part.column}, m.seq FROM memories m {part.source} "  # noqa: S608 - see where()
            f"WHERE {part.condition} AND {after} AND {before} AND {self.condition} "
            f"{_order(part)} LIMIT ?",
            [*params, *self.params, wanted],
        )
        return [Place(*row) for row in found]

    def _after(self, part: _Part) -> tuple[str, list[Sql]]:
        """Return the condition on what comes after the cursor."""
        if self.cursor is None:
            return "1", []
        if part.value is None:
            return f"({part.column}, m.seq) < (?, ?)", [self.cursor.value, self.cursor.seq]
        if self.cursor.value == part.value:
            return "m.seq < ?", [self.cursor.seq]
        # All of the part comes after a higher value, and nothing after a lower one.
        return "? > ?", [self.cursor.value, part.value]


def _order(part: _Part) -> str:
    return f"ORDER BY {'' if part.value is not None else f'{part.column} DESC, '}m.seq DESC"

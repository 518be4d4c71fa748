"""The orders and groups of the memory list, and the cursors of its pages."""

import math
from dataclasses import dataclass
from typing import Final, Literal, Self, TypeAlias

from intaglio.base.errors import InvalidInputError
from intaglio.memory.filters import Filter
from intaglio.memory.values import Memory
from intaglio.store.tx import Sql

LiveSort: TypeAlias = Literal["newest", "changed", "importance", "used"]
"""An order of live memories, highest or latest first; equal ones by when they were saved."""

Sort: TypeAlias = LiveSort | Literal["forgotten"]
GroupField: TypeAlias = Literal["project", "type"]

COLUMNS: Final[dict[Sort, str]] = {
    "newest": "created_at",
    "changed": "updated_at",
    "importance": "importance",
    "used": "access_count",
    "forgotten": "deleted_at",
}
_NUMBERS: Final[dict[Sort, type[int] | type[float]]] = {"importance": float, "used": int}
_BETWEEN: Final = "~"


@dataclass(frozen=True, slots=True)
class ListCursor:
    """The position after a memory in one order; ``section`` is the name of its group, if any."""

    sort: Sort
    value: Sql
    seq: int
    section: str = ""

    @classmethod
    def after(cls, memory: Memory, sort: Sort, section: str = "") -> Self:
        """Return the position after a memory."""
        return cls(sort, getattr(memory, COLUMNS[sort]), memory.seq, section)

    @property
    def text(self) -> str:
        """The cursor as clients pass it back."""
        parts = (
            self.sort,
            str(self.value),
            str(self.seq),
            *([self.section] if self.section else []),
        )
        return _BETWEEN.join(parts)


def default_sort(filters: Filter) -> Sort:
    """Return the order in which these memories are listed unless another is chosen."""
    return "forgotten" if filters.forgotten else "newest"


def read_cursor(text: str | None, sort: Sort, group: GroupField | None = None) -> ListCursor | None:
    """Parse a cursor of this order and grouping; InvalidInputError for any other."""
    if text is None:
        return None
    given, _, rest = text.partition(_BETWEEN)
    value, _, rest = rest.partition(_BETWEEN)
    seq, _, section = rest.partition(_BETWEEN)
    number = _NUMBERS.get(sort)
    try:
        read = value if number is None else number(value)
        cursor = ListCursor(sort, read, int(seq), section)
    except ValueError:
        cursor = None
    # The text must be the one that was given out: int() accepts "1_0" and " 1".
    if (
        given != sort
        or cursor is None
        or cursor.text != text
        or not all(_is_storable(each) for each in (cursor.value, cursor.seq))
        or not _is_of(section, group)
    ):
        raise InvalidInputError(
            "This cursor doesn't belong to this list",
            hint="A cursor continues a list with the same sort and group. Leave it out to start "
            "with the first page.",
        )
    return cursor


def _is_storable(value: Sql) -> bool:
    """Whether a column can hold the value: SQLite has integers of 64 bits, and stores no NaN."""
    match value:
        case int():
            return abs(value) < 1 << 63
        case float():
            return math.isfinite(value)
        case _:
            return True


def _is_of(section: str, group: GroupField | None) -> bool:
    return section == "" if group is None else section.partition(":")[0] == group

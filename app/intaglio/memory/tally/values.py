"""What is counted of memories by their values."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Field: TypeAlias = Literal[
    "type",
    "project",
    "agent",
    "visibility",
    "who",
    "tags",
    "source_type",
    "pinned",
    "importance",
]
Value: TypeAlias = str | float | bool | None
Counts: TypeAlias = tuple[tuple[Value, int], ...]
"""Values with how many memories have each, most first."""

FIELDS: Final[tuple[Field, ...]] = (
    "type",
    "project",
    "agent",
    "visibility",
    "who",
    "tags",
    "source_type",
    "pinned",
    "importance",
)
MOST_VALUES: Final = 100


@dataclass(frozen=True, slots=True)
class Facets:
    """How many memories pass, and for each field how many would with a value of it chosen."""

    total: int
    counts: dict[Field, Counts]

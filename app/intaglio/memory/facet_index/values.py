"""What is counted of memories, and what a memory is to one who counts."""

from collections.abc import Sequence
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
FacetValue: TypeAlias = str | float | bool | None
ValueCounts: TypeAlias = tuple[tuple[FacetValue, int], ...]
"""Values with how many memories have each, most first."""

MOST_VALUES: Final = 100


@dataclass(frozen=True, slots=True)
class FacetCounts:
    """How many memories pass, and for each field how many would with a value of it chosen."""

    total: int
    counts: dict[Field, ValueCounts]


@dataclass(frozen=True, slots=True)
class MemoryAttributes:
    """What few combinations of occur in a store; ``forgotten`` tells a tombstone."""

    type: str
    agent_id: str
    visibility: str
    source_type: str
    pinned: bool
    embedded: bool
    critical: bool
    forgotten: bool


@dataclass(frozen=True, slots=True)
class Chunk:
    """Memories and tombstones as far as they are counted, a sequence for each field.

    ``tags`` are each memory's own, none twice.
    """

    seqs: Sequence[int]
    heads: Sequence[MemoryAttributes]
    projects: Sequence[str | None]
    who: Sequence[str]
    tags: Sequence[tuple[str, ...]]
    importance: Sequence[float]

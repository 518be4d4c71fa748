"""The values that the facet index works with."""

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
"""Values with the number of memories that have each, most frequent first."""

MOST_VALUES: Final = 100


@dataclass(frozen=True, slots=True)
class FacetCounts:
    """How many memories match, and for each field how many have each of its values."""

    total: int
    counts: dict[Field, ValueCounts]


@dataclass(frozen=True, slots=True)
class Group:
    """How many memories match with one value, and their row numbers if they are few."""

    count: int
    seqs: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class MemoryAttributes:
    """The attributes with few distinct combinations; ``forgotten`` marks a tombstone."""

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
    """The counted attributes of memories and tombstones, one sequence per field.

    ``tags`` are each memory's distinct tags.
    """

    seqs: Sequence[int]
    heads: Sequence[MemoryAttributes]
    projects: Sequence[str | None]
    who: Sequence[str]
    tags: Sequence[tuple[str, ...]]
    importance: Sequence[float]

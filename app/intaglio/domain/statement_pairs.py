"""Two statements of one scope, and how likely they contradict each other."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class StatementPair:
    """An older and a newer statement that may contradict each other."""

    older: str
    newer: str


Contradictions: TypeAlias = Mapping[StatementPair, float]
"""The probability (0 to 1) that two statements contradict each other, of some pairs.

The others are compared by rules alone.
"""

ReadPairs: TypeAlias = Callable[[Sequence[StatementPair]], Awaitable[Sequence[float] | None]]
"""Returns such a probability for each pair; None if the cross-encoder can't be used."""


async def read_contradictions(read: ReadPairs, pairs: Sequence[StatementPair]) -> Contradictions:
    """Return what is found of pairs, nothing without the cross-encoder."""
    found = await read(pairs) if pairs else None
    return dict(zip(pairs, found, strict=True)) if found is not None else {}

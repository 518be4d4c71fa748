"""Two statements of one scope, and what the network that reads both finds."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class StatementPair:
    """An older and a newer statement that may contradict each other."""

    older: str
    newer: str


@dataclass(frozen=True, slots=True)
class RelationOdds:
    """How likely (0 to 1 each) two statements contradict each other, or say the same."""

    contradict: float
    same: float


PairOdds: TypeAlias = Mapping[StatementPair, RelationOdds]
"""What was found of some pairs; the others are compared by rules alone."""

ReadPairs: TypeAlias = Callable[[Sequence[StatementPair]], Awaitable[Sequence[RelationOdds] | None]]
"""Reads pairs, in their order; None if the network can't be used."""


async def read_odds(read: ReadPairs, pairs: Sequence[StatementPair]) -> PairOdds:
    """Return what is found of pairs, nothing without the network."""
    found = await read(pairs) if pairs else None
    return dict(zip(pairs, found, strict=True)) if found is not None else {}

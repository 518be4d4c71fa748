"""What a ranking returns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from intaglio.recall.values import Signals


@dataclass(frozen=True, slots=True)
class RankedMemory:
    """A memory's row number, its score, and whether it answers at all.

    ``score`` is 0 to 1 and orders the candidates. ``answers`` is false for what is likely noise;
    ``merit`` (0 to 1) is the best raw signal, which a caller's own limit is compared with.
    """

    seq: int
    score: float
    answers: bool
    merit: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """The candidates, best first; ``signals`` explains one of them by its row number."""

    memories: Sequence[RankedMemory]
    signals: Callable[[int], Signals]

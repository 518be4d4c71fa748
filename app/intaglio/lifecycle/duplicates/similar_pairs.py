"""Pairs of stored vectors that are alike: every pair of a scope is compared, block by block."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

# Small enough to be done between two looks at the clock: about 10 ms.
_BLOCK: Final = 512
_MOST_PAIRS: Final = 20_000


@dataclass(frozen=True, slots=True)
class SimilarPairs:
    """Pairs of positions with their cosine, the most alike first.

    ``ended_at`` is the position from which on nothing was compared, None if all was.
    """

    pairs: tuple[tuple[int, int, float], ...]
    ended_at: int | None


def find_pairs(
    vectors: Sequence[bytes],
    dimensions: int,
    threshold: float,
    start: int,
    is_over: Callable[[], bool],
) -> SimilarPairs:
    """Compare each vector from ``start`` on with those before it, until ``is_over``.

    Takes 10 ms of a thread for 250,000 pairs; numpy releases the interpreter meanwhile.
    """
    import numpy as np  # noqa: PLC0415 - loading it takes 0.1 s, and few daemons need it

    stored = np.frombuffer(b"".join(vectors), np.int8).reshape(len(vectors), dimensions)

    def block(first: int) -> "np.ndarray[tuple[int, int], np.dtype[np.float32]]":
        part = stored[first : first + _BLOCK].astype(np.float32)
        lengths = np.maximum(np.linalg.norm(part, axis=1, keepdims=True), 1.0)
        return np.asarray(part / lengths, np.float32)

    found: list[tuple[int, int, float]] = []
    for first in range(start - start % _BLOCK, len(vectors), _BLOCK):
        own = block(first)
        for other in range(0, first + 1, _BLOCK):
            if len(found) > _MOST_PAIRS:
                # A block that alone has too many is left, or no scan would get past it.
                ended_at = first + _BLOCK if first <= start else first
                return SimilarPairs(_most_alike(found), ended_at)
            if is_over():
                return SimilarPairs(_most_alike(found), first)
            cosines = own @ block(other).T
            rows, columns = np.nonzero(cosines >= threshold)
            found += [
                (other + column, first + row, float(cosines[row, column]))
                for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
                if other + column < first + row
            ]
    return SimilarPairs(_most_alike(found), None)


def _most_alike(pairs: list[tuple[int, int, float]]) -> tuple[tuple[int, int, float], ...]:
    return tuple(sorted(pairs, key=lambda pair: (-pair[2], pair[0], pair[1])))

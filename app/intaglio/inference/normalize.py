"""From a provider's numbers to unit vectors, or to what is wrong with them."""

from collections.abc import Sequence

import numpy as np

from intaglio.inference.ports import Embedded, NotEmbedded, Vector


def unit_vectors(
    rows: Sequence[Sequence[float]], *, count: int, dimensions: int
) -> Embedded | NotEmbedded:
    """Scale each row to length 1; refuses a wrong count or width, and what has no direction."""
    if len(rows) != count:
        return NotEmbedded("refused", f"{len(rows)} vectors came for {count} texts")
    vectors: list[Vector] = []
    for row in rows:
        if len(row) != dimensions:
            return NotEmbedded("refused", f"a vector has {len(row)} numbers, not {dimensions}")
        numbers = np.array(row, dtype=np.float64)
        with np.errstate(over="ignore", invalid="ignore"):
            length = float(np.sqrt(np.dot(numbers, numbers)))
        if not np.isfinite(length) or length == 0:
            return NotEmbedded("refused", "a vector is zero or holds a number that is none")
        vectors.append((numbers / length).astype(np.float32))
    return Embedded(tuple(vectors))

"""Converts a provider's numbers to unit vectors, or reports what is wrong with them."""

from collections.abc import Sequence

import numpy as np

from intaglio.inference.ports import Embedded, NotEmbedded, Vector


def unit_vectors(
    rows: Sequence[Sequence[float]], *, count: int, dimensions: int
) -> Embedded | NotEmbedded:
    """Scale each row to length 1; rejects a wrong count or size, and zero vectors."""
    if len(rows) != count:
        return NotEmbedded("refused", f"got {len(rows)} vectors for {count} texts")
    vectors: list[Vector] = []
    for row in rows:
        if len(row) != dimensions:
            return NotEmbedded("refused", f"a vector has {len(row)} numbers, not {dimensions}")
        numbers = np.array(row, dtype=np.float64)
        with np.errstate(over="ignore", invalid="ignore"):
            length = float(np.sqrt(np.dot(numbers, numbers)))
        if not np.isfinite(length) or length == 0:
            return NotEmbedded("refused", "a vector is zero or isn't finite")
        vectors.append((numbers / length).astype(np.float32))
    return Embedded(tuple(vectors))

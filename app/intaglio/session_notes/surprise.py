"""How much a message surprises: how far its vector is from the average of those before it; pure."""

from collections.abc import Sequence
from typing import Final

from intaglio.transcripts.vectors.values import VECTOR_BYTES

RECENT: Final = 8
"""So many messages before it make the average."""


def surprise(vector: bytes, before: Sequence[bytes]) -> float:
    """Return 0 for a message like those before it, 1 for one that has nothing in common with them.

    Vectors are signed bytes, as transcripts have them. Without a message before it, it is 1.
    """
    # numpy takes a tenth of the daemon's start; here, the model has loaded it.
    import numpy as np  # noqa: PLC0415 - see above

    if not before or len(vector) != VECTOR_BYTES:
        return 1.0
    rows = np.frombuffer(b"".join(before), np.int8).reshape(-1, VECTOR_BYTES).astype(np.float32)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    own = np.frombuffer(vector, np.int8).astype(np.float32)
    average = rows.mean(axis=0)
    length = float(np.linalg.norm(own) * np.linalg.norm(average))
    if not length:
        return 1.0
    return min(1.0, max(0.0, 1.0 - float(own @ average) / length))

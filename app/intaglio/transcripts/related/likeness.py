"""How much a session is about the subject of each earlier one, by meaning and by words; pure.

Sessions of one project resemble each other, those of some projects more than those of others. So a
likeness is how far an earlier session stands out among those that resemble the later one most.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from heapq import nlargest
from math import sqrt
from typing import Final

from intaglio.transcripts.vectors.values import VECTOR_BYTES

# So many of those that resemble it most are what an earlier session stands out among.
_AMONG: Final = 24
# Of fewer, typical ones are added: of five values, none is two deviations from their mean.
_LEAST: Final = 16
# Where all are alike, as if they differed half as much as elsewhere.
_LEAST_DEVIATION: Final = 0.5
# By words alone, a likeness has to be as rare as one by both: 4.8 for each 2.7 deviations.
_BY_WORDS_ALONE: Final = 4.8 / 2.7


@dataclass(frozen=True, slots=True)
class _Typical:
    """Mean and standard deviation of the unrelated sessions of a project that are most alike."""

    mean: float
    deviation: float


# Medians of 12 projects with 27 to 59 sessions each.
_COSINES: Final = _Typical(0.21, 0.1)
_SCORES: Final = _Typical(0.033, 0.023)


def likeness(
    scores: Mapping[int, float], own_score: float, cosines: Mapping[int, float]
) -> dict[int, float]:
    """Return the likeness of each earlier session: about -6 to 10, the sum of two deviations.

    ``scores`` are the BM25 scores of all of them for the words of the later session, ``own_score``
    is its own. ``cosines`` compare mean vectors; where there are none, words alone count.
    """
    if own_score <= 0:
        return {}
    by_words = _standing_out({key: value / own_score for key, value in scores.items()}, _SCORES)
    by_meaning = _standing_out(cosines, _COSINES)
    return {
        key: value + by_meaning[key] if key in by_meaning else value * _BY_WORDS_ALONE
        for key, value in by_words.items()
    }


def _standing_out(values: Mapping[int, float], typical: _Typical) -> dict[int, float]:
    """Return by how many standard deviations each value exceeds the mean of the highest."""
    highest = nlargest(_AMONG, values.values())
    added = max(0, _LEAST - len(highest))
    count = len(highest) + added
    mean = (sum(highest) + added * typical.mean) / count
    squares = sum((each - mean) ** 2 for each in highest)
    squares += added * (typical.deviation**2 + (typical.mean - mean) ** 2)
    deviation = max(sqrt(squares / count), typical.deviation * _LEAST_DEVIATION)
    return {key: (value - mean) / deviation for key, value in values.items()}


def cosines(own: bytes, others: Mapping[int, bytes]) -> dict[int, float]:
    """Return the cosine of a mean vector with each of others, by transcript."""
    # It loads numpy, which is loaded with the model.
    import numpy as np  # noqa: PLC0415 - see above

    rows = np.frombuffer(b"".join((own, *others.values())), np.int8).reshape(-1, VECTOR_BYTES)
    units = rows.astype(np.float32)
    units /= np.maximum(np.sqrt(np.einsum("ij,ij->i", units, units)), 1e-9)[:, None]
    found: list[float] = (units[1:] @ units[0]).tolist()
    return dict(zip(others, found, strict=True))

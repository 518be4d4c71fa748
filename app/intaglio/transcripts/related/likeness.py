"""How much a session is about the subject of each earlier one, by meaning and by words; pure.

Sessions of one project resemble each other, those of some projects more than those of others. So a
likeness is how far an earlier session stands out among those that resemble the later one most.
"""

from collections.abc import Mapping
from typing import Final

from intaglio.base.standing_out import Typical, standing_out
from intaglio.transcripts.vectors.values import VECTOR_BYTES

# By words alone, a likeness has to be as rare as one by both: 4.8 for each 2.7 deviations.
_BY_WORDS_ALONE: Final = 4.8 / 2.7

# Medians of 12 projects with 27 to 59 sessions each.
_COSINES: Final = Typical(0.21, 0.1, least=16)
_SCORES: Final = Typical(0.033, 0.023, least=16)


def likeness(
    scores: Mapping[int, float], own_score: float, cosines: Mapping[int, float]
) -> dict[int, float]:
    """Return the likeness of each earlier session: about -6 to 10, the sum of two deviations.

    ``scores`` are the BM25 scores of all of them for the words of the later session, ``own_score``
    is its own. ``cosines`` compare mean vectors; where there are none, words alone count.
    """
    if own_score <= 0:
        return {}
    by_words = _by_key({key: value / own_score for key, value in scores.items()}, _SCORES)
    by_meaning = _by_key(cosines, _COSINES)
    return {
        key: value + by_meaning[key] if key in by_meaning else value * _BY_WORDS_ALONE
        for key, value in by_words.items()
    }


def _by_key(values: Mapping[int, float], typical: Typical) -> dict[int, float]:
    return dict(zip(values, standing_out([*values.values()], typical), strict=True))


def cosines(own: bytes, others: Mapping[int, bytes]) -> dict[int, float]:
    """Return the cosine of a mean vector with each of others, by transcript."""
    # It loads numpy, which is loaded with the model.
    import numpy as np  # noqa: PLC0415 - see above

    rows = np.frombuffer(b"".join((own, *others.values())), np.int8).reshape(-1, VECTOR_BYTES)
    units = rows.astype(np.float32)
    units /= np.maximum(np.sqrt(np.einsum("ij,ij->i", units, units)), 1e-9)[:, None]
    found: list[float] = (units[1:] @ units[0]).tolist()
    return dict(zip(others, found, strict=True))

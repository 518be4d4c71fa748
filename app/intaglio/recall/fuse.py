"""Pure: how the signals of keywords and meaning become one score."""

from collections.abc import Mapping
from typing import Final

NO_COSINE: Final = 0.0


def fuse(bm25: Mapping[int, float], cosines: Mapping[int, float], alpha: float) -> dict[int, float]:
    """Blend both signals of each candidate, best first; scores are 0 to 1.

    score = alpha · max(cosine, 0) + (1 - alpha) · bm25 / (the best bm25 of the union), over the
    union of candidates. Each map has to hold the signal of every candidate that has one: a
    candidate without a vector has no cosine, one without any of the words has no bm25. Where no
    candidate has a cosine, keywords alone decide, and the other way round.
    """
    weight = alpha if cosines else 0.0
    best = max(bm25.values(), default=0.0)
    if best <= 0:
        weight = 1.0
    blended = {
        seq: weight * max(cosines.get(seq, NO_COSINE), 0.0)
        + (1 - weight) * (max(bm25.get(seq, 0.0), 0.0) / best if best > 0 else 0.0)
        for seq in bm25.keys() | cosines.keys()
    }
    # Equal scores: the newer memory first, so that the order does not depend on chance.
    return dict(sorted(blended.items(), key=lambda pair: (-pair[1], -pair[0])))

"""Matches a prompt with the messages of past sessions by late interaction; needs numpy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

import numpy as np

from intaglio.inference.ports import QuestionVector
from intaglio.recall.past.centroid_cache import Centroids
from intaglio.recall.ranking.late_interaction import TextPieces, unit_rows
from intaglio.recall.ranking.text_matches import WeighedQuestion
from intaglio.transcripts.vectors.values import TranscriptVectors

# More of a prompt's word pieces than the weightiest ones rank no session better.
_MOST_PIECES: Final = 16


@dataclass(frozen=True, slots=True)
class SpokenMatch:
    """How well a prompt matches what was said in a session by meaning.

    ``messages`` has each message's match by its row, about -0.5 to 1.5; ``words`` (0 to 1) is how
    well the words of all messages together match those of the prompt, ``whole`` (-0.1 to 0.3) how
    near the prompt is to the mean of the messages.
    """

    messages: Mapping[int, float]
    words: float
    whole: float


def nearest(
    asked: QuestionVector, weights: Sequence[float], among: Centroids, most: int
) -> set[int]:
    """Return the transcripts that are nearest as wholes."""
    near = among.units @ WeighedQuestion.of(asked, weights).direction
    best: list[int] = np.argsort(-near, kind="stable")[:most].tolist()
    return {among.transcripts[place] for place in best}


def match_messages(
    asked: QuestionVector, weights: Sequence[float], spoken: Sequence[TranscriptVectors]
) -> Mapping[int, SpokenMatch]:
    """Return how well each transcript matches; ``weights`` are those of the prompt's word pieces.

    Each has messages. Empty if nothing of the prompt weighs anything.
    """
    question = WeighedQuestion.of(asked, weights, _MOST_PIECES)
    if not spoken or not question.says_something:
        return {}
    # All at once: each product with the table has a price of its own.
    lengths = [length for each in spoken for length in each.lengths]
    pieces = TextPieces.joined([each.pieces for each in spoken], lengths)
    units = unit_rows([each.vectors for each in spoken], len(lengths))
    listed, best = question.match(pieces, units)
    starts = [0, *accumulate(len(each.numbers) for each in spoken)]
    words = np.maximum.reduceat(best, starts[:-1]) @ question.tokens.weights
    # The direction of a sum is that of the mean.
    sums = np.add.reduceat(units, starts[:-1])
    wholes = sums @ question.tokens.probe / np.maximum(np.linalg.norm(sums, axis=1), 1e-9)
    return {
        each.transcript: SpokenMatch(
            dict(zip(each.numbers, listed[start : start + len(each.numbers)], strict=True)),
            float(word),
            float(whole),
        )
        for each, start, word, whole in zip(spoken, starts[:-1], words, wholes, strict=True)
    }

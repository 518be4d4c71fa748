"""Matches a prompt with the messages of past sessions by late interaction; needs numpy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from intaglio.inference.ports import QuestionVector
from intaglio.inference.token_table import Floats
from intaglio.recall.ranking.late_interaction import WeightedTokens, match_tokens
from intaglio.transcripts.vectors.values import VECTOR_BYTES, TranscriptVectors

# As memories that stand alone are ranked: `recall/ranking/signals.py`.
_MEANING: Final = 1.68
_VECTOR: Final = 0.84


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


def nearest(asked: QuestionVector, weights: Sequence[float], centroids: Sequence[bytes]) -> Floats:
    """Return how near transcripts are as wholes, given the mean vector of each."""
    tokens = _tokens(asked, weights)
    return _units(b"".join(centroids)) @ _direction(tokens, asked)


def match_messages(
    asked: QuestionVector, weights: Sequence[float], spoken: Sequence[TranscriptVectors]
) -> Mapping[int, SpokenMatch]:
    """Return how well each transcript matches; ``weights`` are those of the prompt's word pieces.

    Empty if nothing of the prompt weighs anything.
    """
    tokens = _tokens(asked, weights)
    if not spoken or not tokens.weights.any():
        return {}
    units = _units(b"".join(each.vectors for each in spoken))
    # All at once: each product with the table has a price of its own.
    pieces = [message.pieces for each in spoken for message in each.unpacked()]
    matches = match_tokens(tokens, pieces, units)
    scores = _MEANING * np.asarray(matches.scores, np.float32)
    scores += _VECTOR * (units @ asked.vector)
    listed: list[float] = scores.tolist()
    found: dict[int, SpokenMatch] = {}
    start = 0
    for each in spoken:
        end = start + len(each.numbers)
        mean = units[start:end].mean(axis=0)
        found[each.transcript] = SpokenMatch(
            dict(zip(each.numbers, listed[start:end], strict=True)),
            float(matches.best[start:end].max(axis=0) @ tokens.weights),
            float(mean @ tokens.probe) / (float(np.linalg.norm(mean)) or 1.0),
        )
        start = end
    return found


def _tokens(asked: QuestionVector, weights: Sequence[float]) -> WeightedTokens:
    if asked.tokens is None:
        raise ValueError("the model has no token states")
    return WeightedTokens.of(asked.tokens.states, weights, asked.tokens.table)


def _direction(tokens: WeightedTokens, asked: QuestionVector) -> Floats:
    """Return the vector whose product with a message's is what its vector adds to its score."""
    return np.asarray(_MEANING * tokens.probe + _VECTOR * asked.vector, np.float32)


def _units(joined: bytes) -> Floats:
    levels = np.frombuffer(joined, np.int8).reshape(-1, VECTOR_BYTES).astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", levels, levels))
    levels /= np.maximum(lengths, 1e-9)[:, None]
    return levels

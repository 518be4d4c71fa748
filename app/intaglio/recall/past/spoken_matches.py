"""Matches a prompt with the messages of past sessions by late interaction; needs numpy."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from intaglio.inference.ports import QuestionVector
from intaglio.inference.token_table import Floats
from intaglio.recall.ranking.late_interaction import WeightedTokens, match_tokens
from intaglio.transcripts.vectors.values import VECTOR_BYTES, SpokenVector, TranscriptVectors

# As memories that stand alone are ranked: `recall/ranking/signals.py`.
_MEANING: Final = 1.68
_VECTOR: Final = 0.84


@dataclass(frozen=True, slots=True, eq=False)
class SubjectLikeness:
    """How much transcripts are about the same subject, by the vectors of their messages."""

    _rows: Mapping[int, Mapping[int, int]]
    _units: Floats

    @property
    def transcripts(self) -> Collection[int]:
        """Those that can be compared: more than those whose messages are matched."""
        return self._rows.keys()

    def between(self, one: int, messages: Collection[int], other: int) -> float:
        """Compare some messages of a transcript with another one: -0.2 to 2; 0 without vectors.

        The best cosine of two messages, and that of both transcripts as a whole, are added: those
        of which the later changes what the earlier settled come to 0.94 and more, of all others
        one in fifty.
        """
        own, far = self._rows.get(one, {}), self._rows.get(other, {})
        near_rows = [own[number] for number in messages if number in own]
        if not near_rows or not far:
            return 0.0
        best = float((self._units[near_rows] @ self._units[[*far.values()]].T).max())
        means = [self._units[[*rows.values()]].mean(axis=0) for rows in (own, far)]
        lengths = [float(np.linalg.norm(each)) or 1.0 for each in means]
        return best + float(means[0] @ means[1]) / (lengths[0] * lengths[1])


@dataclass(frozen=True, slots=True, eq=False)
class SpokenMatches:
    """How well messages match, by transcript and by message, and what compares transcripts."""

    scores: Mapping[int, Mapping[int, float]]
    likeness: SubjectLikeness


def nearest(asked: QuestionVector, weights: Sequence[float], centroids: Sequence[bytes]) -> Floats:
    """Return how near transcripts are as wholes, given the mean vector of each."""
    tokens = _tokens(asked, weights)
    return _units(b"".join(centroids)) @ _direction(tokens, asked)


def match_messages(
    asked: QuestionVector,
    weights: Sequence[float],
    spoken: Sequence[TranscriptVectors],
    named: Collection[int],
    most: int,
) -> SpokenMatches | None:
    """Return how well the messages of the best transcripts match.

    The vectors alone choose ``most`` transcripts, to which those that words found (``named``) are
    added; their word pieces are then compared with the prompt's words. ``weights`` are those of the
    prompt's pieces. None if nothing of it weighs anything.
    """
    tokens = _tokens(asked, weights)
    if not spoken or not tokens.weights.any():
        return None
    units = _units(b"".join(each.vectors for each in spoken))
    near = units @ _direction(tokens, asked)
    counts = np.array([len(each.numbers) for each in spoken], np.intp)
    starts = np.concatenate(([0], np.cumsum(counts)[:-1]))
    best = np.maximum.reduceat(near, starts)
    order: list[int] = np.argsort(-best)[:most].tolist()
    chosen = set(order)
    chosen |= {place for place, each in enumerate(spoken) if each.transcript in named}
    own: list[SpokenVector] = []
    rows: list[int] = []
    places = {
        each.transcript: {number: start + at for at, number in enumerate(each.numbers)}
        for each, start in zip(spoken, starts.tolist(), strict=True)
    }
    for place in sorted(chosen):
        vectors, start = spoken[place].unpacked(), int(starts[place])
        own += vectors
        rows += range(start, start + len(vectors))
    # All at once: each product with the table has a price of its own.
    matches = match_tokens(tokens, [each.pieces for each in own], units[rows])
    scores = _MEANING * np.asarray(matches.scores, np.float32)
    scores += _VECTOR * (units[rows] @ asked.vector)
    listed: list[float] = scores.tolist()
    by_row = dict(zip(rows, listed, strict=True))
    found = {
        spoken[place].transcript: {
            number: by_row[row] for number, row in places[spoken[place].transcript].items()
        }
        for place in sorted(chosen)
    }
    return SpokenMatches(found, SubjectLikeness(places, units))


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

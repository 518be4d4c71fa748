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

    def between(
        self, one: int, messages: Collection[int], other: int, others: Collection[int]
    ) -> float:
        """Compare some messages of two transcripts: about -0.2 to 2; 0 without vectors.

        The best cosine of two messages, and that of both transcripts as a whole, are added: those
        of which the later changes what the earlier settled come to 0.95 and more, of all others
        one in a hundred.
        """
        own, far = self._rows.get(one, {}), self._rows.get(other, {})
        near_rows = [own[number] for number in messages if number in own]
        far_rows = [far[number] for number in others if number in far]
        if not near_rows or not far_rows:
            return 0.0
        best = float((self._units[near_rows] @ self._units[far_rows].T).max())
        means = [self._units[[*rows.values()]].mean(axis=0) for rows in (own, far)]
        lengths = [float(np.linalg.norm(each)) or 1.0 for each in means]
        return best + float(means[0] @ means[1]) / (lengths[0] * lengths[1])


@dataclass(frozen=True, slots=True, eq=False)
class SpokenMatches:
    """How well messages match, by transcript and by message, and what compares transcripts."""

    scores: Mapping[int, Mapping[int, float]]
    likeness: SubjectLikeness


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
    if asked.tokens is None or not spoken:
        return None
    tokens = WeightedTokens.of(asked.tokens.states, weights, asked.tokens.table)
    if not tokens.weights.any():
        return None
    units = _units(b"".join(each.vectors for each in spoken))
    # About 1 ms for 10,000 messages.
    near = units @ np.asarray(_MEANING * tokens.probe + _VECTOR * asked.vector, np.float32)
    counts = np.array([len(each.numbers) for each in spoken], np.intp)
    starts = np.concatenate(([0], np.cumsum(counts)[:-1]))
    best = np.maximum.reduceat(near, starts)
    chosen = set(np.argsort(-best)[:most].tolist())
    chosen |= {place for place, each in enumerate(spoken) if each.transcript in named}
    found: dict[int, Mapping[int, float]] = {}
    places: dict[int, Mapping[int, int]] = {}
    for place in sorted(chosen):
        own = spoken[place].unpacked()
        start = int(starts[place])
        scores = _scores(tokens, asked.vector, own, units[start : start + len(own)])
        numbers = [each.number for each in own]
        found[spoken[place].transcript] = dict(zip(numbers, scores, strict=True))
        places[spoken[place].transcript] = {number: start + at for at, number in enumerate(numbers)}
    return SpokenMatches(found, SubjectLikeness(places, units))


def _units(packed: bytes) -> Floats:
    levels = np.frombuffer(packed, np.int8).reshape(-1, VECTOR_BYTES).astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", levels, levels))
    levels /= np.maximum(lengths, 1e-9)[:, None]
    return levels


def _scores(
    tokens: WeightedTokens, vector: Floats, own: Sequence[SpokenVector], units: Floats
) -> list[float]:
    matches = match_tokens(tokens, [each.pieces for each in own], units)
    scores = _MEANING * np.asarray(matches.scores, np.float32) + _VECTOR * (units @ vector)
    return [float(each) for each in scores]

"""Matches a question with commit messages by late interaction; needs numpy."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from intaglio.commits.vectors.rows import CommitVector
from intaglio.inference.ports import QuestionVector
from intaglio.inference.token_table import Floats
from intaglio.recall.ranking.late_interaction import TextPieces, unit_rows
from intaglio.recall.ranking.text_matches import WeighedQuestion

# The others hardly count, and each costs a product with every word of every message.
_MOST_TOKENS: Final = 24


@dataclass(frozen=True, slots=True, eq=False)
class KnownVectors:
    """The vectors of a project's commits; ``version`` says of which state they are.

    ``numbers`` are the commits in the order of ``units``, ``places`` their places in it.
    """

    version: tuple[str, int]
    numbers: Sequence[int]
    places: Mapping[int, int]
    units: Floats

    @staticmethod
    def of(version: tuple[str, int], found: Sequence[tuple[int, bytes]]) -> "KnownVectors":
        """Scale stored vectors to unit length."""
        numbers = [number for number, _ in found]
        places = {number: place for place, number in enumerate(numbers)}
        return KnownVectors(version, numbers, places, unit_rows([vector for _, vector in found]))

    def likeliest(self, direction: Floats, more: Mapping[int, float], count: int) -> list[int]:
        """Return the commits whose vectors lie furthest in a direction.

        ``more`` is what speaks for commits besides.
        """
        values = self.units @ direction
        for number, value in more.items():
            place = self.places.get(number)
            if place is not None:
                values[place] += value
        if len(values) <= count:
            return [*self.numbers]
        return [self.numbers[place] for place in np.argpartition(-values, count)[:count].tolist()]


def meanings(
    asked: QuestionVector,
    weights: Sequence[float],
    known: KnownVectors,
    more: Mapping[int, float],
    count: int,
    read: Callable[[Collection[int]], Sequence[CommitVector]],
) -> Mapping[int, float]:
    """Return how well the likeliest commits match, by row; at most ``count``.

    ``more`` is what speaks for commits besides their vectors. ``read`` returns vectors with their
    word pieces. Empty if nothing of the question weighs anything.
    """
    question = WeighedQuestion.of(asked, weights, _MOST_TOKENS)
    if not question.says_something:
        return {}
    found = read(known.likeliest(question.direction, more, count))
    if not found:
        return {}
    units = unit_rows([each.vector for each in found])
    scores, _ = question.match(TextPieces.of([each.pieces for each in found]), units)
    return {each.seq: score for each, score in zip(found, scores, strict=True)}

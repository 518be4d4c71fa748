"""Matches a question with texts that stand alone, by late interaction; needs numpy."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from intaglio.inference.ports import QuestionVector
from intaglio.inference.token_table import Floats
from intaglio.recall.ranking.late_interaction import TextPieces, WeightedTokens, match_tokens

# As memories that stand alone are ranked: `recall/ranking/signals.py`.
_MEANING: Final = 1.68
_VECTOR: Final = 0.84


@dataclass(frozen=True, slots=True, eq=False)
class WeighedQuestion:
    """A question's weighted tokens and its vector."""

    tokens: WeightedTokens
    vector: Floats

    @staticmethod
    def of(
        asked: QuestionVector, weights: Sequence[float], most: int | None = None
    ) -> "WeighedQuestion":
        """Weigh a question's word pieces, or the ``most`` weightiest of them.

        Raises ValueError if its model has no token states.
        """
        if asked.tokens is None:
            raise ValueError("the model has no token states")
        places = sorted(
            heapq.nlargest(most or len(weights), range(len(weights)), weights.__getitem__)
        )
        tokens = WeightedTokens.of(
            asked.tokens.states[places], [weights[at] for at in places], asked.tokens.table
        )
        return WeighedQuestion(tokens, asked.vector)

    @property
    def says_something(self) -> bool:
        """Whether any of its words weighs anything."""
        return bool(self.tokens.weights.any())

    @property
    def direction(self) -> Floats:
        """The vector whose product with a text's is what that adds to the text's match."""
        return np.asarray(_MEANING * self.tokens.probe + _VECTOR * self.vector, np.float32)

    def match(self, pieces: TextPieces, units: Floats) -> tuple[list[float], Floats]:
        """Return how well texts match, about -0.5 to 1.5, and the best match of each token.

        ``units`` (texts x dimensions) are the texts' vectors.
        """
        matches = match_tokens(self.tokens, pieces, units)
        scores = _MEANING * np.asarray(matches.scores, np.float32)
        scores += _VECTOR * (units @ self.vector)
        return scores.tolist(), matches.best

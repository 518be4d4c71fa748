"""How a past session stands among the others of its project, by each signal; pure.

How well a prompt matches anything depends on the prompt and the project; what stands out among the
others is about it. Each signal tells by how many standard deviations a session exceeds those that
it ranks highest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.base.standing_out import Typical, standing_out
from intaglio.recall.past.session_recall import MatchedSession

# The medians of prompts in ten projects: 0082-one-block-at-the-first-prompt.md.
_PER_WORD: Final = Typical(0.403, 0.25)
_OF_AGENT: Final = Typical(0.48, 0.107)
_WHOLE: Final = Typical(0.077, 0.03)
_WORDS: Final = Typical(0.194, 0.021)


@dataclass(frozen=True, slots=True)
class MeaningStanding:
    """By how much a session stands out by its vectors; see `MatchedSession`."""

    best_of_agent: float
    whole: float
    words: float


@dataclass(frozen=True, slots=True)
class Standing:
    """By how much a session stands out; ``meaning`` is None while it has no vectors."""

    per_word: float
    meaning: MeaningStanding | None = None


def standings(matched: Sequence[MatchedSession]) -> Mapping[int, Standing]:
    """Return how sessions stand among each other, by transcript."""
    compared = [each for each in matched if each.messages]
    columns = (
        standing_out([each.best_of_agent for each in compared], _OF_AGENT),
        standing_out([each.whole for each in compared], _WHOLE),
        standing_out([each.words for each in compared], _WORDS),
    )
    meanings = {
        each.session.transcript: MeaningStanding(*values)
        for each, values in zip(compared, zip(*columns, strict=True), strict=True)
    }
    by_words = standing_out([each.per_word for each in matched], _PER_WORD)
    return {
        each.session.transcript: Standing(per_word, meanings.get(each.session.transcript))
        for each, per_word in zip(matched, by_words, strict=True)
    }

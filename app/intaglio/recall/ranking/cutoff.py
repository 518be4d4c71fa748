"""Decides which results answer a question, so that noise is left out; pure functions.

The values come from 0051-late-interaction.md, by measurement on questions with and without answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from intaglio.recall.ranking.signals import MatchEvidence
from intaglio.recall.values import own_match

# If the best result is a turn of a conversation, it needs this score, with half the best cosine.
_LEAST_TALK: Final = 1.04
_COSINE_OF_TALK: Final = 0.5
# If it stands alone, one of the best five needs this much of its own.
_LEAST_ALONE: Final = 0.42
_LOOKED_AT: Final = 5
# What is known to answer nearly the same question answers it.
_SAME_QUESTION: Final = 0.6
# Both floors are this much higher if the question names something that no candidate contains.
_UNMET_PHRASE: Final = 0.15
# Results below this share of the best score are noise beside it, unless they match this well.
_GAP: Final = 0.6
_STRONG_OWN: Final = 0.4
# A memory without a vector yet is judged by its words alone: this share of the question.
_LEAST_COVERAGE: Final = 0.2
# A memory that stands alone needs this much, whatever the best result reaches.
_LEAST_OWN: Final = 0.36
# A memory that is this much better than the others is an answer although it matches only loosely:
# in a small store, nothing else is near.
_STANDS_OUT: Final = 0.2
_OTHERS: Final = 10


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate's score, its evidence, and its coverage of the question (0 to 1).

    ``is_literal`` says that it contains the question's phrase, or all of several words.
    """

    score: float
    evidence: MatchEvidence
    coverage: float
    is_literal: bool = False
    is_embedded: bool = True

    @property
    def in_talk(self) -> bool:
        """Whether it is a turn of a conversation."""
        return self.evidence.talk is not None

    @property
    def own(self) -> float:
        """How well it matches by itself, without its conversation."""
        return own_match(self.evidence.meaning, self.coverage, self.evidence.vector)


def answers(ranked: Sequence[Scored], *, names_phrase: bool) -> list[bool]:
    """Return which candidates (best first) answer the question.

    ``names_phrase`` says that the question contains something to be matched literally.
    """
    embedded = [each for each in ranked if each.is_embedded]
    outstanding = _outstanding(embedded)
    has_answer = _has_answer(embedded, names_phrase=names_phrase)
    least = _GAP * ranked[0].score if ranked else 0.0
    return [
        each.is_literal
        or each.evidence.hint >= _SAME_QUESTION
        or each is outstanding
        or (
            _stands_beside(each, least)
            if each.is_embedded and has_answer
            else not each.is_embedded and each.coverage >= _LEAST_COVERAGE
        )
        for each in ranked
    ]


def _stands_beside(each: Scored, least: float) -> bool:
    """Tell whether a result is no noise beside the best one, given the least score."""
    is_near = each.score >= least or each.own >= _STRONG_OWN
    return is_near and (each.in_talk or each.own >= _LEAST_OWN)


def _outstanding(ranked: Sequence[Scored]) -> Scored | None:
    """Return the candidate that matches far better by itself than the others, if there is one."""
    best = sorted(ranked, key=lambda each: -each.own)[: 1 + _OTHERS]
    rest = fmean(each.own for each in best[1:]) if len(best) > 1 else 0.0
    if not best or best[0].own < _STANDS_OUT:
        return None
    return best[0] if best[0].own - rest >= _STANDS_OUT else None


def _has_answer(ranked: Sequence[Scored], *, names_phrase: bool) -> bool:
    if not ranked:
        return False
    unmet = names_phrase and not any(each.evidence.phrase for each in ranked)
    more = _UNMET_PHRASE if unmet else 0.0
    if ranked[0].in_talk:
        cosine = max(each.evidence.vector for each in ranked)
        return ranked[0].score + _COSINE_OF_TALK * cosine >= _LEAST_TALK + more
    return max(each.own for each in ranked[:_LOOKED_AT]) >= _LEAST_ALONE + more

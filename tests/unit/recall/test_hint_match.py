"""How much a known question is the one asked, and that it answers although nothing else matches."""

import pytest

from intaglio.recall.hints import hint_match
from intaglio.recall.ranking.cutoff import Scored, answers
from intaglio.recall.ranking.signals import MatchEvidence


@pytest.mark.parametrize(("share", "match"), [(0.0, 0.0), (0.5, 0.0), (0.75, 0.5), (1.0, 1.0)])
def test_half_of_the_words_in_common_say_nothing(share: float, match: float) -> None:
    assert hint_match(share) == match


def test_what_answers_nearly_the_same_question_is_an_answer() -> None:
    def scored(hint: float) -> Scored:
        evidence = MatchEvidence(meaning=0.05, words=0.0, vector=0.05, hint=hint)
        return Scored(0.1, evidence, coverage=0.0)

    found = [scored(0.9), scored(0.3), *(scored(0.0) for _ in range(5))]
    assert answers(found, names_phrase=False) == [True, *[False] * 6]

"""The signals of ranking, their weights, the cut and the reasons."""

from dataclasses import replace

import pytest

from intaglio.memory.values import MemoryText, Scope
from intaglio.recall.ranking.cutoff import Scored, answers
from intaglio.recall.ranking.reasons import close_words, reasons
from intaglio.recall.ranking.signals import (
    SIGNAL_NAMES,
    WEIGHTS,
    MatchEvidence,
    TalkEvidence,
    contributions,
)

TALK = TalkEvidence(
    previous=0.3,
    next=None,
    after_question=True,
    is_question=False,
    coverage=0.5,
    by_named_speaker=True,
    date=1.0,
    session=0.5,
    session_matches=4,
    words=12,
)
TURN = MatchEvidence(meaning=0.4, words=0.5, vector=0.2, phrase=0.0, talk=TALK)
ALONE = replace(TURN, talk=None)
MEMORY = MemoryText(1, "x", "", "Ada", Scope(), "s", "2026-03-01T00:00:00.000Z")


def test_every_signal_has_its_own_name_and_a_reason() -> None:
    assert len(SIGNAL_NAMES) == len(WEIGHTS)
    assert all(each.reason.endswith(".") for each in WEIGHTS)


def test_a_memory_outside_a_conversation_has_no_conversation_signals() -> None:
    assert set(contributions(ALONE)) == {"meaning", "words", "vector", "phrase", "hint"}
    assert set(contributions(TURN)) == SIGNAL_NAMES


def test_a_missing_neighbour_counts_slightly_less_than_the_turn_itself() -> None:
    shares = contributions(TURN)
    assert shares["next"] == pytest.approx(0.3 * 0.8 * 0.4)
    assert shares["previous"] == pytest.approx(0.3 * 0.3)


@pytest.mark.parametrize("name", sorted(SIGNAL_NAMES))
def test_each_signal_can_be_left_out(name: str) -> None:
    assert contributions(TURN, frozenset({name})) == {
        key: value for key, value in contributions(TURN).items() if key != name
    }


def alone(score: float, meaning: float, coverage: float = 1.0, phrase: float = 0.0) -> Scored:
    return Scored(score, replace(ALONE, meaning=meaning, phrase=phrase), coverage)


def test_a_poor_best_result_means_no_answer() -> None:
    assert answers([alone(0.3, 0.1, 0.0)], names_phrase=False) == [False]
    poor = replace(TURN, meaning=0.1)
    assert answers([Scored(0.7, poor, 0.0)], names_phrase=False) == [False]
    assert answers([], names_phrase=False) == []


def test_results_far_below_the_best_are_dropped_unless_they_match_well() -> None:
    found = [alone(1.5, 0.5), alone(1.2, 0.5), alone(0.4, 0.5), alone(0.4, 0.1)]
    assert answers(found, names_phrase=False) == [True, True, True, False]


def test_a_loose_match_far_above_the_rest_answers_in_a_small_store() -> None:
    found = [alone(0.6, 0.22, 0.0), alone(0.1, -0.02, 0.0)]
    assert answers(found, names_phrase=False) == [True, False]
    assert answers(found[:1], names_phrase=False) == [True]
    crowd = [*found[:1], *(alone(0.5, 0.18, 0.0) for _ in range(5))]
    assert not any(answers(crowd, names_phrase=False))


def test_a_literal_match_always_answers() -> None:
    weak = [alone(1.0, 0.2, 0.1), replace(alone(0.1, 0.0), is_literal=True)]
    assert answers(weak, names_phrase=True) == [False, True]


def test_a_memory_without_a_vector_yet_is_judged_by_its_words() -> None:
    fresh = replace(alone(0.2, 0.15, 0.3), is_embedded=False)
    assert answers([fresh], names_phrase=False) == [True]
    assert answers([replace(fresh, coverage=0.1)], names_phrase=False) == [False]


def test_a_memory_that_stands_alone_needs_a_match_of_its_own() -> None:
    found = [alone(1.0, 0.5), alone(0.9, 0.05)]
    assert answers(found, names_phrase=False) == [True, False]


def test_a_name_that_no_candidate_contains_raises_the_floor() -> None:
    def pair(phrase: float) -> list[Scored]:
        return [alone(1.0, 0.25, phrase=phrase)] * 2

    assert all(answers(pair(0.0), names_phrase=False))
    assert not any(answers(pair(0.0), names_phrase=True))
    assert all(answers(pair(1.0), names_phrase=True))


def test_the_reasons_explain_why_a_turn_was_found() -> None:
    assert reasons(MEMORY, TURN, "slow uploads") == (
        "matches 'slow uploads' by meaning",
        "said by Ada",
        "said in 2026-03",
        "said in the same conversation as other matches",
    )


def test_a_turn_beside_a_better_match_says_so() -> None:
    after = replace(TURN, meaning=0.2)
    assert "said in answer to a matching question" in reasons(MEMORY, after, "")
    beside = replace(after, talk=replace(TALK, after_question=False))
    assert "said right beside something that matches" in reasons(MEMORY, beside, "")


def test_a_known_question_is_named_if_it_is_nearly_the_one_asked() -> None:
    assert reasons(MEMORY, replace(ALONE, hint=0.8), "") == ("answers nearly the same question",)
    assert reasons(MEMORY, replace(ALONE, hint=0.2), "") == ()


def test_an_exact_phrase_is_named_first() -> None:
    found = reasons(MEMORY, replace(ALONE, phrase=1.0), "")
    assert found == ("contains the exact phrase",)


def test_words_are_close_if_all_their_pieces_match_and_they_are_not_literal() -> None:
    words = ("slow", "up", "up", "loads", "the")
    assert close_words(words, (0.6, 0.5, 0.1, 0.7, 0.9), frozenset({"the"})) == "slow loads"

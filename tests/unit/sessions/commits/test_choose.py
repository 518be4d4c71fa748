"""Which commits a prompt is told."""

from dataclasses import replace

from fakes.commit_messages import commit
from intaglio.recall.commits.commit_recall import CommitMatch, CommitMeaning, CommitSignals
from intaglio.sessions.commits.choose import (
    BELOW_FLOOR,
    FIRST_PROMPT,
    MOST_TOLD,
    OTHERS_FIRST,
    ScoredCommit,
    choose_commits,
    in_order,
    score_of,
)

STRONG = CommitSignals(
    words=0.6, lead=0.2, link=0.5, prose=1.0, meaning=CommitMeaning(match=1.3, lead=0.3)
)
WEAK = CommitSignals(
    words=0.1, lead=0.0, link=0.0, prose=0.2, meaning=CommitMeaning(match=0.5, lead=0.0)
)
WORDS = 20


def match(signals: CommitSignals, number: int = 1) -> CommitMatch:
    return CommitMatch(commit(number=number), signals, (), "")


def told(*matches: CommitMatch) -> list[str]:
    choice = choose_commits(matches, WORDS, FIRST_PROMPT, lambda _: "")
    return [each.match.commit.hash[:8] for each in choice.told]


def test_a_commit_that_matches_well_is_told_and_another_is_not() -> None:
    choice = choose_commits([match(WEAK, 2), match(STRONG)], WORDS, FIRST_PROMPT, lambda _: "")
    assert [each.match.commit.hash[:8] for each in choice.told] == ["00000001"]
    assert [why for _, why in choice.left_out] == [OTHERS_FIRST]


def test_nothing_is_told_if_the_best_matches_too_little() -> None:
    choice = choose_commits([match(WEAK)], WORDS, FIRST_PROMPT, lambda _: "")
    assert choice.told == ()
    assert [why for _, why in choice.left_out] == [BELOW_FLOOR]


def test_what_comes_near_the_best_is_told_with_it() -> None:
    weaker = replace(STRONG, link=0.3)
    assert told(match(weaker, 9), match(STRONG, 3)) == ["00000003", "00000009"]


def test_a_few_are_told_at_most() -> None:
    choice = choose_commits(
        [match(STRONG, number) for number in range(1, 8)], WORDS, FIRST_PROMPT, lambda _: ""
    )
    assert len(choice.told) == MOST_TOLD
    assert {why for _, why in choice.left_out} == {OTHERS_FIRST}


def ordered(*scores: tuple[int, float]) -> list[int]:
    """Return the numbers of commits in the order in which they are told; higher ones are newer."""
    told = [ScoredCommit(match(STRONG, number), score) for number, score in scores]
    return [each.match.commit.seq for each in in_order(told)]


def test_of_commits_that_match_nearly_as_well_the_newest_is_told_first() -> None:
    assert ordered((3, 0.8), (9, 0.7), (5, 0.6)) == [9, 5, 3]


def test_a_commit_that_is_clearly_likelier_stands_before_newer_ones() -> None:
    assert ordered((3, 0.95), (7, 0.8), (9, 0.6)) == [3, 9, 7]


def test_near_certainty_is_told_from_likelihood() -> None:
    assert ordered((3, 0.999), (9, 0.95)) == [3, 9]
    assert ordered((3, 1.0), (9, 1.0)) == [9, 3]


def test_what_takes_back_the_best_stands_before_it() -> None:
    best = ScoredCommit(match(STRONG, 3), 0.95)
    revert = commit(number=9, kind="revert", reverts=best.match.commit.hash)
    others = ScoredCommit(match(STRONG, 8), 0.6)
    told = [best, ScoredCommit(CommitMatch(revert, WEAK, (), ""), 0.55), others]
    assert [each.match.commit.seq for each in in_order(told)] == [9, 3, 8]


def test_of_none_none_is_told() -> None:
    assert in_order([]) == []


def test_what_may_not_be_told_leaves_room_for_the_next_one() -> None:
    choice = choose_commits(
        [match(STRONG, 1), match(replace(STRONG, link=0.4), 2)],
        WORDS,
        FIRST_PROMPT,
        lambda each: "told before" if each.commit.seq == 1 else "",
    )
    assert [each.match.commit.seq for each in choice.told] == [2]
    assert [why for _, why in choice.left_out] == ["told before"]


def test_a_prompt_of_few_words_needs_a_better_match() -> None:
    assert score_of(STRONG, 5) < score_of(STRONG, 20)


def test_a_commit_without_a_vector_is_judged_by_its_words() -> None:
    assert score_of(replace(STRONG, meaning=None), WORDS) > FIRST_PROMPT.score
    assert score_of(replace(WEAK, meaning=None), WORDS) < FIRST_PROMPT.score

"""Chooses the commits that a prompt is told; pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp
from operator import mul
from typing import Final

from intaglio.commits.search import CommitMatch, CommitSignals

MOST_TOLD: Final = 3
_MOST_LISTED: Final = 6
# A logistic regression over questions on real histories (`bench commits --fit`).
_ODDS: Final = -4.0
_WEIGHTS: Final = (6.0, 4.0, 3.0, 2.0)
# What stands beside the best has to come near it.
_NEAR: Final = 0.6

BELOW_FLOOR: Final = "It matches the prompt too little."
OTHERS_FIRST: Final = "Other commits match better."


@dataclass(frozen=True, slots=True)
class CommitFloor:
    """The least score of a commit that is told, and the least words of a prompt that tells any."""

    score: float
    least_words: int


FIRST_PROMPT: Final = CommitFloor(0.5, least_words=4)
LATER_PROMPT: Final = CommitFloor(0.75, least_words=6)


@dataclass(frozen=True, slots=True)
class ScoredCommit:
    """A commit and how surely (0 to 1) it answers the prompt."""

    match: CommitMatch
    score: float


@dataclass(frozen=True, slots=True)
class CommitChoice:
    """The commits that are told, newest first, and those that aren't, best first, with reasons."""

    told: tuple[ScoredCommit, ...]
    left_out: tuple[tuple[ScoredCommit, str], ...]


def score_of(signals: CommitSignals) -> float:
    """Return how surely (0 to 1) a commit answers a prompt."""
    values = (signals.words, signals.lead, signals.link, signals.names)
    return 1 / (1 + exp(-_ODDS - sum(map(mul, _WEIGHTS, values))))


def choose_commits(
    matches: Sequence[CommitMatch],
    floor: CommitFloor,
    why_silent: Callable[[CommitMatch], str],
) -> CommitChoice:
    """Choose those that match best; ``why_silent`` says why one isn't told, "" if it may be."""
    ranked = sorted(
        (ScoredCommit(each, score_of(each.signals)) for each in matches),
        key=lambda each: (-each.score, each.match.commit.hash),
    )
    told: list[ScoredCommit] = []
    left: list[tuple[ScoredCommit, str]] = []
    for each in ranked:
        if each.score < floor.score:
            left.append((each, BELOW_FLOOR))
        elif why := why_silent(each.match):
            left.append((each, why))
        elif told and (len(told) >= MOST_TOLD or each.score < _NEAR * told[0].score):
            left.append((each, OTHERS_FIRST))
        else:
            told.append(each)
    told.sort(key=lambda each: each.match.commit.committed_at, reverse=True)
    return CommitChoice(tuple(told), tuple(left[:_MOST_LISTED]))

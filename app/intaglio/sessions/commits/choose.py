"""Chooses the commits that a prompt is told; pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp
from operator import mul
from typing import Final

from intaglio.recall.commits.commit_recall import CommitMatch, CommitSignals

MOST_TOLD: Final = 3
_MOST_LISTED: Final = 6
# Logistic regressions over questions on real histories (0086), each of the signals in the order of
# `score_of`: with vectors, and by words alone.
_ODDS: Final = -8.97
_WEIGHTS: Final[tuple[float, ...]] = (2.14, 8.98, 15.09, 4.01, 3.59, 2.17)
_ODDS_BY_WORDS: Final = -7.0
_WEIGHTS_BY_WORDS: Final[tuple[float, ...]] = (0.29, 36.54, 4.67, 3.91, 1.8)
_MANY_WORDS: Final = 24
# What stands beside the best has to come near it.
_NEAR: Final = 0.5
# The best stands before newer ones if its odds are more than so many times theirs: then they are
# rather about something else than about what became of it.
_CLEARLY: Final = 3.0

BELOW_FLOOR: Final = "It matches the prompt too little."
OTHERS_FIRST: Final = "Other commits match better."


@dataclass(frozen=True, slots=True)
class CommitFloor:
    """The least score of a commit that is told, and the least words of a prompt that tells any."""

    score: float
    least_words: int


FIRST_PROMPT: Final = CommitFloor(0.33, least_words=4)
LATER_PROMPT: Final = CommitFloor(0.8, least_words=6)


@dataclass(frozen=True, slots=True)
class ScoredCommit:
    """A commit and how surely (0 to 1) it answers the prompt."""

    match: CommitMatch
    score: float


@dataclass(frozen=True, slots=True)
class CommitChoice:
    """The commits that are told, and those that aren't with the reason; each best first."""

    told: tuple[ScoredCommit, ...]
    left_out: tuple[tuple[ScoredCommit, str], ...]


def values_of(signals: CommitSignals, words: int) -> tuple[float, ...]:
    """Return what the score of a commit is made of, for a prompt of so many words.

    Few words match anything.
    """
    rest = (signals.lead, signals.link, signals.prose, min(1.0, words / _MANY_WORDS))
    meaning = signals.meaning
    return (signals.words, *rest) if meaning is None else (meaning.match, meaning.lead, *rest)


def score_of(signals: CommitSignals, words: int) -> float:
    """Return how surely (0 to 1) a commit answers a prompt of so many words."""
    odds, weights = _ODDS, _WEIGHTS
    if signals.meaning is None:
        odds, weights = _ODDS_BY_WORDS, _WEIGHTS_BY_WORDS
    return 1 / (1 + exp(-odds - sum(map(mul, weights, values_of(signals, words)))))


def choose_commits(
    matches: Sequence[CommitMatch],
    words: int,
    floor: CommitFloor,
    why_silent: Callable[[CommitMatch], str],
) -> CommitChoice:
    """Choose those that match best; ``why_silent`` says why one isn't told, "" if it may be."""
    ranked = sorted(
        (ScoredCommit(each, score_of(each.signals, words)) for each in matches),
        key=lambda each: (-each.score, each.match.commit.hash),
    )
    told: list[ScoredCommit] = []
    left: list[tuple[ScoredCommit, str]] = []
    for each in ranked:
        if not told and each.score < floor.score:
            left.append((each, BELOW_FLOOR))
        elif why := why_silent(each.match):
            left.append((each, why))
        elif told and (len(told) >= MOST_TOLD or each.score < _NEAR * told[0].score):
            left.append((each, OTHERS_FIRST))
        else:
            told.append(each)
    return CommitChoice(tuple(told), tuple(left[:_MOST_LISTED]))


def in_order(told: Sequence[ScoredCommit]) -> list[ScoredCommit]:
    """Return commits, given best first, in the order in which they are told.

    The newest stands first. Those that are clearly less likely to answer than the best follow,
    unless they take back one that isn't.
    """
    leading = {each.match.commit.hash for each in told if not _is_clear(told[0], each)}
    leading |= {each.match.commit.hash for each in told if each.match.commit.reverts in leading}
    newest = sorted(told, key=lambda each: each.match.commit.committed_at, reverse=True)
    return sorted(newest, key=lambda each: each.match.commit.hash not in leading)


def _is_clear(best: ScoredCommit, other: ScoredCommit) -> bool:
    """Whether the odds of the best are clearly higher; both scores may be 1."""
    return best.score * (1 - other.score) > _CLEARLY * other.score * (1 - best.score)

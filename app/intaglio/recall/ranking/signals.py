"""The signals that rank candidates, and their weights; pure functions.

There are two kinds of memories. A turn of a conversation is short and stands between other turns,
which say what it is about. Everything else (statements, notes, documents) stands alone. The weights
come from 0051-late-interaction.md, which also lists what each signal contributes.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class SignalWeight:
    """A signal's weight for turns of a conversation and for all other memories, and the reason."""

    name: str
    talk: float
    alone: float
    reason: str


WEIGHTS: Final = (
    SignalWeight("meaning", 1.2, 1.68, "The best single signal: each word at its best match."),
    SignalWeight("words", 0.0, 0.28, "Literal words, by BM25: a tie-breaker for what is named."),
    SignalWeight("vector", 0.0, 0.84, "The whole text's meaning; turns have it from neighbours."),
    SignalWeight("coverage", 0.2, 0.0, "The question's words in the turn or right beside it."),
    SignalWeight("previous", 0.3, 0.0, "What was said before tells what a turn is about."),
    SignalWeight("next", 0.3, 0.0, "So does what was said after it."),
    SignalWeight("answer", 0.24, 0.0, "A turn after a matching question is likely its answer."),
    SignalWeight("question", -0.12, 0.0, "A turn that only asks answers nothing itself."),
    SignalWeight("speaker", 0.08, 0.0, "The question names who said it."),
    SignalWeight("date", 0.2, 0.0, "The question names the month or year when it was said."),
    SignalWeight("session", 0.25, 0.0, "Conversations with several matches are about the topic."),
    SignalWeight("length", 0.03, 0.0, "Of two turns alike, the longer one says more."),
    SignalWeight("hint", 0.6, 0.6, "The question is nearly one that the memory answers."),
    SignalWeight("phrase", 0.6, 0.6, "A literal phrase of the question is what was looked for."),
)
SIGNAL_NAMES: Final = frozenset(each.name for each in WEIGHTS)

_MOST_WORDS: Final = 60
_ABSENT: Final = 0.8
"""The share of its own value that stands for a turn's missing neighbour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkEvidence:
    """What a turn's conversation says about it.

    ``previous`` and ``next`` are the neighbours' values of ``meaning``, None without a neighbour;
    ``date`` is 0 to 1, ``session`` the mean of the best matches of its session, of which there are
    ``session_matches``.
    """

    previous: float | None
    next: float | None
    after_question: bool
    is_question: bool
    coverage: float
    by_named_speaker: bool
    date: float
    session: float
    session_matches: int
    words: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchEvidence:
    """The raw signals of one candidate.

    ``meaning`` is one of `TokenMatches.scores`, ``words`` its BM25 as a share (0 to 1) of the best
    candidate's, ``vector`` the cosine of question and memory, ``phrase`` 0 to 1, ``hint`` how
    much (0 to 1) the question is one that the memory is known to answer.
    """

    meaning: float
    words: float
    vector: float
    phrase: float = 0.0
    hint: float = 0.0
    talk: TalkEvidence | None = None


def contributions(
    evidence: MatchEvidence, without: frozenset[str] = frozenset()
) -> Mapping[str, float]:
    """Return what each signal adds to a candidate's score; their sum is the score.

    Signals in ``without`` are left out, to measure what they contribute.
    """
    values = _values(evidence)
    in_talk = evidence.talk is not None
    return {
        each.name: (each.talk if in_talk else each.alone) * values[each.name]
        for each in WEIGHTS
        if each.name in values and each.name not in without
    }


def _values(evidence: MatchEvidence) -> dict[str, float]:
    values = {
        "meaning": evidence.meaning,
        "words": evidence.words,
        "vector": evidence.vector,
        "phrase": evidence.phrase,
        "hint": evidence.hint,
    }
    talk = evidence.talk
    if talk is None:
        return values
    absent = _ABSENT * evidence.meaning
    previous = absent if talk.previous is None else talk.previous
    return values | {
        "coverage": talk.coverage,
        "previous": previous,
        "next": absent if talk.next is None else talk.next,
        "answer": previous if talk.after_question else 0.0,
        "question": float(talk.is_question),
        "speaker": float(talk.by_named_speaker),
        "date": talk.date,
        "session": talk.session,
        "length": math.log(1 + min(talk.words, _MOST_WORDS)),
    }

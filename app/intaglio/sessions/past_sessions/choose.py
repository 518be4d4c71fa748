"""Chooses the past sessions that a prompt is told; pure.

A session is judged as a whole: by the best of its messages, by its words, and by how much of it is
worth telling. A later session on the same subject is told before it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Final, Protocol

from intaglio.base.clock import local_day
from intaglio.recall.past.session_recall import MatchedSession
from intaglio.sessions.past_sessions.values import (
    ChosenSession,
    ReadSession,
    ScoredSession,
    SessionChoice,
)

_ENOUGH_WORDS: Final = 10
_WORDS: Final = 0.065
_VOTE: Final = 0.3
# What a message counts of which nothing is lasting, and how lasting one is that counts in full.
_LEAST_LASTING: Final = 0.6
_LASTING: Final = 0.5
ACCEPTED: Final = 0.5
"""How lasting it is that the user accepted what the agent proposed."""
_SETTLES: Final = 0.3
_SAME_SUBJECT: Final = 0.94
# It costs little to say that a later session may have changed something.
_MAY_REPLACE: Final = 0.9
# So near are sessions whose words are compared.
_MAY_AMEND: Final = 0.85
# Beginnings of sessions are alike; what was settled in another repository isn't.
_LEAST_SETTLED: Final = 0.55
# A later session on the subject matches the prompt, too, if not as well.
_AMENDS: Final = 0.8
_MAX_AMENDING: Final = 2
_AS_GOOD: Final = 0.985
_MAX_LISTED: Final = 6
# What matches less surely is told in fewer words, and so is what stands beside the best.
_STRONG: Final = 1.6
_STRONG_SHARE: Final = 0.6
_WEAK_SHARE: Final = 0.4

NOT_SETTLED: Final = "Nothing that was settled there matches the prompt."
BELOW_FLOOR: Final = "What was said there matches the prompt too little."
OTHER_SUBJECT: Final = "Another session matches better."
BEST: Final = "It matches the prompt best."
CHANGES_IT: Final = "It is later, and on the subject of a session that matches."
BEFORE_IT: Final = "It matches, and a later session is on the same subject."
AS_GOOD: Final = "It matches the prompt nearly as well as the best."


class SubjectComparison(Protocol):
    """Compares what an earlier session settled with a later one."""

    def likeness(
        self, older: ReadSession, newer: ReadSession, *, whole: bool = False
    ) -> float | None:
        """Tell how much they are about the same subject; None if only words can tell.

        What matches the prompt of the earlier one counts, or the ``whole`` of it.
        """
        ...

    def amends(self, newer: ReadSession, older: ReadSession) -> bool:
        """Whether the later one contradicts the earlier by its words."""
        ...

    def others_after(self, older: ReadSession, likeness: float) -> Sequence[str]:
        """Return when sessions ended that didn't match, are later, and are as much alike."""
        ...


@dataclass(frozen=True, slots=True)
class Floors:
    """The least score of a session that is told, and the least words of a prompt that tells any.

    ``by_words`` holds where words alone decide: it is BM25 for each word of the prompt. Fewer words
    match anything: each one below ten raises the floor by ``each_missing_word``. ``lists_near`` is
    set if sessions that come near are listed even where none can reach the floor. Meanings are
    compared only if a session's words match ``least_per_word``.
    """

    by_meaning: float
    by_words: float
    least_words: int
    each_missing_word: float
    lists_near: bool = False
    least_per_word: float = 0.0

    def least(self, words: int, *, by_meaning: bool) -> float:
        """Return the least score with a prompt of so many words that aren't stop words."""
        if words < self.least_words:
            return inf
        floor = self.by_meaning if by_meaning else self.by_words
        return floor + self.each_missing_word * max(0, _ENOUGH_WORDS - words)


FIRST_PROMPT: Final = Floors(1.2, 1.6, least_words=5, each_missing_word=0.06, lists_near=True)
# Without a session on the subject, nine prompts in ten match less than this for each word.
LATER_PROMPT: Final = Floors(1.7, 2.2, least_words=8, each_missing_word=0.1, least_per_word=1.2)


def lasting_by_message(session: ReadSession) -> Mapping[str, float]:
    """Return how lasting the surest sentence of each message is, by message id."""
    found: dict[str, float] = {}
    for each in session.sentences:
        if not each.hidden:
            found[each.message_id] = max(each.confidence, found.get(each.message_id, 0.0))
    for message in session.messages:
        if message.number in session.accepted:
            found[message.message_id] = ACCEPTED
    return found


def settled_messages(session: ReadSession) -> list[int]:
    """Return the rows of the messages that settle something, those that match best first."""
    lasting = lasting_by_message(session)
    matched = session.match.messages
    found = [
        each.number
        for each in session.messages
        if lasting.get(each.message_id, 0.0) >= _SETTLES and each.number in matched
    ]
    return sorted(found, key=lambda number: -matched[number])


def score(session: ReadSession, vote: float, *, by_meaning: bool) -> float:
    """Return how surely a prompt is about what was settled in a session.

    ``vote`` (0 to 1) is how well one of its memories answers the prompt.
    """
    match = session.match
    if not by_meaning:
        return match.per_word + vote
    return match.meaning + settled_match(session) + _WORDS * match.per_word + _VOTE * vote


def highest_score(match: MatchedSession, vote: float, *, by_meaning: bool) -> float:
    """Return a bound of the `score` of a session that hasn't been read."""
    if not by_meaning:
        return match.per_word + vote
    return 2 * match.meaning + _WORDS * match.per_word + _VOTE * vote


def settled_match(session: ReadSession) -> float:
    """Return how well its best message matches by meaning, weighed by how lasting it is."""
    lasting = lasting_by_message(session)
    ids = {each.number: each.message_id for each in session.messages}
    return max(
        (
            value
            * (
                _LEAST_LASTING
                + (1 - _LEAST_LASTING) * min(1.0, lasting.get(ids.get(number, ""), 0.0) / _LASTING)
            )
            for number, value in session.match.messages.items()
        ),
        default=0.0,
    )


def choose(
    scored: Sequence[ScoredSession],
    floor: float,
    subjects: SubjectComparison,
    known: Sequence[ScoredSession] = (),
) -> SessionChoice:
    """Choose what is told: the best session, and those on its subject; newest first.

    ``known`` are sessions that aren't told, such as those that were told before.
    """
    ranked = sorted(scored, key=lambda each: -each.score)
    best = next((each for each in ranked if each.score >= floor and _has_settled(each)), None)
    if best is None:
        return SessionChoice((), _left_out(ranked, (), floor), floor)
    return _Choice(ranked, best, floor, subjects, known).choice()


@dataclass(frozen=True)
class _Choice:
    """The choice among sessions, ranked by score, around the one that matches best."""

    ranked: Sequence[ScoredSession]
    best: ScoredSession
    floor: float
    subjects: SubjectComparison
    known: Sequence[ScoredSession]
    _related: dict[tuple[int, int], bool] = field(default_factory=dict[tuple[int, int], bool])

    def choice(self) -> SessionChoice:
        """Choose what stands beside the best, and say what may have been replaced."""
        told = sorted(self._told(), key=lambda one: one[0].session.at, reverse=True)
        sessions = [each for each, _ in told]
        strong = _STRONG_SHARE if len(told) > 1 else 1.0
        share = strong if self.best.score >= _STRONG else _WEAK_SHARE
        chosen: list[ChosenSession] = []
        for each, reason in told:
            replaced_on, is_told = self._replaced_on(each, sessions)
            own = share if each is self.best else _WEAK_SHARE
            chosen.append(ChosenSession(each, reason, own, replaced_on, is_told=is_told))
        return SessionChoice(
            tuple(chosen), _left_out(self.ranked, sessions, self.floor), self.floor
        )

    def _told(self) -> list[tuple[ScoredSession, str]]:
        best, amending = self.best, self._amending(self.best)
        if amending:
            return [(best, BEFORE_IT), *((each, CHANGES_IT) for each in amending)]
        least = max(self.floor, _AS_GOOD * best.score)
        for each in self.ranked:
            if each is not best and each.score >= least and _has_settled(each):
                if self._is_same_subject(best, each):
                    return [(best, BEST), (each, BEFORE_IT)]
                newer = self._amending(each)
                return [(best, BEST), (newer[0] if newer else each, AS_GOOD)]
        return [(best, BEST)]

    def _amending(self, older: ScoredSession) -> list[ScoredSession]:
        """Return the latest sessions on its subject that match the prompt, too."""
        later = [
            each
            for each in self.ranked
            if each.session.at > older.session.at and self._amends(older, each)
        ]
        return sorted(later, key=lambda each: each.session.at, reverse=True)[:_MAX_AMENDING]

    def _amends(self, older: ScoredSession, newer: ScoredSession) -> bool:
        matches = newer.score >= min(self.floor, _AMENDS * older.score)
        return matches and self._is_same_subject(older, newer)

    def _is_same_subject(self, one: ScoredSession, other: ScoredSession) -> bool:
        older, newer = sorted((one.session, other.session), key=lambda each: each.at)
        key = older.transcript, newer.transcript
        if key not in self._related:
            near = self.subjects.likeness(older, newer)
            self._related[key] = (near is not None and near >= _SAME_SUBJECT) or (
                (near is None or near >= _MAY_AMEND) and self.subjects.amends(newer, older)
            )
        return self._related[key]

    def _replaced_on(self, each: ScoredSession, told: Sequence[ScoredSession]) -> tuple[str, bool]:
        """Return the day of the latest session on its subject, and whether one is told."""
        newer = [
            one
            for one in (*self.ranked, *self.known)
            if one.session.at > each.session.at and self._may_replace(each, one)
        ]
        days = [one.session.at for one in newer if one in told] or [
            *(one.session.at for one in newer),
            *self.subjects.others_after(each.session, _MAY_REPLACE),
        ]
        return (local_day(max(days)) if days else ""), any(one in told for one in newer)

    def _may_replace(self, older: ScoredSession, newer: ScoredSession) -> bool:
        near = self.subjects.likeness(older.session, newer.session, whole=True)
        return (near is not None and near >= _MAY_REPLACE) or self._amends(older, newer)


def _has_settled(each: ScoredSession) -> bool:
    matches = each.session.match.messages
    return not matches or settled_match(each.session) >= _LEAST_SETTLED


def _left_out(
    ranked: Sequence[ScoredSession], told: Sequence[ScoredSession], floor: float
) -> tuple[tuple[ScoredSession, str], ...]:
    rest = [each for each in ranked if each not in told][:_MAX_LISTED]
    return tuple((each, _why_not(each, floor)) for each in rest)


def _why_not(each: ScoredSession, floor: float) -> str:
    if each.score < floor:
        return BELOW_FLOOR
    return OTHER_SUBJECT if _has_settled(each) else NOT_SETTLED

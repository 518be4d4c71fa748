"""Chooses the past sessions that a prompt is told; pure functions.

A session is judged as a whole: by the best of its messages, by its words, and by how much of it is
worth telling. A later session on the same subject is told before it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final, Protocol

from intaglio.base.clock import local_day
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
_SAME_SUBJECT: Final = 0.95
# It costs little to say that a later session may have changed something.
_MAY_REPLACE: Final = 0.9
# A later session on the subject matches the prompt, too, if not as well.
_AMENDS: Final = 0.8
_ALSO_OLDER: Final = 0.85
_AS_GOOD: Final = 0.985
_MAX_LISTED: Final = 6
# What matches less surely is told in fewer words, and so is what stands beside the best.
_STRONG: Final = 1.6
_STRONG_SHARE: Final = 0.6
_WEAK_SHARE: Final = 0.4

BELOW_FLOOR: Final = "What was said there matches the prompt too little."
OTHER_SUBJECT: Final = "Another session matches better."
BEST: Final = "It matches the prompt best."
CHANGES_IT: Final = "It is later, and on the subject of a session that matches."
BEFORE_IT: Final = "It matches, and a later session is on the same subject."
AS_GOOD: Final = "It matches the prompt nearly as well as the best."


class SubjectComparison(Protocol):
    """Tells how much two sessions are about the same subject; 0.95 and more if they are."""

    def __call__(self, one: ReadSession, other: ReadSession, *, whole: bool = False) -> float:
        """Compare what matches of the one, or the ``whole`` of it, with the other."""
        ...


@dataclass(frozen=True, slots=True)
class Floors:
    """The least score of a session that is told, and the least words of a prompt that tells any.

    ``by_words`` holds where words alone decide: it is BM25 for each word of the prompt. Fewer words
    match anything: each one below ten raises the floor by ``each_missing_word``.
    """

    by_meaning: float
    by_words: float
    least_words: int
    each_missing_word: float

    def least(self, words: int, *, by_meaning: bool) -> float:
        """Return the least score with a prompt of so many words that aren't stop words."""
        if words < self.least_words:
            return inf
        floor = self.by_meaning if by_meaning else self.by_words
        return floor + self.each_missing_word * max(0, _ENOUGH_WORDS - words)


FIRST_PROMPT: Final = Floors(1.2, 1.6, least_words=5, each_missing_word=0.06)
LATER_PROMPT: Final = Floors(1.7, 2.2, least_words=8, each_missing_word=0.1)


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
    lasting = lasting_by_message(session)
    ids = {each.number: each.message_id for each in session.messages}
    weighted = max(
        (
            value
            * (
                _LEAST_LASTING
                + (1 - _LEAST_LASTING) * min(1.0, lasting.get(ids.get(number, ""), 0.0) / _LASTING)
            )
            for number, value in match.messages.items()
        ),
        default=0.0,
    )
    return match.meaning + weighted + _WORDS * match.per_word + _VOTE * vote


def choose(
    scored: Sequence[ScoredSession],
    floor: float,
    likeness: SubjectComparison,
    known: Sequence[ScoredSession] = (),
) -> SessionChoice:
    """Choose what is told: the best session, and one on its subject; newest first.

    ``known`` are sessions that were told before.
    """
    ranked = sorted(scored, key=lambda each: -each.score)
    if not ranked or ranked[0].score < floor:
        return SessionChoice((), _left_out(ranked, (), BELOW_FLOOR), floor)
    best = ranked[0]
    alike = {id(each): likeness(best.session, each.session) for each in (*ranked[1:], *known)}
    related = [each for each in ranked[1:] if alike[id(each)] >= _SAME_SUBJECT]
    later = [
        each
        for each in related
        if each.session.at > best.session.at and each.score >= _AMENDS * best.score
    ]
    amending = max(later, key=lambda each: alike[id(each)], default=None)
    told, reasons = [best], {id(best): BEFORE_IT if amending else BEST}
    if amending is not None:
        told.append(amending)
        reasons[id(amending)] = CHANGES_IT
    else:
        near = (
            each
            for each in ranked[1:]
            if each.score >= max(floor, (_ALSO_OLDER if each in related else _AS_GOOD) * best.score)
        )
        other = next(near, None)
        if other is not None:
            told.append(other)
            reasons[id(other)] = BEFORE_IT if other in related else AS_GOOD
    ordered = sorted(told, key=lambda each: each.session.at, reverse=True)
    strong = _STRONG_SHARE if len(told) > 1 else 1.0
    shares = {id(best): strong if best.score >= _STRONG else _WEAK_SHARE}
    chosen = tuple(
        ChosenSession(
            each,
            reasons[id(each)],
            shares.get(id(each), _WEAK_SHARE),
            _replaced_on(each, (*ranked, *known), likeness),
            is_told=place > 0,
        )
        for place, each in enumerate(ordered)
    )
    return SessionChoice(chosen, _left_out(ranked, told, OTHER_SUBJECT, floor), floor)


def _replaced_on(
    each: ScoredSession, others: Sequence[ScoredSession], likeness: SubjectComparison
) -> str:
    """Return the day of the latest of the sessions that is later and on its subject."""
    newer = [
        one.session.at
        for one in others
        if one.session.at > each.session.at
        and likeness(each.session, one.session, whole=True) >= _MAY_REPLACE
    ]
    return local_day(max(newer)) if newer else ""


def _left_out(
    ranked: Sequence[ScoredSession],
    told: Sequence[ScoredSession],
    reason: str,
    floor: float = 0.0,
) -> tuple[tuple[ScoredSession, str], ...]:
    rest = [each for each in ranked if each not in told][:_MAX_LISTED]
    return tuple((each, reason if each.score >= floor else BELOW_FLOOR) for each in rest)

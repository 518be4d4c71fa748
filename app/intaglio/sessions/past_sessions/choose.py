"""Chooses the past sessions that a prompt is told; pure.

A session is judged as a whole: by the best of its messages, by its words, by how it stands among
the others, and by how much of it is worth telling. Later sessions on the same subject are told
before it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf
from operator import mul
from typing import Final

from intaglio.base.clock import local_day
from intaglio.recall.past.session_recall import MatchedSession
from intaglio.recall.past.standings import MeaningStanding, Standing
from intaglio.sessions.past_sessions.values import (
    ChosenSession,
    ReadSession,
    ScoredSession,
    SessionChoice,
)

_ENOUGH_WORDS: Final = 10
_ENOUGH_SESSIONS: Final = 12
# A logistic regression over the tasks of five authors (`bench told --fit`), shrunk so that it holds
# in projects of three and of 240 sessions, too. A first prompt is told what is a little less likely
# than not: of these authors' tasks, a quarter of its tokens are off topic then.
_ODDS: Final = -3.85
_WEIGHTS: Final = (0.6, 2.45, 0.31, 0.43, 0.46, 0.13)
# The same for a session without vectors, of which only the words are known.
_ODDS_BY_WORDS: Final = -6.85
_LASTING_BY_WORDS: Final = 3.2
_STANDING_BY_WORDS: Final = 1.07
# How much the odds rise with each session that there are too few, and with a whole vote.
_FEWER: Final = 0.1
_VOTE: Final = 0.3
# What a message counts of which nothing is lasting, and how lasting one is that counts in full.
_LEAST_LASTING: Final = 0.6
_LASTING: Final = 0.5
ACCEPTED: Final = 0.5
"""How lasting it is that the user accepted what the agent proposed."""
_SETTLES: Final = 0.3
# Beginnings of sessions are alike; what was settled in another repository isn't.
_LEAST_SETTLED: Final = 0.55
MAX_LATER: Final = 2
"""The most later sessions on the subject that are told before one."""
_MAX_LISTED: Final = 6
# What matches less surely is told in fewer words, and so is what stands beside the best.
_STRONG: Final = 0.8
_STRONG_SHARE: Final = 0.6
_WEAK_SHARE: Final = 0.4

NOT_SETTLED: Final = "Nothing that was settled there matches the prompt."
BELOW_FLOOR: Final = "What was said there matches the prompt too little."
OTHER_SUBJECT: Final = "Another session matches better."
BEST: Final = "It matches the prompt best."
CHANGES_IT: Final = "It is later, and on the subject of a session that matches."
BEFORE_IT: Final = "It matches, and a later session is on the same subject."


@dataclass(frozen=True, slots=True)
class LaterSession:
    """A later session that is about the same subject as another one.

    ``read`` is None if it can't be told: then the earlier one only names its day.
    """

    at: str
    read: ScoredSession | None = None


@dataclass(frozen=True, slots=True)
class Floors:
    """The least score of a session that is told, and the least words of a prompt that tells any.

    Fewer words match anything: each one below ten raises the floor by ``each_missing_word``.
    ``lists_near`` is set if sessions that come near are listed even where none can reach the floor.
    Meanings are compared only if a session's words match ``least_per_word``.
    """

    score: float
    least_words: int
    each_missing_word: float
    lists_near: bool = False
    least_per_word: float = 0.0

    def least(self, words: int) -> float:
        """Return the least score with a prompt of so many words that aren't stop words."""
        if words < self.least_words:
            return inf
        return self.score + self.each_missing_word * max(0, _ENOUGH_WORDS - words)


FIRST_PROMPT: Final = Floors(0.43, least_words=3, each_missing_word=0.04, lists_near=True)
# Without a session on the subject, nine prompts in ten match less than this for each word.
LATER_PROMPT: Final = Floors(0.8, least_words=8, each_missing_word=0.05, least_per_word=1.2)


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


@dataclass(frozen=True, slots=True)
class Scoring:
    """Scores the sessions that were matched with one prompt.

    ``standings`` has how each stands among the others, by transcript; ``votes`` (0 to 1, by
    session) is how well one of its memories answers the prompt.
    """

    standings: Mapping[int, Standing]
    votes: Mapping[str, float]

    def of(self, session: ReadSession) -> float:
        """Return how surely (0 to 1) a prompt is about what was settled in a session."""
        match = session.match
        if not match.messages:
            return self._score(match, (), max(lasting_by_message(session).values(), default=0.0))
        return self._score(match, (settled_match(session), _best_lasting(session)), 0.0)

    def highest(self, match: MatchedSession) -> float:
        """Return a bound of the score of a session that hasn't been read."""
        return self._score(match, (match.best, match.best), 1.0)

    def signals_of(self, session: ReadSession) -> tuple[float, ...] | None:
        """Return what the score of a session is made of; None while it has no vectors."""
        standing = self.standings[session.transcript]
        if standing.meaning is None:
            return None
        return _signals(
            standing.per_word, standing.meaning, settled_match(session), _best_lasting(session)
        )

    def _score(self, match: MatchedSession, matches: Sequence[float], lasting: float) -> float:
        standing = self.standings.get(match.session.transcript)
        if standing is None:
            return 0.0
        if standing.meaning is None:
            odds = _ODDS_BY_WORDS + _LASTING_BY_WORDS * min(1.0, lasting / _LASTING)
            odds += _STANDING_BY_WORDS * standing.per_word
        else:
            signals = _signals(standing.per_word, standing.meaning, *matches)
            odds = _ODDS + sum(map(mul, _WEIGHTS, signals))
        odds += _FEWER * max(0, _ENOUGH_SESSIONS - len(self.standings))
        odds += _VOTE * self.votes.get(match.session.session_id, 0.0)
        return 1 / (1 + exp(-odds))


def _signals(
    per_word: float, meaning: MeaningStanding, settled: float, lasting: float
) -> tuple[float, ...]:
    return settled, lasting, per_word, meaning.best_of_agent, meaning.whole, meaning.words


def _best_lasting(session: ReadSession) -> float:
    """Return how well the best message matches that settles something."""
    lasting, matched = lasting_by_message(session), session.match.messages
    return max(
        (
            matched[each.number]
            for each in session.messages
            if each.number in matched and lasting.get(each.message_id, 0.0) >= _SETTLES
        ),
        default=0.0,
    )


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
    later: Callable[[ReadSession], Sequence[LaterSession]],
    why_silent: Callable[[ReadSession], str],
) -> SessionChoice:
    """Choose what is told: the best session, and later ones on its subject; newest first.

    ``later`` returns those of a session, newest first; ``why_silent`` why nothing of a session can
    be told, "" if something can.
    """
    ranked = sorted(scored, key=lambda each: -each.score)
    silent: dict[int, str] = {}
    best: ScoredSession | None = None
    for each in ranked:
        if each.score < floor or best is not None:
            break
        why = why_silent(each.session) if _has_settled(each) else NOT_SETTLED
        if why:
            silent[each.session.transcript] = why
        else:
            best = each
    if best is None:
        return SessionChoice((), _left_out(ranked, (), floor, silent), floor)
    newer = [each.read for each in later(best.session) if each.read is not None][:MAX_LATER]
    told = [*newer, best]
    chosen: list[ChosenSession] = []
    for each in told:
        after = later(each.session)
        days = [one.at for one in after if one.read in told]
        on = max(days, default="") or max((one.at for one in after), default="")
        share, reason = _WEAK_SHARE, CHANGES_IT
        if each is best:
            reason = BEFORE_IT if newer else BEST
            if best.score >= _STRONG:
                share = _STRONG_SHARE if newer else 1.0
        replaced_on = local_day(on) if on else ""
        chosen.append(ChosenSession(each, reason, share, replaced_on, is_told=bool(days)))
    return SessionChoice(tuple(chosen), _left_out(ranked, told, floor, silent), floor)


def _has_settled(each: ScoredSession) -> bool:
    matches = each.session.match.messages
    return not matches or settled_match(each.session) >= _LEAST_SETTLED


def _left_out(
    ranked: Sequence[ScoredSession],
    told: Sequence[ScoredSession],
    floor: float,
    silent: Mapping[int, str],
) -> tuple[tuple[ScoredSession, str], ...]:
    rest = [each for each in ranked if each not in told][:_MAX_LISTED]
    return tuple(
        (
            each,
            silent.get(each.session.transcript)
            or (BELOW_FLOOR if each.score < floor else OTHER_SUBJECT),
        )
        for each in rest
    )

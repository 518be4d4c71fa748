"""Finds the past sessions that a prompt is told, and composes what is told of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isinf
from typing import Final

from intaglio.base.text import clip, estimate_tokens, storage_form
from intaglio.fence.characters import visible
from intaglio.memory.filters import Filter
from intaglio.memory.values import Memory
from intaglio.recall.past.session_recall import (
    MatchedSession,
    MatchedSessions,
    PreparedQuestion,
    SessionRecall,
)
from intaglio.recall.values import Hit
from intaglio.sessions.asked.words import AskedWords
from intaglio.sessions.past_sessions import rows
from intaglio.sessions.past_sessions.amendments import amends
from intaglio.sessions.past_sessions.choose import (
    Floors,
    choose,
    highest_score,
    score,
    settled_messages,
)
from intaglio.sessions.past_sessions.compose import (
    NOTHING_TOLD,
    ToldOfSession,
    is_tellable,
    session_line,
    told_of,
)
from intaglio.sessions.past_sessions.read import read_session
from intaglio.sessions.past_sessions.values import ChosenSession, ReadSession, ScoredSession
from intaglio.sessions.values import SessionCandidate, SessionRef
from intaglio.store.tx import ReadTx
from intaglio.transcripts.past_sessions import SessionQuestion, words_of
from intaglio.transcripts.values import PastSession, TranscriptFilter

_READ: Final = 8
_TITLE: Final = 100
# Of the messages that settled something, those that match best say what a session is about.
_COMPARED: Final = 3
ALREADY_TOLD: Final = "This session was told of it already."
NOTHING_NEW: Final = "What was settled there has been told already, or nothing was."


@dataclass(frozen=True, slots=True)
class FoundSessions:
    """The sessions that are told, as lines and with the memories in them, and all compared ones.

    A told memory isn't told by itself, too.
    """

    lines: tuple[tuple[str, tuple[Memory, ...]], ...] = ()
    compared: tuple[SessionCandidate, ...] = ()

    @property
    def memories(self) -> frozenset[str]:
        """The ids of the memories that are told."""
        return frozenset(memory.id for _, told in self.lines for memory in told)


NO_SESSIONS: Final = FoundSessions()


@dataclass(frozen=True, slots=True)
class PastSessionFinder:
    """Finds and composes; ``sanitize`` cleans a line for the fence."""

    recall: SessionRecall
    sanitize: Callable[[str], str]

    async def prepare(self, asked: AskedWords, within_s: float) -> PreparedQuestion:
        """Prepare the search for what was typed; names in pastes add to it."""
        question = SessionQuestion(asked.typed, " ".join(asked.names))
        return await self.recall.prepare(question, within_s)

    def find(  # noqa: PLR0913, PLR0917 - each is a part of the request
        self,
        tx: ReadTx,
        prepared: PreparedQuestion,
        session: SessionRef,
        filters: Filter,
        hits: tuple[Hit, ...],
        seen: Mapping[str, str],
        tokens: int,
        floors: Floors,
    ) -> FoundSessions:
        """Return what is told within a number of tokens."""
        wanted = TranscriptFilter(
            reader=filters.reader,
            projects=(filters.project, *filters.project_aliases),
            without=session.key,
        )
        words = len(words_of(tx, prepared.question.text))
        if isinf(floors.least(words, by_meaning=True)):
            return NO_SESSIONS
        matched = self.recall.find(tx, prepared, wanted, floors.least_per_word)
        if not matched.sessions:
            return NO_SESSIONS
        votes = _votes(hits)
        floor = floors.least(words, by_meaning=matched.by_meaning)
        nearest = _nearest(matched, votes)
        if not floors.lists_near and _bound(nearest[0], votes, matched) < floor:
            return NO_SESSIONS
        known = rows.told_in(tx, *session.key)
        read = [read_session(tx, each, filters) for each in nearest]
        scored = [_scored(each, votes, matched) for each in read]
        tellable = [
            each
            for each in scored
            if each.session.transcript not in known and is_tellable(each.session, tokens, seen)
        ]
        others = [each for each in scored if each not in tellable]
        subjects = _Subjects(matched, lambda: self.recall.compared(tx, matched))
        choice = choose(tellable, floor, subjects, others)
        lines: list[tuple[str, tuple[Memory, ...]]] = []
        compared: list[SessionCandidate] = []
        left = tokens
        for each in choice.told:
            told, line, used = self._line(each, min(left, int(tokens * each.share)), seen)
            compared.append(_candidate(each.scored, floor, each.reason, told))
            if line:
                lines.append((line, told.memories))
                left -= used
        compared += [_candidate(each, floor, why, None) for each, why in choice.left_out]
        compared += [
            _candidate(
                each,
                floor,
                ALREADY_TOLD if each.session.transcript in known else NOTHING_NEW,
                None,
            )
            for each in others
        ]
        return FoundSessions(tuple(lines), tuple(compared))

    def _line(
        self, chosen: ChosenSession, tokens: int, seen: Mapping[str, str]
    ) -> tuple[ToldOfSession, str, int]:
        session = chosen.scored.session
        told = told_of(session, tokens, seen)
        if told is NOTHING_TOLD:
            return told, "", 0
        line = self.sanitize(
            session_line(session.at, told.lines, chosen.replaced_on, is_told=chosen.is_told)
        )
        return told, line, estimate_tokens(line + "\n")


def _nearest(matched: MatchedSessions, votes: Mapping[str, float]) -> list[MatchedSession]:
    """Return the sessions that are worth reading, those that may score highest first."""
    return sorted(matched.sessions, key=lambda each: -_bound(each, votes, matched))[:_READ]


def _bound(match: MatchedSession, votes: Mapping[str, float], matched: MatchedSessions) -> float:
    vote = votes.get(match.session.session_id, 0.0)
    return highest_score(match, vote, by_meaning=matched.by_meaning)


def _votes(hits: tuple[Hit, ...]) -> Mapping[str, float]:
    """Return how well the best memory of each session answers the prompt, 0 to 1."""
    found: dict[str, float] = {}
    for hit in hits:
        session = hit.memory.session_id
        if session:
            match = hit.signals.own_match
            vote = min(1.0, hit.score if match is None else match)
            found[session] = max(vote, found.get(session, 0.0))
    return found


def _scored(
    read: ReadSession, votes: Mapping[str, float], matched: MatchedSessions
) -> ScoredSession:
    vote = votes.get(read.match.session.session_id, 0.0)
    return ScoredSession(read, score(read, vote, by_meaning=matched.by_meaning))


@dataclass(frozen=True, slots=True)
class _Subjects:
    """Compares sessions by the vectors of their messages, and by their words.

    ``others`` reads when the sessions were that were compared, and don't match.
    """

    matched: MatchedSessions
    others: Callable[[], Sequence[PastSession]]

    def likeness(
        self, older: ReadSession, newer: ReadSession, *, whole: bool = False
    ) -> float | None:
        return self._likeness(older, newer.transcript, whole=whole)

    def amends(self, newer: ReadSession, older: ReadSession) -> bool:
        return amends(newer, older)

    def others_after(self, older: ReadSession, likeness: float) -> Sequence[str]:
        return [
            each.ended_at
            for each in self.others()
            if each.ended_at > older.at
            and (self._likeness(older, each.transcript, whole=True) or 0.0) >= likeness
        ]

    def _likeness(self, older: ReadSession, newer: int, *, whole: bool) -> float | None:
        vectors = self.matched.likeness
        if vectors is None:
            return None
        settled = settled_messages(older)
        return vectors.between(older.transcript, settled if whole else settled[:_COMPARED], newer)


def _candidate(
    scored: ScoredSession, floor: float, reason: str, told: ToldOfSession | None
) -> SessionCandidate:
    session = scored.session
    return SessionCandidate(
        transcript=session.transcript,
        number=session.number,
        harness=session.match.session.harness,
        session_id=session.match.session.session_id,
        title=clip(storage_form(visible(session.title[:1_000])), _TITLE),
        at=session.at,
        score=round(scored.score, 3),
        floor=floor,
        shown=bool(told and told.lines),
        reason=reason,
        lines=told.lines if told else (),
    )

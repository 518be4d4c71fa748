"""Finds the past sessions that a prompt is told, and composes what is told of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isinf
from typing import Final

from intaglio.base.text import clip, estimate_tokens, storage_form
from intaglio.fence.characters import visible
from intaglio.memory.filters import Filter
from intaglio.memory.values import Memory
from intaglio.recall.past.session_recall import MatchedSession, PreparedQuestion, SessionRecall
from intaglio.recall.past.standings import standings
from intaglio.recall.values import Hit
from intaglio.sessions import later_session_rows as later_sessions
from intaglio.sessions.asked.words import AskedWords
from intaglio.sessions.past_sessions import rows
from intaglio.sessions.past_sessions.choose import (
    MAX_LATER,
    Floors,
    LaterSession,
    Scoring,
    choose,
)
from intaglio.sessions.past_sessions.compose import (
    NOTHING_TOLD,
    ToldOfSession,
    is_tellable,
    session_line,
    told_of,
)
from intaglio.sessions.past_sessions.read import has_choice, read_session
from intaglio.sessions.past_sessions.replaced import ReplacedStatements, replaced_statements
from intaglio.sessions.past_sessions.values import ChosenSession, ReadSession, ScoredSession
from intaglio.sessions.values import SessionCandidate, SessionRef
from intaglio.store.tx import ReadTx
from intaglio.terms.question_words import words_of
from intaglio.transcripts.past_sessions import SessionQuestion
from intaglio.transcripts.related.values import LEAST_LIKENESS, SAME_SUBJECT
from intaglio.transcripts.values import TranscriptFilter

_READ: Final = 8
# Of later sessions, so many are read for what was chosen in them.
_MOST_LATER: Final = 4
_TITLE: Final = 100
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
        floor = floors.least(words)
        if isinf(floor):
            return NO_SESSIONS
        matched = self.recall.find(tx, prepared, wanted, floors.least_per_word)
        if not matched.sessions:
            return NO_SESSIONS
        scoring = Scoring(standings(matched.sessions), _votes(hits))
        nearest = sorted(matched.sessions, key=scoring.highest, reverse=True)[:_READ]
        if not floors.lists_near and scoring.highest(nearest[0]) < floor:
            return NO_SESSIONS
        known = rows.told_in(tx, *session.key)

        def why_silent(session: ReadSession) -> str:
            if session.transcript in known:
                return ALREADY_TOLD
            return "" if is_tellable(session, tokens, seen) else NOTHING_NEW

        replaced = replaced_statements(tx, filters)
        reading = _Reading(
            tx, self.recall, prepared, filters, wanted, scoring, why_silent, replaced
        )
        scored = [reading.read(each) for each in nearest]
        choice = choose(scored, floor, reading.later, why_silent)
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


@dataclass(frozen=True, slots=True)
class _Reading:
    """Reads and scores sessions; ``why_silent`` says why nothing of one can be told, or ""."""

    tx: ReadTx
    recall: SessionRecall
    prepared: PreparedQuestion
    filters: Filter
    wanted: TranscriptFilter
    scoring: Scoring
    why_silent: Callable[[ReadSession], str]
    replaced: ReplacedStatements
    _read: dict[int, ScoredSession] = field(default_factory=dict[int, ScoredSession])
    _later: dict[int, Sequence[LaterSession]] = field(
        default_factory=dict[int, Sequence[LaterSession]]
    )

    def read(self, match: MatchedSession) -> ScoredSession:
        """Read and score a session."""
        session = read_session(self.tx, match, self.filters, self.replaced)
        found = ScoredSession(session, self.scoring.of(session))
        self._read[session.transcript] = found
        return found

    def later(self, older: ReadSession) -> Sequence[LaterSession]:
        """Return the later sessions on the subject of one, newest first."""
        found = self._later.get(older.transcript)
        if found is None:
            found = self._later[older.transcript] = self._find_later(older)
        return found

    def _find_later(self, older: ReadSession) -> Sequence[LaterSession]:
        session = older.match.session.session_id
        # It costs little to say that a less related one may have changed something.
        found = later_sessions.later(self.tx, {session}, self.wanted, LEAST_LIKENESS)
        all_later = found.get(session, ())
        near = [each for each in all_later if each.likeness >= SAME_SUBJECT]
        sure = [each.transcript for each in near if each.lasting >= later_sessions.SETTLES]
        others = [each.transcript for each in near if each.transcript not in sure]
        first = [*dict.fromkeys(sure)][:MAX_LATER] + [*dict.fromkeys(others)][:_MOST_LATER]
        if unread := [each for each in first if each not in self._read]:
            for match in self.recall.match(self.tx, self.prepared, unread):
                self.read(match)
        after = [
            each
            for each in all_later
            if each.lasting >= later_sessions.SETTLES or self._has_choice(each.transcript)
        ]
        settled = {each.transcript for each in after}
        first = [each.transcript for each in near if each.transcript in settled.intersection(first)]
        first = [*dict.fromkeys(first)][:MAX_LATER]
        told = {
            each: read
            for each in first
            if (read := self._read.get(each)) is not None and not self.why_silent(read.session)
        }
        return [LaterSession(each.ended_at, told.get(each.transcript)) for each in after]

    def _has_choice(self, transcript: int) -> bool:
        read = self._read.get(transcript)
        return read is not None and has_choice(read.session)


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

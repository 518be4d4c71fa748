"""Finds sessions: by what was said in them, by what they led to, and by what they were told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from intaglio.finding.matching import QuestionMatcher, TextMatch
from intaglio.finding.memories import ScoredMemory
from intaglio.finding.question import parts_of
from intaglio.finding.values import Found
from intaglio.recall.past.session_recall import MatchedSession, PreparedQuestion, SessionRecall
from intaglio.session_notes.rows import summarised_with
from intaglio.sessions.overview import rows, search_rows
from intaglio.sessions.overview.descriptions import SessionDescription, describe
from intaglio.sessions.overview.values import SessionFilter, SessionOverview
from intaglio.sessions.values import SessionKey
from intaglio.store.tx import ReadTx
from intaglio.transcripts.message_search_rows import best_message, messages_with_all
from intaglio.transcripts.rows import heads, in_scope, text_of
from intaglio.transcripts.title_rows import titled_with
from intaglio.transcripts.values import TranscriptFilter

_BEGUN: Final = 12
_LOOKED_AT: Final = 7
_LEAST: Final = 0.2
# What speaks for a session besides its title, at most: that it led to a memory, or was told it.
_LED_TO: Final = 0.85
_TOLD: Final = 0.5
_JUDGED: Final = 0.6
_SUMMARISED: Final = 0.6
# Of what was said: how well the best message and the whole match, and how often words occur. The
# weights are those that found most sessions by notes about them: 0090-finding.md.
_WHOLE: Final = 1.0
_PER_WORD: Final = 0.2
_NO_MATCH: Final = 0.1
_FULL_MATCH: Final = 2.5
_SAID: Final = 0.8
# Of a session without vectors, the share of the question's words counts instead.
_SHARE: Final = 0.45
_MUCH_PER_WORD: Final = 6.0
_BEGUN_SCORE: Final = 0.43
_IN_TITLE: Final = 0.65
_BOTH: Final = 0.2


@dataclass(frozen=True, slots=True)
class FoundSession:
    """A session that matches, with what tells it apart and the passage that shows why."""

    session: SessionOverview
    description: SessionDescription
    score: float
    passage: str
    words: tuple[str, ...]


@dataclass(slots=True)
class _Candidate:
    """What speaks for a session; ``said`` is its transcript that matches best.

    ``begun`` is the row of a message with a word that begins as the last one.
    """

    score: float = 0.0
    said: MatchedSession | None = None
    transcript: int = 0
    begun: int = 0
    sentence: str = ""
    memory: str = ""

    def add(self, score: float) -> bool:
        """Count another reason; returns whether it is the best."""
        is_best = score > self.score
        # What speaks for it several times does so a little more surely.
        self.score = max(self.score, score) + 0.1 * min(self.score, score)
        return is_best


@dataclass(frozen=True, slots=True)
class SessionSearch:
    """Searches sessions in one snapshot; ``keeps_transcripts`` is False if that is off."""

    recall: SessionRecall
    matcher: QuestionMatcher
    prepared: PreparedQuestion
    keeps_transcripts: bool
    _found: dict[SessionKey, _Candidate] = field(default_factory=dict[SessionKey, _Candidate])

    def find(
        self, tx: ReadTx, wanted: SessionFilter, memories: Sequence[ScoredMemory], limit: int
    ) -> tuple[list[FoundSession], bool]:
        """Return the best sessions, best first, and whether there are more."""
        spoken = transcript_filter(wanted)
        self._add_said(tx, spoken)
        self._add_begun(tx, spoken)
        self._add_titled(tx)
        self._add_summarised(tx)
        self._add_memories(tx, memories)
        if not self.keeps_transcripts:
            self._add_judged(tx)
        texts = {each.memory.id: each.memory.content for each in memories}
        ranked = sorted(self._found.items(), key=lambda each: -each[1].score)
        likely = dict(ranked[: limit + _LOOKED_AT])
        sessions = rows.with_keys(tx, wanted, [*likely])
        described = describe(tx, sessions, wanted.reader)
        scored = [
            self._titled(each, described[each.number], likely[each.harness, each.id])
            for each in sessions
        ]
        best = sorted(
            (each for each in scored if each.score >= _LEAST),
            key=lambda each: (-each.score, each.session.last_seen_at),
        )
        shown = [self._with_passage(tx, each, texts) for each in best[:limit]]
        return shown, len(best) > limit

    def _candidate(self, key: SessionKey) -> _Candidate:
        return self._found.setdefault(key, _Candidate())

    def _add_said(self, tx: ReadTx, spoken: TranscriptFilter) -> None:
        matched = self.recall.find(tx, self.prepared, spoken, with_speakers=False)
        for each in matched.sessions:
            found = self._candidate((each.session.harness, each.session.session_id))
            if found.add(self._of_said(each)) or found.said is None:
                found.said, found.transcript = each, each.session.transcript

    def _of_said(self, match: MatchedSession) -> float:
        if match.messages:
            value = match.best + _WHOLE * match.whole + _PER_WORD * match.per_word
            return _SAID * min(1.0, max(0.0, value - _NO_MATCH) / (_FULL_MATCH - _NO_MATCH))
        total = sum(self.matcher.weights.values())
        held = sum(map(self.matcher.weight_of, {*match.session.matched}))
        share = min(1.0, held / total) if total else 0.0
        often = min(1.0, match.per_word / _MUCH_PER_WORD)
        return _SHARE * share + (_SAID - _SHARE) * often

    def _add_begun(self, tx: ReadTx, spoken: TranscriptFilter) -> None:
        """Add sessions in which a word begins as the last one does."""
        question = self.matcher.question
        if not question.start:
            return
        found = messages_with_all(tx, question.whole_words, question.start, 4 * _BEGUN)
        readable = in_scope(tx, spoken)
        known = heads(tx, [each for each in found if each in readable][:_BEGUN])
        for transcript, head in known.items():
            candidate = self._candidate((head[0], head[1]))
            candidate.score = max(candidate.score, _BEGUN_SCORE)
            candidate.transcript = candidate.transcript or transcript
            candidate.begun = found[transcript]

    def _add_titled(self, tx: ReadTx) -> None:
        """Add sessions that their harness or the user gave a title with these words."""
        for transcript, harness, session_id in titled_with(tx, parts_of(self.matcher.question)):
            candidate = self._candidate((harness, session_id))
            # How well the title matches is added once it is read.
            candidate.score = max(candidate.score, _LEAST)
            candidate.transcript = candidate.transcript or transcript

    def _add_summarised(self, tx: ReadTx) -> None:
        """Add sessions whose summary by a language model has these words."""
        for harness, session_id, text in summarised_with(tx, parts_of(self.matcher.question)):
            candidate = self._candidate((harness, session_id))
            candidate.add(_SUMMARISED * self.matcher.measure(text).share)
            candidate.sentence = candidate.sentence or text

    def _add_memories(self, tx: ReadTx, memories: Sequence[ScoredMemory]) -> None:
        scores = {each.memory.id: each.score for each in memories}
        for part, found in (
            (_LED_TO, search_rows.led_to(tx, scores)),
            (_TOLD, search_rows.told(tx, scores)),
        ):
            for key, ids in found.items():
                best = max(ids, key=scores.__getitem__)
                candidate = self._candidate(key)
                candidate.add(part * scores[best])
                candidate.memory = candidate.memory or best

    def _add_judged(self, tx: ReadTx) -> None:
        """Add sessions by what capture judged, and by the words that were searched for prompts."""
        question = self.matcher.question
        parts = [*question.whole_words, *filter(None, (question.start,))]
        for harness, session_id, sentence in (
            *search_rows.judged_with(tx, parts),
            *search_rows.asked_with(tx, parts),
        ):
            candidate = self._candidate((harness, session_id))
            candidate.add(_JUDGED * self.matcher.measure(sentence).share)
            candidate.sentence = candidate.sentence or sentence

    def _titled(
        self, session: SessionOverview, described: SessionDescription, found: _Candidate
    ) -> FoundSession:
        match = self.matcher.measure(described.title)
        by_title = match.as_title
        score = max(found.score, _IN_TITLE * by_title) + _BOTH * min(found.score, by_title)
        return FoundSession(session, described, min(1.0, score), "", match.words)

    def _with_passage(
        self, tx: ReadTx, found: FoundSession, memories: Mapping[str, str]
    ) -> FoundSession:
        candidate = self._found[found.session.harness, found.session.id]
        text = candidate.sentence
        if candidate.transcript:
            said = candidate.said
            text = best_message(
                tx,
                candidate.transcript,
                said.session.matched if said else (),
                said.messages if said else {},
            )
        if candidate.begun and not self._matches(text):
            text = text_of(tx, candidate.begun)
        if not text or not self._matches(text):
            text = memories.get(candidate.memory, text)
        match = self.matcher.measure(passage := self.matcher.passage(text))
        if passage == found.description.title:
            passage = ""
        words = tuple(dict.fromkeys((*found.words, *match.words)))
        return replace(found, passage=passage, words=words)

    def _matches(self, text: str) -> TextMatch | None:
        match = self.matcher.measure(text)
        return match if match.share else None


def transcript_filter(wanted: SessionFilter) -> TranscriptFilter:
    """Return which transcripts may be searched for the sessions that are wanted."""
    projects: tuple[str | None, ...] | None = wanted.projects or None
    return TranscriptFilter(
        reader=wanted.reader,
        projects=(None,) if wanted.global_only else projects,
        not_in=wanted.without_projects,
        harness=wanted.harness,
        of_agent=wanted.agent_id,
        said_since=wanted.active_since,
        said_before=wanted.active_until,
    )


def found_session(found: FoundSession, detail: str) -> Found:
    """Return a session as it is shown."""
    return Found(
        kind="session",
        id=str(found.session.number),
        title=found.description.title,
        text=found.passage,
        detail=detail,
        words=found.words,
        project=found.session.project,
        at=found.session.last_seen_at,
        score=round(found.score, 3),
    )

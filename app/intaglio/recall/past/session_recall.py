"""Ranks past sessions for a prompt: by the words that were said, and by meaning."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Final

from intaglio.inference.cache import QueryVectors
from intaglio.inference.ports import NotEmbedded, QuestionVector
from intaglio.language.tokens import is_mostly_cjk
from intaglio.recall.past.centroid_cache import CentroidCache
from intaglio.store.tx import ReadTx
from intaglio.transcripts import rows
from intaglio.transcripts.past_sessions import PastSessions, SessionQuestion
from intaglio.transcripts.values import PastSession, TranscriptFilter
from intaglio.transcripts.vectors import rows as vectors

if TYPE_CHECKING:
    from intaglio.recall.past.spoken_matches import SpokenMatch

# Those that match best by their words, and those that are nearest as wholes, are compared message
# by message. More of either rank no session better.
_BY_WORDS: Final = 16
_BY_MEANING: Final = 16
# Of a session, so many of the best messages are looked at for who said them.
_LEADING: Final = 12
_MAX_EMBEDDED_CHARS: Final = 2_000
# Of a project with more transcripts, the latest ones are compared by meaning.
_MAX_COMPARED: Final = 2_000


@dataclass(frozen=True, slots=True)
class MatchedSession:
    """A past session that may be about a prompt.

    ``per_word`` is its BM25 score divided by the number of the prompt's words. ``messages`` is how
    well each of its messages matches by meaning, by row; empty without vectors.
    ``best_of_agent`` is that of the agent's best one, 0 if none of its is among the first dozen.
    For ``words`` and ``whole`` see `SpokenMatch`.
    """

    session: PastSession
    per_word: float
    messages: Mapping[int, float] = field(default_factory=dict[int, float])
    best_of_agent: float = 0.0
    words: float = 0.0
    whole: float = 0.0

    @property
    def best(self) -> float:
        """How well its best message matches."""
        return max(self.messages.values(), default=0.0)


@dataclass(frozen=True, slots=True)
class MatchedSessions:
    """Sessions in no order; ``words`` are the prompt's."""

    sessions: tuple[MatchedSession, ...] = ()
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PreparedQuestion:
    """What is asked of past sessions, and its vector, if it was embedded in time."""

    question: SessionQuestion
    vector: QuestionVector | None = None


@dataclass(frozen=True, slots=True)
class SessionRecall:
    """Finds past sessions; ``model`` identifies the vectors of the included model, "" for none."""

    past: PastSessions
    questions: QueryVectors
    model: Callable[[], str]
    centroids: CentroidCache = field(default_factory=CentroidCache)

    async def prepare(self, question: SessionQuestion, within_s: float) -> PreparedQuestion:
        """Embed what is asked; recall's own question of the same text is embedded only once."""
        text = question.text[:_MAX_EMBEDDED_CHARS]
        # The included model reads English; of scripts without spaces, words tell more.
        if not self.model() or not text.strip() or is_mostly_cjk(text):
            return PreparedQuestion(question)
        found = await self.questions.ask(text, timeout_s=within_s)
        return PreparedQuestion(question, None if isinstance(found, NotEmbedded) else found)

    def find(
        self,
        tx: ReadTx,
        asked: PreparedQuestion,
        wanted: TranscriptFilter,
        least_per_word: float = 0.0,
        *,
        with_speakers: bool = True,
    ) -> MatchedSessions:
        """Return the sessions that match best by either.

        None, without a comparison of meanings, if no session's words match ``least_per_word``.
        Without speakers, ``best_of_agent`` is 0 throughout.
        """
        among = rows.in_scope(tx, wanted)
        by_words = self.past.search(tx, asked.question, wanted, _BY_WORDS, among)
        if max((each.per_word for each in by_words.sessions), default=0.0) < least_per_word:
            return MatchedSessions(words=by_words.words)
        found = {each.transcript: each for each in by_words.sessions}
        weights = self._weights(tx, asked)
        near = self._nearest(tx, asked, weights, among)
        if near:
            found |= {each.transcript: each for each in _heads(tx, near - found.keys())}
        spoken = self._spoken(tx, asked, weights, found if near else ())
        matched = _matched(tx, found.values(), spoken, with_speakers=with_speakers)
        return MatchedSessions(matched, by_words.words)

    def match(
        self, tx: ReadTx, asked: PreparedQuestion, transcripts: Collection[int]
    ) -> tuple[MatchedSession, ...]:
        """Return how well messages of these sessions match by meaning, whatever their words."""
        spoken = self._spoken(tx, asked, self._weights(tx, asked), transcripts)
        return _matched(tx, _heads(tx, transcripts), spoken, with_speakers=True)

    def _weights(self, tx: ReadTx, asked: PreparedQuestion) -> Sequence[float]:
        """Return how much each word piece of the question weighs; none without vectors."""
        if asked.vector is None or asked.vector.tokens is None or not self.model():
            return ()
        return self.past.terms.weights(tx, asked.vector.tokens.words)

    def _nearest(
        self,
        tx: ReadTx,
        asked: PreparedQuestion,
        weights: Sequence[float],
        among: Mapping[int, int],
    ) -> set[int]:
        """Return the transcripts that are nearest as wholes; none without vectors."""
        model = self.model()
        if asked.vector is None or not weights or not model:
            self.centroids.clear()
            return set()
        latest = sorted(among, reverse=True)[:_MAX_COMPARED]
        found = self.centroids.get(tx, model, latest)
        if len(found.transcripts) <= _BY_MEANING:
            return {*found.transcripts}
        # It loads numpy, which is loaded with the model.
        from intaglio.recall.past.spoken_matches import nearest  # noqa: PLC0415 - see above

        return nearest(asked.vector, weights, found, _BY_MEANING)

    def _spoken(
        self,
        tx: ReadTx,
        asked: PreparedQuestion,
        weights: Sequence[float],
        transcripts: Collection[int],
    ) -> "Mapping[int, SpokenMatch]":
        model = self.model()
        if not transcripts or asked.vector is None or not weights or not model:
            return {}
        from intaglio.recall.past.spoken_matches import match_messages  # noqa: PLC0415 - see above

        held = [each for each in vectors.of_transcripts(tx, model, transcripts) if each.numbers]
        return match_messages(asked.vector, weights, held)


def _matched(
    tx: ReadTx,
    sessions: Iterable[PastSession],
    spoken: "Mapping[int, SpokenMatch]",
    *,
    with_speakers: bool,
) -> tuple[MatchedSession, ...]:
    leading = {
        transcript: sorted(match.messages, key=match.messages.__getitem__, reverse=True)[:_LEADING]
        for transcript, match in (spoken.items() if with_speakers else ())
    }
    agent = rows.of_agent(tx, [*chain.from_iterable(leading.values())]) if leading else ()
    found: list[MatchedSession] = []
    for each in sessions:
        match = spoken.get(each.transcript)
        if match is None:
            found.append(MatchedSession(each, each.per_word))
            continue
        best = next((at for at in leading.get(each.transcript, ()) if at in agent), None)
        found.append(
            MatchedSession(
                each,
                each.per_word,
                match.messages,
                0.0 if best is None else match.messages[best],
                match.words,
                match.whole,
            )
        )
    return tuple(found)


def _heads(tx: ReadTx, transcripts: Collection[int]) -> list[PastSession]:
    return [
        PastSession(
            transcript=number,
            harness=head[0],
            session_id=head[1],
            agent_id=head[2],
            project=head[3],
            started_at=head[4],
            ended_at=head[5],
            messages=head[6],
            score=0.0,
            per_word=0.0,
            matched=(),
        )
        for number, head in rows.heads(tx, [*transcripts]).items()
    ]

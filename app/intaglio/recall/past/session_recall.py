"""Ranks past sessions for a prompt: by the words that were said, and by meaning."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from intaglio.inference.cache import QueryVectors
from intaglio.inference.ports import NotEmbedded, QuestionVector
from intaglio.language.tokens import is_mostly_cjk
from intaglio.store.tx import ReadTx
from intaglio.transcripts import rows
from intaglio.transcripts.past_sessions import PastSessions, SessionQuestion
from intaglio.transcripts.values import PastSession, TranscriptFilter
from intaglio.transcripts.vectors import rows as vectors

if TYPE_CHECKING:
    from intaglio.recall.past.spoken_matches import SpokenMatches, SubjectLikeness

_BY_WORDS: Final = 8
_BY_MEANING: Final = 10
# Of more transcripts, those that are nearest as wholes are compared message by message.
_READ: Final = 48
_MAX_EMBEDDED_CHARS: Final = 2_000
# Of a project with more transcripts, the latest ones are compared by meaning.
_MAX_COMPARED: Final = 2_000


@dataclass(frozen=True, slots=True)
class MatchedSession:
    """A past session that may be about a prompt.

    ``per_word`` is its BM25 score divided by the number of the prompt's words; ``messages`` is how
    well each of its messages matches by meaning, by row, about -0.5 to 3; empty without vectors.
    """

    session: PastSession
    per_word: float
    messages: Mapping[int, float] = field(default_factory=dict[int, float])

    @property
    def meaning(self) -> float:
        """How well its best message matches."""
        return max(self.messages.values(), default=0.0)


@dataclass(frozen=True, slots=True)
class MatchedSessions:
    """Sessions in no order; ``words`` are the prompt's.

    ``likeness`` compares them with each other; None if they were found by words alone.
    """

    sessions: tuple[MatchedSession, ...] = ()
    words: tuple[str, ...] = ()
    likeness: "SubjectLikeness | None" = None

    @property
    def by_meaning(self) -> bool:
        """Whether vectors were compared."""
        return self.likeness is not None


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
    ) -> MatchedSessions:
        """Return the sessions that match best by either.

        None, without a comparison of meanings, if no session's words match ``least_per_word``.
        """
        by_words = self.past.search(tx, asked.question, wanted, _BY_WORDS)
        if max((each.per_word for each in by_words.sessions), default=0.0) < least_per_word:
            return MatchedSessions(words=by_words.words)
        found = {each.transcript: each for each in by_words.sessions}
        meaning = self._by_meaning(tx, asked, wanted, [*found])
        nothing: Mapping[int, Mapping[int, float]] = {}
        unmatched: Mapping[int, float] = {}
        matched = meaning.scores if meaning else nothing
        missing = [number for number in matched if number not in found]
        found |= {each.transcript: each for each in _heads(tx, missing)}
        return MatchedSessions(
            tuple(
                MatchedSession(each, each.per_word, matched.get(number, unmatched))
                for number, each in found.items()
            ),
            by_words.words,
            meaning.likeness if meaning else None,
        )

    def compared(self, tx: ReadTx, matched: MatchedSessions) -> list[PastSession]:
        """Return the other sessions that were compared by meaning: those that match less."""
        found = {each.session.transcript for each in matched.sessions}
        near = matched.likeness.transcripts if matched.likeness else ()
        return _heads(tx, [number for number in near if number not in found])

    def _by_meaning(
        self, tx: ReadTx, asked: PreparedQuestion, wanted: TranscriptFilter, named: Sequence[int]
    ) -> "SpokenMatches | None":
        model = self.model()
        if asked.vector is None or asked.vector.tokens is None or not model:
            return None
        latest = sorted(rows.in_scope(tx, wanted), reverse=True)[:_MAX_COMPARED]
        found = vectors.centroids(tx, model, latest)
        if not found:
            return None
        # It loads numpy, which is loaded with the model.
        from intaglio.recall.past.spoken_matches import (  # noqa: PLC0415 - see above
            match_messages,
            nearest,
        )

        weights = self._weights(tx, asked.vector.tokens.words)
        if len(found) > _READ:
            near = nearest(asked.vector, weights, [centroid for _, centroid in found])
            order = sorted(range(len(found)), key=lambda place: -float(near[place]))[:_READ]
            read = {found[place][0] for place in order} | set(named)
        else:
            read = {transcript for transcript, _ in found}
        spoken = [each for each in vectors.of_transcripts(tx, model, read) if each.numbers]
        return match_messages(asked.vector, weights, spoken, named, _BY_MEANING)

    def _weights(self, tx: ReadTx, words: Sequence[str]) -> list[float]:
        terms = {word: tx.index_terms(word) for word in dict.fromkeys(words)}
        rarity = self.past.rarities(tx, {term for own in terms.values() for term in own})
        return [max((rarity[term] for term in terms[word]), default=0.0) for word in words]


def _heads(tx: ReadTx, transcripts: Sequence[int]) -> list[PastSession]:
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
        for number, head in rows.heads(tx, transcripts).items()
    ]

"""Finds past sessions by what was said in them as a whole, and reads what was said."""

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from intaglio.store.tx import ReadTx
from intaglio.terms.query_terms import bm25_parts
from intaglio.terms.question_words import words_of
from intaglio.terms.term_counts import TermCounts, rarity
from intaglio.transcripts import rows
from intaglio.transcripts.values import (
    PastSession,
    SessionMatches,
    StoredMessage,
    TranscriptFilter,
)

POSTINGS_BUDGET: Final = 10_000
"""So many messages that contain a word are counted in a search, at 0.15 µs each."""
REFERENCE_SESSIONS: Final = 200
"""Weights are scaled to a store of this size, so that a floor on the score holds in every store."""
_FEW_SESSIONS: Final = 20


@dataclass(frozen=True, slots=True)
class SessionQuestion:
    """What past sessions are searched for.

    The score per word counts the words of ``text`` alone. The words of ``more``, such as
    identifiers of pasted code, add to a score and never weigh against it.
    """

    text: str
    more: str = ""


@dataclass(slots=True)
class PastSessions:
    """Searches what was said in past sessions; any thread may use it."""

    postings_budget: int = POSTINGS_BUDGET
    terms: TermCounts = field(
        default_factory=lambda: TermCounts(rows.count_all, rows.count_messages)
    )

    def search(
        self,
        tx: ReadTx,
        question: SessionQuestion,
        wanted: TranscriptFilter,
        limit: int,
        among: Mapping[int, int] | None = None,
    ) -> SessionMatches:
        """Return the sessions that match best by BM25 over all that was said in each.

        Rare words are looked up first, until the postings budget is spent. Document frequencies and
        lengths are those of the sessions that may be searched; ``among`` are these, if they are
        read already (`rows.in_scope`).
        """
        own = words_of(tx, question.text)
        asked = own | (words_of(tx, question.more) if question.more else {})
        words = tuple(own.values())
        found, scores = self._scored(tx, asked, wanted, among)
        best = heapq.nlargest(limit, scores, key=lambda number: (scores[number], number))
        heads = rows.heads(tx, best)
        return SessionMatches(
            tuple(
                PastSession(
                    transcript=number,
                    harness=head[0],
                    session_id=head[1],
                    agent_id=head[2],
                    project=head[3],
                    started_at=head[4],
                    ended_at=head[5],
                    messages=head[6],
                    score=scores[number],
                    per_word=scores[number] / max(len(words), 1),
                    matched=tuple(asked[term] for term in found if number in found[term]),
                )
                for number in best
                if (head := heads.get(number)) is not None
            ),
            words,
            tuple(asked[term] for term in found),
        )

    def scores(self, tx: ReadTx, text: str, wanted: TranscriptFilter) -> Mapping[int, float]:
        """Return the score of each session that shares a word with a text, by transcript."""
        return self._scored(tx, words_of(tx, text), wanted)[1]

    def _scored(
        self,
        tx: ReadTx,
        asked: Mapping[str, str],
        wanted: TranscriptFilter,
        among: Mapping[int, int] | None = None,
    ) -> tuple[Mapping[str, Mapping[int, int]], Mapping[int, float]]:
        """Return in how many messages of which transcripts terms are, and the scores of these."""
        if not asked:
            return {}, {}
        lengths = rows.in_scope(tx, wanted) if among is None else among
        if not lengths:
            return {}, {}
        found = {
            term: dict(rows.counts_by_transcript(tx, asked[term]))
            for term in self.terms.affordable(tx, asked, self.postings_budget)
        }
        return found, _scores(found, _weights(tx, wanted, lengths), lengths)


class _Weigh:
    """Returns a word's weight from the transcripts that contain it."""

    def __init__(self, among: Mapping[int, int]) -> None:
        self._among, self._count = among, len(among)
        self._scale = rarity(REFERENCE_SESSIONS, 1) / rarity(self._count, 1)

    def __call__(self, counts: Mapping[int, int]) -> float:
        holding = sum(map(self._among.__contains__, counts))
        return self._scale * rarity(self._count, holding)


def _weights(tx: ReadTx, wanted: TranscriptFilter, lengths: Mapping[int, int]) -> _Weigh:
    """Return what weighs words; a few sessions don't tell which words are common."""
    if len(lengths) >= _FEW_SESSIONS or wanted.projects is None:
        return _Weigh(lengths)
    everywhere = TranscriptFilter(reader=wanted.reader, without=wanted.without)
    return _Weigh(rows.in_scope(tx, everywhere))


def _scores(
    found: Mapping[str, Mapping[int, int]], weigh: _Weigh, lengths: Mapping[int, int]
) -> dict[int, float]:
    """Return the score of each transcript that contains a term.

    ``found`` has in how many of its messages each transcript contains each term.
    """
    mean = sum(lengths.values()) / len(lengths)
    scores = dict[int, float]()
    for counts in found.values():
        weight = weigh(counts)
        for number, part in bm25_parts(counts.items(), lengths, mean):
            scores[number] = scores.get(number, 0.0) + weight * part
    return scores


def session_messages(
    tx: ReadTx, wanted: TranscriptFilter, harness: str, session_id: str
) -> list[StoredMessage]:
    """Return what was said in a session, as far as it may be read, in the order it was said."""
    found = [
        message
        for transcript in rows.of_session(tx, wanted, harness, session_id)
        for message in rows.messages(tx, transcript)
    ]
    return sorted(found, key=lambda each: (each.said_at, each.number))


def messages(tx: ReadTx, session: PastSession) -> list[StoredMessage]:
    """Return the messages of a session that was found, in the order they were said."""
    return rows.messages(tx, session.transcript)


def excerpt(found: Sequence[StoredMessage], message_id: str, limit: int) -> list[StoredMessage]:
    """Return the messages around one, at most ``limit`` characters; nothing if it isn't there."""
    at = next((n for n, each in enumerate(found) if each.message_id == message_id), None)
    if at is None:
        return []
    start = end = at
    left = limit - len(found[at].text)
    while left > 0:
        before = found[start - 1] if start > 0 else None
        after = found[end + 1] if end + 1 < len(found) else None
        nearer = [each for each in (before, after) if each and len(each.text) <= left]
        if not nearer:
            break
        # Alternately, as far as both are there.
        chosen = nearer[0] if len(nearer) == 1 or at - start <= end - at else nearer[1]
        left -= len(chosen.text)
        start, end = (start - 1, end) if chosen is before else (start, end + 1)
    return list(found[start : end + 1])

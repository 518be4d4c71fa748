"""Ranks candidates by late interaction and, for turns of a conversation, by what surrounds them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import Final

import numpy as np

from intaglio.embedding.neighbour_rows import StoredVector, with_neighbours
from intaglio.inference.context import MAX_TURN_PIECES
from intaglio.inference.ports import QuestionVector
from intaglio.inference.token_table import Floats
from intaglio.memory import rows
from intaglio.memory.values import MemoryText
from intaglio.recall.keywords import KeywordScorer
from intaglio.recall.ranking.conversation import (
    NamedDates,
    is_question,
    named_dates,
    named_speaker,
)
from intaglio.recall.ranking.cutoff import Scored, answers
from intaglio.recall.ranking.late_interaction import (
    TextPieces,
    WeightedTokens,
    match_tokens,
    unit_rows,
)
from intaglio.recall.ranking.phrases import Phrases
from intaglio.recall.ranking.reasons import close_words, reasons
from intaglio.recall.ranking.signals import MatchEvidence, TalkEvidence, contributions
from intaglio.recall.ranking.values import RankedMemory, Ranking
from intaglio.recall.values import Signals
from intaglio.store.tx import ReadTx
from intaglio.store.vectors.values import Model
from intaglio.terms.query_terms import weight

_NEIGHBOUR_COVERAGE: Final = 0.6
_BEST_OF_SESSION: Final = 3
_OWN_WORDS: Final = 0.1
# What a memory without a vector yet is taken to match, from the share of words it contains: the
# line through the memories of the benchmark that have both.
_UNEMBEDDED: Final = (0.12, 0.3)
# The model reads this many word pieces of a memory; the rest is known by its words only.
_READ_PIECES: Final = 254
_ALL_WORDS: Final = 0.999
# A turn with this much meaning matches, for the reasons.
_MATCHES: Final = 0.3
# A score from which on a match is as good as certain.
_FULL_SCORE: Final = 1.6


@dataclass(frozen=True, slots=True, eq=False)
class AskedTokens:
    """A question as late interaction sees it: its text, its pieces' words, states, own vector."""

    text: str
    words: tuple[str, ...]
    tokens: WeightedTokens
    vector: Floats


def weigh(tx: ReadTx, text: str, asked: QuestionVector, scorer: KeywordScorer) -> AskedTokens:
    """Weigh a question's tokens by how rare their words are where it is asked.

    Raises ValueError if the question has no token states.
    """
    if asked.tokens is None:
        raise ValueError("the model has no token states")
    states, words = asked.tokens.states, asked.tokens.words
    weights = [scorer.word_weight(tx, word) for word in words]
    tokens = WeightedTokens.of(states, weights, asked.tokens.table)
    return AskedTokens(text, words, tokens, asked.vector)


@dataclass(frozen=True, slots=True)
class _Turn:
    """A candidate or a neighbour of one; ``row`` is its row of the token matches, if it has any."""

    memory: MemoryText
    meaning: float
    cosine: float | None
    row: int | None
    held: frozenset[str]
    previous: int | None
    is_short: bool


class LateRanking:
    """Ranks the candidates of one question in one snapshot."""

    def __init__(
        self,
        tx: ReadTx,
        asked: AskedTokens,
        scorer: KeywordScorer,
        model: Model,
        without: frozenset[str] = frozenset(),
        hints: Mapping[int, float] | None = None,
    ) -> None:
        self._tx = tx
        self._asked = asked
        self._scorer = scorer
        self._model = model
        self._without = without
        self._hints = hints or {}
        self._phrases = Phrases(asked.text)
        self._turns: dict[int, _Turn] = {}
        self._next: dict[int, int] = {}
        self._best = np.zeros((0, len(asked.words)), np.float32)

    def rank(self, candidates: Sequence[int]) -> Ranking:
        """Rank the candidates that are still live; ties: the newer one first."""
        self._read(candidates)
        found = [seq for seq in dict.fromkeys(candidates) if seq in self._turns]
        bm25 = {seq: self._scorer.bm25(self._tx, self._turns[seq].memory) for seq in found}
        evidence = self._evidence(found, bm25)
        shares = {seq: contributions(evidence[seq], self._without) for seq in found}
        scores = {seq: sum(shares[seq].values()) for seq in found}
        order = sorted(found, key=lambda seq: (-scores[seq], -seq))
        coverage = {seq: self._coverage(self._turns[seq].held) for seq in found}
        answering = answers(
            [self._scored(seq, scores[seq], evidence[seq], coverage[seq]) for seq in order],
            names_phrase=self._phrases.any,
        )
        ranked = [
            RankedMemory(
                seq,
                round(min(max(scores[seq], 0.0) / _FULL_SCORE, 1.0), 4),
                answer,
                max(coverage[seq], self._turns[seq].cosine or 0.0),
            )
            for seq, answer in zip(order, answering, strict=True)
        ]
        return Ranking(
            ranked,
            lambda seq: self._signals(seq, bm25[seq], coverage[seq], evidence[seq], shares[seq]),
        )

    def _scored(self, seq: int, score: float, evidence: MatchEvidence, coverage: float) -> Scored:
        all_words = len(self._scorer.terms) > 1 and coverage >= _ALL_WORDS
        return Scored(
            score,
            evidence,
            coverage,
            is_literal=evidence.phrase == 1 or all_words,
            is_embedded=self._turns[seq].row is not None,
        )

    def _read(self, candidates: Sequence[int]) -> None:
        """Read candidates and their neighbours once, and match them all together."""
        stored = with_neighbours(self._tx, self._model, candidates)
        turns = {seq for seq, each in stored.items() if _place(each)[1]}
        texts = rows.texts_by_seq(self._tx, turns.union(candidates))
        embedded = [stored[seq] for seq in texts if seq in stored]
        matched = self._matches(embedded)
        for seq, memory in texts.items():
            held = frozenset(self._scorer.tokens(self._tx, memory))
            meaning, cosine, row = matched.get(seq) or (self._estimate(held), None, None)
            own = stored.get(seq)
            if own is not None and (own.length or 0) > _READ_PIECES:
                meaning = max(meaning, self._estimate(held))
            place = _place(own)
            self._turns[seq] = _Turn(memory, meaning, cosine, row, held, *place)
        self._next = {
            turn.previous: seq
            for seq, turn in self._turns.items()
            if turn.previous is not None and turn.is_short
        }

    def _matches(
        self, stored: Sequence[StoredVector]
    ) -> Mapping[int, tuple[float, float | None, int | None]]:
        """Return the meaning, the question's own cosine, and the row of matches, by memory."""
        if not stored:
            return {}
        vectors = unit_rows([each.vector for each in stored])
        pieces = TextPieces.of([each.pieces or b"" for each in stored])
        matches = match_tokens(self._asked.tokens, pieces, vectors)
        self._best = matches.best
        cosines: list[float] = (vectors @ self._asked.vector).tolist()
        triples = zip(matches.scores, cosines, range(len(stored)), strict=True)
        return dict(zip((each.memory for each in stored), triples, strict=True))

    def _estimate(self, held: frozenset[str]) -> float:
        least, most = _UNEMBEDDED
        return least + most * self._coverage(held)

    @cached_property
    def _term_weights(self) -> Mapping[str, float]:
        weights = {term: weight(term, self._scorer.vocabulary) for term in self._scorer.terms}
        total = sum(weights.values()) or 1.0
        return {term: value / total for term, value in weights.items()}

    def _coverage(self, held: frozenset[str], near: frozenset[str] = frozenset()) -> float:
        """Return the covered share (0 to 1) of the question; words nearby count for less."""
        return sum(
            value * (1.0 if term in held else _NEIGHBOUR_COVERAGE if term in near else 0.0)
            for term, value in self._term_weights.items()
        )

    def _neighbours(self, seq: int) -> tuple[_Turn | None, _Turn | None]:
        """Return the short turns right before and after a memory, which are of the same scope."""
        turn = self._turns[seq]
        near = (turn.previous, self._next.get(seq))
        found = (self._turns.get(each) if each is not None else None for each in near)
        before, after = (
            each
            if each is not None
            and each.is_short
            and each.memory.scope == turn.memory.scope
            and each.memory.session_id == turn.memory.session_id
            else None
            for each in found
        )
        return before, after

    def _evidence(
        self, found: Sequence[int], bm25: Mapping[int, float]
    ) -> dict[int, MatchEvidence]:
        best_words = max(bm25.values(), default=0.0) or 1.0
        near = {seq: self._neighbours(seq) for seq in found if self._turns[seq].is_short}
        talk = {seq for seq, pair in near.items() if any(pair)}
        sessions: defaultdict[str | None, list[float]] = defaultdict(list)
        for seq in talk:
            own = self._turns[seq].meaning + _OWN_WORDS * bm25[seq] / best_words
            sessions[self._turns[seq].memory.session_id].append(own)
        dates = named_dates(self._asked.text)
        speaker = named_speaker(self._asked.text, {self._turns[seq].memory.who for seq in talk})
        return {
            seq: MatchEvidence(
                meaning=self._turns[seq].meaning,
                words=bm25[seq] / best_words,
                vector=self._turns[seq].cosine or 0.0,
                phrase=self._phrases.share(self._turns[seq].memory.content),
                hint=self._hints.get(seq, 0.0),
                talk=self._of_talk(seq, near[seq], sessions, dates, speaker)
                if seq in talk
                else None,
            )
            for seq in found
        }

    def _of_talk(
        self,
        seq: int,
        near: tuple[_Turn | None, _Turn | None],
        sessions: Mapping[str | None, list[float]],
        dates: NamedDates,
        speaker: str | None,
    ) -> TalkEvidence:
        turn, (before, after) = self._turns[seq], near
        around = frozenset[str]().union(*(each.held for each in near if each is not None))
        session = sorted(sessions[turn.memory.session_id])
        return TalkEvidence(
            previous=before.meaning if before else None,
            next=after.meaning if after else None,
            after_question=before is not None and is_question(before.memory.content),
            is_question=is_question(turn.memory.content),
            coverage=self._coverage(turn.held, around),
            by_named_speaker=speaker is not None and turn.memory.who == speaker,
            date=dates.fit(turn.memory.created_at),
            session=fmean(session[-_BEST_OF_SESSION:]),
            session_matches=sum(each >= _MATCHES for each in session),
            words=len(turn.memory.content.split()),
        )

    def _signals(
        self,
        seq: int,
        bm25: float,
        coverage: float,
        evidence: MatchEvidence,
        shares: Mapping[str, float],
    ) -> Signals:
        turn = self._turns[seq]
        matched = tuple(term for term in self._scorer.terms if term in turn.held)
        return Signals(
            bm25,
            coverage,
            matched,
            turn.cosine,
            turn.meaning,
            tuple((name, round(share, 4)) for name, share in shares.items()),
            reasons(turn.memory, evidence, self._close(turn)),
        )

    def _close(self, turn: _Turn) -> str:
        """Return the question's words that the memory matches by meaning alone."""
        if turn.row is None:
            return ""
        values: list[float] = self._best[turn.row].tolist()
        literal = frozenset(
            word
            for word in self._asked.words
            if turn.held.intersection(self._scorer.cache.terms(self._tx, word))
        )
        return close_words(self._asked.words, values, literal)


def _place(stored: StoredVector | None) -> tuple[int | None, bool]:
    """Return the memory before it, and whether it is short enough for a turn."""
    if stored is None or stored.length is None or stored.length > MAX_TURN_PIECES:
        return None, False
    return stored.previous, True

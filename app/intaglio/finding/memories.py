"""Finds memories: by recall, and by words of which one may be only begun."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from intaglio.base.text import clip, storage_form
from intaglio.domain.memory_types import shown_type
from intaglio.fence.characters import visible
from intaglio.finding.matching import QuestionMatcher
from intaglio.finding.question import AskedQuestion
from intaglio.finding.values import TITLE_CHARS, Found
from intaglio.memory import rows
from intaglio.memory.filters import Filter, vector_filter
from intaglio.memory.values import Memory
from intaglio.recall.values import Answer, Hit
from intaglio.store import fts
from intaglio.store.tx import QueryTimeout, ReadTx

_LITERAL: Final = 40
_DEADLINE_S: Final = 0.05
# How well a memory matches by itself, and the scores of what answers and of what comes near.
_LEAST_OWN: Final = 0.2
_BEST_OWN: Final = 0.95
_LEAST_SCORE: Final = 0.25
_BEST_SCORE: Final = 0.8
_ANSWERS: Final = 0.45
_NEAR: Final = 0.42
_MOST_NEAR: Final = 3
_MOST_NEAR_IF_NAMED: Final = 10
# Words alone say less than an answer with these words.
_WORDS_ALONE: Final = 0.6
_BOTH: Final = 0.35
_NOT_CURRENT: Final = 0.75
_OF_OTHER_TYPE: Final = 0.8


@dataclass(frozen=True, slots=True)
class ScoredMemory:
    """A memory that matches, how well (0 to 1), and the words to mark."""

    memory: Memory
    score: float
    words: tuple[str, ...]


def containing(tx: ReadTx, question: AskedQuestion, filters: Filter) -> list[Memory]:
    """Return the newest memories that contain all words of a question, the last as a beginning."""
    words, start, among = question.whole_words, question.start, vector_filter(filters)
    try:
        with tx.deadline(_DEADLINE_S):
            found = fts.newest_with_all(tx, words, start, among, _LITERAL)
    except QueryTimeout:
        return []
    by_seq = rows.by_seq(tx, found)
    return [by_seq[seq] for seq in found if seq in by_seq]


def scored_memories(
    answer: Answer, literal: Sequence[Memory], matcher: QuestionMatcher
) -> list[ScoredMemory]:
    """Return what recall answers with, and what contains the words, best first."""
    wanted = matcher.question.wanted
    is_named = wanted is not None and wanted.kind == "memory"
    near = answer.near_misses[: _MOST_NEAR_IF_NAMED if is_named else _MOST_NEAR]
    hits = (*answer.hits, *near)
    asked = {hit.memory.id: hit for hit in hits}
    every = {memory.id: memory for memory in literal} | {hit.memory.id: hit.memory for hit in hits}
    found = [_scored(memory, asked.get(memory.id), matcher) for memory in every.values()]
    return sorted(found, key=lambda each: (-each.score, -each.memory.seq))


def _scored(memory: Memory, hit: Hit | None, matcher: QuestionMatcher) -> ScoredMemory:
    match = matcher.measure(memory.content)
    by_words, answer = match.as_text, 0.0 if hit is None else score_of_answer(hit)
    score = min(1.0, max(answer, _WORDS_ALONE * by_words) + _BOTH * min(answer, by_words))
    if memory.status != "current":
        score *= _NOT_CURRENT
    asked_type = matcher.question.wanted.type if matcher.question.wanted else ""
    if asked_type and asked_type != memory.type:
        score *= _OF_OTHER_TYPE
    return ScoredMemory(memory, score, match.words)


def score_of_answer(hit: Hit) -> float:
    """Return the score of a memory that recall says answers, or comes near."""
    own = hit.signals.own_match
    if own is None:
        own = max(hit.signals.coverage, hit.signals.cosine or 0.0)
    share = min(1.0, max(0.0, own - _LEAST_OWN) / (_BEST_OWN - _LEAST_OWN))
    score = _LEAST_SCORE + (_BEST_SCORE - _LEAST_SCORE) * share
    return max(_ANSWERS, score) if hit.answers else min(_NEAR, score)


def found_memory(scored: ScoredMemory, matcher: QuestionMatcher) -> Found:
    """Return a memory as it is shown."""
    memory = scored.memory
    line = storage_form(visible(memory.content[:4_000]))
    detail = shown_type(memory.type)
    if memory.status != "current":
        detail = f"{detail} · {memory.status}"
    return Found(
        kind="memory",
        id=memory.id,
        title=clip(line, TITLE_CHARS),
        text=matcher.passage(memory.content) if len(line) > TITLE_CHARS else "",
        detail=detail,
        words=scored.words,
        project=memory.scope.project,
        at=memory.updated_at,
        score=round(scored.score, 3),
    )


def completed(question: AskedQuestion, literal: Sequence[Memory]) -> AskedQuestion:
    """Return the question with its last word as the memories that contain its beginning have it.

    Embedding a half word would say nothing.
    """
    if not question.start:
        return question
    counts: dict[str, int] = {}
    for memory in literal:
        for word in {
            each.strip(".,;:!?()[]\"'").lower() for each in memory.content[:2_000].split()
        }:
            if word.startswith(question.start):
                counts[word] = counts.get(word, 0) + 1
    if not counts or question.start in counts:
        return question
    best = max(counts, key=lambda word: (counts[word], -len(word)))
    head, _, _ = question.text.rpartition(" ")
    return replace(
        question,
        text=f"{head} {best}".strip(),
        words=(*question.words[:-1], best),
    )

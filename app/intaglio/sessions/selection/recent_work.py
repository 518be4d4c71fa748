"""What a project's recent work is about: weighted words, and how well a memory fits them; pure."""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.terms.query_terms import stop_terms

MIN_FIT: Final = 0.3
"""A memory that fits recent work less isn't about it."""

_MAX_TERMS: Final = 30
_FULL_FIT_TERMS: Final = 3
_MIN_TERM_CHARS: Final = 3
# A word that more of the project's memories have says nothing about its work.
_MAX_SHARE: Final = 0.4
_MANY: Final = 20
# Of how far a memory's length counts: twice the words make chance matches likelier.
_LENGTH_SHARE: Final = 0.4
_MIN_MATCHES: Final = 2


@dataclass(frozen=True, slots=True)
class WorkSource:
    """Something that was worked on: the index terms of a prompt, or of a new memory.

    ``memory_id`` is that of the memory, which must not prove its own relevance.
    """

    terms: frozenset[str]
    weight: float
    memory_id: str | None = None


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a memory fits recent work (0 to 1), and by which index terms, weightiest first."""

    score: float
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _TermUse:
    """How often a word came up, what that weighs in all, and how rare the word is."""

    count: int
    weight: float
    rarity: float


@dataclass(frozen=True, slots=True)
class RecentWork:
    """The words of recent work, weightiest first, and the sources that are memories, by id."""

    uses: Mapping[str, _TermUse]
    memories: Mapping[str, WorkSource]
    full_fit: float
    mean_length: float

    def fit(self, memory_id: str, tokens: Sequence[str]) -> Fit:
        """Compare a memory, given by its index terms, with recent work."""
        own = self.memories.get(memory_id)
        weights: dict[str, float] = {}
        mentions = 0
        for term in self.uses.keys() & tokens:
            use = self.uses[term]
            is_source = own is not None and term in own.terms
            count = use.count - is_source
            if count:
                weight = use.weight - (own.weight if own is not None and is_source else 0.0)
                weights[term] = weight * use.rarity
                mentions = max(mentions, count)
        # One word that was mentioned once is chance.
        if len(weights) < _MIN_MATCHES and mentions < _MIN_MATCHES:
            return Fit(0.0)
        relative = len(tokens) / self.mean_length if self.mean_length else 1.0
        score = sum(sorted(weights.values())) / self.full_fit
        score /= 1 - _LENGTH_SHARE + _LENGTH_SHARE * relative
        ordered = sorted(weights, key=lambda term: (-weights[term], term))
        return Fit(min(score, 1.0), tuple(ordered))


def recent_work(sources: Sequence[WorkSource], memories: Collection[Sequence[str]]) -> RecentWork:
    """Weigh the words of recent work by how often they came up, and how rare they are.

    ``memories`` are the index terms of the memories to choose from.
    """
    worked_on = frozenset[str]().union(*(source.terms for source in sources))
    found: Counter[str] = Counter()
    for tokens in memories:
        found.update(worked_on.intersection(tokens))
    telling = {term for term, count in found.items() if _says_something(term, count, len(memories))}
    counts: Counter[str] = Counter()
    weights: dict[str, float] = {}
    for source in sources:
        for term in source.terms & telling:
            counts[term] += 1
            weights[term] = weights.get(term, 0.0) + source.weight
    uses = {
        term: _TermUse(
            counts[term], weight, math.log(1 + (len(memories) + 1) / (found[term] + 0.5))
        )
        for term, weight in weights.items()
    }
    total = {term: use.weight * use.rarity for term, use in uses.items()}
    best = sorted(total, key=lambda term: (-total[term], term))[:_MAX_TERMS]
    length = sum(len(tokens) for tokens in memories)
    return RecentWork(
        uses={term: uses[term] for term in best},
        memories={each.memory_id: each for each in sources if each.memory_id is not None},
        full_fit=sum(total[term] for term in best[:_FULL_FIT_TERMS]),
        mean_length=length / len(memories) if memories else 0.0,
    )


def _says_something(term: str, count: int, of: int) -> bool:
    if len(term) < _MIN_TERM_CHARS or term.isdecimal() or term in stop_terms():
        return False
    return of < _MANY or count <= of * _MAX_SHARE

"""Chooses and weights the words of a question that are searched; pure functions."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from intaglio.language.word_lists import word_list
from intaglio.store import fts
from intaglio.store.fts import Vocabulary

MAX_TERMS: Final = 64
MAX_WEIGHED: Final = 2 * MAX_TERMS
"""Of a pasted page, so many different terms are weighed; the model reads about as many."""

# English and German: words of others are too often content here ("son", "pour", "solo").
_STOPPED_LANGUAGES: Final = ("en", "de")


@cache
def stop_terms() -> frozenset[str]:
    """Return the index terms of words that carry no topic of their own."""
    stopped = fts.terms_of(word_list("stop_words", *_STOPPED_LANGUAGES))
    return stopped - fts.terms_of(word_list("homographs"))


@dataclass(frozen=True, slots=True)
class TermPlan:
    """The terms that are searched, rarest first, those that aren't, and the postings it costs."""

    terms: tuple[str, ...]
    dropped: tuple[str, ...]
    postings: int


def plan_terms(tokens: Sequence[str], vocabulary: Vocabulary, budget: int) -> TermPlan:
    """Choose the terms of a keyword search: rarest first until the postings budget is spent.

    At least one term is kept. A question that has only stop words is searched by them.
    """
    distinct = list(dict.fromkeys(token for token in tokens if token))
    stopped = stop_terms()
    content = [token for token in distinct if token not in stopped] or distinct
    rarest = sorted(content, key=lambda term: (vocabulary.frequency(term), term))
    kept: list[str] = []
    spent = 0
    for term in rarest[:MAX_TERMS]:
        cost = vocabulary.frequency(term)
        if kept and spent + cost > budget:
            break
        kept.append(term)
        spent += cost
    chosen = set(kept)
    return TermPlan(tuple(kept), tuple(term for term in distinct if term not in chosen), spent)


def weight(term: str, vocabulary: Vocabulary) -> float:
    """Return the term's inverse document frequency as in BM25, never below zero.

    ln(1 + (N - n + 0.5) / (n + 0.5)), Robertson and Zaragoza 2009, with Lucene's 1 +.
    """
    n = vocabulary.frequency(term)
    return math.log(1 + (max(vocabulary.rows - n, 0) + 0.5) / (n + 0.5))


_K1: Final = 1.2
_B: Final = 0.75
_LEAST_IDF: Final = 1e-6
_FEW_TERMS: Final = 16


def bm25_weights(asked: Sequence[str], vocabulary: Vocabulary) -> dict[str, float]:
    """Return the BM25 weight of each term of the question: the index's own idf."""
    weights: dict[str, float] = {}
    for term in asked:
        n = vocabulary.frequency(term)
        weights[term] = max(math.log((max(vocabulary.rows - n, 0) + 0.5) / (n + 0.5)), _LEAST_IDF)
    return weights


def bm25(weights: Mapping[str, float], tokens: Sequence[str], mean_length: float) -> float:
    """Score a text as the index does, higher for better (SQLite's FTS5, §7).

    The sum over the terms of idf · `bm25_part`.
    """
    spread = bm25_spread(len(tokens) / mean_length if mean_length else 1.0)
    # For a few terms, counting them in the list is faster than counting every token.
    count = tokens.count if len(weights) <= _FEW_TERMS else Counter(tokens).__getitem__
    score = 0.0
    for term, idf in weights.items():
        frequency = count(term)
        if frequency:
            score += idf * bm25_part(frequency, spread)
    return score


def bm25_spread(relative_length: float) -> float:
    """Return how slowly a term's frequency saturates in a text: k1 · (1 - b + b · length / mean).

    k1 = 1.2, b = 0.75.
    """
    return _K1 * (1 - _B + _B * relative_length)


def bm25_part(frequency: int, spread: float) -> float:
    """Return what a term's frequency in a text is worth: tf · (k1 + 1) / (tf + spread)."""
    return frequency * (_K1 + 1) / (frequency + spread)


def bm25_parts(
    frequencies: Iterable[tuple[int, int]], lengths: Mapping[int, int], mean_length: float
) -> Iterator[tuple[int, float]]:
    """Return `bm25_part` of a term in each text that has a length; texts are numbers."""
    shortest, slope = bm25_spread(0), (bm25_spread(1) - bm25_spread(0)) / mean_length
    for number, frequency in frequencies:
        length = lengths.get(number)
        if length is not None:
            yield number, frequency * (_K1 + 1) / (frequency + shortest + slope * length)


def content_terms(tokens: Sequence[str]) -> tuple[str, ...]:
    """Return the distinct tokens that aren't stop words."""
    stopped = stop_terms()
    return tuple(dict.fromkeys(token for token in tokens if token and token not in stopped))


def coverage(asked: Sequence[str], held: frozenset[str], vocabulary: Vocabulary) -> float:
    """Return the share (0 to 1) of the question's weight that the held terms cover."""
    return covered({term: weight(term, vocabulary) for term in asked}, held)


def covered(weights: Mapping[str, float], held: frozenset[str]) -> float:
    """Return the share (0 to 1) of the terms' weights that the held terms have."""
    total = sum(weights.values())
    if total <= 0:
        return 0.0
    return sum(value for term, value in weights.items() if term in held) / total

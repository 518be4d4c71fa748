"""Finds the commits that share words with a question, or touched files that it leads to."""

import heapq
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from intaglio.commits import rows, search_rows
from intaglio.commits.search_rows import CommitHead
from intaglio.store.tx import ReadTx
from intaglio.terms.query_terms import bm25_part, bm25_spread
from intaglio.terms.question_words import words_of
from intaglio.terms.term_counts import TermCounts, rarity

_POSTINGS_BUDGET: Final = 2000
_MOST_OF_FILE: Final = 60
_BY_WORDS: Final = 40
_MEAN_WORDS: Final = 60
# A question of many words is judged by its rarest: no message shares all of them.
_WEIGHED_TERMS: Final = 24


@dataclass(frozen=True, slots=True)
class CommitQuestion:
    """What commits are searched for.

    ``text`` is what was typed; ``files`` is how surely (0 to 1) the question is about each file
    that its names lead to, by path.
    """

    text: str
    files: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class FoundByWords:
    """The commits of a project that a question leads to, by row, and how well each matches.

    ``number`` is the project's, ``first`` and ``last`` are its rows.
    """

    number: int
    first: int
    last: int
    commits: frozenset[int]
    _asked: Mapping[str, str]
    _found: Mapping[str, Collection[int]]
    _weights: Mapping[str, float]
    _scale: float
    _links: Mapping[int, Sequence[tuple[float, str]]]

    def share(self, head: CommitHead) -> float:
        """Return the share (0 to 1) of the question's weight that a message has, by BM25."""
        held = sum(
            self._weights[term] for term, commits in self._found.items() if head.seq in commits
        )
        return min(1.0, held * bm25_part(1, bm25_spread(head.words / _MEAN_WORDS)) / self._scale)

    def link(self, head: CommitHead) -> tuple[float, str]:
        """Return how surely (0 to 1) the question is about a file that a commit touched, and which.

        A commit that touched many files says little about each.
        """
        named = self._links.get(head.seq, ())
        value, path = max(named, default=(0.0, ""))
        return value / math.sqrt(max(head.files, 1)), path

    def matched(self, commit: int) -> tuple[str, ...]:
        """Return the words that a message shares, rarest first."""
        return tuple(
            self._asked[term] for term, commits in self._found.items() if commit in commits
        )


@dataclass(frozen=True, slots=True)
class CommitWords:
    """Searches the words of commits; any thread may use it."""

    terms: TermCounts = field(
        default_factory=lambda: TermCounts(search_rows.count_all, search_rows.count_containing)
    )

    def search(self, tx: ReadTx, question: CommitQuestion, project: str) -> FoundByWords | None:
        """Return the commits of a project that a question leads to; None if it has none."""
        number = rows.number_of(tx, project)
        if number is None:
            return None
        first, last = rows.rows_of(number)
        total = search_rows.count_between(tx, first, last)
        if not total:
            return None
        asked = words_of(tx, question.text)
        found = {
            term: frozenset(search_rows.containing(tx, asked[term], first, last))
            for term in self.terms.affordable(tx, asked, _POSTINGS_BUDGET)
        }
        weights = {term: rarity(total, len(commits)) for term, commits in found.items()}
        scores: dict[int, float] = {}
        for term, commits in found.items():
            for commit in commits:
                scores[commit] = scores.get(commit, 0.0) + weights[term]
        links = _links(tx, project, question.files)
        best = heapq.nlargest(_BY_WORDS, scores, key=scores.__getitem__)
        unknown = rarity(total, 1)
        each = sorted((weights.get(term, unknown) for term in asked), reverse=True)
        return FoundByWords(
            number=number,
            first=first,
            last=last,
            commits=frozenset({*best, *links}),
            _asked=asked,
            _found=found,
            _weights=weights,
            _scale=max(sum(each[:_WEIGHED_TERMS]), 1.0),
            _links=links,
        )


def _links(
    tx: ReadTx, project: str, files: Mapping[str, float]
) -> dict[int, list[tuple[float, str]]]:
    """Return the files that commits touched, each weighed by how few commits touched it."""
    links: dict[int, list[tuple[float, str]]] = {}
    for path, commit, total in search_rows.touching(tx, project, [*files], _MOST_OF_FILE):
        weight = files[path] / (1 + math.log10(max(total, 1)))
        links.setdefault(commit, []).append((weight, path))
    return links

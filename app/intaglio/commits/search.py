"""Finds the commits that may say why something is as a prompt found it.

Two ways lead to a commit: the files that the prompt names or that define what it names, and the
words of its message. Both are scored together, so that a message that shares words and touched a
named file comes first.
"""

import heapq
import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from intaglio.commits import rows, search_rows
from intaglio.commits.asked_names import AskedNames
from intaglio.commits.search_rows import CommitHead
from intaglio.commits.values import StoredCommit
from intaglio.language.tokens import words
from intaglio.store.tx import ReadTx
from intaglio.terms.query_terms import bm25_part, bm25_spread
from intaglio.terms.question_words import words_of
from intaglio.terms.term_counts import TermCounts

_POSTINGS_BUDGET: Final = 6_000
_MOST_OF_FILE: Final = 300
_BY_WORDS: Final = 40
_READ: Final = 24
_MEAN_WORDS: Final = 60
# A prompt of many words is judged by its rarest: no message shares all of them.
_WEIGHED_TERMS: Final = 24
_PARTS: Final = re.compile(r"[^\w$]")


@dataclass(frozen=True, slots=True)
class CommitQuestion:
    """What commits are searched for.

    ``text`` is what was typed, ``names`` what the whole prompt names, and ``files`` how surely (0
    to 1) the prompt is about each file that these lead to, by path.
    """

    text: str
    names: AskedNames
    files: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class CommitSignals:
    """What speaks for a commit, each 0 to 1.

    ``words`` is the weight of the question's words that are in the message, ``lead`` how far that
    exceeds the other commits', ``link`` how surely the prompt is about a file that it touched,
    ``names`` the share of the prompt's names that the message or the changed places name.
    """

    words: float
    lead: float
    link: float
    names: float


@dataclass(frozen=True, slots=True)
class CommitMatch:
    """A commit that was found: its signals, the words it shares, and a named file it touched."""

    commit: StoredCommit
    signals: CommitSignals
    matched: tuple[str, ...]
    path: str


@dataclass(slots=True)
class CommitSearch:
    """Searches commits of one project; any thread may use it."""

    terms: TermCounts = field(
        default_factory=lambda: TermCounts(search_rows.count_all, search_rows.count_containing)
    )

    def find(self, tx: ReadTx, question: CommitQuestion, project: str) -> list[CommitMatch]:
        """Return the commits that match best, not yet ranked; none of a project without any."""
        number = rows.number_of(tx, project)
        if number is None:
            return []
        first, last = rows.rows_of(number)
        asked = words_of(tx, question.text)
        found = self._found(tx, asked, first, last)
        links = _links(tx, project, question.files)
        total = max(rows.count(tx, project), 1)
        weights = {term: _rarity(total, len(commits)) for term, commits in found.items()}
        by_words: dict[int, float] = {}
        for term, commits in found.items():
            for commit in commits:
                by_words[commit] = by_words.get(commit, 0.0) + weights[term]
        pool = {*heapq.nlargest(_BY_WORDS, by_words, key=by_words.__getitem__), *links}
        if not pool:
            return []
        scoring = _Scoring(found, weights, _scale(asked, weights, total), links)
        heads = {each.seq: each for each in search_rows.heads(tx, pool)}
        scores = {seq: scoring.words(head) for seq, head in heads.items()}
        best = heapq.nlargest(
            _READ,
            heads.values(),
            key=lambda each: (scores[each.seq] + scoring.link(each)[0], each.committed_at),
        )
        typical = _typical(scores.values())
        return [
            CommitMatch(
                commit,
                CommitSignals(
                    words=scores[commit.seq],
                    lead=scores[commit.seq] - typical,
                    link=link,
                    names=_named_share(commit, question.names),
                ),
                tuple(asked[term] for term, commits in found.items() if commit.seq in commits),
                path,
            )
            for commit in rows.read_many(tx, [each.seq for each in best])
            for link, path in [scoring.link(heads[commit.seq])]
        ]

    def _found(
        self, tx: ReadTx, asked: Mapping[str, str], first: int, last: int
    ) -> dict[str, frozenset[int]]:
        """Return the commits of the project that contain each term, rarest terms first."""
        return {
            term: frozenset(search_rows.containing(tx, asked[term], first, last))
            for term in self.terms.affordable(tx, asked, _POSTINGS_BUDGET)
        }


@dataclass(frozen=True, slots=True)
class _Scoring:
    """Scores commits by words and by files; ``scale`` is the weight that counts as 1."""

    found: Mapping[str, Collection[int]]
    weights: Mapping[str, float]
    scale: float
    links: Mapping[int, Sequence[tuple[float, str]]]

    def words(self, head: CommitHead) -> float:
        """Return the share of the question's weight that a message has, by BM25."""
        part = bm25_part(1, bm25_spread(head.words / _MEAN_WORDS))
        held = sum(
            self.weights[term] for term, commits in self.found.items() if head.seq in commits
        )
        return min(1.0, held * part / self.scale)

    def link(self, head: CommitHead) -> tuple[float, str]:
        """Return how surely the question is about a file that a commit touched, and which.

        A commit that touched many files says little about each.
        """
        return max(
            (
                (value / math.sqrt(max(head.files, 1)), path)
                for value, path in self.links.get(head.seq, ())
            ),
            default=(0.0, ""),
        )


def _links(
    tx: ReadTx, project: str, files: Mapping[str, float]
) -> dict[int, list[tuple[float, str]]]:
    """Return the named files that commits touched, each weighed by how few commits touched it."""
    links: dict[int, list[tuple[float, str]]] = {}
    for path, commit, total in search_rows.touching(tx, project, [*files], _MOST_OF_FILE):
        weight = files[path] / (1 + math.log10(max(total, 1)))
        links.setdefault(commit, []).append((weight, path))
    return links


def _rarity(total: int, holding: int) -> float:
    """Return the inverse document frequency as in BM25, never below zero."""
    return math.log(1 + (max(total - holding, 0) + 0.5) / (max(holding, 1) + 0.5))


def _scale(asked: Mapping[str, str], weights: Mapping[str, float], total: int) -> float:
    """Return the weight of the question's rarest words; those in no message weigh most."""
    unknown = _rarity(total, 1)
    each = sorted((weights.get(term, unknown) for term in asked), reverse=True)
    return max(sum(each[:_WEIGHED_TERMS]), 1.0)


def _typical(scores: Iterable[float]) -> float:
    """Return the mean of the best scores but the first."""
    best = heapq.nlargest(12, scores)[1:]
    return sum(best) / len(best) if best else 0.0


def _named_share(commit: StoredCommit, names: AskedNames) -> float:
    """Return which share of the prompt's names a message, or what the commit changed, names."""
    if not names:
        return 0.0
    held = {*words(f"{commit.subject}\n{commit.body}"), *commit.symbols}
    held |= {part for word in held for part in _PARTS.split(word)}
    asked = [*names.names, *(path.rpartition("/")[2] for path in names.paths)]
    return sum(name in held for name in asked) / len(asked)

"""Finds the commits that may answer a question, with what speaks for each.

A commit is found by the words of its message, by files that it touched and the question leads to,
or by meaning; each way alone misses many. Its vectors are kept in memory for the projects that were
asked last.
"""

import heapq
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from intaglio.commits import rows, search_rows
from intaglio.commits.search import CommitQuestion, CommitWords, FoundByWords
from intaglio.commits.search_rows import CommitHead
from intaglio.commits.values import StoredCommit
from intaglio.commits.vectors import rows as vectors
from intaglio.inference.ports import QuestionVector
from intaglio.store.tx import ReadTx

if TYPE_CHECKING:
    from intaglio.recall.commits.meanings import KnownVectors

_READ: Final = 12
_BY_MEANING: Final = 24
_COMPARED: Final = 11
_PROSE_WORDS: Final = 80
_ITEM: Final = re.compile(r"^[ \t]{0,8}[*+-].*", re.MULTILINE)
_KEPT_PROJECTS: Final = 2


@dataclass(frozen=True, slots=True)
class CommitMeaning:
    """How well a commit matches by meaning (about -0.5 to 1.5), and by how much better than others.

    The others are those that match best but one.
    """

    match: float
    lead: float


@dataclass(frozen=True, slots=True)
class CommitSignals:
    """What speaks for a commit.

    ``words`` (0 to 1) is the share of the question's weight that is in its message, ``lead`` by how
    much that exceeds the others, ``link`` (0 to 1) how surely the question is about a file that it
    touched, ``prose`` (0 to 1) how much it says beside lists of changes. ``meaning`` is None
    without a vector.
    """

    words: float
    lead: float
    link: float
    prose: float
    meaning: CommitMeaning | None = None


@dataclass(frozen=True, slots=True)
class CommitMatch:
    """A commit that was found, the words that it shares, and a file it touched that was asked for.

    The path is empty if there is none.
    """

    commit: StoredCommit
    signals: CommitSignals
    matched: tuple[str, ...]
    path: str


@dataclass(slots=True)
class CommitRecall:
    """Finds commits; ``model`` identifies the vectors of the included model, "" for none.

    Any thread may use it.
    """

    words: CommitWords
    model: Callable[[], str]
    _known: "dict[int, KnownVectors]" = field(default_factory=dict[int, "KnownVectors"])

    def find(
        self,
        tx: ReadTx,
        question: CommitQuestion,
        project: str,
        vector: QuestionVector | None,
    ) -> list[CommitMatch]:
        """Return the commits that match best, in no order; ``vector`` is that of the question."""
        found = self.words.search(tx, question, project)
        if found is None:
            return []
        heads = {each.seq: each for each in search_rows.heads(tx, found.commits)}
        shares = {seq: found.share(head) for seq, head in heads.items()}
        rough = {seq: _besides_meaning(head, found, shares[seq]) for seq, head in heads.items()}
        near, with_vector = self._near(tx, found, vector, rough)
        # Of what has a vector, the others were outdone.
        rough = {seq: value for seq, value in rough.items() if seq not in with_vector}
        more = search_rows.heads(tx, near.keys() - heads.keys())
        heads |= {each.seq: each for each in more}
        shares |= {each.seq: found.share(each) for each in more}
        usual_share, usual_match = _usual(shares.values()), _usual(near.values())
        read = {*near, *heapq.nlargest(_READ, rough, key=rough.__getitem__)}
        matches: list[CommitMatch] = []
        for commit in rows.read_many(tx, read, with_files=False):
            link, path = found.link(heads[commit.seq])
            match = near.get(commit.seq)
            meaning = None if match is None else CommitMeaning(match, match - usual_match)
            share = shares[commit.seq]
            signals = CommitSignals(share, share - usual_share, link, _prose(commit.body), meaning)
            matches.append(CommitMatch(commit, signals, found.matched(commit.seq), path))
        return matches

    def _near(
        self,
        tx: ReadTx,
        found: FoundByWords,
        vector: QuestionVector | None,
        rough: Mapping[int, float],
    ) -> tuple[Mapping[int, float], Collection[int]]:
        """Return how well the likeliest commits match by meaning, and all that have a vector."""
        model = self.model()
        if vector is None or vector.tokens is None or not model:
            return {}, ()
        known = self._vectors(tx, model, found)
        if known is None:
            return {}, ()
        # It loads numpy, which is loaded with the model.
        from intaglio.recall.commits.meanings import meanings  # noqa: PLC0415 - see above

        weights = self.words.terms.weights(tx, vector.tokens.words)
        near = meanings(
            vector,
            weights,
            known,
            rough,
            _BY_MEANING,
            lambda commits: vectors.of_commits(tx, model, commits),
        )
        return near, known.places

    def _vectors(self, tx: ReadTx, model: str, found: FoundByWords) -> "KnownVectors | None":
        """Return the vectors of a project, read again if they have changed; None without any."""
        from intaglio.recall.commits.meanings import KnownVectors  # noqa: PLC0415 - as in `_near`

        number = found.number
        version = (model, vectors.changes(tx, number))
        # Put back at the end: the project that was asked longest ago stands first.
        known = self._known.pop(number, None)
        if known is None or known.version != version:
            stored = vectors.of_rows(tx, model, found.first, found.last)
            if not stored:
                return None
            known = KnownVectors.of(version, stored)
        self._known[number] = known
        for other in [*self._known][:-_KEPT_PROJECTS]:
            self._known.pop(other, None)
        return known


def _besides_meaning(head: CommitHead, found: FoundByWords, share: float) -> float:
    """Return roughly what speaks for a commit besides its meaning."""
    return share + found.link(head)[0] / 2 + min(1.0, head.words / _PROSE_WORDS) / 4


def _usual(values: Iterable[float]) -> float:
    """Return the mean of the best values but the first."""
    best: Sequence[float] = heapq.nlargest(_COMPARED, values)[1:]
    return sum(best) / len(best) if best else 0.0


def _prose(body: str) -> float:
    """Return how much (0 to 1) a message says beside lists of changes."""
    listed = (found.group() for found in _ITEM.finditer(body))
    said = len(body.split()) - sum(len(item.split()) for item in listed)
    return min(1.0, said / _PROSE_WORDS)

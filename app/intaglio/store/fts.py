"""The full-text index: its vocabulary, and keyword search within a budget of postings."""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from intaglio.store.tx import QueryTimeout, ReadTx
from intaglio.store.vectors.values import VectorFilter

# A search that has only very common words reads the newest rows instead of scoring them all.
_NEWEST: Final = 300
# Where fewer rows pass, looking them all up is as cheap as ranking all.
_LEAST_SHARE: Final = 0.2
_MARGIN: Final = 1.5
_JOINED: Final = "memories_fts f JOIN memories m ON m.seq = f.rowid"


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """How many live rows hold each index term, as of one moment.

    ``newest`` is the last row then, ``mean_length`` the mean number of terms in a row.

    Terms that stand in one row alone are left out to save memory; so 1 is what an unknown costs.
    """

    rows: int
    newest: int
    mean_length: float
    frequencies: Mapping[str, int]

    def of(self, term: str) -> int:
        """Return in how many rows the term stands; 1 where it is rare or unknown."""
        return self.frequencies.get(term, 1)


@dataclass(frozen=True, slots=True)
class Ranked:
    """Row numbers with BM25, higher for better."""

    scores: dict[int, float]


@dataclass(frozen=True, slots=True)
class Newest:
    """Row numbers that hold a term, newest first and unranked: the terms are too common."""

    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TooSlow:
    """The search was stopped at its deadline."""


KeywordMatches: TypeAlias = Ranked | Newest | TooSlow


def read_vocabulary(tx: ReadTx) -> Vocabulary:
    """Read the index's vocabulary; about 0.1 s at 100,000 rows."""
    rows = tx.rows(tuple[str, int], "SELECT term, doc FROM memories_vocabulary WHERE doc > 1")
    live = tx.count("SELECT count(*) FROM live_memories")
    return Vocabulary(
        rows=live,
        mean_length=tx.count("SELECT sum(cnt) FROM memories_vocabulary") / max(live, 1),
        newest=newest_row(tx),
        frequencies=dict(rows),
    )


def count_holding(tx: ReadTx, word: str, among: VectorFilter) -> int:
    """Count the memories that hold the word, of those that count; about 3 µs a posting."""
    return tx.count(
        f"SELECT count(*) FROM {_JOINED} "  # noqa: S608 - condition is built of constants
        f"WHERE memories_fts MATCH ? AND {among.condition}",
        [match_any([word]), *among.params],
    )


def newest_row(tx: ReadTx) -> int:
    """Return the highest row number, which tells cheaply how far a vocabulary lags behind."""
    return tx.count("SELECT max(seq) FROM memories")


def match_any(words: Sequence[str]) -> str:
    """Write an FTS5 query that matches any of the words; quoting keeps operators plain text.

    They are words as they are spelled, not index terms: FTS5 stems them.
    """
    return " OR ".join('"' + word.replace('"', '""') + '"' for word in words)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeywordQuery:
    """A keyword search: any of the words, in the memories that count.

    Which count is applied before ranking, so that ``limit`` counts rows the asker may see.
    ``ranked`` false returns the newest rows unranked, at a cost that does not grow with the store.
    ``share`` is about what share of the rows passes, 0 where that is not known: it steers the cost
    alone, never what is found.
    """

    words: Sequence[str]
    among: VectorFilter
    limit: int
    deadline_s: float
    ranked: bool = True
    share: float = 0.0


def search(tx: ReadTx, wanted: KeywordQuery) -> KeywordMatches:
    """Find live rows, best first."""
    try:
        with tx.deadline(wanted.deadline_s):
            if not wanted.ranked:
                return _newest(tx, wanted)
            return _best_that_pass(tx, wanted) or _best(tx, wanted)
    except QueryTimeout:
        return TooSlow()


def _best(tx: ReadTx, wanted: KeywordQuery) -> Ranked:
    """Look every row that holds a word up, and rank those that pass."""
    found = tx.rows(
        tuple[int, float],
        f"SELECT m.seq, -bm25(memories_fts) FROM {_JOINED} "  # noqa: S608 - condition is built of constants
        f"WHERE memories_fts MATCH ? AND {wanted.among.condition} "
        "ORDER BY bm25(memories_fts), m.seq DESC LIMIT ?",
        [match_any(wanted.words), *wanted.among.params, wanted.limit],
    )
    return Ranked(dict(found))


def _best_that_pass(tx: ReadTx, wanted: KeywordQuery) -> Ranked | None:
    """Rank all rows that hold a word and look only the best of them up.

    Saves a third where most rows pass. None when too few of the best passed, so that a worse one
    may be wanted too.
    """
    if wanted.share < _LEAST_SHARE:
        return None
    most = int(wanted.limit / wanted.share * _MARGIN) + wanted.limit
    found = tx.rows(
        tuple[int, float],
        "SELECT rowid, -bm25(memories_fts) AS score FROM memories_fts WHERE memories_fts MATCH ? "
        "ORDER BY score DESC, rowid DESC LIMIT ?",
        (match_any(wanted.words), most),
    )
    scores = dict(found)
    if not scores:
        return Ranked({})
    passing = tx.column(
        int,
        "SELECT m.seq FROM memories m WHERE m.seq IN (SELECT value FROM carray(?)) "  # noqa: S608 - see _best
        f"AND {wanted.among.condition}",
        [tx.numbers(array("q", scores)), *wanted.among.params],
    )
    passed = set(passing)
    best = [seq for seq in scores if seq in passed][: wanted.limit]
    if len(best) < wanted.limit and len(found) == most:
        return None
    return Ranked({seq: scores[seq] for seq in best})


def _newest(tx: ReadTx, wanted: KeywordQuery) -> Newest:
    found = tx.column(
        int,
        f"SELECT m.seq FROM {_JOINED} WHERE memories_fts MATCH ? AND {wanted.among.condition} "  # noqa: S608 - see _best
        "ORDER BY f.rowid DESC LIMIT ?",
        [match_any(wanted.words), *wanted.among.params, max(wanted.limit, _NEWEST)],
    )
    return Newest(tuple(found))

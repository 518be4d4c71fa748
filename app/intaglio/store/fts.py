"""The full-text index: its vocabulary, and keyword search within a budget of postings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from intaglio.store.tx import QueryTimeout, ReadTx, Sql

# A search that has only very common words reads the newest rows instead of scoring them all.
_NEWEST: Final = 300


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


Matches: TypeAlias = Ranked | Newest | TooSlow


def read_vocabulary(tx: ReadTx) -> Vocabulary:
    """Read the index's vocabulary; about 0.1 s at 100,000 rows."""
    rows = tx.all("SELECT term, doc FROM memories_vocabulary WHERE doc > 1")
    live = tx.count("SELECT count(*) FROM live_memories")
    return Vocabulary(
        rows=live,
        mean_length=tx.count("SELECT sum(cnt) FROM memories_vocabulary") / max(live, 1),
        newest=newest_row(tx),
        frequencies={str(term): int(str(doc)) for term, doc in rows},
    )


def count_where(tx: ReadTx, word: str, condition: str, params: Sequence[Sql]) -> int:
    """Count the rows ``m`` that hold the word and pass the condition; about 3 µs a posting."""
    return tx.count(
        "SELECT count(*) FROM memories_fts f JOIN memories m ON m.seq = f.rowid "  # noqa: S608 - condition is built of constants
        f"WHERE memories_fts MATCH ? AND {condition}",
        [match_any([word]), *params],
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
class Search:
    """A keyword search: any of the words, in rows ``m`` that pass the condition.

    The condition applies before ranking, so that ``limit`` counts rows the asker may see.
    ``ranked`` false returns the newest rows unranked, at a cost that does not grow with the store.
    """

    words: Sequence[str]
    condition: str
    params: Sequence[Sql]
    limit: int
    deadline_s: float
    ranked: bool = True


def search(tx: ReadTx, wanted: Search) -> Matches:
    """Find live rows, best first."""
    query, condition = match_any(wanted.words), wanted.condition
    joined = "memories_fts f JOIN memories m ON m.seq = f.rowid"
    try:
        with tx.deadline(wanted.deadline_s):
            if wanted.ranked:
                found = tx.all(
                    f"SELECT m.seq, -bm25(memories_fts) FROM {joined} "  # noqa: S608 - condition is built of constants
                    f"WHERE memories_fts MATCH ? AND {condition} "
                    "ORDER BY bm25(memories_fts), m.seq DESC LIMIT ?",
                    [query, *wanted.params, wanted.limit],
                )
                return Ranked({int(str(seq)): float(str(score)) for seq, score in found})
            found = tx.all(
                f"SELECT m.seq FROM {joined} WHERE memories_fts MATCH ? AND {condition} "  # noqa: S608 - see above
                "ORDER BY f.rowid DESC LIMIT ?",
                [query, *wanted.params, max(wanted.limit, _NEWEST)],
            )
            return Newest(tuple(int(str(seq)) for (seq,) in found))
    except QueryTimeout:
        return TooSlow()

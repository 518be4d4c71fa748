"""The full-text index: its vocabulary, and keyword search within a postings budget."""

import json
from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Final, TypeAlias

import apsw

from intaglio.store.index_repair.rebuild import IndexFaultError
from intaglio.store.tx import QueryTimeout, ReadTx, SearchExpression
from intaglio.store.vectors.values import VectorFilter

# A search with only very common words reads the newest rows instead of scoring them all.
_NEWEST: Final = 300
# If fewer rows match, looking them all up is as cheap as ranking all.
_LEAST_SHARE: Final = 0.2
_MARGIN: Final = 1.5
_CHECKED_ROWS: Final = 3
_CHECKED_CHARS: Final = 500
_CHECKED_TERMS: Final = 100
_SHORT_TERM: Final = 60
_MOST_STARTS: Final = 12
_JOINED: Final = "memories_fts f JOIN memories m ON m.seq = f.rowid"


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """How many live rows contain each index term, at one point in time.

    ``newest`` is the last row at that time, ``mean_length`` the mean number of terms in a row.

    Terms that occur in only one row are left out to save memory, so unknown terms count as 1.
    """

    rows: int
    newest: int
    mean_length: float
    frequencies: Mapping[str, int]

    def frequency(self, term: str) -> int:
        """Return the number of rows that contain the term; 1 if it is rare or unknown."""
        return self.frequencies.get(term, 1)


@dataclass(frozen=True, slots=True)
class Ranked:
    """Row numbers with BM25 scores, higher for better."""

    scores: dict[int, float]


@dataclass(frozen=True, slots=True)
class Newest:
    """Row numbers that contain a term, newest first and unranked: the terms are too common."""

    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TooSlow:
    """The search was stopped at its deadline."""


KeywordMatches: TypeAlias = Ranked | Newest | TooSlow


def terms_of(words: Iterable[str]) -> frozenset[str]:
    """Return the index terms of words, which need no stored memories."""
    with closing(apsw.Connection(":memory:")) as connection:
        return frozenset(ReadTx(connection).index_terms(" ".join(words)))


def read_vocabulary(tx: ReadTx) -> Vocabulary:
    """Read the index's vocabulary; about 0.1 s at 100,000 rows.

    Raises IndexFaultError if it has none of the newest rows' terms.
    """
    _check_newest(tx)
    rows = tx.rows(tuple[str, int], "SELECT term, doc FROM memories_vocabulary WHERE doc > 1")
    live = tx.count("SELECT count(*) FROM live_memories")
    return Vocabulary(
        rows=live,
        mean_length=tx.count("SELECT sum(cnt) FROM memories_vocabulary") / max(live, 1),
        newest=newest_row(tx),
        frequencies=dict(rows),
    )


def _check_newest(tx: ReadTx) -> None:
    """Notice an index that reads as an empty one: it is damaged, but no search of it fails."""
    newest = (
        "SELECT substr(content, 1, ?) FROM memories WHERE is_deleted = 0 ORDER BY seq DESC LIMIT ?"
    )
    texts = tx.column(str, newest, (_CHECKED_CHARS, _CHECKED_ROWS))
    # The last word may be cut, and a long one is cut in the index.
    terms = [term for text in texts for term in tx.index_terms(text.rpartition(" ")[0])]
    checked = [term for term in terms if len(term) < _SHORT_TERM][:_CHECKED_TERMS]
    known = "SELECT 1 FROM memories_vocabulary WHERE term = ?"
    if checked and not any(tx.value(known, (term,)) for term in checked):
        raise IndexFaultError("the index has no words of the newest memories")


def frequencies(tx: ReadTx, words: Mapping[str, str], most: int) -> dict[str, int]:
    """Return how many live rows contain each index term, without reading the vocabulary.

    ``words`` has a spelling of each term. Counting stops at ``most``. Unknown terms are left out.
    """
    counted: dict[str, int] = {}
    for term, word in words.items():
        rows = tx.count(
            "SELECT count(*) FROM (SELECT 1 FROM memories_fts WHERE memories_fts MATCH ? LIMIT ?)",
            (match_any([word]), most),
        )
        if rows:
            counted[term] = rows
    return counted


def count_containing(tx: ReadTx, word: str, among: VectorFilter) -> int:
    """Count the matching memories that contain the word; about 3 µs per posting."""
    return tx.count(
        f"SELECT count(*) FROM {_JOINED} "  # noqa: S608 - condition is built of constants
        f"WHERE memories_fts MATCH ? AND {among.condition}",
        [match_any([word]), *among.params],
    )


def newest_row(tx: ReadTx) -> int:
    """Return the highest row number, a cheap measure of how outdated a vocabulary is."""
    return tx.count("SELECT max(seq) FROM memories")


def match_any(words: Sequence[str]) -> SearchExpression:
    """Build an FTS5 query that matches any of the words; quoting disables operators.

    The words are spelled out, not index terms: FTS5 stems them.
    """
    return SearchExpression(" OR ".join('"' + word.replace('"', '""') + '"' for word in words))


def match_all(words: Sequence[str], starts: Sequence[str] = ()) -> SearchExpression:
    """Build an FTS5 query that matches all words, and one that begins with any of ``starts``.

    At least one word or start must be given.
    """
    parts = [_quoted(word) for word in words]
    if starts:
        parts.append(f"({' OR '.join(f'{_quoted(each)}*' for each in starts)})")
    return SearchExpression(" AND ".join(parts))


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'


def count_terms(tx: ReadTx, terms: Collection[str]) -> dict[str, int]:
    """Return in how many memories terms are, of those that are in any; about 4 µs each."""
    return count_each(tx, "memories_vocabulary", terms)


def count_each(tx: ReadTx, vocabulary: str, terms: Collection[str]) -> dict[str, int]:
    """Return in how many rows of the index of a vocabulary terms are, of those that are in any."""
    return dict(
        tx.rows(
            tuple[str, int],
            f"SELECT term, doc FROM {vocabulary} WHERE term IN (SELECT value FROM json_each(?))",  # noqa: S608 - a name of the caller's
            (json.dumps(sorted(terms)),),
        )
    )


def expression_of(
    tx: ReadTx, words: Sequence[str], start: str, vocabulary: str
) -> SearchExpression | None:
    """Build a query for all of the words, and one that begins so; None if that is nothing.

    An index without positions takes no phrases, so "read-only" is two words. The index stems what
    it searches for, and "pay" as a word is "pai": then its ``vocabulary`` tells which of its terms
    begin so.
    """
    whole = [part for word in words for part in tx.spellings(word).values()]
    parts = [*tx.spellings(start).values()]
    if not parts:
        return match_all(whole) if whole else None
    whole += parts[:-1]
    begin = parts[-1].lower()
    (term,) = tx.index_terms(begin)
    if begin.startswith(term):
        return match_all(whole, [begin])
    begun = tx.column(
        str,
        f"SELECT term FROM {vocabulary} WHERE term >= ? AND term < ? || char(0x10FFFF) "  # noqa: S608 - a name of the caller's
        "ORDER BY doc DESC LIMIT ?",
        (begin, begin, _MOST_STARTS),
    )
    return match_all(whole, [begin, *begun])


def newest_with_all(
    tx: ReadTx, words: Sequence[str], start: str, among: VectorFilter, limit: int
) -> list[int]:
    """Return the newest matching memories with all of the words, and one that begins so.

    Words without letters or digits don't count; empty if there are only those.
    """
    wanted = expression_of(tx, words, start, "memories_vocabulary")
    if wanted is None:
        return []
    return tx.column(
        int,
        f"SELECT m.seq FROM {_JOINED} WHERE memories_fts MATCH ? AND {among.condition} "  # noqa: S608 - see _best
        "ORDER BY f.rowid DESC LIMIT ?",
        [wanted, *among.params, limit],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class KeywordQuery:
    """A keyword search: any of the words, in the memories that match the filter.

    The filter is applied before ranking, so that ``limit`` counts rows that the reader may see. If
    ``ranked`` is false, the newest rows are returned unranked, at a cost independent of the store's
    size. ``share`` is the approximate share of matching rows, 0 if it isn't known: it affects only
    the cost, not the result.
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
    """Look up every row that contains a word, and rank those that match."""
    found = tx.rows(
        tuple[int, float],
        f"SELECT m.seq, -bm25(memories_fts) FROM {_JOINED} "  # noqa: S608 - condition is built of constants
        f"WHERE memories_fts MATCH ? AND {wanted.among.condition} "
        "ORDER BY bm25(memories_fts), m.seq DESC LIMIT ?",
        [match_any(wanted.words), *wanted.among.params, wanted.limit],
    )
    return Ranked(dict(found))


def _best_that_pass(tx: ReadTx, wanted: KeywordQuery) -> Ranked | None:
    """Rank all rows that contain a word, and look up only the best of them.

    Saves a third if most rows match. Returns None if too few of the best matched, so that a worse
    one may be needed.
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
        [tx.bind_integers(array("q", scores)), *wanted.among.params],
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

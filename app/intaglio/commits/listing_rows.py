"""SQL that lists commits: newest first, or by the words that a person searches for.

Those of a project that is switched off aren't listed while they are being deleted.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.commits import rows
from intaglio.commits.search_rows import count_containing
from intaglio.commits.values import StoredCommit
from intaglio.store.fts import expression_of, match_all, match_any
from intaglio.store.tx import QueryTimeout, ReadTx, SearchExpression, Sql
from intaglio.store.values import ListPosition
from intaglio.terms.query_terms import MAX_TERMS
from intaglio.terms.question_words import words_of

_HASH: Final = re.compile(r"[0-9a-f]{4,64}")
_DEADLINE_S: Final = 0.5
# Ranking takes 3 µs each.
_RANKED: Final = 800
_IS_ON: Final = "{seq} >> 24 NOT IN (SELECT number FROM commit_reading WHERE enabled = 0)"


@dataclass(frozen=True, slots=True)
class CommitPage:
    """A page of commits; ``end`` is its last one if there are more."""

    commits: Sequence[StoredCommit]
    end: ListPosition | None = None


def newest(tx: ReadTx, project: str | None, limit: int, after: ListPosition | None) -> CommitPage:
    """Return a page of the commits of a project, or of all, newest first."""
    conditions, params = _of_project(project)
    if after is not None:
        conditions.append("c.committed_at <= ? AND (c.committed_at < ? OR c.seq > ?)")
        params += (after.moment, after.moment, after.number)
    found = tx.rows(
        tuple[int, str],
        f"SELECT c.seq, c.committed_at FROM commits c WHERE {' AND '.join(conditions)} "  # noqa: S608 - conditions of this module
        # Of one second, the newer was read first.
        "ORDER BY c.committed_at DESC, c.seq LIMIT ?",
        (*params, limit + 1),
    )
    listed = found[:limit]
    commits = _in_order(tx, [seq for seq, _ in listed])
    if len(found) <= limit:
        return CommitPage(commits)
    seq, moment = listed[-1]
    return CommitPage(commits, ListPosition(moment, seq))


def matching(tx: ReadTx, project: str | None, text: str, limit: int) -> CommitPage:
    """Return the commits whose hash begins with a text, else those with its words, best first.

    Commits with all words come alone if there are any. Empty if that takes too long.
    """
    try:
        with tx.deadline(_DEADLINE_S):
            return CommitPage(_in_order(tx, _matching(tx, project, text, limit)))
    except QueryTimeout:
        return CommitPage(())


def beginning(
    tx: ReadTx, project: str | None, words: Sequence[str], start: str, limit: int
) -> Sequence[StoredCommit]:
    """Return the commits with all of the words and one that begins with a text, best first.

    Empty if that takes too long.
    """
    wanted = expression_of(tx, words, start, "commits_vocabulary")
    if wanted is None:
        return ()
    try:
        with tx.deadline(_DEADLINE_S / 10):
            return _in_order(tx, _with_words(tx, project, wanted, limit))
    except QueryTimeout:
        return ()


def _matching(tx: ReadTx, project: str | None, text: str, limit: int) -> list[int]:
    hash_start = text.lower()
    if _HASH.fullmatch(hash_start):
        named = _with_hash(tx, project, hash_start, limit)
        if named:
            return named
    words = dict(list(words_of(tx, text).items())[:MAX_TERMS])
    if not words:
        return []
    found = _with_words(tx, project, match_all([*words.values()]), limit)
    if found or len(words) == 1:
        return found
    return _with_words(tx, project, match_any(_rarest(tx, words)), limit)


def _rarest(tx: ReadTx, words: Mapping[str, str]) -> Sequence[str]:
    """Return the rarest words, by term, until a budget of commits to rank is spent.

    At least one, if any is in a commit.
    """
    chosen, spent = list[str](), 0
    for count, term in sorted((count_containing(tx, term), term) for term in words):
        spent += count
        if chosen and spent > _RANKED:
            break
        if count:
            chosen.append(words[term])
    return chosen or [*words.values()]


def _with_hash(tx: ReadTx, project: str | None, start: str, limit: int) -> list[int]:
    conditions, params = _of_project(project)
    # Hashes are hexadecimal: all that begin so come before this text.
    named = ("c.hash >= ? AND c.hash < ?", *conditions)
    return tx.column(
        int,
        f"SELECT c.seq FROM commits c WHERE {' AND '.join(named)} "  # noqa: S608 - conditions of this module
        "ORDER BY c.committed_at DESC LIMIT ?",
        (start, f"{start}g", *params, limit),
    )


def _with_words(tx: ReadTx, project: str | None, wanted: SearchExpression, limit: int) -> list[int]:
    condition, params = _IS_ON.format(seq="rowid"), []
    if project is not None:
        number = rows.number_of(tx, project)
        if number is None:
            return []
        condition, params = "rowid BETWEEN ? AND ?", list(rows.rows_of(number))
    return tx.column(
        int,
        f"SELECT rowid FROM commits_fts WHERE commits_fts MATCH ? AND {condition} "  # noqa: S608 - a condition of this module
        "ORDER BY bm25(commits_fts), rowid DESC LIMIT ?",
        (wanted, *params, limit),
    )


def _of_project(project: str | None) -> tuple[list[str], list[Sql]]:
    is_on = _IS_ON.format(seq="c.seq")
    return ([is_on], []) if project is None else ([is_on, "c.project = ?"], [project])


def _in_order(tx: ReadTx, seqs: Sequence[int]) -> list[StoredCommit]:
    found = {commit.seq: commit for commit in rows.read_many(tx, seqs)}
    return [found[seq] for seq in seqs]
